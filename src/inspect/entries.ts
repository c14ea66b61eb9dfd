import { remembering } from '../base/once.ts';
import { slugFor } from '../base/slug.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById, isClient } from '../clients/index.ts';
import type { Fidelity } from '../clients/protocol.ts';
import { type Declaration, EVENTS, PRIORITIES } from '../declarations/types.ts';
import { hasVariable } from '../declarations/variables.ts';
import type { LogLine } from '../fire/log.ts';
import { projectOf } from '../fire/project.ts';
import { noteFor } from '../fire/steps.ts';
import { envelope, sizeOf } from '../fire/text/render.ts';
import type { ServerRecord } from '../store/types.ts';

/** A line of the log, with what follows from the line. */
export interface LogEntry extends LogLine {
  fidelity?: Fidelity;
  /** The text is that of the declaration; the log doesn't hold what was given. */
  declared?: true;
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

/**
 * Returns a test for lines of the log; a line must fit all that is asked for. A script whose data can't be read knows its
 * server by its folder alone.
 */
export function matchesFilter({ server, clients, session, since }: LogFilter): (line: LogLine) => boolean {
  return (line) =>
    (server === undefined || line.server === server || line.server === slugFor(server)) &&
    (clients === undefined || clients.includes(line.client ?? '')) &&
    (session === undefined || line.session?.startsWith(session) === true) &&
    (since === undefined || line.at >= since);
}

/**
 * Returns a function that completes lines: the project of a folder, the fidelity of a text, and a declared text that
 * the log doesn't hold.
 */
export function completing(records: readonly ServerRecord[]): (line: LogLine) => LogEntry {
  const rootOf = rootFinder();
  const installsOf = installFinder(records, rootOf);
  // A line doesn't say which of several installs wrote it.
  const declared = (line: LogLine): string | undefined => {
    const texts = new Set(
      installsOf(line).map(({ declarations }) => {
        const declaration = declarations[(line.n ?? 0) - 1];
        return declaration && mayHaveGiven(declaration, line) ? declaration.context : undefined;
      }),
    );
    return texts.size === 1 ? [...texts][0] : undefined;
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
      ...(text !== undefined && line.text === undefined && { declared: true as const }),
    };
  };
}

/**
 * True when a declared text can be the one of a line. A session that began before an update gives the earlier texts,
 * after it, too; the length tells, where it is known.
 */
function mayHaveGiven(
  { event, context = '' }: Declaration,
  { server = '', event: given, chars, tag, meant }: LogLine,
): boolean {
  if (event !== given) return false;
  if (tag === undefined || hasVariable(context)) return true;
  const late = meant === undefined ? {} : { note: noteFor(event, meant) };
  // The user may have had another priority at that time.
  return PRIORITIES.some(
    (priority) => sizeOf(envelope({ server, event, priority, tag, ...late }, context)).chars === chars,
  );
}

type RootFinder = (folder: string) => string;

/** Returns a function that returns the root of a folder's project, and remembers it. */
const rootFinder = (): RootFinder => remembering((folder) => projectOf(folder).root);

/** Returns a function that returns the installs that may have written a line, in the order of `records`. */
export function installFinder(
  records: readonly ServerRecord[],
  rootOf: RootFinder = rootFinder(),
): (line: LogLine) => ServerRecord[] {
  // A record holds the declarations of the last install on a client; earlier ones may have been others.
  return ({ server, client = '', project, at }) =>
    records.filter(({ server: name, clients, root }) => {
      const since = isClient(client) ? clients[client]?.since : undefined;
      const isHere = !root || !project || rootOf(root) === rootOf(project);
      return name === server && since !== undefined && since <= at && isHere;
    });
}

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
