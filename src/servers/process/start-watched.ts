import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { StdioLaunch } from '../launch/launch.ts';
import { startServer } from './start.ts';
import { watchOverServer } from './watcher.ts';

/** Starts a server whose watcher ends it, with all its child processes, when this process is gone. */
export function startWatched(
  { command, args, cwd, env }: StdioLaunch,
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const watcher = watchOverServer();
  const child = startServer(command, args, { cwd, env: { ...env, ...watcher.env }, stdio });
  watcher.leads(child.pid);
  child.on('exit', () => watcher.leads(undefined));
  return child;
}
