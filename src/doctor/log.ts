import { join } from 'node:path';
import { clientById } from '../clients/index.ts';
import { CLIENT_IDS } from '../clients/types.ts';
import { oneLine } from '../declarations/visible.ts';
import type { LogLine } from '../fire/log.ts';
import { incidentText } from '../messages.ts';

/** The last lines of the log of fires, oldest first; lines that make no sense are passed over. */
export function lastLines(
  state: string,
  most: number,
  read: (path: string) => Uint8Array | null,
): { file: string; lines: LogLine[] } {
  const file = join(state, 'log');
  const text = ['.1', ''].map((end) => Buffer.from(read(`${file}${end}`) ?? []).toString('utf8')).join('');
  const lines = text.split('\n').flatMap((line): LogLine[] => {
    try {
      const value = JSON.parse(line) as LogLine;
      return typeof value?.at === 'string' && typeof value.incident === 'string' ? [value] : [];
    } catch {
      return [];
    }
  });
  return { file, lines: lines.slice(-most) };
}

export function logLineText({ at, incident, server, client, native, n, detail }: LogLine): string {
  const id = CLIENT_IDS.find((known) => known === client);
  const who = [server, id ? clientById(id).title : client, native].filter((part) => part !== undefined);
  const hook = n === undefined || n === 0 ? '' : ` hook ${n}`;
  const more = detail ? ` (${detail})` : '';
  return oneLine(
    `${at.slice(0, 16).replace('T', ' ')}  ${who.join(' ')}${hook}: ${incidentText(incident)}${more}`,
  );
}
