import { withoutBraces } from '../../declarations/braces.ts';
import type { PathGlobs } from '../../fire/format.ts';

/**
 * The globs tested at fire time, without braces and `./` at their beginning. One without `/` matches files of that name
 * in any folder.
 */
export function pathGlobs(globs: readonly string[]): PathGlobs {
  const all = globs.flatMap((glob) => withoutBraces(glob) ?? []);
  const isWhole = (glob: string): boolean => glob.startsWith('/') || /^[A-Za-z]:\//.test(glob);
  return {
    below: all
      .filter((glob) => !isWhole(glob))
      .map((glob) => (glob.includes('/') ? glob.replace(/^(?:\.\/+)+/, '') : `**/${glob}`)),
    whole: all.filter(isWhole),
  };
}
