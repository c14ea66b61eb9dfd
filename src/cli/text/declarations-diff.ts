import { diffArrays, diffChars, diffWordsWithSpace } from 'diff';
import { mixedLetters } from '../../base/mixed-letters.ts';
import { codePoint, visible } from '../../base/visible.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { Declaration } from '../../declarations/types.ts';
import { hookTitle, movedTitle, NO_LONGER_DECLARED } from '../../messages/plan.ts';
import type { DiffLine } from './file-diff.ts';
import { lookAlikes, sameNormalForm } from './look-alikes.ts';

/** Returns the difference between approved and new declarations, with characters spelled out where both look alike. */
export function declarationsDiff(old: readonly Declaration[], now: readonly Declaration[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const changes = diffArrays(old.map(canonicalJson), now.map(canonicalJson));
  const moves = movesIn(changes);
  const moved = new Set(moves.values());
  let [before, n] = [0, 0];
  for (let i = 0; i < changes.length; i++) {
    const change = changes[i];
    const next = changes[i + 1];
    const count = change?.count ?? 0;
    if (!change?.removed && !change?.added) {
      before += count;
      n += count;
      continue;
    }
    const from = before + (change.removed ? count : 0);
    const gone = numbers(before, from).filter((at) => !moved.has(at));
    const paired = change.removed && next?.added;
    const to = n + (change.added ? count : paired ? (next?.count ?? 0) : 0);
    if (paired) i++;
    for (const at of numbers(n, to)) {
      const was = moves.get(at);
      if (was !== undefined) {
        lines.push({ sign: '@', text: movedTitle(at + 1, was + 1) });
        continue;
      }
      const known = gone.shift();
      const title = hookTitle(known === undefined ? 'new' : 'changed', at + 1);
      lines.push({ sign: '@', text: title }, ...fieldsDiff(old[known ?? -1], now[at]));
    }
    for (const at of gone)
      lines.push({ sign: '@', text: NO_LONGER_DECLARED }, ...fieldsDiff(old[at], undefined));
    [before, n] = [from, to];
  }
  return lines;
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** Returns the index before of each declaration that only changed its place, by its index now. */
function movesIn(changes: ReturnType<typeof diffArrays<string>>): Map<number, number> {
  let [before, now] = [0, 0];
  const gone: { text: string; at: number }[] = [];
  const come: { text: string; at: number }[] = [];
  for (const { removed, added, value, count } of changes) {
    if (removed) gone.push(...value.map((text, i) => ({ text, at: before + i })));
    if (added) come.push(...value.map((text, i) => ({ text, at: now + i })));
    if (!added) before += count;
    if (!removed) now += count;
  }
  const moves = new Map<number, number>();
  for (const { text, at } of come) {
    const found = gone.findIndex((one) => one.text === text);
    if (found >= 0) moves.set(at, gone.splice(found, 1)[0]?.at ?? 0);
  }
  return moves;
}

const FIELDS = [
  'event',
  'matcher',
  'when',
  'priority',
  'context_tool',
  'context_tool_args',
  'context',
] as const satisfies readonly (keyof Declaration)[];

function fieldsDiff(old: Declaration | undefined, now: Declaration | undefined): DiffLine[] {
  return FIELDS.flatMap((field) => {
    const [a, b] = [linesOf(old?.[field]), linesOf(now?.[field])];
    if (a.join('\n') === b.join('\n')) return [];
    return [{ sign: ' ' as const, text: `${field}:` }, ...linesDiff(a, b)];
  });
}

/** Returns a text as its lines, and any other value as one line of JSON. */
function linesOf(value: unknown): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? value.split('\n') : [canonicalJson(value)];
}

/** Most edits that are looked for: the time grows with their square, and a server may reword 64 texts as a whole. */
const EDITS = { maxEditLength: 200 };
const EDITS_OF_WORDS = { maxEditLength: 400 };

/** Returns only changed lines; the plan shows the whole texts. */
function linesDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  const changes = diffArrays([...a], [...b], EDITS) ?? wholly([...a], [...b]);
  return changes.flatMap((change, i): DiffLine[] => {
    const [previous, next] = [changes[i - 1], changes[i + 1]];
    if (change.removed)
      return change.value.map((line, k) => ({
        sign: '-',
        text: spelled(line, next?.added ? next.value[k] : undefined),
      }));
    if (change.added)
      return change.value.map((line, k) => ({
        sign: '+',
        text: spelled(line, previous?.removed ? previous.value[k] : undefined),
      }));
    return [];
  });
}

/**
 * Returns a line with those characters spelled out that differ from the other version but may look alike: an invisible
 * character, a space, a look-alike from another script, another normal form. Of a line without another version, or with
 * one that hardly has anything in common, only letters of words in several scripts.
 */
function spelled(line: string, other: string | undefined): string {
  const mixed = mixedLetters(line);
  const parts =
    other === undefined
      ? undefined
      : (diffChars(other, line, EDITS) ?? diffWordsWithSpace(other, line, EDITS_OF_WORDS));
  // There is nothing to compare it with, character by character.
  if (other === undefined || !parts)
    return mixed.size === 0 ? visible(line) : written(line, (_, offset) => mixed.has(offset));
  const isOneText = sameNormalForm(line, other);
  let offset = 0;
  return parts
    .map((part, i) => {
      if (part.removed) return '';
      const begin = offset;
      offset += part.value.length;
      if (!part.added) return written(part.value, (_, at) => mixed.has(begin + at));
      const replaced = [parts[i - 1], parts[i + 1]].find((p) => p?.removed)?.value ?? '';
      const alike = isOneText ? new Set(part.value.match(OTHER)) : lookAlikes(part.value, replaced);
      const unseen = part.value.trim() === '';
      return written(
        part.value,
        (c, at) => isOddSpace(c) || (unseen && c === ' ') || alike.has(c) || mixed.has(begin + at),
      );
    })
    .join('');
}

/** Returns a text with those characters spelled out that are hard to see; `offset`: of a character, in UTF-16 units. */
const written = (text: string, isHardToSee: (c: string, offset: number) => boolean): string =>
  [...text.matchAll(/./gsu)]
    .map(({ 0: c, index }) => (isHardToSee(c, index) ? spell(c) : visible(c)))
    .join('');

const spell = (c: string): string => `${bare(c)}${codePoint(c)}`;

/** Returns the difference of two values that have nothing in common. */
const wholly = <T>(a: T, b: T): { value: T; removed?: true; added?: true }[] => [
  { value: a, removed: true },
  { value: b, added: true },
];

const OTHER = /[^\p{ASCII}]/gu;
const isOddSpace = (c: string): boolean => /[^\S ]/u.test(c);
/** Returns a character to show before its code point: a visible or combining one; '' for any other. */
const bare = (c: string): string => (c.trim() === '' || visible(c) !== c ? '' : c);
