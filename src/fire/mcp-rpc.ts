/** A JSON-RPC message of MCP, as far as it matters here. */
export interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code?: number; message?: string };
}

/** Carries messages to a server and hands over what it says. */
export interface Transport {
  /** Rejects when the message can't be handed over. */
  send(message: Message): Promise<void>;
  /** Sent with each later request, once the handshake is over. */
  versioned(version: string): void;
  /** Ends the connection and what was started for it; the promise settles soon. */
  end(): Promise<void>;
}

export interface Listener {
  message(message: Message): void;
  /** The connection is gone. */
  closed(reason: string): void;
}

/** Bytes of one answer above which the server is given up. */
export const LARGEST_ANSWER = 4 * 1024 * 1024;

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const CLIENT = { name: 'mcphooks-hook', version: '1' };

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The server refused a request. */
export class Refused extends Error {}

export interface Connection {
  /** The server has answered anything. */
  answered: () => boolean;
  /** Waits for the handshake. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  end(): Promise<void>;
}

/** Connects in the era of `initialize`, or, when that is refused, of 2026-07-28, where each request stands alone. */
export function connect(open: (listener: Listener) => Transport): Connection {
  const waiting = new Map<unknown, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let gone: Error | undefined;
  let answered = false;
  let next = 1;

  const transport = open({
    message: ({ id, method, result, error }) => {
      if (method !== undefined) {
        if (id !== undefined) answer(id, method);
        return;
      }
      answered ||= id !== undefined;
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (error) waiter?.reject(new Refused(`${error.code}: ${error.message}`));
      else waiter?.resolve(result);
    },
    closed: (reason) => {
      gone ??= new Error(reason);
      for (const { reject } of waiting.values()) reject(gone);
      waiting.clear();
    },
  });

  /** A hook has nothing to offer to a server but a sign of life. */
  const answer = (id: number | string, method: string): void => {
    const error = { code: -32601, message: `no method ${method}` };
    const reply = method === 'ping' ? { result: {} } : { error };
    transport.send({ jsonrpc: '2.0', id, ...reply }).catch(() => {});
  };

  const send = (method: string, params: Record<string, unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      const id = next++;
      waiting.set(id, { resolve, reject });
      transport.send({ jsonrpc: '2.0', id, method, params }).catch(reject);
    });

  /** What every later request carries. */
  const handshake = async (): Promise<{ _meta?: unknown }> => {
    try {
      const agreed = await send('initialize', {
        protocolVersion: LEGACY,
        capabilities: {},
        clientInfo: CLIENT,
      });
      const version = (agreed as { protocolVersion?: unknown } | undefined)?.protocolVersion;
      transport.versioned(typeof version === 'string' ? version : LEGACY);
      await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return {};
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      transport.versioned(MODERN);
      return { _meta: META };
    }
  };
  const ready = handshake();
  ready.catch(() => {});

  return {
    answered: () => answered,
    request: async (method, params) => send(method, { ...params, ...(await ready) }),
    end: () => transport.end(),
  };
}
