import { type ChildProcess, type SpawnOptions, spawn as spawnPlainly } from 'node:child_process';
import { join, resolve } from 'node:path';
import spawn from 'cross-spawn';
import { HERE } from '../../base/platform.ts';
import { interpreterOf, programAt, programOnPath, windowsProgram } from '../../base/program.ts';

/** Milliseconds for a server's last output to arrive after its exit. */
export const LAST_OUTPUT_MS = 100;

/**
 * Starts a server as clients do, in a session of its own. On Windows a name is looked up with the endings of PATHEXT, and
 * a `.cmd` is started by cmd, with arguments quoted for it. Only folders of PATH are searched, never the working folder.
 */
export function startServer(
  command: string,
  args: readonly string[],
  { env, ...options }: { cwd: string; env: Record<string, string>; stdio: SpawnOptions['stdio'] },
): ChildProcess {
  const how = { ...options, env, ...HERE.session };
  if (!HERE.windows) return spawn(command, [...args], how);
  process.env.ComSpec ||= windowsProgram('cmd');
  const start = (word: string, more: readonly string[]): ChildProcess => {
    const program = programOf(word, options.cwd, env);
    // By its name, Windows would find it in the working folder, too.
    return program === undefined
      ? spawnPlainly(join(process.execPath, word), how)
      : spawn(program, [...more], how);
  };
  const script = programOf(command, options.cwd, env);
  const [interpreter, ...words] = (script !== undefined && interpreterOf(script)) || [];
  // cross-spawn would look for the interpreter in the working folder first.
  return script === undefined || interpreter === undefined
    ? start(command, args)
    : start(interpreter, [...words, script, ...args]);
}

/** Returns the file that Windows starts for a command; undefined for a name that no folder of PATH has. */
const programOf = (command: string, cwd: string, env: Record<string, string>): string | undefined =>
  /[\\/]/.test(command) ? programAt(resolve(cwd, command), env) : programOnPath(command, env);
