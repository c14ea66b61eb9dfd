import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeServerEntry, serverEntry } from '../cli/world.ts';
import { LONG } from '../effort.ts';

const request = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ method, params, jsonrpc: '2.0', id });
const LINES = [
  request(0, 'initialize', { clientInfo: { name: 'test', version: '1' } }),
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  request(2, 'server/discover'),
  request(3, 'ping'),
  request(4, 'tools/call', { name: 'note', arguments: { id: 7 } }),
  request(5, 'tools/list'),
];

const DECLARED = [
  ['hooks', '{\n  "declarations": [{ "event": "session_start", "context": "A \\"text\\"." }]\n}\n'],
  ['capabilities', '{"capabilities":{"experimental":{"hooks":{"declarations":[]}}}}'],
  ['nothing', ''],
  ['no JSON', '{'],
] as const;

it.each(LONG ? DECLARED : DECLARED.slice(0, 1))(
  'the fixtures declares.sh and declares.mjs answer alike: %s',
  (_, declared) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcphooks-'));
    try {
      const file = join(folder, 'declared.json');
      writeFileSync(file, declared);
      const [fast, slow] = [serverEntry, nodeServerEntry].map((entry) => {
        const { command, args } = entry(file, '', 'memo', 'add_note,search_notes');
        const { stdout } = spawnSync(command, args, { input: `${LINES.join('\n')}\n`, encoding: 'utf8' });
        return stdout
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      });
      expect(fast).toEqual(slow);
      expect(slow).toHaveLength(declared === '{' ? 0 : 6);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
