import { join } from 'node:path';
import { type Files, namesIn } from '../base/files.ts';
import { jsonOrUndefined } from '../base/json-value.ts';
import type { LogLine } from '../fire/log.ts';
import { EARLIER_LOGS, LOG_FILE, partsOf } from '../fire/own-folders.ts';

/** Reads the log in the state folder, in the order of writing; unreadable lines are skipped. */
export const readLog = (state: string, files: Pick<Files, 'read' | 'list'>): LogLine[] =>
  logReader(state, files)();

/** Lines that are kept to find a text that had no room later. */
const RECENT = 500;

/**
 * Returns a function that reads the lines written since its last call; the first call returns all. A file that becomes
 * an earlier part is recognised by its first line.
 */
export function logReader(state: string, files: Pick<Files, 'read' | 'list'>): () => LogLine[] {
  let seen = new Map<string, number>();
  let recent: LogLine[] = [];
  return () => {
    const parts = partsIn(state, files);
    const news = parts.flatMap((lines) => lines.slice(seen.get(lines[0] ?? '') ?? 0)).flatMap(parsed);
    seen = new Map(parts.map((lines) => [lines[0] ?? '', lines.length]));
    const lines = [...recent, ...news];
    const shown = withoutDropped(lines).slice(recent.length);
    recent = lines.slice(-RECENT);
    return shown.flatMap((line) => line ?? []);
  };
}

/** Returns the lines of each file of the log, oldest file first, without a line that is being written. */
function partsIn(state: string, files: Pick<Files, 'read' | 'list'>): string[][] {
  const names = [...EARLIER_LOGS, ...partsOf(namesIn(state, files)), LOG_FILE];
  return names.map((name) =>
    Buffer.from(files.read(join(state, name)) ?? [])
      .toString('utf8')
      .split('\n')
      .slice(0, -1),
  );
}

function parsed(text: string): LogLine[] {
  // A full disk leaves half a line, to which the next one is glued.
  return text.split(/(?<=.)(?=\{"at":")/).flatMap((line) => {
    // The shell writes a path as it is.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const value = jsonOrUndefined(line.replace(/[\0-\x1f]/g, ' '));
    return isLine(value) ? [value] : [];
  });
}

/** The times in the log; Date.parse takes others, too. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

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
    TIME.test(at) &&
    Date.parse(at) > 0 &&
    are(TEXTS, 'string') &&
    are(NUMBERS, 'number') &&
    kinds.some(Boolean)
  );
}

const SAME = ['tag', 'event', 'chars', 'client', 'native'] as const;

/**
 * Replaces texts by undefined that a script logged and an entry for all servers then had no room for. Only the text's
 * own line has its hook, session and project; the line about the lack of room gets them.
 */
function withoutDropped(lines: readonly LogLine[]): (LogLine | undefined)[] {
  const texts = new Map<string, number[]>();
  const all: (LogLine | undefined)[] = [...lines];
  for (const [i, line] of lines.entries()) {
    if (line.tag === undefined) continue;
    const key = JSON.stringify(SAME.map((name) => line[name]));
    const before = texts.get(key) ?? [];
    texts.set(key, before);
    if (line.incident === undefined) before.push(i);
    const text = line.incident === 'text.dropped' ? before.pop() : undefined;
    if (text === undefined) continue;
    const { n, session, project, try: tried } = lines[text] as LogLine;
    all[text] = undefined;
    all[i] = {
      ...line,
      ...(n !== undefined && { n }),
      ...(session !== undefined && { session }),
      ...(project !== undefined && { project }),
      ...(tried && { try: tried }),
    };
  }
  return all;
}
