import { accessSync, constants, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { type Env, pathFolders, variable } from './paths.ts';
import { HERE } from './platform.ts';
import { quietly } from './quietly.ts';
import { readHead } from './read-file.ts';

/** Endings by which Windows finds programs, where PATHEXT doesn't say. */
const USUAL = '.COM;.EXE;.BAT;.CMD';

/** Absolute path of a program that comes with Windows. */
export const windowsProgram = (name: string): string =>
  join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', `${name}.exe`);

/** Absolute path of a program on PATH; undefined when there is none. */
export function programOnPath(name: string, env: Env, windows = HERE.windows): string | undefined {
  const endings = windows ? windowsEndings(name, env) : [''];
  return pathFolders(env)
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((path) => isProgram(path, windows));
}

/** Returns the file that Windows starts for a path, which may lack the ending; the path itself when there is none. */
export const programAt = (path: string, env: Env): string =>
  windowsEndings(path, env)
    .map((ending) => path + ending)
    .find((file) => isProgram(file, true)) ?? path;

/** Bytes of a script that may say what runs it. */
const FIRST_LINE = 256;

/** Returns the words behind the `#!` of a script, the program without its folder, as npm's starters take it. */
export function interpreterOf(script: string): string[] | undefined {
  const [, line] = /^#!([^\r\n]+)/.exec(quietly(() => readHead(script, FIRST_LINE)) ?? '') ?? [];
  const [path = '', ...words] = line?.trim().split(/\s+/) ?? [];
  const name = basename(path);
  if (line === undefined) return undefined;
  return name === 'env' ? words.slice(words[0] === '-S' ? 1 : 0) : [name, ...words];
}

/** Returns the endings to try, in their order: none for a name that has one of them already. */
function windowsEndings(name: string, env: Env): string[] {
  const all = (variable(env, 'PATHEXT') || USUAL).split(';').filter(Boolean);
  const has = all.some((ending) => ending.toLowerCase() === extname(name).toLowerCase());
  return has ? ['', ...all] : all;
}

/** True for a file that can be started; Windows has no permission for that. */
export function isProgram(path: string, windows = HERE.windows): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    if (!windows) accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
