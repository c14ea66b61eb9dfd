import { askedId } from '../../servers/mcp/answer-id.ts';
import { HEADER_MISMATCH } from './param-headers.ts';

/** A JSON-RPC message of MCP, with the members used here. */
export interface RpcMessage {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code?: number; message?: string };
}

/** Sends messages to a server; received messages go to a Listener. */
export interface RpcTransport {
  /** Rejects when the message can't be handed over. */
  send(message: RpcMessage): Promise<void>;
  /** Over HTTP: takes the headers that a tool's inputSchema demands for later calls. */
  demands?(tool: string, inputSchema: unknown): void;
  /** Sets the protocol version for later requests, after the handshake. */
  versioned(version: string): void;
  /** Ends the connection and the processes started for it; the promise settles soon. */
  end(): Promise<void>;
}

export interface Listener {
  message(message: RpcMessage): void;
  /** Called with text in place of a message. */
  noise?(): void;
  /** Called when the connection is gone. */
  closed(reason: string): void;
}

/** Most bytes of one answer; a server that sends more is disconnected. */
export const LARGEST_ANSWER = 4 * 1024 * 1024;

/** Most pages of a list of tools that are read. */
const LIST_PAGES = 20;

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const CLIENT = { name: 'mcphooks-hook', version: '1' };

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The server refused a request with a JSON-RPC error. `refused`: programs of the runtime each have this class. */
export class Refused extends Error {
  readonly refused = true;
}

/** Tells that an answer is no longer wanted: the part of an AbortSignal that is used here. */
export interface GivenUp {
  readonly aborted: boolean;
  addEventListener(event: 'abort', act: () => void): void;
}

export interface Connection {
  /** True once the server has answered any request. */
  answered: () => boolean;
  /** True once the server has sent text in place of a message. */
  noise?: () => boolean;
  /** Sends a request after the handshake. `givenUp`: an abort rejects and cancels the request at the server. */
  request(method: string, params: Record<string, unknown>, givenUp?: GivenUp): Promise<unknown>;
  end(): Promise<void>;
}

/** Sends a request and returns its result. */
type Send = Connection['request'];

/**
 * Connects by `initialize`, or, when the server refuses `initialize`, by the protocol of 2026-07-28 with self-contained
 * requests.
 */
export function connect(open: (listener: Listener) => RpcTransport): Connection {
  const { transport, send, answered, noise } = peerOf(open);
  const ready = handshake(transport, send);
  ready.catch(() => {});

  const request: Send = async (method, params, givenUp) =>
    send(method, { ...params, ...(await ready) }, givenUp);

  return {
    answered,
    noise,
    request: (method, params, givenUp) =>
      request(method, params, givenUp).catch(async (error: unknown) => {
        const demands = error instanceof Refused && error.message.startsWith(`${HEADER_MISMATCH}:`);
        if (!demands || method !== 'tools/call' || !transport.demands) throw error;
        // A hook reads what a tool demands only where it must.
        const tool = await listedTool(params.name, (cursor) => request('tools/list', cursor, givenUp));
        if (tool) transport.demands(String(params.name), tool.inputSchema);
        return request(method, params, givenUp);
      }),
    end: () => transport.end(),
  };
}

/** A server may send a code or message of any type, also an object that can't become a text. */
const words = (value: unknown): string => (typeof value === 'object' ? '' : String(value));

/** Opens the transport; gives each answer to the request that waits for it, and answers the server's requests. */
function peerOf(open: (listener: Listener) => RpcTransport): {
  transport: RpcTransport;
  send: Send;
  answered: Connection['answered'];
  noise: () => boolean;
} {
  const waiting = new Map<unknown, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let gone: Error | undefined;
  let answered = false;
  let noise = false;
  let next = 1;

  const transport = open({
    message: ({ id, method, result, error }) => {
      if (method !== undefined) {
        if (id !== undefined) answer(id, method);
        return;
      }
      answered ||= id !== undefined;
      const asked = askedId(id);
      const waiter = waiting.get(asked);
      waiting.delete(asked);
      if (error) waiter?.reject(new Refused(`${words(error.code)}: ${words(error.message)}`));
      else waiter?.resolve(result);
    },
    noise: () => {
      noise = true;
    },
    closed: (reason) => {
      gone ??= new Error(reason);
      for (const { reject } of waiting.values()) reject(gone);
      waiting.clear();
    },
  });

  /** Answers a request from the server: a hook supports `ping` only. */
  const answer = (id: number | string, method: string): void => {
    const error = { code: -32601, message: 'Method not found' };
    const reply = method === 'ping' ? { result: {} } : { error };
    transport.send({ jsonrpc: '2.0', id, ...reply }).catch(() => {});
  };

  const send: Send = (method, params, givenUp) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      if (givenUp?.aborted) return reject(new Error('given up'));
      const id = next++;
      waiting.set(id, { resolve, reject });
      const cancel = (): void => {
        if (!waiting.delete(id)) return;
        const params = { requestId: id, reason: 'the hook gave up' };
        transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
        reject(new Error('given up'));
      };
      givenUp?.addEventListener('abort', cancel);
      transport.send({ jsonrpc: '2.0', id, method, params }).catch(reject);
    });

  return { transport, send, answered: () => answered, noise: () => noise };
}

/** Agrees on the protocol; returns the members that every later request carries. */
async function handshake(transport: RpcTransport, send: Send): Promise<{ _meta?: unknown }> {
  try {
    const agreed = await send('initialize', {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo: CLIENT,
    });
    const version = (agreed as { protocolVersion?: unknown } | undefined)?.protocolVersion;
    // Node's message about a value that no header may have would quote the value, and get into the log.
    transport.versioned(typeof version === 'string' && /^[\w.-]+$/.test(version) ? version : LEGACY);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return {};
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    transport.versioned(MODERN);
    return { _meta: META };
  }
}

/** Looks a tool up in the server's list of tools, whose pages `pageAt` reads; undefined when it isn't found. */
async function listedTool(
  name: unknown,
  pageAt: (cursor: { cursor?: unknown }) => Promise<unknown>,
): Promise<{ inputSchema?: unknown } | undefined> {
  for (let cursor: unknown, i = 0; i < LIST_PAGES; i++) {
    const page = await pageAt(cursor === undefined ? {} : { cursor });
    const { tools, nextCursor } = (page ?? {}) as { tools?: unknown; nextCursor?: unknown };
    const tool = Array.isArray(tools) && tools.find((one) => one?.name === name);
    if (tool) return tool;
    if (nextCursor === undefined) return undefined;
    cursor = nextCursor;
  }
  return undefined;
}
