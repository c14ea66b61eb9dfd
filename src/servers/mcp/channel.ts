import { jsonOrUndefined, valueAt } from '../../base/json-value.ts';
import { TERMINAL_SEQUENCES } from '../../base/terminal-sequences.ts';
import { excerpt, visible } from '../../base/visible.ts';
import { Fault } from '../../messages/fault.ts';
import type { FaultArgsOf, FaultCode } from '../../messages/faults.ts';
import { redact } from '../masking/mask-message.ts';
import { MASK } from '../masking/secrets.ts';

export type RpcResponse = { result: unknown } | { error: { code: number | string; message: string } };

export type RpcError = Extract<RpcResponse, { error: unknown }>['error'];

/** One connection to a server; answers are neither checked nor stripped. */
export interface Channel {
  /** Rejects with a `Fault` when the server ends, or when `deadline` (ms since 1970) passes. */
  request: (method: string, params: unknown, deadline: number) => Promise<RpcResponse>;
  /** Sends a notification, in vain where the server refuses it. Rejects with a `Fault` when `deadline` passes. */
  notify: (method: string, deadline: number) => Promise<void>;
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
type Given<Args> = Omit<Args, 'shown' | 'stderr' | 'noise' | 'step'> & { step?: string };

/** Collects a server's stderr and the noise on its stdout, and makes Faults that quote it. */
export interface Diagnostics {
  /** Most bytes of one answer. */
  maxBytes: number;
  /** Names of variables that the definition refers to and that aren't set; its Faults name them. */
  unset: readonly string[];
  addStderr: (chunk: Buffer) => void;
  /** Takes a line of a server's stdout, or the beginning of one, that is no message. */
  addNoise: (text: string) => void;
  /** Returns a Fault with how the server was reached, the last lines of stderr and the noise, without secrets. */
  fault: <Code extends ServerCode>(code: Code, args: Given<FaultArgsOf[Code]>) => Fault;
  /** Returns a text from the server, shortened and safe to show. */
  quote: (text: string) => string;
  /** Returns a name, or a text about what a server declares, without secrets that no word or name contains by chance. */
  redact: (text: string) => string;
  /** Returns a text without any secret. */
  withoutSecrets: (text: string) => string;
}

const MAX_STDERR = 8192;
const MAX_LINES = 10;
/** A line of a stack trace by Node or Java: many of them follow the line that says what is wrong. */
const STACK_FRAME = /^\s+at \S.*[\d>)](?: \{)?$/;
/** Most characters kept of a line that is no message: many more than are shown, since secrets are masked first. */
export const MAX_NOISE = 8192;

const holdsMessage = (text: string): boolean => text.includes('"jsonrpc"');

/** `inNames`: those of the secrets that no name or word contains by chance. */
export function diagnosticsFor(
  shown: string,
  secrets: readonly string[],
  maxBytes: number,
  inNames: readonly string[] = secrets,
  unset: readonly string[] = [],
): Diagnostics {
  let stderr = Buffer.alloc(0);
  let noise = '';
  // The first line of a cut text may begin in the middle of a secret.
  const whole = (text: string): string =>
    stderr.length < MAX_STDERR ? text : text.slice(text.indexOf('\n') + 1 || 1000);
  const lines = (): string[] =>
    redact(whole(stderr.toString('utf8')).replace(TERMINAL_SEQUENCES, ''), secrets)
      .split(/\r\n|[\r\n]/)
      .filter((line) => line.trim() !== '' && !STACK_FRAME.test(line))
      .slice(-MAX_LINES)
      .map((line) => excerpt(line.trimEnd(), 200));
  const quote = (text: string): string =>
    excerpt(visible(redact(text.replace(TERMINAL_SEQUENCES, ''), secrets)), 300);
  const quoteNoise = (): string => quote(withoutBegun(noise.replace(TERMINAL_SEQUENCES, ''), secrets));
  return {
    maxBytes,
    unset,
    addStderr: (chunk) => {
      stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR);
    },
    addNoise: (text) => {
      const grows = text.trim() !== '' && text.startsWith(noise);
      if (grows || (holdsMessage(text) && !holdsMessage(noise))) noise = text.trimEnd().slice(0, MAX_NOISE);
    },
    fault: (code, args) => {
      const all = {
        shown,
        stderr: lines(),
        ...(noise !== '' && { noise: quoteNoise() }),
        ...args,
      } as unknown as FaultArgsOf[ServerCode];
      const fault = new Fault<ServerCode>(code, all);
      return unset.length > 0 ? fault.with({ unset }) : fault;
    },
    quote,
    redact: (text) => redact(text, inNames),
    withoutSecrets: (text) => redact(text, secrets),
  };
}

/** Fewer characters of a secret tell nothing, and often stand somewhere by chance. */
const LEAST_BEGUN = 4;

/** Masks the beginning of a secret at the end of a text, which may be cut or not be whole yet. */
function withoutBegun(text: string, secrets: readonly string[]): string {
  const begun = secrets.map((secret) => {
    for (let n = Math.min(secret.length, text.length); n >= LEAST_BEGUN; n--)
      if (text.endsWith(secret.slice(0, n))) return n;
    return 0;
  });
  const most = Math.max(0, ...begun);
  return most === 0 ? text : text.slice(0, -most) + MASK;
}

/** A request without an answer yet. */
interface OpenRequest {
  /** Its method, as a Fault names it. */
  step: string;
  timer: NodeJS.Timeout;
  settle: (answer: RpcResponse) => void;
  fail: (fault: Fault) => void;
}

/**
 * Sends requests over a transport and receives their answers. Answers ping, and refuses all other requests from the
 * server. `mostReplies`: how many replies may be on their way at once; further requests get none.
 */
export function exchange(
  transport: ClientTransport,
  diagnostics: Diagnostics,
  mostReplies = Number.POSITIVE_INFINITY,
): Channel & { fail: (fault: Fault) => void } {
  const waiting = new Map<number, OpenRequest>();
  let replies = 0;
  let dead: Fault | undefined;
  let last = 0;
  const send = (message: Message, options?: object): Promise<void> =>
    transport.send(message as never, options as never);
  /** Returns the request that waits for an answer by this id, which from now on waits no more. */
  const take = (id: number): OpenRequest | undefined => {
    const one = waiting.get(id);
    clearTimeout(one?.timer);
    waiting.delete(id);
    return one;
  };
  const fail = (fault: Fault): void => {
    dead ??= fault;
    for (const id of [...waiting.keys()]) {
      const one = take(id);
      one?.fail(dead.with({ step: one.step }));
    }
  };
  const late = (step: string, ms: number): Fault =>
    diagnostics.fault('server.timeout', { step, seconds: Math.ceil(ms / 100) / 10 });
  const request: Channel['request'] = (method, params, deadline) =>
    new Promise((resolve, reject) => {
      if (dead) return reject(dead.with({ step: method }));
      const id = ++last;
      const abort = new AbortController();
      const ms = Math.max(0, deadline - Date.now());
      const timer = setTimeout(() => {
        const one = take(id);
        abort.abort();
        one?.fail(late(method, ms));
      }, ms);
      waiting.set(id, { step: method, timer, settle: resolve, fail: reject });
      const onRequestStreamEnd = (): void =>
        take(id)?.fail(diagnostics.fault('server.garbage', { step: method }));
      send({ jsonrpc: '2.0', id, method, params }, { requestSignal: abort.signal, onRequestStreamEnd }).catch(
        (error) => {
          const one = take(id);
          if (error instanceof Fault) one?.fail(error.with({ step: method }));
          else one?.settle(errorAnswer(...failureOf(error as HttpError), diagnostics));
        },
      );
    });
  /** Over HTTP, a server replies to a notification, too, and may never do so. */
  const notify: Channel['notify'] = (method, deadline) =>
    new Promise((resolve, reject) => {
      const ms = Math.max(0, deadline - Date.now());
      const timer = setTimeout(() => reject(late(method, ms)), ms);
      const sent = send({ jsonrpc: '2.0', method }).catch(() => {});
      sent.then(resolve).finally(() => clearTimeout(timer));
    });
  const reply = async (id: string | number, method: string): Promise<void> => {
    if (replies >= mostReplies) return;
    replies++;
    await send({ jsonrpc: '2.0', id, ...answerTo(method) }).catch(() => {});
    replies--;
  };
  transport.onmessage = ({ id, method, result, error }: Message) => {
    if (id === undefined) return;
    if (method !== undefined) void reply(id, method);
    // Some servers send an id back as a text, which the SDK takes, too.
    else take(Number(id))?.settle(error ? errorAnswer(error.code, error.message, diagnostics) : { result });
  };
  return {
    fail,
    request,
    notify,
    speak: () => {},
    close: async () => {},
  };
}

/** Returns what this program answers to a request from a server. */
const answerTo = (method: string): Pick<Message, 'result' | 'error'> =>
  method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };

const errorAnswer = (code: number | string, message: string, { quote }: Diagnostics): RpcResponse => ({
  error: { code, message: quote(String(message)) },
});

/**
 * An error of the SDK's transport over HTTP; `data` is absent when another one. `issues`: what an answer has that no
 * message of JSON-RPC may have.
 */
type HttpError = Error & {
  data?: { status?: number; statusText?: string; text?: string | null; contentType?: string | null };
  issues?: readonly { message: string }[];
};

/** Returns the status of a failed request, and what the server said: its own words, or the type of what it sent. */
function failureOf({ message, data, issues }: HttpError): [code: string, message: string] {
  if (data?.contentType !== undefined) return ['HTTP 200', data.contentType?.split(';')[0] ?? ''];
  if (issues) return ['no message of JSON-RPC', issues.map((issue) => issue.message).join(', ')];
  if (data?.status === undefined) return ['no answer', message];
  return [`HTTP ${data.status}`, wordsOfBody(data.text ?? '') || (data.statusText ?? '')];
}

/** Returns the words in the body of an answer; none in a page for browsers. */
function wordsOfBody(body: string): string {
  const value = jsonOrUndefined(body);
  const words = [['error', 'message'], ['error'], ['message']].map((path) => valueAt(value, path));
  const said = words.find((one) => typeof one === 'string');
  return said ?? (/^\s*</.test(body) ? '' : body.trim());
}
