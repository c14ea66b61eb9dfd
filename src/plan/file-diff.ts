import { structuredPatch } from 'diff';
import type { WantedEntry } from '../edit/types.ts';

/** Lines of a file's change, each with its sign; values that are not ours are masked, for they may be secrets. */
export interface DiffLine {
  sign: '+' | '-' | ' ' | '@';
  text: string;
}

const CONTEXT_LINES = 2;
/** A longer line (a minified file) is shown by what was put into it. */
const LONG_LINE = 1_000;

/** Unified diff of a client's file around our entries. */
export function fileDiff(
  before: string | null,
  after: string | null,
  entries: readonly WantedEntry[],
): DiffLine[] {
  const a = before ?? '';
  const b = after ?? '';
  const longest = Math.max(...[a, b].flatMap((t) => t.split('\n').map((line) => line.length)));
  if (longest > LONG_LINE) return insertion(a, b);
  const ours = new Set(
    entries.flatMap((e) => e.group.hooks.map((h) => JSON.stringify(h.command).slice(1, -1))),
  );
  const isOurs = (line: string): boolean => [...ours].some((command) => line.includes(command));
  const patch = structuredPatch('', '', a, b, '', '', { context: CONTEXT_LINES });
  return patch.hunks.flatMap((hunk): DiffLine[] => {
    const lines = hunk.lines.filter((l) => !l.startsWith('\\'));
    const removed = new Set(lines.filter((l) => l.startsWith('-')).map((l) => bare(l.slice(1))));
    return [
      { sign: '@', text: `line ${hunk.newStart}` },
      ...lines.map((line): DiffLine => {
        const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
        const text = line.slice(1).replace(/\r$/, '');
        const added = sign === '+' && (isOurs(text) || !removed.has(bare(text)));
        return { sign, text: added || isOurs(text) ? text : maskValues(text) };
      }),
    ];
  });
}

/** A line without the comma that an insertion may put behind it. */
function bare(line: string): string {
  return line.replace(/\r$/, '').replace(/,?\s*$/, '');
}

function insertion(a: string, b: string): DiffLine[] {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const line = a.slice(0, start).split('\n').length;
  const column = start - a.lastIndexOf('\n', start - 1);
  const sides = [
    ['-', a.slice(start, a.length - end)],
    ['+', b.slice(start, b.length - end)],
  ] as const;
  return [
    { sign: '@', text: `line ${line}, column ${column}` },
    ...sides.flatMap(([sign, text]): DiffLine[] =>
      text === '' ? [] : text.split('\n').map((t) => ({ sign, text: t })),
    ),
  ];
}

/** Keys and punctuation stay; every value becomes `…`. */
export function maskValues(line: string): string {
  const property = /^(\s*(?:"(?:[^"\\]|\\.)*"|[\w.-]+)\s*[:=]\s*)(.*)$/.exec(line);
  if (property) return property[1] + maskValue(property[2] ?? '');
  return /^\s*(\[\[?[\w."'-]+\]?\]|[\][{}(),]*|#.*|\/\/.*)\s*$/.test(line)
    ? line
    : line.replace(/\S.*$/, maskValue);
}

function maskValue(value: string): string {
  const plain = /^([[{]*)\s*$/.exec(value);
  if (plain || /^(true|false|null|-?\d{1,6}|\[\]|\{\})\s*,?\s*$/.test(value)) return value;
  return `…${/,\s*$/.test(value) ? ',' : ''}`;
}
