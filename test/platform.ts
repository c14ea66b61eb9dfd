import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const WINDOWS = process.platform === 'win32';

/** The limit in ms of a test of many commands: under Wine files and processes cost several times as much. */
export const limit = (ms: number): number => (process.env.MCPHOOKS_WINE === '1' ? 4 * ms : ms);

/**
 * Variables that make programs take this folder for the user's home. On Windows a variable that is left out is taken
 * from the user who runs the tests. Own folders are the same on every system.
 */
export function homeEnv(home: string): Record<string, string> {
  if (!WINDOWS) return { HOME: home };
  return {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: join(home, 'AppData', 'Local'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CONFIG_HOME: join(home, '.config'),
  };
}

/** The path as tests write it: with slashes on every system. */
export const slashed = (path: string): string => (WINDOWS ? path.replaceAll('\\', '/') : path);

/** Findings and remarks without the one that only Windows has. */
export const everywhereFound = <F extends { code: string }>(found: readonly F[]): F[] =>
  found.filter(({ code }) => code !== 'doctor.project-windows');

/** A path as it stands within a string of JSON. */
export const inJson = (path: string): string => JSON.stringify(path).slice(1, -1);

/** The file of a hook's script that mcphooks writes. */
export const hookFile = (path: string): string => (WINDOWS ? `${path}.cjs` : path);

/** The file of a program that is a script. */
export const programFile = (name: string): string => (WINDOWS ? `${name}.cmd` : name);

/** The words that start the hook's script at this path. */
export const hookWords = (path: string): [string, string] =>
  WINDOWS ? [process.execPath, hookFile(path)] : ['/bin/sh', path];

/** Makes a program that runs node with these words and its own. `path`: without what Windows adds. */
export function nodeProgram(path: string, ...words: string[]): void {
  const file = programFile(path);
  const line = [process.execPath, ...words].map((word) => (WINDOWS ? `"${word}"` : `'${word}'`)).join(' ');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, WINDOWS ? `@${line} %*\r\n` : `#!/bin/sh\nexec ${line} "$@"\n`);
  chmodSync(file, 0o755);
}

/** Makes a program that leaves a file and ends. `path`: without what Windows adds. */
export function markingProgram(path: string, mark: string): void {
  const file = programFile(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, WINDOWS ? `@echo. >"${mark}"\r\n` : `#!/bin/sh\ntouch '${mark}'\n`);
  chmodSync(file, 0o755);
}

/** The words by which a server's definition would leave a file. */
export const marking = (mark: string): { command: string; args: string[] } =>
  WINDOWS
    ? { command: process.execPath, args: ['-e', `fs.writeFileSync(${JSON.stringify(mark)}, '')`] }
    : { command: 'sh', args: ['-c', `touch '${mark}'`] };

/** Makes a program in a folder that prints a line and ends. */
export function sayingProgram(folder: string, name: string, line: string): void {
  const file = join(folder, programFile(name));
  writeFileSync(file, WINDOWS ? `@echo ${line}\r\n` : `#!/bin/sh\necho '${line}'\n`);
  chmodSync(file, 0o755);
}

/** Runs git; under Wine, which can't start it, that of the system around (test/windows/wine.mjs). */
export function runGit(args: readonly string[], cwd: string, env: Record<string, string>): string {
  const { MCPHOOKS_GIT: at } = process.env;
  if (at === undefined) return execFileSync('git', args, { cwd, env, encoding: 'utf8' });
  const asked = JSON.stringify({ args, cwd, home: env.HOME });
  const ask = `require('http').request(${JSON.stringify(at)}, { method: 'POST' }, (a) => a.pipe(process.stdout))`;
  const answer = execFileSync(process.execPath, ['-e', `${ask}.end(process.argv[1])`, asked], {
    encoding: 'utf8',
  });
  const { status, stdout, stderr } = JSON.parse(answer);
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** PATH with this folder before all others. */
export const pathWith = (folder: string): string => `${folder}${delimiter}${process.env.PATH}`;
