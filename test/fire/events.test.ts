import { afterEach, expect, it, vi } from 'vitest';
import { overHttp } from '../../src/fire/mcp/http.ts';
import type { RpcMessage } from '../../src/fire/mcp/rpc.ts';
import { LONG } from '../effort.ts';

afterEach(() => vi.unstubAllGlobals());

/** Gives the body in chunks of so many bytes as the answer to a request, and returns what a hook receives of it. */
async function received(body: string, bytes: number): Promise<RpcMessage[]> {
  const whole = Buffer.from(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= whole.length) return controller.close();
      controller.enqueue(whole.subarray(at, at + bytes));
      at += bytes;
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  vi.stubGlobal('fetch', async () => new Response(stream, { headers }));
  const messages: RpcMessage[] = [];
  const listener = { message: (one: RpcMessage) => messages.push(one), closed: () => {} };
  const transport = overHttp({ url: 'http://127.0.0.1/', headers: {} }, listener);
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
  return messages;
}

const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'größe 😀' }] } };

it.each(['\n', '\r\n', '\r'])(
  'are read wherever their bytes are divided, with lines that end in %j',
  async (end) => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    const json = JSON.stringify(answer, null, 1).split('\n');
    const lines = [
      ': on',
      '',
      'event: ping',
      `data: ${ping}`,
      '',
      ...json.map((line) => `data:${line}`),
      '',
      '',
    ];
    for (const bytes of [1, 2, 3, 7, 10_000])
      expect(await received(lines.join(end), bytes)).toEqual([JSON.parse(ping), answer]);
  },
);

const large = [
  ['a long one', `data: {"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(3_500_000)}"}\n\n`],
  ['one of many lines', `${'data:\n'.repeat(500_000)}data: ${JSON.stringify(answer)}\n\n`],
  ['many without data', `${': on\n\n'.repeat(500_000)}data: ${JSON.stringify(answer)}\n\n`],
] as const;
it.each(LONG ? large : large.slice(0, 1))('take time in proportion to their bytes: %s', async (_, body) => {
  const begun = process.cpuUsage();
  expect(await received(body, 1000)).toHaveLength(1);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(4000);
});
