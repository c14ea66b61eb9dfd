import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { type Env, variable } from '../../base/paths.ts';
import { environmentIn } from './environment.ts';
import { launch } from './launch.ts';
import type { SourcedDefinition } from './references.ts';
import { isShellLine, pathsInLine } from './shell-line.ts';

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
    named.some((name) => variable(here.env, name) !== variable(elsewhere.env, name)) ||
    here.envFile !== elsewhere.envFile ||
    (definition.cwd !== undefined && here.cwd !== elsewhere.cwd);
  // Relative paths begin in this folder, so they don't depend on the session's.
  const isFixed = here.cwd === elsewhere.cwd && here.cwd !== resolve('/');
  if (moves || isFixed) return moves;
  const words = [
    ...here.args.flatMap((arg, i) =>
      isShellLine(here.args.slice(0, i)) ? pathsInLine(arg) : pathsInArgument(arg),
    ),
    ...named.flatMap((name) => pathsIn(variable(here.env, name) ?? '')),
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

/**
 * Returns the parts of an argument that may be paths: itself, each of a list of paths, words that begin with `./` or
 * `../`, and a dot that is one part of a word (`--from=.`).
 */
function pathsInArgument(arg: string): string[] {
  const words = arg.split(/[\s"'`=,;:#|&<>()]+/).map((word) => word.replace(/^-\w(?=\.)/, ''));
  if (/\s/.test(arg)) return [arg, ...words.filter((word) => /^\.{1,2}[\\/]/.test(word))];
  return [arg, ...arg.split(delimiter), ...words.filter((word) => /^\.{1,2}(?:[\\/]|$)/.test(word))];
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
