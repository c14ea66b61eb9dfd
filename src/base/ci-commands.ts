/**
 * What Azure Pipelines (`##[`, `##vso[`), TeamCity (`##teamcity[`) and old GitHub runners take for a command anywhere in
 * a line of a log.
 */
const MARK = /##(?=(?:vso|teamcity)?\[)/gi;

export const withoutMarks = (text: string): string => text.replace(MARK, '# #');

/** Returns a text of which no line is a command for a CI system that reads it in a log; `::` begins one on GitHub. */
export const withoutCommands = (text: string): string =>
  withoutMarks(text).replace(/^([^\S\n]*):(?=:)/gm, '$1: ');

/** Returns the same JSON document, in which no text is such a command. */
export const jsonWithoutCommands = (json: string): string => json.replace(MARK, '\\u0023#');
