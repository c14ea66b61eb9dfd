import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, jsonOrUndefined } from '../../base/json-value.ts';
import type { HttpLaunch } from '../../servers/launch/launch.ts';
import { askedId } from '../../servers/mcp/answer-id.ts';
import { RETRY_MS, retryWithin } from '../../servers/mcp/retry.ts';
import { headersFor, type ParamHeader, paramHeaders } from './param-headers.ts';
import { LARGEST_ANSWER, type Listener, Refused, type RpcMessage, type RpcTransport } from './rpc.ts';

const REDIRECTS = 3;
/**
 * Most replies to the server's requests on their way at once: each is a POST of its own, and thousands would keep the
 * timers from running by which a hook ends in time. Requests beyond these get no reply: the answer to the hook's own call
 * may come right behind them.
 */
const MOST_REPLIES = 20;
/** What says nothing about the request itself: no access, too slow, too often. */
const NO_REFUSAL = [401, 403, 407, 408, 429];
/** Milliseconds for telling the server that its session is over. */
const GOODBYE_MS = 300;

/**
 * Where a stream of events ended. A server may close one before its answer, and give the rest to a GET that names the
 * last event (2025-11-25, SEP-1699).
 */
interface LastEvent {
  id?: string | undefined;
  retryMs: number;
}

/** Connects by Streamable HTTP: each message is a POST, answered by JSON or a stream of events. */
export function overHttp(start: HttpLaunch, listener: Listener): RpcTransport {
  const over = new AbortController();
  const headers = new Headers(start.headers);
  headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json, text/event-stream');
  let session: string | undefined;
  let replies = 0;
  const demanded = new Map<string, ParamHeader[]>();

  const send = async (message: RpcMessage): Promise<void> => {
    const sent = new Headers(headers);
    if (session) sent.set('mcp-session-id', session);
    if (message.method) sent.set('mcp-method', message.method);
    const { name, arguments: args } = (message.params ?? {}) as { name?: unknown; arguments?: unknown };
    if (typeof name === 'string' && /^[\x21-\x7e]+$/.test(name)) sent.set('mcp-name', name);
    for (const [header, value] of headersFor(demanded.get(String(name)) ?? [], args)) sent.set(header, value);
    const init = { method: 'POST', headers: sent, body: JSON.stringify(message), signal: over.signal };
    const response = await within(start.url, init);
    session = response.headers.get('mcp-session-id') ?? session;
    if (message.id === undefined || message.method === undefined) return void (await response.body?.cancel());
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    const streams = type.startsWith('text/event-stream');
    const body = response.body;
    if (!body) throw new Error(`HTTP ${response.status}`);
    const last: LastEvent = { retryMs: RETRY_MS };
    let found = await read(body, streams, message.id, listener, last);
    while (!found && response.ok && last.id !== undefined) {
      await sleep(retryWithin(last.retryMs), undefined, { signal: over.signal });
      const again = new Headers(sent);
      again.delete('content-type');
      // The answer to `initialize` gives the session.
      if (session) again.set('mcp-session-id', session);
      // A header has bytes.
      again.set('last-event-id', Buffer.from(last.id).toString('latin1'));
      const resumed = await within(start.url, { headers: again, signal: over.signal });
      if (!resumed.ok || !resumed.body) break;
      found = await read(resumed.body, true, message.id, listener, last);
    }
    if (found) return;
    const words = `HTTP ${response.status} without an answer`;
    // A server of 2026-07-28 alone needn't answer in the form of the request that it doesn't know.
    const { status } = response;
    const isRefused = status >= 400 && status < 500 && !NO_REFUSAL.includes(status);
    throw message.method === 'initialize' && isRefused ? new Refused(words) : new Error(words);
  };

  const reply = async (message: RpcMessage): Promise<void> => {
    if (replies === MOST_REPLIES) return;
    replies++;
    await send(message).finally(() => replies--);
  };

  return {
    send: (message) => {
      // The listener receives answers; an error before an answer rejects the request.
      return (message.method === undefined ? reply : send)(message).catch((error: Error) => {
        throw error instanceof Refused ? error : new Error(String(error.cause ?? error.message));
      });
    },
    demands: (tool, schema) => demanded.set(tool, paramHeaders(schema)),
    versioned: (version) => headers.set('mcp-protocol-version', version),
    end: async () => {
      over.abort();
      if (!session) return;
      const sent = new Headers(headers);
      sent.set('mcp-session-id', session);
      const init = { method: 'DELETE', headers: sent, signal: AbortSignal.timeout(GOODBYE_MS) };
      await within(start.url, init).catch(() => {});
    },
  };
}

/** Fetches, following redirects within the origin only: headers for another origin could be stolen. */
async function within(url: string, init: RequestInit): Promise<Response> {
  let at = url;
  for (let i = 0; i <= REDIRECTS; i++) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location');
    if (!location) return response;
    await response.body?.cancel();
    const next = new URL(location, at);
    if (next.origin !== new URL(url).origin) throw new Error('a redirect to another origin');
    // Node's message about it would quote the address, and get into the log.
    if (next.username || next.password) throw new Error('a redirect with a user name');
    at = next.href;
  }
  throw new Error('too many redirects');
}

/**
 * Passes the messages of a response to the listener; returns true, and stops reading, at the answer to request `id`.
 */
async function read(
  body: ReadableStream<Uint8Array>,
  streams: boolean,
  id: number | string,
  listener: Listener,
  last: LastEvent,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let size = 0;
  /** What isn't whole yet, in parts, since joining them at each chunk takes quadratic time: a line, or a body of JSON. */
  let parts: string[] = [];
  /** The lines so far of an event. */
  let lines: string[] = [];
  let afterReturn = false;
  const receive = (json: string): boolean => {
    // A failed parse takes long.
    const value = /^\s*[[{]/.test(json) ? jsonOrUndefined(json) : undefined;
    const messages = [value].flat().filter(isObject) as unknown as RpcMessage[];
    for (const message of messages) listener.message(message);
    return messages.some((m) => askedId(m.id) === id && m.method === undefined);
  };
  const receiveEvent = (): boolean => {
    const id = fieldsOf(lines, 'id').at(-1);
    // Without an id, none is named any more.
    if (id !== undefined && !id.includes('\0')) last.id = id || undefined;
    const retry = fieldsOf(lines, 'retry').findLast((ms) => /^\d+$/.test(ms));
    if (retry !== undefined) last.retryMs = Number(retry);
    const data = fieldsOf(lines, 'data').join('\n');
    lines = [];
    return receive(data);
  };
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw new Error(`an answer of more than ${LARGEST_ANSWER} bytes`);
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    const isRestOfEnd = afterReturn && text.startsWith('\n');
    const begun = streams ? text.slice(isRestOfEnd ? 1 : 0).split(LINE_END) : [text];
    afterReturn = text.endsWith('\r');
    for (const [i, part] of begun.entries()) {
      if (i > 0) {
        const line = parts.join('');
        parts = [];
        if (line !== '') lines.push(line);
        else if (lines.length > 0 && receiveEvent()) return true;
      }
      parts.push(part);
    }
  }
  const rest = parts.join('');
  return receive(streams ? fieldsOf([...lines, rest], 'data').join('\n') : rest);
}

/** Ends a line of a stream of events. */
const LINE_END = /\r\n|\n|\r/;

/** Returns the lines of one field of a server-sent event, without its name. */
function fieldsOf(event: readonly string[], field: 'data' | 'id' | 'retry'): string[] {
  return event.flatMap((line) =>
    line === field ? '' : line.startsWith(`${field}:`) ? line.slice(field.length + 1).replace(/^ /, '') : [],
  );
}
