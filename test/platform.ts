import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const WINDOWS = process.platform === 'win32';

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
