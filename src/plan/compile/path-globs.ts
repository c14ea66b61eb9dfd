import picomatch from 'picomatch';
import type { PathPatterns } from '../../fire/format.ts';

/** Compiled when a hook is installed, so that its script needs no glob library. */
const OPTIONS = { dot: true, nonegate: true, noextglob: true };

/** Globs as they are tested at fire time. A glob without `/` means files of that name in any folder. */
export function pathPatterns(globs: readonly string[]): PathPatterns {
  // Brackets and what goes with them are characters of a path: `app/(shop)/page.tsx`.
  const source = (glob: string): string =>
    picomatch.makeRe(glob.replace(/[()|+@$^"]/g, '\\$&'), OPTIONS).source;
  const isWhole = (glob: string): boolean => glob.startsWith('/') || /^[A-Za-z]:\//.test(glob);
  return {
    below: globs
      .filter((glob) => !isWhole(glob))
      .map((glob) => source(glob.includes('/') ? glob : `**/${glob}`)),
    whole: globs.filter(isWhole).map(source),
  };
}
