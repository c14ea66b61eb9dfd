import { near } from '../base/near.ts';

/** Returns the end of a sentence on an unknown word: the probable meaning, or else all candidates. */
function meantOr(word: string, candidates: readonly string[]): string {
  const meant = near(word, candidates);
  return meant === undefined ? `Choose from: ${candidates.join(', ')}.` : `Did you mean '${meant}'?`;
}

/** What is wrong with the value of an option. */
export const EMPTY = 'It is empty.';
export const BAD_DATE = 'It must be a time like 30m, 12h, 2d or 2026-11-01.';

export const unknownName = (name: string, known: readonly string[], what: string): string =>
  `Unknown ${what} '${name}'. ${meantOr(name, known)}`;

export const noHook = (name: string, events: readonly string[]): string =>
  `'${name}' is neither an event nor a hook number. ${meantOr(name, events)}`;

export const noWhole = (least: number, most?: number): string =>
  `It must be a whole number, at least ${least}${most === undefined ? '' : `, at most ${most}`}.`;

/** `least`, `most`: seconds. */
export const tooShort = (least: number): string =>
  `It must be a time of at least ${least} s, e.g. 30, 45s or 2m.`;
export const tooLong = (most: number): string => `It must be a time of at most ${most} s.`;

export const NO_HASH = 'It must be a hash of 64 digits (0-9, a-f), as the refusal names it.';

/** What is wrong with the words of a command line. */
export const missingBefore = (argument: string | undefined): string =>
  `${argument === 'id' ? "an entry's id" : "a server's name"} is missing before '--'`;

export const NO_SUBCOMMAND = 'a command is missing';
export const NO_COMMAND = "a command is missing after '--'";

export const unexpected = (word: string): string =>
  `unexpected argument '${word}'. A command that starts the server comes after '--'`;

/** Returns commander's message with its suggestion as a sentence. */
export const commanderText = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (one of )?(.*)\?\)$/, (_, several, names) =>
      several ? `. Did you mean one of ${names}?` : `. Did you mean '${names}'?`,
    );

/** Returns commander's message with our suggestion in place of its own. */
export const meantInstead = (message: string, meant: string): string =>
  `${commanderText(message.replace(/\n\(Did you mean .*$/, ''))}. Did you mean '${meant}'?`;

/** Returns commander's message on a missing argument with the sentence on it from the help page. */
export const whatItIs = (message: string, sentence: string): string =>
  `${commanderText(message)}: ${sentence}`;
