import { isAbsolute } from 'node:path';

/** Options before a line for a shell: of shells, cmd, PowerShell, `env` and package runners. */
const BEFORE_LINE = /^(?:-\w*c\w{0,4}|--call|\/[ck]|-command|-S|--split-string)$/i;

/** A folder that is the same in every session. */
const ABSOLUTE = /^(?:~|\$\{?HOME\}?)?\/[^$`]*$/;

/** The session's folder, or one above, by other means than a path. */
const NAMES_FOLDER = /\$\{?(?:OLD)?PWD\b|~[+-]|\b(?:pwd|rev-parse)\b/;

/** The folder that a line goes to first, as it is written. */
const FIRST_FOLDER = /^\s*cd\s+(?:(?:-[\w-]*|\/[dD])\s+)*((?:"[^"]*"|'[^']*'|[^\s"';&|])+)/;

/** Words of a shell that stand before a command. */
const BEFORE_COMMAND = /^(?:[{!]|if|then|elif|else|while|until|do|time)$/;

/** True for an argument that is a line for a shell (`sh -c`), by the arguments before it. */
export const isShellLine = (before: readonly string[]): boolean =>
  BEFORE_LINE.test(before.at(before.at(-1) === '--' ? -2 : -1) ?? '');

/**
 * Returns what may be a path in the session's folder in a line for a shell: the line itself, since an option that looks
 * like `-c` may have a path, and its words. Quotes and substitutions are read as blanks: a word too many is no path of a
 * file there.
 */
export function pathsInLine(line: string): string[] {
  const commands = commandsIn(line);
  if (isEntered(line) && !isLeft(line, commands.slice(1))) return [line];
  const paths = commands
    .flatMap(withoutDot)
    .flatMap((word) => [word, ...word.split(/[=,:#]/)])
    .map((path) => path.replace(/^-\w(?=\.{1,2}[\\/])/, ''));
  const folders = commands.flatMap((words) => folderOf(words) ?? []).filter((folder) => !isAbsolute(folder));
  return [
    line,
    ...paths,
    ...folders.map((folder) => `./${folder}`),
    ...(NAMES_FOLDER.test(line) ? ['.'] : []),
  ];
}

/** Returns the words of a command without the dot that is the command; elsewhere a dot is the folder. */
function withoutDot(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !BEFORE_COMMAND.test(word));
  return words.filter((word, i) => i !== at || word !== '.');
}

/** Returns the words of each command of a line. */
const commandsIn = (line: string): string[][] =>
  line.split(/&&|[;&|\n]/).map((command) => command.split(/[\s"'`()<>]+/).filter((word) => word !== ''));

/** Returns the folder that a command goes to (`cd`). */
const folderOf = (words: readonly string[]): string | undefined => {
  const at = words.indexOf('cd');
  return at < 0 ? undefined : words.slice(at + 1).find((word) => !/^(?:-.*|\/d)$/i.test(word));
};

/** True for a line that first goes to a folder that is the same in every session. */
const isEntered = (line: string): boolean =>
  ABSOLUTE.test(FIRST_FOLDER.exec(line)?.[1]?.replace(/["']/g, '') ?? '');

/** True when commands may run in another folder than the first one goes to: where that fails, or after another `cd`. */
const isLeft = (line: string, others: readonly string[][]): boolean =>
  /[;|\n]|[^&>]&[^&]/.test(line) || /PWD|~-/.test(line) || others.some((words) => words.includes('cd'));
