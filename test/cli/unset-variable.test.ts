import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { START } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry } from './world.ts';

cleanWorlds();

it.runIf(LONG)('names the variable without which Droid starts no server', async () => {
  const world = makeWorld();
  const entry = serverEntry(world.write('home/hooks.json', JSON.stringify({ declarations: [START] })));
  const mcpServers = { memo: { ...entry, env: { KEY: '${NOPE_KEY}' } } };
  world.write('home/.factory/mcp.json', JSON.stringify({ mcpServers }));
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /mcp\.json: Droid does not start 'memo' here\n +The variable NOPE_KEY isn't set here\. Set it, or choose another client with --from\./,
    ),
  });
  expect((await world.run('scan')).stderr).toContain(
    'memo refers to a variable that is not set here, so Droid would not start it',
  );
  world.env.NOPE_KEY = 'x';
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  delete world.env.NOPE_KEY;
  const { code, stderr } = await world.run('diff', 'memo');
  expect([code, stderr]).toEqual([0, expect.stringContaining('The variable NOPE_KEY isn')]);
});
