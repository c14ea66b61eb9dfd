import { TERMINAL_SEQUENCES } from '../../base/terminal-sequences.ts';
import { excerpt, visible } from '../../base/visible.ts';
import { Fault } from '../../messages/fault.ts';
import type { FaultArgsOf, FaultCode } from '../../messages/faults.ts';
import { redact } from '../mask-message.ts';

export type RpcResponse = { result: unknown } | { error: { code: number | string; message: string } };

/** One connection to a server; answers are neither checked nor stripped. */
export interface Channel {
  /** Rejects with a `Fault` when the server ends, or when `deadline` (ms since 1970) passes. */
  request: (method: string, params: unknown, deadline: number) => Promise<RpcResponse>;
  notify: (method: string) => Promise<void>;
  /** Sets the version for HTTP requests, after a 2025-era handshake. */
  speak: (version: string) => void;
  /** Closes the connection and ends every process that belongs to it; without waiting when it failed. */
  close: (failed: boolean) => Promise<void>;
}

type Message = {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
};

/** The members of the SDK's transports that are used here. */
interface ClientTransport {
  onmessage?: ((message: never) => void) | undefined;
  send: (message: never, options?: never) => Promise<void>;
}

/** Codes of Faults of a server that was started or reached. */
type ServerCode = Extract<FaultCode, `server.${string}`>;

/** Arguments that `fault` adds itself, and the step, which `request` adds. */
type Given<Args> = Omit<Args, 'shown' | 'stderr' | 'step'> & { step?: string };

/** Collects a server's stderr, and makes Faults that quote it. */
export interface Diagnostics {
  /** Most bytes of one answer. */
  maxBytes: number;
  addStderr: (chunk: Buffer) => void;
  /** Returns a Fault with how the server was reached and the last lines of stderr, without secrets. */
  fault: <Code extends ServerCode>(code: Code, args: Given<FaultArgsOf[Code]>) => Fault;
  /** Returns a text from the server, shortened and safe to show. */
  quote: (text: string) => string;
  /** Returns a name, or a text about what a server declares, without secrets. */
  redact: (text: string) => string;
}

const MAX_STDERR = 8192;
const MAX_LINES = 10;

/** `inNames`: those of the secrets that no name or word contains by chance. */
export function diagnosticsFor(
  shown: string,
  secrets: readonly string[],
  maxBytes: number,
  inNames: readonly string[] = secrets,
): Diagnostics {
  let stderr = Buffer.alloc(0);
  // The first line of a cut text may begin in the middle of a secret.
  const whole = (text: string): string =>
    stderr.length < MAX_STDERR ? text : text.slice(text.indexOf('\n') + 1 || 1000);
  const lines = (): string[] =>
    redact(whole(stderr.toString('utf8')).replace(TERMINAL_SEQUENCES, ''), secrets)
      .split(/\r\n|[\r\n]/)
      .filter((line) => line.trim() !== '')
      .slice(-MAX_LINES)
      .map((line) => excerpt(line.trimEnd(), 200));
  return {
    maxBytes,
    addStderr: (chunk) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR);
    },
    fault: (code, args) =>
      new Fault<ServerCode>(code, { shown, stderr: lines(), ...args } as unknown as FaultArgsOf[ServerCode]),
    quote: (text) => excerpt(visible(redact(text.replace(TERMINAL_SEQUENCES, ''), secrets)), 300),
    redact: (text) => redact(text, inNames),
  };
}

/**
 * Sends requests over a transport and receives their answers. Answers ping, and refuses all other requests from the
 * server.
 */
export function exchange(
  transport: ClientTransport,
  diagnostics: Diagnostics,
): Channel & { fail: (fault: Fault) => void } {
  const waiting = new Map<
    string | number,
    { settle: (answer: RpcResponse) => void; fail: (fault: Fault) => void; step: string }
  >();
  let dead: Fault | undefined;
  let last = 0;
  const send = (message: Message, options?: object): Promise<void> =>
    transport.send(message as never, options as never);
  const fail = (fault: Fault): void => {
    dead ??= fault;
    for (const { fail: reject, step } of waiting.values()) reject(dead.with({ step }));
    waiting.clear();
  };
  transport.onmessage = (message: Message) => {
    if (message.method !== undefined) {
      if (message.id === undefined) return;
      const { id } = message;
      const answer =
        message.method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };
      send({ jsonrpc: '2.0', id, ...answer }).catch(() => {});
      return;
    }
    const request = message.id === undefined ? undefined : waiting.get(message.id);
    if (!request || message.id === undefined) return;
    waiting.delete(message.id);
    const { error } = message;
    request.settle(
      error
        ? { error: { code: error.code, message: diagnostics.quote(String(error.message)) } }
        : { result: message.result },
    );
  };
  return {
    fail,
    request: (method, params, deadline) =>
      new Promise((resolve, reject) => {
        if (dead) return reject(dead.with({ step: method }));
        const id = ++last;
        const abort = new AbortController();
        const ms = Math.max(0, deadline - Date.now());
        const timer = setTimeout(() => {
          waiting.delete(id);
          abort.abort();
          reject(diagnostics.fault('server.timeout', { step: method, seconds: Math.ceil(ms / 100) / 10 }));
        }, ms);
        const done =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            settle(value);
          };
        waiting.set(id, { settle: done(resolve), fail: done(reject), step: method });
        const ended = (): void => {
          if (waiting.delete(id)) done(reject)(diagnostics.fault('server.garbage', { step: method }));
        };
        send(
          { jsonrpc: '2.0', id, method, params },
          { requestSignal: abort.signal, onRequestStreamEnd: ended },
        ).catch((error) => {
          if (!waiting.delete(id)) return;
          if (error instanceof Fault) done(reject)(error.with({ step: method }));
          else
            done(resolve)({
              error: { code: statusOf(error), message: diagnostics.quote(String((error as Error).message)) },
            });
        });
      }),
    notify: (method) => send({ jsonrpc: '2.0', method }).catch(() => {}),
    speak: () => {},
    close: async () => {},
  };
}

function statusOf(error: unknown): number | string {
  const { status } = error as { status?: number };
  return status === undefined ? 'no answer' : `HTTP ${status}`;
}
