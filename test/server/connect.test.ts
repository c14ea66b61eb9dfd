import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readServer } from '../../src/server/connect.ts';

const example = join(import.meta.dirname, '../../examples/server.mjs');

it('reads the example server', async () => {
  const definition = { transport: 'stdio' as const, command: process.execPath, args: [example], env: {} };
  const reading = await readServer({ definition, source: { scope: 'command-line' } }, { timeoutMs: 20000, env: process.env, cwd: process.cwd() });
  console.log(JSON.stringify(reading).slice(0, 400), reading.tools?.length);
  expect(reading.place).toBe('hooks');
});
