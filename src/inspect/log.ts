import { join } from 'node:path';
import { type Files, namesIn } from '../base/files.ts';
import type { LogLine } from '../fire/log.ts';
import { LOG, partsOf } from '../fire/own-folders.ts';

/** Files of earlier versions, which held failures alone. */
const EARLIER = ['log.1', 'log'];

/** Reads the log in the state folder, in the order of writing; unreadable lines are skipped. */
export function readLog(state: string, files: Pick<Files, 'read' | 'list'>): LogLine[] {
  const names = [...EARLIER, ...partsOf(namesIn(state, files)), LOG];
  const lines = names.flatMap((name) => linesIn(files.read(join(state, name))));
  return withoutDropped(lines);
}

function linesIn(bytes: Uint8Array | null): LogLine[] {
  return (
    Buffer.from(bytes ?? [])
      .toString('utf8')
      // A full disk leaves half a line, to which the next one is glued.
      .split(/\n|(?<=.)(?=\{"at":")/)
      .flatMap((line): LogLine[] => {
        try {
          // The shell writes a path as it is.
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
          const value: unknown = JSON.parse(line.replace(/[\0-\x1f]/g, ' '));
          return isLine(value) ? [value] : [];
        } catch {
          return [];
        }
      })
  );
}

const TEXTS = ['server', 'client', 'native', 'event', 'session', 'project', 'detail', 'text', 'tag', 'meant'];
const NUMBERS = ['n', 'tokens', 'ms'];

function isLine(value: unknown): value is LogLine {
  const line = (value ?? {}) as Record<string, unknown>;
  const { at, chars, silence, incident } = line;
  const are = (keys: readonly string[], type: string): boolean =>
    keys.every((key) => line[key] === undefined || typeof line[key] === type);
  const kinds = [typeof chars === 'number', typeof silence === 'string', typeof incident === 'string'];
  return (
    typeof at === 'string' &&
    Date.parse(at) > 0 &&
    are(TEXTS, 'string') &&
    are(NUMBERS, 'number') &&
    kinds.some(Boolean)
  );
}

const SAME = ['tag', 'event', 'chars', 'client', 'native'] as const;

/** Leaves out texts that a script logged and an entry for all servers then had no room for. */
function withoutDropped(lines: LogLine[]): LogLine[] {
  const isText = (line: LogLine, drop: LogLine): boolean =>
    line.incident === undefined && SAME.every((key) => line[key] === drop[key]);
  const gone = new Set<LogLine>();
  for (const [i, drop] of lines.entries()) {
    if (drop.incident !== 'text.dropped' || drop.tag === undefined) continue;
    let j = i - 1;
    while (j >= 0 && !isText(lines[j] as LogLine, drop)) j--;
    if (j >= 0) gone.add(lines[j] as LogLine);
  }
  return lines.filter((line) => !gone.has(line));
}
