import { type Declaration, isToolEvent } from './types.ts';
import type { When } from './when.ts';

/** Conditions that keep a hook from firing on every call. */
export const NARROWING = [
  'tools',
  'command',
  'path',
  'cooldown',
  'unless_called',
] as const satisfies (keyof When)[];

const isEveryName = (glob: string): boolean => /^\*+$/.test(glob);

/** True for a hook on tools whose matcher lets every tool through, or is missing. */
export function takesAllTools({ event, matcher }: Declaration): boolean {
  const { tool_name = '*', input_contains, tool_server } = matcher ?? {};
  return isToolEvent(event) && isEveryName(tool_name) && !input_contains && tool_server === undefined;
}

/** True for a hook that fires on every tool call, or on each that meets its other conditions. */
export const firesOnEveryCall = (d: Declaration): boolean =>
  takesAllTools(d) &&
  !NARROWING.some((key) =>
    key === 'tools' ? d.when?.tools?.some(isEveryName) === false : d.when?.[key] !== undefined,
  );
