import { expect, it } from 'vitest';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();

it('of a file that does not parse, install does not claim that its client ignores it', async () => {
  const world = homeWith(COMMIT);
  world.write('home/.qwen/settings.json', '{"a": 1,}');
  const { code, stdout, stderr } = await world.run('install', 'memo', '--client', 'qwen-code', '--yes');
  expect(code).toBe(1);
  // Nothing is announced that isn't done.
  expect(stdout).not.toContain('record.json');
  expect(stderr.replace(/\s+/g, ' ')).toContain("so Qwen Code can't use it");
});

it.each([
  ['claude-code', 'home/.claude/settings.json', '{"a":\n"'],
  ['codex', 'home/.codex/config.toml', 'a = 1\n"'],
])('of a file that is not UTF-8, the first such byte is named: %s', async (client, path, text) => {
  const world = homeWith(COMMIT);
  world.write(path, Buffer.concat([Buffer.from(text), Buffer.from([0xe9, 0x22])]));
  const { code, stderr } = await world.run('install', 'memo', '--client', client, '--yes');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/:2:2: not valid UTF-8/)]);
});
