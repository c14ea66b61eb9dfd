import type { FaultArgs } from './args.ts';
import { shownArgs } from './words.ts';

/** Joins alternatives for a sentence. */
export const alternatives = (words: FaultArgs[string] | undefined): string =>
  Array.isArray(words) ? words.join(' or ') : String(words ?? '');

/** Returns the tools of a condition in words: `any:edit` means all edits. */
export const toolsText = (tools: readonly string[]): string =>
  alternatives(tools.map((tool) => tool.replace(/^any:/, 'any ')));

/** Returns the tool that a matcher needs, in words. */
export const neededTool = (name: string): string => `the tool '${name}'`;

/** Returns the tools that a condition needs, in words: `the tool 'Bash'`, `any edit`, `Write or Edit`. */
export const neededTools = (tools: readonly string[]): string => {
  const [first = '', ...others] = tools;
  return others.length > 0 || first.startsWith('any:') ? toolsText(tools) : neededTool(first);
};

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
  path: (a) => `only for files that match ${alternatives(a.value)}`,
  files: (a) => `only in projects with ${alternatives(a.value)}`,
  source: (a) => `only in sessions started by ${alternatives(a.value)}`,
  unless_called: (a) =>
    `not ${a.within === undefined ? 'in a session in which' : `within ${a.within} s after`} ${alternatives(a.tools)} was called`,
  cooldown: (a) => oftenText(a.value === 'session' ? null : Number(a.value)),
  answer: (a) =>
    [
      ...(a.select === undefined ? [] : [`${a.select === '' ? 'all' : a.select} of its answer`]),
      ...(a.max === undefined ? [] : [`at most ${a.max} characters of its answer`]),
    ].join(', '),
};

/**
 * Returns each condition of a declaration (`when`) in words; tools are named in the text on the event instead, and
 * conditions without a phrase of their own are left out.
 */
export function conditionTexts(when: { if_unknown?: unknown } = {}): string[] {
  return Object.entries(when).flatMap(([key, value]) => {
    const isList = typeof value !== 'object' || Array.isArray(value);
    const args = { ...(isList ? { value } : value), ...(when.if_unknown ? { ifUnknown: 1 } : {}) };
    const text = CONDITIONS[key]?.(shownArgs(args as FaultArgs)) ?? '';
    return text === '' ? [] : [text];
  });
}
