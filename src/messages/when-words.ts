import type { FaultArgs } from './args.ts';
import { shownArgs } from './words.ts';

const either = (words: FaultArgs[string] | undefined): string =>
  Array.isArray(words) ? words.join(' or ') : String(words ?? '');

/** How often a hook prints its text at most; null: once per session. */
export function oftenText(seconds: number | null): string {
  return seconds === null ? 'at most once per session' : `at most once in ${seconds} s per session`;
}

/**
 * By condition (`when`), its phrase on the moment, the session or the answer; empty for conditions without a phrase of
 * their own.
 */
const CONDITIONS: Readonly<Record<string, (a: FaultArgs) => string>> = {
  outcome: (a) =>
    `only when the tool ${a.value === 'failure' ? 'failed' : 'succeeded'}${a.ifUnknown ? ', or when the outcome is unknown' : ''}`,
  command: (a) => `only when it runs '${Array.isArray(a.value) ? a.value.join(' ') : ''}'`,
  path: (a) => `only for files that match ${either(a.value)}`,
  files: (a) => `only in projects with ${either(a.value)}`,
  source: (a) => `only in sessions started by ${either(a.value)}`,
  unless_called: (a) =>
    `not ${a.within === undefined ? 'in a session in which' : `within ${a.within} s after`} ${either(a.tools)} was called`,
  cooldown: (a) => oftenText(a.value === 'session' ? null : Number(a.value)),
  answer: (a) =>
    [
      ...(a.select === undefined ? [] : [`${a.select === '' ? 'all' : a.select} of its answer`]),
      ...(a.max === undefined ? [] : [`at most ${a.max} characters of its answer`]),
    ].join(', '),
};

/** Returns a condition in words; '' for a condition without a phrase of its own. */
export function conditionText(key: string, args: FaultArgs): string {
  return CONDITIONS[key]?.(shownArgs(args)) ?? '';
}

/** Joins alternatives for a sentence. */
export const alternatives = either;
