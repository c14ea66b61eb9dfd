import { setTimeout as sleep } from 'node:timers/promises';
import { jsonOrUndefined, valueAt } from '../../base/json-value.ts';
import { quietly } from '../../base/quietly.ts';
import { excerpt } from '../../base/visible.ts';
import type { Fault } from '../../messages/fault.ts';
import { checkedUrl } from '../checked-url.ts';
import type { HttpLaunch } from '../launch/launch.ts';
import { LOOPBACK } from '../url.ts';
import { type Channel, exchange, MAX_ANSWER_BYTES } from './channel.ts';
import type { Diagnostics } from './diagnostics.ts';
import { RETRY_MS, retryWithin } from './retry.ts';
import type { Waits } from './waits.ts';

/** As at fire time (fire/mcp/http.ts): each reply is a POST, and a flood of requests would outlast any deadline. */
const MOST_REPLIES = 20;

/** Reaches a server over Streamable HTTP. */
export async function openHttp(launch: HttpLaunch, diagnostics: Diagnostics, waits: Waits): Promise<Channel> {
  const url = checkedUrl(launch.url, diagnostics.unset);
  for (const header of Object.entries(launch.headers))
    if (!isSendable(header)) throw diagnostics.fault('server.header', { name: excerpt(header[0]) });
  // Imported only here: this module is three times the size of all other code for a connection.
  const { StreamableHTTPClientTransport } = await import('./streamable-http.ts');
  const again = new Set<NodeJS.Timeout>();
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: launch.headers },
    fetch: guarded(diagnostics, (fault) => channel.fail(fault)),
    reconnectionOptions: {
      maxRetries: 2,
      initialReconnectionDelay: RETRY_MS,
      maxReconnectionDelay: RETRY_MS,
      reconnectionDelayGrowFactor: 1,
    },
    // The transport takes what the server gives, and ends one wait alone.
    reconnectionScheduler: (reconnect, ms) => void again.add(setTimeout(reconnect, retryWithin(ms))),
  });
  const channel = exchange(transport, diagnostics, MOST_REPLIES);
  await transport.start();
  return {
    ...channel,
    speak: (version) => transport.setProtocolVersion(version),
    close: async (failed) => {
      if (!failed)
        await Promise.race([
          transport.terminateSession().catch(() => {}),
          sleep(waits.farewell, undefined, { ref: false }),
        ]);
      for (const wait of again) clearTimeout(wait);
      await transport.close();
    },
  };
}

const isSendable = (header: [name: string, value: string]): boolean =>
  quietly(() => new Headers([header])) !== undefined;

/** True when the environment names a proxy that Node's fetch doesn't use. None leads to this machine. */
const leavesProxy = ({ hostname }: URL): boolean =>
  process.env.NODE_USE_ENV_PROXY !== '1' &&
  !LOOPBACK.test(hostname) &&
  Object.entries(process.env).some(([name, value]) => /^https?_proxy$/i.test(name) && value);

/** In the answer of a server that has the session, but not the method. */
const METHOD_UNKNOWN = /"code"\s*:\s*-32601\b/;

function isRequest(body: unknown): boolean {
  const message = typeof body === 'string' ? jsonOrUndefined(body) : undefined;
  return valueAt(message, ['id']) !== undefined && valueAt(message, ['method']) !== undefined;
}

/**
 * Returns a fetch that refuses other origins, turns status codes into Faults, and stops at the size limit. `fail` gets the
 * Fault of that: of a stream of events, the transport says no more than that it has ended.
 */
function guarded(diagnostics: Diagnostics, fail: (fault: Fault) => void): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const response = await fetch(input, { ...init, redirect: 'manual' }).catch((error: Error) => {
      if (init?.signal?.aborted) throw error;
      // The message itself only says that the fetch failed. That of a cause can be empty.
      const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
      const reason = code ?? diagnostics.quote(message || error.message);
      throw diagnostics.fault('server.unreachable', { reason, ...(leavesProxy(url) && { proxy: 1 }) });
    });
    const { status } = response;
    // The transport would wait for an answer, which only the response itself can be. The error is like the transport's.
    if (status === 202 && isRequest(init?.body))
      throw Object.assign(new Error(), { data: { status, statusText: response.statusText } });
    if (status === 401 || status === 403) throw diagnostics.fault('server.unauthorized', { status });
    if (status === 404 && new Headers(init?.headers).has('mcp-session-id')) {
      const body = await capped(response.clone(), diagnostics, fail).text();
      if (!METHOD_UNKNOWN.test(body)) throw diagnostics.fault('server.session-lost', {});
    }
    const location = status >= 300 && status < 400 ? response.headers.get('location') : null;
    if (location !== null) {
      const to = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      // The transport itself follows all other redirects: same origin, and the method is kept.
      if (to?.origin !== url.origin || (status !== 307 && status !== 308)) {
        // Often only a slash more, behind a path that has a token.
        const shown = to ? diagnostics.quote(`${to.protocol}//${to.host}${to.pathname}`) : 'nowhere';
        throw diagnostics.fault('server.redirect', { to: shown });
      }
    }
    return capped(response, diagnostics, fail);
  };
}

function capped(response: Response, diagnostics: Diagnostics, fail: (fault: Fault) => void): Response {
  if (!response.body) return response;
  let size = 0;
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size <= MAX_ANSWER_BYTES) return controller.enqueue(chunk);
      const fault = diagnostics.fault('server.too-big', { max: MAX_ANSWER_BYTES / 1e6 });
      fail(fault);
      controller.error(fault);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers });
}
