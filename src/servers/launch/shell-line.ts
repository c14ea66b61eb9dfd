/** Options before a line for a shell: of shells, cmd, PowerShell, `env` and package runners. */
const BEFORE_LINE = /^(?:-\w*c\w{0,4}|--call|\/[ck]|-command|-S|--split-string)$/i;

/** A folder that is the same in every session. */
const ABSOLUTE = /^(?:~|\$\{?HOME\}?)?\/[^$`]*$/;

/** The session's folder, or one above, by other means than a path. */
const NAMES_FOLDER = /\$\{?PWD\b|~[+-]|\b(?:pwd|rev-parse)\b/;

/** True for an argument that is a line for a shell (`sh -c`), by the arguments before it. */
export const isShellLine = (before: readonly string[]): boolean =>
  BEFORE_LINE.test(before.at(before.at(-1) === '--' ? -2 : -1) ?? '');

/**
 * Returns what may be a path in the session's folder in a line for a shell. Quotes and substitutions are read as blanks:
 * a word too many is no path of a file there.
 */
export function pathsInLine(line: string): string[] {
  const [first = [], ...others] = commandsIn(line);
  if (isEntered(first) && !isLeft(line, others)) return [];
  // A dot is a command where a command begins, and elsewhere the folder.
  const words = [first, ...others].flatMap((all) => (all[0] === '.' ? all.slice(1) : all));
  const paths = words.flatMap((word) => [word, ...word.split(/[=,:#]/)]);
  const folders = [first, ...others].map(folderOf).filter((folder) => folder !== undefined);
  return [...paths, ...folders.map((folder) => `./${folder}`), ...(NAMES_FOLDER.test(line) ? ['.'] : [])];
}

/** Returns the words of each command of a line. */
const commandsIn = (line: string): string[][] =>
  line.split(/&&|[;&|\n]/).map((command) => command.split(/[\s"'`()<>]+/).filter((word) => word !== ''));

/** Returns the folder that a command goes to (`cd`). */
const folderOf = (words: readonly string[]): string | undefined => {
  const at = words.indexOf('cd');
  return at < 0 ? undefined : words.slice(at + 1).find((word) => !/^(?:-.*|\/d)$/i.test(word));
};

/** True for a command that goes to a folder that is the same in every session. */
const isEntered = (words: readonly string[]): boolean =>
  words[0] === 'cd' && ABSOLUTE.test(folderOf(words) ?? '');

/** True when commands may run in another folder than the first one goes to: where that fails, or after another `cd`. */
const isLeft = (line: string, others: readonly string[][]): boolean =>
  /[;|\n]|[^&>]&[^&]/.test(line) || /PWD|~-/.test(line) || others.some((words) => words.includes('cd'));
