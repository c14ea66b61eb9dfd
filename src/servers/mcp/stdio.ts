import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Launch } from '../definition.ts';
import type { Channel, Diagnostics } from './channel.ts';
import { exchangeLines, letGo, type Spoken } from './lines.ts';
import { type ProcessTree, processesNow, trackProcessTree } from './process-tree.ts';
import { startServer } from './start.ts';
import type { Waits } from './waits.ts';

/** Milliseconds for a server's last output to arrive after its end. */
const LAST_OUTPUT_MS = 100;

/**
 * Starts a server in a session of its own, by which its descendants are found. Its stderr goes to `diagnostics`, which
 * also makes the Faults.
 */
export async function openStdio(
  { command, args, cwd, env }: Extract<Launch, { command: string }>,
  diagnostics: Diagnostics,
  waits: Waits,
): Promise<Channel> {
  if (!existsSync(cwd)) throw diagnostics.fault('server.start-failed', { reason: `no folder ${cwd}` });
  const mark = randomBytes(8).toString('hex');
  const others = processesNow();
  // Before the start: a signal in this moment would end this process alone.
  const signals = endWithUs(waits.kill);
  const how = { cwd, env: { ...env, MCPHOOKS_READING: mark }, stdio: 'pipe' } as const;
  let child: Spoken;
  try {
    child = startServer(command, args, how) as Spoken;
  } catch (error) {
    signals.off();
    throw error;
  }
  const channel = exchangeLines(child, diagnostics);
  const ended = (how: string): void => channel.fail(diagnostics.fault('server.died', { how }));
  const exit = once(child, 'exit').then(([code, signal]) => signal ?? `exit code ${code}`);
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
    signals.off();
    throw diagnostics.fault('server.start-failed', {
      reason: (error as NodeJS.ErrnoException).code ?? 'unknown',
    });
  }
  child.on('error', ({ message }) => ended(message));
  const tree = trackProcessTree(child.pid ?? 0, `MCPHOOKS_READING=${mark}`, others);
  signals.started(tree);
  return {
    ...channel,
    close: async (failed) => {
      const own = failed ? 0 : waits.end;
      child.stdin.end();
      await tree.end(own, waits.kill);
      // Where the system lists no processes, only the server's own exit is awaited.
      await Promise.race([exit.catch(() => {}), sleep(own, undefined, { ref: false })]);
      child.kill('SIGKILL');
      letGo(child);
      signals.off();
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a signal, ends the server first, which may not notice its closed stdin, and then this process by the same signal.
 * A signal waits until `started` or `off` is called.
 */
function endWithUs(kill: number): { started: (tree: ProcessTree) => void; off: () => void } {
  let settle: (tree?: ProcessTree) => void = () => {};
  const tree = new Promise<ProcessTree | undefined>((resolve) => {
    settle = resolve;
  });
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, ended);
  };
  const ended = (signal: NodeJS.Signals): void => {
    forget();
    void tree.then((one) => one?.end(0, kill)).finally(() => process.kill(process.pid, signal));
  };
  for (const signal of SIGNALS) process.on(signal, ended);
  return {
    started: settle,
    off: () => {
      forget();
      settle();
    },
  };
}
