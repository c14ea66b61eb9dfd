import { structuredPatch } from 'diff';
import type { ClientPlan, Plan } from '../../plan/types.ts';
import type { ClientRemoval } from '../../plan/uninstall/remove-entries.ts';
import { maskFile } from './mask-file.ts';

/** One line of a file's change, with its sign. Values that aren't ours are masked, since they may be secrets. */
export interface DiffLine {
  sign: '+' | '-' | ' ' | '@';
  text: string;
}

const CONTEXT_LINES = 2;
/** Most characters of a line in a diff; for a file with longer lines (minified), only the inserted text is shown. */
const LONG_LINE = 1_000;

/**
 * Most lines that come or go in a diff, whose time grows with their square. For more, all between the first and the last
 * one is shown.
 */
const MOST_EDITS = 2_000;

/** A program is ours as a whole: who approves it can read it. */
const isOurProgram = (file: string): boolean => file.endsWith('.js');

/** Returns a unified diff of a client's file. Only texts of `groups` (ours, before and after) are legible. */
function fileDiff(
  { file = '', before, after }: Pick<ClientPlan, 'file' | 'before' | 'after'>,
  groups: readonly unknown[],
): DiffLine[] {
  const format = file.endsWith('.toml') ? 'toml' : 'json';
  const ours = new Set(groups.flatMap(textsIn));
  const [a, b] = [before, after].map((text) => {
    const whole = (text ?? '').replaceAll('\r\n', '\n');
    return isOurProgram(file) ? whole : maskFile(whole, format, ours);
  }) as [string, string];
  const longest = Math.max(...[a, b].flatMap((t) => t.split('\n').map((line) => line.length)));
  if (longest > LONG_LINE) return insertion(a, b);
  const patch = structuredPatch('', '', a, b, '', '', { context: CONTEXT_LINES, maxEditLength: MOST_EDITS });
  if (!patch) return insertion(a, b);
  return patch.hunks.flatMap((hunk): DiffLine[] => [
    { sign: '@', text: `line ${hunk.newStart}` },
    ...hunk.lines
      .filter((l) => !l.startsWith('\\'))
      .map(
        (line): DiffLine => ({
          sign: line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ',
          text: line.slice(1),
        }),
      ),
  ]);
}

/** Returns the diff of one client's file in a plan; only our entries, before and after, are legible. */
export function clientDiff(plan: Plan, client: ClientPlan): DiffLine[] {
  if (client.before === client.after) return [];
  const entries = [plan.previous, plan.next].flatMap((s) => s?.clients[client.client]?.entries ?? []);
  const groups = entries.map(({ group }) => group);
  return fileDiff(client, groups);
}

/** Returns the diff of a client's file for a removal; only our removed entries are legible. */
export const removalDiff = (
  removal: Pick<ClientRemoval, 'file' | 'before' | 'after' | 'removedGroups'>,
): DiffLine[] => fileDiff(removal, removal.removedGroups);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

function insertion(a: string, b: string): DiffLine[] {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const line = a.slice(0, start).split('\n').length;
  const sides = [
    ['-', a.slice(start, a.length - end)],
    ['+', b.slice(start, b.length - end)],
  ] as const;
  return [
    { sign: '@', text: `line ${line}` },
    ...sides.flatMap(([sign, text]): DiffLine[] =>
      text === '' ? [] : text.split('\n').map((t) => ({ sign, text: t })),
    ),
  ];
}
