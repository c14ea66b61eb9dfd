/**
 * What a file system that ignores case, normalises Unicode, passes over what nobody sees (HFS+), or drops dots and blanks
 * at the end may take a name for. Two names with one such form are one file on somebody's machine.
 */
export const foldedName = (name: string): string =>
  withoutEnd(
    name
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .normalize('NFKC')
      .toLowerCase(),
    '. ',
  );

/** A text without such characters at its end. A regular expression would try each run of them. */
function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
