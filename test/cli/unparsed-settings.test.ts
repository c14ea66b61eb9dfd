import { expect, it } from 'vitest';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();

it('of a file that does not parse, install does not claim that its client ignores it', async () => {
  const world = homeWith(COMMIT);
  world.write('home/.qwen/settings.json', '{"a": 1,}');
  const { code, stderr } = await world.run('install', 'memo', '--client', 'qwen-code', '--yes');
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain("so Qwen Code can't use it");
});
