import { fitsGlob } from '../base/glob.ts';

/**
 * Returns a tool name that one of these globs accepts, `Bash` where one accepts that or there is none: else a name
 * without stars, one of the `known` names, or the first glob as it is.
 */
export function sampleTool(globs: readonly string[], known: readonly string[]): string {
  const accepted = (name: string): boolean => globs.some((glob) => fitsGlob(glob, name));
  if (accepted('Bash')) return 'Bash';
  return globs.find((glob) => !/[*?]/.test(glob)) ?? known.find(accepted) ?? globs[0] ?? 'Bash';
}

/** Returns the globs on tool names of a hook; `any:search` and the like are none. */
export function globsOnTools(toolName: string | undefined, tools: readonly string[] = []): string[] {
  return toolName === undefined ? tools.filter((glob) => !glob.startsWith('any:')) : [toolName];
}
