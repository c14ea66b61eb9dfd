import { type ChildProcess, spawn } from 'node:child_process';
import { LARGEST_ANSWER, type Listener, type Message, type Transport } from './rpc.ts';

/** Time that a server has to end by itself when its stdin closes and it is asked to. */
const GRACE_MS = 500;

/** Starts a server in a process group of its own, so that whatever it starts ends with it. */
export function overStdio(
  start: { command: string; args: string[]; cwd: string; env: Record<string, string> },
  listener: Listener,
): Transport {
  const child = spawn(start.command, start.args, {
    cwd: start.cwd,
    env: start.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  child.on('error', (error) => listener.closed(error.message));
  child.on('close', (code, signal) => listener.closed(`the server ended (${code ?? signal})`));
  child.stdin.on('error', () => {});
  readLines(child, listener);
  return {
    send: async (message) => {
      if (!child.stdin.writable) throw new Error('the server takes no input');
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    versioned: () => {},
    end: () => stop(child),
  };
}

/** One JSON message a line; other lines are noise. */
function readLines(child: ChildProcess, listener: Listener): void {
  let parts: string[] = [];
  let size = 0;
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n');
    parts.push(first);
    size += first.length;
    for (const line of rest) {
      receive(parts.join(''), listener);
      parts = [line];
      size = line.length;
    }
    if (size <= LARGEST_ANSWER) return;
    child.stdout?.destroy();
    listener.closed(`an answer of more than ${LARGEST_ANSWER} bytes`);
  });
}

function receive(line: string, listener: Listener): void {
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message === 'object' && message !== null) listener.message(message as Message);
  } catch {}
}

async function stop(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
  });
  child.stdin?.end();
  signal(pid, 'SIGTERM');
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
  signal(pid, 'SIGKILL');
}

/** The whole group; on Windows, which has none, the process. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {}
}
