import { jsonOrUndefined, valueAt } from '../../base/json-value.ts';
import { Fault } from '../../messages/fault.ts';
import { askedId } from './answer-id.ts';
import type { Diagnostics } from './diagnostics.ts';

/** Most bytes of one answer; equals the SDK's own limit. A transport ends the connection with `server.too-big`. */
export const MAX_ANSWER_BYTES = 10_000_000;

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

/** A channel over a transport, which the caller closes. `fail`: ends all requests, now and later, with this Fault. */
export type OpenChannel = Omit<Channel, 'close'> & { fail: (fault: Fault) => void };

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
): OpenChannel {
  const waiting = new Map<unknown, OpenRequest>();
  let replies = 0;
  let dead: Fault | undefined;
  let last = 0;
  const send = (message: Message, options?: object): Promise<void> =>
    transport.send(message as never, options as never);
  /** Returns the request that waits for an answer by this id, which from now on waits no more. */
  const take = (id: unknown): OpenRequest | undefined => {
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
  const late = (step: string): Fault =>
    diagnostics.fault('server.timeout', { step, seconds: diagnostics.seconds });
  const request: Channel['request'] = (method, params, deadline) =>
    new Promise((resolve, reject) => {
      if (dead) return reject(dead.with({ step: method }));
      const id = ++last;
      const abort = new AbortController();
      const ms = Math.max(0, deadline - Date.now());
      const timer = setTimeout(() => {
        const one = take(id);
        abort.abort();
        one?.fail(late(method));
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
      const timer = setTimeout(() => reject(late(method)), ms);
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
    else take(askedId(id))?.settle(error ? errorAnswer(error.code, error.message, diagnostics) : { result });
  };
  return {
    fail,
    request,
    notify,
    speak: () => {},
  };
}

/** Returns what this program answers to a request from a server. */
const answerTo = (method: string): Pick<Message, 'result' | 'error'> =>
  method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };

/** A server may send a code or message of any type, also an object that can't become a text. */
function errorAnswer(code: unknown, message: unknown, { quote }: Diagnostics): RpcResponse {
  const words = (value: unknown): string => (typeof value === 'string' ? quote(value) : '');
  return {
    error: { code: typeof code === 'number' ? code : words(code) || 'no code', message: words(message) },
  };
}

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
  if (issues) return ['not JSON-RPC', issues.map((issue) => issue.message).join(', ')];
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
