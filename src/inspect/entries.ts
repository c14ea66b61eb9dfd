import type { ClientId } from '../clients/client.ts';
import { clientById, isClient } from '../clients/index.ts';
import type { Fidelity } from '../clients/protocol.ts';
import { EVENTS } from '../declarations/types.ts';
import type { LogLine } from '../fire/log.ts';
import { projectOf } from '../fire/project.ts';
import type { ServerRecord } from '../store/types.ts';

/** A line of the log, with what follows from the line. */
export interface LogEntry extends LogLine {
  fidelity?: Fidelity;
}

/** Which lines are asked for. */
export interface LogFilter {
  server?: string | undefined;
  clients?: readonly string[] | undefined;
  /** Beginning of a session's id. */
  session?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
}

export function matchesFilter({ server, clients, session, since }: LogFilter): (line: LogLine) => boolean {
  return (line) =>
    (server === undefined || line.server === server) &&
    (clients === undefined || clients.includes(line.client ?? '')) &&
    (session === undefined || line.session?.startsWith(session) === true) &&
    (since === undefined || line.at >= since);
}

/**
 * Returns a function that completes lines: the project of a folder, the fidelity of a text, and a declared text that
 * the log doesn't hold.
 */
export function completing(records: readonly ServerRecord[]): (line: LogLine) => LogEntry {
  const projects = new Map<string, string>();
  const rootOf = (folder: string): string => {
    const known = projects.get(folder) ?? projectOf(folder).root;
    projects.set(folder, known);
    return known;
  };
  // A record holds the declarations of the last install on a client; earlier ones may have been others.
  const declared = ({ server, client = '', n = 0, event, at }: LogLine): string | undefined => {
    const record = records.find((one) => one.server === server && (sinceOn(one, client) ?? one.since) <= at);
    const declaration = record?.declarations[n - 1];
    return declaration?.event === event ? declaration?.context : undefined;
  };
  return (line) => {
    const { project, client, event } = line;
    const given = isGiven(line);
    const text = given ? (line.text ?? declared(line)) : undefined;
    const fidelity = given && event && client && isClient(client) ? fidelityOf(client, line) : undefined;
    return {
      ...line,
      ...(project && { project: rootOf(project) }),
      ...(fidelity && { fidelity }),
      ...(text !== undefined && { text }),
    };
  };
}

const sinceOn = ({ clients }: ServerRecord, client: string): string | undefined =>
  isClient(client) ? clients[client]?.since : undefined;

function fidelityOf(client: ClientId, { event, meant }: LogLine): Fidelity | undefined {
  if (meant !== undefined) return 'deferred';
  // A later version may have logged an event that this one doesn't know.
  return EVENTS.some((known) => known === event)
    ? event && clientById(client).events[event].fidelity
    : undefined;
}

/** True for a line about a text that a hook gave. */
export const isGiven = ({ chars, incident }: LogLine): boolean =>
  chars !== undefined && incident === undefined;
