import { type ChildProcess, type SpawnOptions, spawn as spawnPlainly } from 'node:child_process';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import { HERE } from '../../base/platform.ts';
import { programOnPath, windowsProgram } from '../../base/program.ts';

/** Milliseconds for a server's last output to arrive after its exit. */
export const LAST_OUTPUT_MS = 100;

/**
 * Starts a server as clients do, in a session of its own. On Windows a name is looked up with the endings of PATHEXT, and
 * a `.cmd` is started by cmd, with arguments quoted for it. Only folders of PATH are searched, never the working folder.
 */
export function startServer(
  command: string,
  args: readonly string[],
  { env, ...options }: Pick<SpawnOptions, 'cwd' | 'stdio'> & { env: Record<string, string> },
): ChildProcess {
  const how = { ...options, env, ...HERE.session };
  if (!HERE.windows || /[\\/]/.test(command)) return spawn(command, [...args], how);
  const program = programOnPath(command, env);
  // By its name, Windows would find it in the working folder, too.
  if (program === undefined) return spawnPlainly(join(process.execPath, command), how);
  process.env.ComSpec ||= windowsProgram('cmd');
  return spawn(program, [...args], how);
}
