import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { overHttp } from '../../src/fire/mcp/http.ts';
import type { RpcMessage } from '../../src/fire/mcp/rpc.ts';
import { LONG } from '../effort.ts';
import { withHttp } from '../http-server.ts';

/** Sends the body in chunks of so many bytes as the answer to a request, and returns what a hook receives of it. */
async function received(body: string, bytes: number): Promise<RpcMessage[]> {
  const whole = Buffer.from(body);
  const messages: RpcMessage[] = [];
  const listener = { message: (one: RpcMessage) => messages.push(one), closed: () => {} };
  await withHttp(
    async (_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < whole.length; at += bytes) {
        answer.write(whole.subarray(at, at + bytes));
        // Else sender and receiver make one chunk of many.
        for (let turn = 0; turn < 4; turn++) await setImmediate();
      }
      answer.end();
    },
    async (url) => {
      const transport = overHttp({ url, headers: {} }, listener);
      await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
    },
  );
  return messages;
}

const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'größe 😀' }] } };

it.each(['\n', '\r\n', '\r'])(
  'server-sent events are read wherever their bytes are divided, with lines that end in %j',
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
it.each(LONG ? large : large.slice(0, 1))(
  'server-sent events take time in proportion to their bytes: %s',
  async (_, body) => {
    const begun = process.cpuUsage();
    expect(await received(body, 1000)).toHaveLength(1);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(4000);
  },
);
