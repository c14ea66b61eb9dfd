import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../messages/fault.ts';
import type { StdioLaunch } from '../launch/launch.ts';
import { processesNow, trackProcessTree } from '../process/process-tree.ts';
import { endWithUs, unlessEnding } from '../process/signals.ts';
import { LAST_OUTPUT_MS, startServer } from '../process/start.ts';
import type { Channel } from './channel.ts';
import type { Diagnostics } from './diagnostics.ts';
import { exchangeLines, letGo, type PipedProcess } from './lines.ts';
import type { Waits } from './waits.ts';

/**
 * Starts a server in a session of its own, by which its descendants are found. Its stderr goes to `diagnostics`, which
 * also makes the Faults.
 */
export async function openStdio(
  launch: StdioLaunch,
  diagnostics: Diagnostics,
  waits: Waits,
): Promise<Channel> {
  await unlessEnding();
  const signals = endWithUs(waits.kill);
  try {
    return await start(launch, diagnostics, waits, signals);
  } catch (error) {
    await signals.off();
    throw error;
  }
}

async function start(
  { command, args, cwd, env }: StdioLaunch,
  diagnostics: Diagnostics,
  waits: Waits,
  signals: ReturnType<typeof endWithUs>,
): Promise<Channel> {
  if (!existsSync(cwd)) throw diagnostics.fault('server.start-failed', { reason: 'NO_FOLDER', folder: cwd });
  const mark = randomBytes(8).toString('hex');
  const others = processesNow();
  const failed = (error: unknown): Fault =>
    diagnostics.fault('server.start-failed', {
      reason: (error as NodeJS.ErrnoException).code ?? 'unknown',
    });
  // On Windows it would start the shell itself, which waits.
  if (command === '') throw failed({ code: 'ERR_INVALID_ARG_VALUE' });
  let child: PipedProcess;
  try {
    child = startServer(command, args, {
      cwd,
      env: { ...env, MCPHOOKS_READING: mark },
      stdio: 'pipe',
    }) as PipedProcess;
  } catch (error) {
    // Node throws at once for a null character, and for words that the system finds too long.
    throw failed(error);
  }
  const channel = exchangeLines(child, diagnostics);
  const ended = (how: number | string): void => channel.fail(diagnostics.fault('server.died', { how }));
  const exit = once(child, 'exit').then(([code, signal]) => signal ?? Number(code));
  // A grandchild can hold a pipe open, and delay the event 'close'.
  const closed = once(child, 'close').catch(() => {});
  exit
    .then(async (how) => {
      await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
      // When this process was too busy to read, lets output that has arrived be read first.
      await new Promise(setImmediate);
      ended(how);
    })
    .catch(() => {});
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw failed(error);
  }
  child.on('error', ({ message }) => ended(message));
  const tree = trackProcessTree(child.pid ?? 0, `MCPHOOKS_READING=${mark}`, others);
  signals.started(tree);
  return {
    ...channel,
    close: async (failed) => {
      const graceMs = failed ? 0 : waits.end;
      child.stdin.end();
      await tree.end(graceMs, waits.kill);
      // Where the system lists no processes, only the server's own exit is awaited.
      await Promise.race([exit.catch(() => {}), sleep(graceMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      letGo(child);
      await signals.off();
    },
  };
}
