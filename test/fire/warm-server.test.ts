import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../../src/servers/types.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { CALL_MS, KEEP, type Machine, machines, tool } from './warm-world.ts';
import { at } from './world.ts';

const { machine } = machines();

const two = expect.stringContaining('one\ntwo');

/** Fires a hook for each tool, one after another; returns their texts. */
async function fires(m: Machine, tools: string[], server: object = m.server) {
  const texts = [];
  for (const name of tools) {
    texts.push((await m.fireIt(m.shimOf([tool(name)], server))).text);
    for (const { pid } of m.kept()) m.keepers.add(pid);
  }
  return texts;
}

describe('a kept server that answers pings, but no more calls', () => {
  it.runIf(LONG)('is started anew after two calls in a row', async () => {
    const m = machine([], { callMs: CALL_MS });
    expect(await fires(m, ['two', 'slow', 'slow'])).toEqual([two, undefined, undefined]);
    await m.allGone();
    expect(await fires(m, ['two', 'two'])).toEqual([two, two]);
    expect(m.starts()).toBe(2);
  });

  it.runIf(LONG)('stays where it answered one in between, or has answered none yet', async () => {
    const m = machine([], { callMs: CALL_MS });
    // The first calls may take long, as where a server reads a whole project for them.
    await fires(m, ['slow', 'slow', 'two', 'slow', 'two', 'slow']);
    expect(await fires(m, ['two'])).toEqual([two]);
    expect(m.starts()).toBe(1);
  });

  it.runIf(LONG)('stays where calls that were under way together were given up', async () => {
    const m = machine([], { callMs: CALL_MS });
    expect(await fires(m, ['two'])).toEqual([two]);
    await Promise.all([fires(m, ['slow']), fires(m, ['slow'])]);
    expect(await fires(m, ['two'])).toEqual([two]);
    expect(m.starts()).toBe(1);
  });
});

it.runIf(LONG && !WINDOWS)(
  'a kept server that has closed its input is started anew after one call',
  async () => {
    const m = machine();
    // It then asks something: the keeper finds its input closed without a call that would be given up.
    const code = `
    const send = (m) => console.log(JSON.stringify({ jsonrpc: '2.0', ...m }));
    require('node:fs').appendFileSync(process.argv[1], JSON.stringify({ pid: process.pid }) + '\\n');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: {} } });
      if (method !== 'tools/call') return;
      send({ id, result: { content: [{ type: 'text', text: 'one\\ntwo' }] } });
      process.stdin.destroy();
      setTimeout(() => require('node:fs').closeSync(0), 10);
      setInterval(() => send({ id: 'q', method: 'ping' }), 50);
    });`;
    const args = ['-e', code, join(m.home, 'log')];
    const definition: Definition = { transport: 'stdio', command: process.execPath, args, env: {} };
    const server = { ...m.server, server_at: { ...at(definition), definition, keep: KEEP } };
    expect(await fires(m, ['two'], server)).toEqual([two]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await fires(m, ['two'], server);
    expect(await fires(m, ['two'], server)).toEqual([two]);
    expect(m.starts()).toBe(2);
  },
);
