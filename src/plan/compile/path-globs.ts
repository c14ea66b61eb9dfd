import picomatch from 'picomatch';
import type { PathPatterns } from '../../fire/format.ts';

/** Options of picomatch. Globs are compiled when a hook is installed, so that the shim needs no glob library. */
const OPTIONS = { dot: true, nonegate: true, noextglob: true };

/** Compiles globs to the patterns tested at fire time. A glob without `/` matches files of that name in any folder. */
export function pathPatterns(globs: readonly string[]): PathPatterns {
  // Brackets and similar characters are literal, because paths contain them: `app/(shop)/page.tsx`.
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
