/** Returns the offset of git's first mark of a merge conflict in a file's text; undefined without one. */
export const conflictAt = (text: string): number | undefined => /^<{7}(?= |\r?$)/m.exec(text)?.index;
