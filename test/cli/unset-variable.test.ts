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

it.runIf(LONG)(
  'scan asks a server that has a variable __proto__, and one that needs a variable constructor',
  async () => {
    const world = makeWorld();
    const entry = serverEntry(world.write('home/hooks.json', JSON.stringify({ declarations: [START] })));
    const variables = '{"__proto__": "x", "A": "${toString}"}';
    const text = JSON.stringify({ mcpServers: { memo: { ...entry, env: 0 } } });
    world.write('home/.claude.json', text.replace('"env":0', `"env":${variables}`));
    world.write(
      'home/.codex/config.toml',
      '[mcp_servers.remote]\nurl = "http://127.0.0.1:9/"\nbearer_token_env_var = "constructor"\n',
    );
    const { stdout, stderr } = await world.run('scan', '--check');
    expect(stdout).toMatch(/^memo +declares 1 hook/m);
    expect(stderr).toContain('remote');
  },
);
