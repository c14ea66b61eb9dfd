import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import type { Env } from '../../base/paths.ts';
import { environmentIn } from './environment.ts';
import { launch } from './launch.ts';
import type { SourcedDefinition } from './references.ts';

/**
 * True when a definition visibly depends on the session's folder: a relative path of a program, folder or file with
 * variables, a variable for the folder, or an argument or variable with a path in the folder. In a definition with an
 * absolute folder of its own, relative paths don't count. Relative folders of PATH never do: nothing is looked up in
 * those of the session's folder (`launch`).
 */
export function dependsOnFolder(sourced: SourcedDefinition, env: Env, cwd: string): boolean {
  const { definition } = sourced;
  const from = (folder: string, variables: Env) => launch(sourced, variables, folder);
  const here = from(cwd, { ...env, PWD: cwd });
  const elsewhere = from('/', environmentIn('/', env, cwd));
  if (definition.transport !== 'stdio' || 'url' in here || 'url' in elsewhere)
    return JSON.stringify(here) !== JSON.stringify(elsewhere);
  const named = Object.keys(definition.env);
  const moves =
    here.command !== elsewhere.command ||
    here.args.join('\0') !== elsewhere.args.join('\0') ||
    named.some((name) => here.env[name] !== elsewhere.env[name]) ||
    here.envFile !== elsewhere.envFile ||
    (definition.cwd !== undefined && here.cwd !== elsewhere.cwd);
  // Relative paths begin in this folder, so they don't depend on the session's.
  const isFixed = here.cwd === elsewhere.cwd && here.cwd !== resolve('/');
  if (moves || isFixed) return moves;
  const words = [
    ...here.args.flatMap((arg, i) =>
      pathsInArgument(arg, here.args[here.args[i - 1] === '--' ? i - 2 : i - 1]),
    ),
    ...named.flatMap((name) => pathsIn(here.env[name] ?? '')),
  ];
  return isRelative(here.command) || words.some((word) => namesSomething(word, here.cwd));
}

/** True for a relative path. A bare name is looked up on PATH instead. */
const isRelative = (command: string): boolean => /[\\/]/.test(command) && !isAbsolute(command);

/** Returns the parts of a variable's value that may be paths: of options (NODE_OPTIONS), or of a list of paths. */
const pathsIn = (value: string): string[] =>
  /^\s*-/.test(value)
    ? value.split(/[\s"'=]+/).flatMap((word) => [word, word.replace(/^-\w(?=\W)/, '')])
    : value.split(delimiter);

/** Options before a line for a shell. */
const BEFORE_LINE = /^(?:-\w*c\w{0,4}|--call|\/[ck]|-command|-S|--split-string)$/i;

/** The session's folder, as a line for a shell names it. */
const FOLDER_IN_LINE = /\$\{?PWD\b|~[+-]|\b(?:pwd|rev-parse)\b/;

/** A dot that is an argument in a line for a shell, not the command `.`. */
const DOT_IN_LINE = /[^\s;&|({](?:[ \t]+|[=:,])["']?\.{1,2}(?=[\s"'`;&|):,]|$)/;

/** A line for a shell that goes to a folder by its absolute path, does nothing where that fails, and stays there. */
const FIXED_LINE =
  /^(?![\s\S]*(?:PWD|~-|\bcd\b[\s\S]*\bcd\b))\s*cd\s+["']?(?:~|\$\{?HOME\}?)?\/(?![dD]\s)[^;&|\n`$]*(?:&&(?:[^;&|\n]|>&\d)*)+$/;

/**
 * Returns the parts of an argument that may be paths: itself; each of a list of paths; words that begin with `./` or
 * `../`; a dot that is one part of a word (`--from=.`); of a line for a shell (`sh -c`) all words. `before`: the argument
 * before this one, without a `--` between.
 */
function pathsInArgument(arg: string, before = ''): string[] {
  const words = arg.split(/[\s"'`=,;:#|&<>()]+/).map((word) => word.replace(/^-\w(?=\.)/, ''));
  if (BEFORE_LINE.test(before)) {
    if (FIXED_LINE.test(arg)) return [arg];
    const command = (i: number): string | undefined =>
      words[/^(?:\/d|--|-[LP])$/i.test(words[i - 1] ?? '') ? i - 2 : i - 1];
    const entered = words.filter((word, i) => command(i) === 'cd' && /^[\w.]/.test(word));
    const namesFolder = FOLDER_IN_LINE.test(arg) || DOT_IN_LINE.test(arg);
    const folders = [...entered.map((word) => `./${word}`), ...(namesFolder ? ['.'] : [])];
    return [arg, ...folders, ...words.filter((word) => !/^\.*$/.test(word))];
  }
  const isText = /\s/.test(arg);
  const inside = words.filter((word) => (isText ? /^\.{1,2}[\\/]/ : /^\.{1,2}(?:[\\/]|$)/).test(word));
  return [arg, ...(isText ? [] : arg.split(delimiter)), ...inside];
}

/** Endings that node, bun and tsx add to the path of a file. */
const ENDINGS = ['', '.js', '.json', '.node', '.ts', '.tsx', '.jsx', '.mjs', '.cjs'];

/**
 * True for arguments such as `.`, `./x`, `server.py`, `--config=conf/x.json`, `file:x`; `pkg` and `@scope/pkg` don't mean
 * a folder.
 */
function namesSomething(arg: string, cwd: string): boolean {
  const path = arg.replace(/^--?[\w-]+=/, '').replace(/^(?:file|link|path):(?=[^\\/])/, './');
  const looksSo =
    /^\.{1,2}$|^[^@/~-].*[\\/.]/.test(path) && !isAbsolute(path) && !/^[a-z][a-z0-9+.-]*:/i.test(path);
  return looksSo && ENDINGS.some((end) => existsSync(resolve(cwd, path + end)));
}
