import { oneLine } from '../../base/visible.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { LogLine } from '../../fire/log.ts';
import { failedTools } from '../../fire/tools/tool-state.ts';
import type { Incident } from '../../fire/why.ts';
import { incidentText } from '../../messages/silences.ts';
import type { ServerRecord } from '../../store/types.ts';
import { isGiven } from '../entries.ts';
import type { Surveyed } from '../survey.ts';
import { RECENT_DAYS } from './own.ts';
import { isOfServer } from './tools.ts';

/** A line of the log about something that went wrong. */
type IncidentLine = LogLine & { incident: Incident };

export const isIncident = (line: LogLine): line is IncidentLine => line.incident !== undefined;

/** Incidents beside a text that was given. */
const TEXT_GIVEN: readonly Incident[] = ['text.sanitised', 'text.cut', 'value.cut'];

/**
 * Returns the failures that may happen again: without those of an install that was removed, renewed, or repaired. Of
 * the same failure only the last one.
 */
export function openIncidents(
  lines: readonly IncidentLine[],
  servers: readonly Surveyed[],
  now: string,
): IncidentLine[] {
  const since = new Date(Date.parse(now) - RECENT_DAYS * 86_400_000).toISOString();
  const open = lines.filter((line) => {
    if (line.at < since || TEXT_GIVEN.includes(line.incident)) return false;
    if (line.server === undefined) return true;
    return servers.some(({ scope, record, clients, comparison }) => {
      // A script whose data can't be read knows its server by its folder alone.
      if (![record.server, record.slug].includes(line.server ?? '')) return false;
      const status = clients.find(({ client }) => line.client === undefined || client === line.client);
      if (!status || line.at < status.since) return false;
      const { changed = [], gone = [] } = comparison ?? {};
      const differs = [...changed, ...gone].includes('definition');
      if (line.incident.startsWith('definition.')) return !comparison || differs;
      if (CALLS.includes(line.incident)) return stillFails(line, record, scope.paths.state);
      if (line.incident === 'data.unreadable') return status.missing.length + status.altered.length > 0;
      return true;
    });
  });
  const same = ({ server, client, native, n, incident, detail }: IncidentLine): string =>
    JSON.stringify([server, client, native, n, incident, detail]);
  const last = new Map(open.map((line) => [same(line), line]));
  return open.filter((line) => last.get(same(line)) === line);
}

/** Incidents of calls, whose detail begins with the tool's name. */
const CALLS: readonly Incident[] = [
  'tool.failed',
  'tool.slow',
  'tool.installing',
  'tool.resting',
  'tool.paused',
];

/** True when the tool that a line names has not answered since. */
function stillFails({ detail = '' }: LogLine, record: ServerRecord, state: string): boolean {
  const isNamed = ({ tool }: { tool: string }): boolean =>
    detail === tool || [': ', ', '].some((end) => detail.startsWith(tool + end));
  return detail === '' || failedTools(state).some((one) => isNamed(one) && isOfServer(one, record));
}

export function logLineText({ at, incident, server, client, native, n, detail }: IncidentLine): string {
  const id = CLIENT_IDS.find((known) => known === client);
  const who = [server, id ? clientById(id).title : client, native].filter((part) => part !== undefined);
  const hook = n === undefined || n === 0 ? '' : ` hook ${n}`;
  const more = detail ? ` (${detail})` : '';
  return oneLine(
    `${at.slice(0, 16).replace('T', ' ')}  ${who.join(' ')}${hook}: ${incidentText(incident)}${more}`,
  );
}

/** When an installed server's hooks last gave a text on a client. */
export interface LastText {
  server: string;
  scope: ScopeName;
  client: ClientId;
  /** Time of the install on the client, ISO 8601. */
  since: string;
  /** ISO 8601; absent: none since the install. */
  last?: string;
}

/** Returns the last texts since each install, without tries. */
export function lastTexts(lines: readonly LogLine[], servers: readonly Surveyed[]): LastText[] {
  const given = lines.filter((line) => isGiven(line) && !line.try);
  return servers.flatMap(({ record, scope, clients }) =>
    clients.map(({ client, since }) => {
      const last = given.findLast(
        (line) => line.server === record.server && line.client === client && line.at >= since,
      )?.at;
      return { server: record.server, scope: scope.name, client, since, ...(last !== undefined && { last }) };
    }),
  );
}
