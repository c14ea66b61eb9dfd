/** A part of a glob: a character, `?` for any character, `*` for any number of them, or a set of characters. */
type GlobPart = string | { ranges: [from: string, to: string][]; except: boolean };

/**
 * True when a whole text matches a glob. `*` and `?` match any characters, with `sets` also `[a-z]` and `[!a-z]` one of
 * a set; every other character is literal. Needs at most as many steps as the product of both lengths, since both texts
 * may come from a stranger.
 */
export function fitsGlob(glob: string, text: string, sets = false): boolean {
  const parts = sets ? withSets([...glob]) : [...glob];
  const characters = [...text];
  return fits(
    parts.length,
    characters.length,
    (part) => parts[part] === '*',
    (part, at) => isMeant(parts[part] as GlobPart, characters[at] as string),
  );
}

/** True when a path matches a glob, name by name; `**` matches any number of names. Brackets are literal: `app/[slug]`. */
export function fitsPath(glob: string, path: string): boolean {
  const globs = glob.split('/');
  const names = path.split('/');
  return fits(
    globs.length,
    names.length,
    (part) => /^\*{2,}$/.test(globs[part] ?? ''),
    (part, at) => fitsGlob(globs[part] ?? '', names[at] ?? ''),
  );
}

/**
 * Matches items with parts, backtracking only to the latest star: that star can match whatever an earlier star could.
 */
function fits(
  parts: number,
  items: number,
  isStar: (part: number) => boolean,
  isMeantBy: (part: number, item: number) => boolean,
): boolean {
  let part = 0;
  let star: { part: number; item: number } | undefined;
  for (let item = 0; item < items || part < parts; ) {
    if (part < parts && isStar(part)) star = { part: part++, item };
    else if (part < parts && item < items && isMeantBy(part, item)) {
      part++;
      item++;
    } else if (star && star.item < items) {
      item = ++star.item;
      part = star.part + 1;
    } else return false;
  }
  return true;
}

function isMeant(part: GlobPart, character: string): boolean {
  if (typeof part === 'string') return part === '?' || part === character;
  return part.except !== part.ranges.some(([from, to]) => from <= character && character <= to);
}

/** Splits a glob into parts. An unclosed bracket is literal, and so is a closing bracket at the start of a set. */
function withSets(characters: readonly string[]): GlobPart[] {
  const parts: GlobPart[] = [];
  const last = characters.lastIndexOf(']');
  for (let at = 0; at < characters.length; at++) {
    const except = ['!', '^'].includes(characters[at + 1] ?? '');
    const first = at + (except ? 2 : 1);
    const isSet = characters[at] === '[' && first < last;
    if (isSet) {
      const end = characters.indexOf(']', first + 1);
      parts.push({ ranges: rangesOf(characters.slice(first, end)), except });
      at = end;
    } else parts.push(characters[at] as string);
  }
  return parts;
}

function rangesOf(set: readonly string[]): [string, string][] {
  const ranges: [string, string][] = [];
  for (let at = 0; at < set.length; at++) {
    const from = set[at] as string;
    const to = set[at + 1] === '-' ? set[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return ranges;
}
