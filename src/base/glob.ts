/** A character, `?` for any one, `*` for any number of them, or a set of which one is meant. */
type Part = string | { ranges: [from: string, to: string][]; except: boolean };

/**
 * Whether a whole text fits a glob. `*` and `?` stand for any characters, with `sets` also `[a-z]` and `[!a-z]` for one;
 * every other character is literal. Takes no more steps than the glob's length times the text's, since both may be a
 * stranger's.
 */
export function fitsGlob(glob: string, text: string, sets = false): boolean {
  const parts = sets ? withSets([...glob]) : [...glob];
  const characters = [...text];
  return fits(
    parts.length,
    characters.length,
    (part) => parts[part] === '*',
    (part, at) => isMeant(parts[part] as Part, characters[at] as string),
  );
}

/** Whether a path fits a glob, name by name; `**` stands for any number of names. */
export function fitsPath(glob: string, path: string): boolean {
  const globs = glob.split('/');
  const names = path.split('/');
  return fits(
    globs.length,
    names.length,
    (part) => /^\*{2,}$/.test(globs[part] ?? ''),
    (part, at) => fitsGlob(globs[part] ?? '', names[at] ?? '', true),
  );
}

/** Goes back to the latest star alone: whatever an earlier one could take, that one can take, too. */
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

function isMeant(part: Part, character: string): boolean {
  if (typeof part === 'string') return part === '?' || part === character;
  return part.except !== part.ranges.some(([from, to]) => from <= character && character <= to);
}

/** A bracket that isn't closed is literal, and so is a closing one that comes first in a set. */
function withSets(characters: readonly string[]): Part[] {
  const parts: Part[] = [];
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
