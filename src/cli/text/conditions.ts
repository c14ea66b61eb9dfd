import type { Declaration } from '../../declarations/types.ts';
import type { When } from '../../declarations/when.ts';
import { alternatives, neededTools } from '../../messages/when-words.ts';

/**
 * Returns the required value of a condition, for the sentence with the given code that names the value found instead.
 */
export function wantedText(code: string, when: When = {}): string | undefined {
  const wanted: Readonly<Record<string, string | readonly string[] | undefined>> = {
    'matcher.tool': when.tools && neededTools(when.tools),
    'when.outcome': when.outcome,
    'when.source': when.source,
    'when.files': when.files,
    'when.command': when.command?.join(' '),
    'when.path': when.path,
    'when.called': when.unless_called?.tools,
  };
  return wanted[code] === undefined ? undefined : alternatives(wanted[code]);
}

/**
 * Returns a refused tool as the condition behind the refusal: `command` and `path` narrow a hook for every tool to the
 * tools that run a command or touch a file.
 */
export function unnarrowed(
  reason: { code: string; detail?: string },
  { matcher, when = {} }: Declaration,
): { code: string; detail?: string } {
  const names = when.tools ?? [matcher?.tool_name ?? '*'];
  const condition = when.command ? 'when.command' : when.path ? 'when.path' : undefined;
  const isNarrowed = reason.code === 'matcher.tool' && names.some((name) => /^\*+$/.test(name));
  return isNarrowed && condition ? { code: condition } : reason;
}
