/**
 * A fake model API on 127.0.0.1. A dialect (anthropic.mjs, openai.mjs, gemini.mjs) says which requests are model
 * turns and how an answer is streamed; this file holds the script and the record.
 *
 * A turn is what the model "answers":
 *   { say: 'text' }                            ends the client's turn
 *   { calls: [ call, ... ] }                   tool calls, all in one answer
 *   { say, calls }                             both
 *   { when: promise, ... }                     only then; of a function, when the promise that it returns is fulfilled
 * A call: { bash: 'command' } | { write: 'file', text } | { read: 'file' } | { mcp: [server, tool], args }
 *         | { agent: 'prompt for a sub-agent' } | { native: { ... } } in the dialect's own shape.
 */
import { createServer } from 'node:http';
import zlib from 'node:zlib';

const MAX_REQUESTS = 60;

const decode = (bytes, encoding) => {
  if (encoding === 'gzip') return zlib.gunzipSync(bytes);
  if (encoding === 'zstd' && zlib.zstdDecompressSync) return zlib.zstdDecompressSync(bytes);
  return bytes;
};

/**
 * `port`: any free one by default. `script`: { main: turns, sub?: turns of sub-agents }. Requests: [{ kind: 'main' |
 * 'sub' | 'side', body }].
 */
export async function fakeModel(dialect, script, port = 0) {
  const queues = { main: [...script.main], sub: [...(script.sub ?? [])] };
  const requests = [];
  let ids = 0;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const raw = decode(Buffer.concat(chunks), request.headers['content-encoding']).toString('utf8');
      const json = (value, status = 200) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      let body;
      try {
        body = raw ? JSON.parse(raw) : undefined;
      } catch {
        return json({ error: { message: 'not JSON' } }, 400);
      }
      const path = new URL(request.url, 'http://fake').pathname;
      const kind = request.method === 'POST' ? dialect.kind(path, body, request.headers) : undefined;
      if (!kind) return dialect.other(path, json);
      requests.push({ kind, body });
      // A hook that always forces another turn would never end.
      if (requests.length > MAX_REQUESTS) return json({ error: { message: 'too many requests' } }, 400);
      if (kind === 'side') return dialect.side(body, json, response);
      const turn = queues[kind].shift() ?? { say: 'END-OF-SCRIPT' };
      const id = (p) => `${p}_${++ids}`;
      const when = typeof turn.when === 'function' ? turn.when() : turn.when;
      Promise.resolve(when).then(() => dialect.answer(turn, { body, response, id }));
    });
  });
  await new Promise((ready) => server.listen(port, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    unused: () => queues.main.length + queues.sub.length,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

export const startStream = (response) =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
