import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCK } from '../../src/base/paths.ts';
import { LONG } from '../effort.ts';
import { inJson } from '../platform.ts';
import { installForTeam, teamWorld } from '../project/team.ts';
import { COMMIT, declare, homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const RECORD = 'home/.local/state/mcphooks/record.json';

/** An install that a later version extended by a client that this one doesn't know. */
async function withStranger(): Promise<{ world: World; script: string }> {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  const record = JSON.parse(world.read(RECORD));
  const script = join(world.home, '.local/share/mcphooks/hooks/memo/0123456789abcdef/stranger/PostToolUse');
  world.write(script.slice(world.home.length - 'home'.length), '#!/bin/sh\n');
  world.write('home/.stranger/hooks.json', JSON.stringify({ hooks: [script] }));
  record.servers[0].clients.stranger = {
    digest: '0123456789abcdef',
    since: '2027-01-01T00:00:00.000Z',
    file: join(world.home, '.stranger/hooks.json'),
    entries: [{ event: 'PostToolUse', key: 'PostToolUse', group: { hooks: [{ type: 'command' }] } }],
    own: { [script]: 'a'.repeat(64) },
    since_version: 9,
  };
  writeFileSync(join(world.home, '../', RECORD), JSON.stringify(record));
  return { world, script };
}

const clientsOf = (world: World): Record<string, unknown> =>
  JSON.parse(world.read(RECORD)).servers[0].clients;

it.runIf(LONG)('a client of a later version is left alone by an update, and doctor names it', async () => {
  const { world, script } = await withStranger();
  const before = clientsOf(world).stranger;
  declare(world, { ...COMMIT, context: 'Other.' });
  expect(await world.run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
  expect(clientsOf(world).stranger).toEqual(before);
  expect(readFileSync(script, 'utf8')).toBe('#!/bin/sh\n');
  expect((await world.run('diff', 'memo')).stdout).toContain('as installed');
  expect((await world.run('doctor')).stdout).toContain('installed for stranger');
  expect(await world.run('list')).toMatchObject({ code: 0 });
});

it('an uninstall takes out what this version knows, says what stays, and forgets nothing of it', async () => {
  const { world, script } = await withStranger();
  const { stranger } = clientsOf(world);
  expect(await world.run('uninstall', 'memo', '--client', 'codex')).toMatchObject({ code: 0 });
  const ran = await world.run('uninstall', 'memo');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('stranger') });
  expect(world.read('home/.claude/settings.json')).toBe('{\n  "model": "opus"\n}\n');
  expect(clientsOf(world)).toEqual({ stranger });
  expect(readFileSync(script, 'utf8')).toBe('#!/bin/sh\n');
  expect(world.read('home/.stranger/hooks.json')).toContain(inJson(script));
  const own = Object.keys(world.files()).filter((path) => path.includes('/mcphooks/hooks/'));
  expect(own).toHaveLength(1);
});

it.runIf(LONG)('a lock file keeps what a later version wrote for a client of its own', async () => {
  const world = teamWorld();
  await installForTeam(world);
  const lock = JSON.parse(world.read(`project/${LOCK}`));
  lock.servers[0].clients.stranger = {
    ...lock.servers[0].clients['claude-code'],
    file: '.stranger/hooks.json',
    own: {},
  };
  world.write(`project/${LOCK}`, `${JSON.stringify(lock, null, 2)}\n`);
  expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
  world.write('project/tools/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  await installForTeam(world, '--accept-changed');
  const updated = JSON.parse(world.read(`project/${LOCK}`)).servers[0];
  expect(updated.declarations).toEqual([COMMIT]);
  expect(updated.clients.stranger).toEqual(lock.servers[0].clients.stranger);

  lock.servers[0].clients.stranger.file = '../elsewhere.json';
  world.write(`project/${LOCK}`, JSON.stringify(lock));
  expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 1 });
});
