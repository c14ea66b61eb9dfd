import type { ChildProcess, SpawnOptions } from 'node:child_process';
import spawn from 'cross-spawn';
import { HERE } from '../../base/platform.ts';
import { programOnPath } from '../../base/program.ts';

/**
 * Starts a server as clients do, in a session of its own. On Windows a name is looked up with the endings of PATHEXT, and
 * a `.cmd` is started by cmd, with arguments quoted for it. Only folders of PATH are searched, never the working folder.
 */
export function startServer(
  command: string,
  args: readonly string[],
  { env, ...options }: Pick<SpawnOptions, 'cwd' | 'stdio'> & { env: Record<string, string> },
): ChildProcess {
  const program = HERE.windows && !/[\\/]/.test(command) ? programOnPath(command, env) : undefined;
  return spawn(program ?? command, [...args], { ...options, env, ...HERE.session });
}
