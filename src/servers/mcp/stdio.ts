import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DEFAULT_INHERITED_ENV_VARS, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Launch } from '../definition.ts';
import { type Channel, type Diagnostics, exchange } from './channel.ts';
import { type ProcessTree, trackProcessTree } from './process-tree.ts';
import type { Waits } from './waits.ts';

/** Milliseconds for a server's last output to arrive after its end. */
const LAST_WORDS = 100;

/** Starts a server. Its stderr goes to `mouth`, which also makes the Faults. */
export async function openStdio(
  launch: Extract<Launch, { command: string }>,
  mouth: Diagnostics,
  waits: Waits,
): Promise<Channel> {
  const mark = `MCPHOOKS_READING=${randomBytes(8).toString('hex')}`;
  const transport = new StdioClientTransport({
    ...launch,
    env: environment(launch.env, mark),
    stderr: 'pipe',
    maxBufferSize: mouth.maxBytes,
  });
  transport.stderr?.on('data', (chunk: Buffer) => mouth.heard(chunk));
  const channel = exchange(transport, mouth);
  transport.onerror = (error) => {
    if (error.message.includes('exceeded maximum size'))
      channel.fail(mouth.fault('server.too-big', { max: mouth.maxBytes / 1e6 }));
  };
  if (!existsSync(launch.cwd))
    throw mouth.fault('server.start-failed', { reason: `no folder ${launch.cwd}` });
  try {
    await transport.start();
  } catch (error) {
    throw mouth.fault('server.start-failed', { reason: (error as NodeJS.ErrnoException).code ?? 'unknown' });
  }
  const family = trackProcessTree(transport.pid ?? 0, mark);
  watchExit(transport, (how) => channel.fail(mouth.fault('server.died', { how })));
  const listen = endWithUs(family, waits.kill);
  return {
    ...channel,
    close: (failed) => close(transport, family, failed ? 0 : waits.end, waits.kill).finally(listen.off),
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * On a signal, ends the server first, which may not notice its closed stdin, and then this process by the same signal.
 */
function endWithUs(family: ProcessTree, kill: number): { off: () => void } {
  const ended = (signal: NodeJS.Signals): void => {
    off();
    void family.end(0, kill).finally(() => process.kill(process.pid, signal));
  };
  const off = (): void => {
    for (const signal of SIGNALS) process.off(signal, ended);
  };
  for (const signal of SIGNALS) process.on(signal, ended);
  return { off };
}

/** Returns exactly the given environment: the transport would add variables of our own environment. */
function environment(env: Record<string, string>, mark: string): Record<string, string> {
  const [name = '', value = ''] = mark.split('=');
  const unwanted = DEFAULT_INHERITED_ENV_VARS.filter((variable) => env[variable] === undefined);
  return {
    ...(Object.fromEntries(unwanted.map((variable) => [variable, undefined])) as unknown as Record<
      string,
      string
    >),
    ...env,
    [name]: value,
  };
}

/**
 * Reports the server's exit. The transport does so only when all pipes are closed, and a grandchild can hold a pipe
 * open; the process's own event comes at once (SDK 2.4.0).
 */
function watchExit(transport: StdioClientTransport, ended: (how: string) => void): void {
  const { _process: child } = transport as unknown as { _process?: ChildProcess };
  let how: string | undefined;
  child?.once('exit', (code, signal) => {
    how = signal ?? `exit code ${code}`;
    setTimeout(() => ended(how ?? ''), LAST_WORDS);
  });
  transport.onclose = () => ended(how ?? 'closed its output');
}

/** `own` and `kill`: as in `ProcessTree.end`. */
async function close(
  transport: StdioClientTransport,
  family: ProcessTree,
  own: number,
  kill: number,
): Promise<void> {
  transport.onclose = () => {};
  transport.onmessage = () => {};
  const closed = transport.close();
  await family.end(own, kill);
  await closed;
}
