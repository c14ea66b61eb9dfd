import { Fault } from '../messages.ts';
import { type Channel, exchange, type Mouth } from './channel.ts';
import type { Launch } from './definition.ts';
import { maskText } from './mask.ts';

/** Ms for telling the server that the session is over. */
const FAREWELL = 1000;

export const LOOPBACK = /^(?:localhost|(?:[\w-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The URL, when it may be used: https, or http on this machine. Throws a `Fault`. */
export function checkedUrl(text: string): URL {
  const shown = maskText(text);
  const url = parsed(text);
  if (!url) throw new Fault('server.url', { url: shown, reason: 'malformed' });
  if (url.username || url.password) {
    throw new Fault('server.url', { url: shown, reason: 'user name and password belong into a header' });
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new Fault('server.plain-http', { url: shown });
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Fault('server.url', { url: shown, reason: url.protocol });
  return url;
}

/** Reaches a server over Streamable HTTP. */
export async function openHttp(launch: Extract<Launch, { url: string }>, mouth: Mouth): Promise<Channel> {
  const url = checkedUrl(launch.url);
  // Three times the code of all else that a connection needs.
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: launch.headers },
    fetch: guarded(mouth),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const channel = exchange(transport, mouth);
  await transport.start();
  return {
    ...channel,
    speak: (version) => transport.setProtocolVersion(version),
    close: async (failed) => {
      if (!failed) await Promise.race([transport.terminateSession().catch(() => {}), later(FAREWELL)]);
      await transport.close();
    },
  };
}

const parsed = (text: string, base?: URL): URL | undefined =>
  URL.canParse(text, base?.href) ? new URL(text, base) : undefined;

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** fetch that refuses other origins, says what a status means, and stops reading at the size limit. */
function guarded(mouth: Mouth): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const response = await fetch(input, { ...init, redirect: 'manual' }).catch((error: Error) => {
      if (init?.signal?.aborted) throw error;
      const { code } = (error.cause ?? {}) as { code?: string };
      throw mouth.fault('server.unreachable', { reason: code ?? mouth.quote(error.message) });
    });
    const { status } = response;
    if (status === 401 || status === 403) throw mouth.fault('server.unauthorized', { status });
    const location = status >= 300 && status < 400 ? response.headers.get('location') : null;
    if (location !== null) {
      const to = parsed(location, url);
      // The transport follows the rest: same origin, and the method is kept.
      if (to?.origin !== url.origin || (status !== 307 && status !== 308)) {
        throw mouth.fault('server.redirect', { to: to ? `${to.origin}${to.pathname}` : 'nowhere' });
      }
    }
    return capped(response, mouth);
  };
}

function capped(response: Response, mouth: Mouth): Response {
  if (!response.body) return response;
  let size = 0;
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > mouth.maxBytes)
        controller.error(mouth.fault('server.too-big', { max: mouth.maxBytes / 1e6 }));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(meter), { status, statusText, headers });
}
