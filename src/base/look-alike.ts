/**
 * What a file system that ignores case, normalises Unicode, passes over what nobody sees (HFS+), or drops dots and blanks
 * at the end may take a name for. Two names with one such form are one file on somebody's machine.
 */
export const foldedName = (name: string): string =>
  name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
