import { type Install, lockInstall } from '../servers/install-lock.ts';
import type { KeeperJob } from '../servers/mcp/keeper.ts';
import { runnerEnv } from '../servers/package-runner.ts';
import { maskText } from '../servers/secrets.ts';
import type { PackageRun } from '../servers/types.ts';
import { type Connection, connect } from './mcp-rpc.ts';
import { overKeeper } from './mcp-stdio.ts';

/** A runner with its package at hand answers sooner; a lock that is held longer, in ms, is held by an install. */
const STARTING_MS = 3_000;
const POLL_MS = 50;

/**
 * Starts a server by its package runner, which goes on after this process until the server's first answer. Where
 * another one starts the same package, that one is waited for; where it installs the package, that is the result.
 */
export async function startByRunner(
  run: PackageRun,
  start: KeeperJob['start'],
  { runtime, state }: { runtime: string; state: string | undefined },
): Promise<Connection | Install> {
  const { command, args, cwd, env } = start;
  const shown = maskText(run.spec ?? '');
  for (;;) {
    const lock = state === undefined ? undefined : lockInstall(state, run, [command, ...args], shown);
    if (lock && 'heldBy' in lock) {
      if (Date.now() - Date.parse(lock.heldBy.since) > STARTING_MS) return lock.heldBy;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    const job = { start: { command, args, cwd, env: runnerEnv(run, env) }, ...(lock && { lock }) };
    return connect((listener) => overKeeper(runtime, job, listener));
  }
}
