import { expect, it } from 'vitest';
import { cleanWorlds, makeWorld } from './world.ts';

cleanWorlds();

const RECORD = 'home/.local/state/mcphooks/record.json';

it('a server whose only client this version does not know is left alone, and install says so', async () => {
  const world = makeWorld();
  const declarations = [{ event: 'pre_request', context: 'One.', priority: 'suggestion' }];
  const file = world.write('home/declared.json', JSON.stringify({ declarations }));
  for (const name of ['memo', 'other'])
    await world.run('install', name, '--declarations', file, '--no-check', '--client', 'codex', '--yes');
  const record = JSON.parse(world.read(RECORD));
  const memo = record.servers.find(({ server }: { server: string }) => server === 'memo');
  memo.clients = { 'later-client': memo.clients.codex };
  world.write(RECORD, JSON.stringify(record));
  await world.run('uninstall', 'memo', '--yes');
  const before = world.files();

  for (const words of [['list'], ['diff', '--offline'], ['diff', 'memo']])
    expect(await world.run(...words)).toMatchObject({ code: 0, stderr: '' });
  expect((await world.run('diff', 'memo')).stdout).toContain('its hooks for later-client stay as they are');
  expect((await world.run('doctor')).stdout).toContain('its hooks are installed for later-client');
  const ran = await world.run('install', 'memo', '--yes');
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(/'memo' is installed for later-client, which this version/);
  expect(world.files()).toEqual(before);
});
