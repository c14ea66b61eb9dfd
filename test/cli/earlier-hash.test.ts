import { expect, it } from 'vitest';
import { earlierHash } from '../../src/servers/definitions/earlier-hash.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { COMMIT, homeWith, own, START } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const RECORD = 'home/.local/state/mcphooks/record.json';

it.runIf(LONG)(
  'an approval of an earlier version holds for the same definition, without a question',
  async () => {
    const world = homeWith(START, COMMIT);
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    const now = JSON.parse(world.read(RECORD)).servers[0].definition.hash as string;
    const { memo } = JSON.parse(world.read('home/.claude.json')).mcpServers;
    const before = earlierHash({ transport: 'stdio', ...memo, env: {} });
    expect(before).not.toBe(now);
    world.write(RECORD, world.read(RECORD).replace(now, before));

    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
    expect((await world.run('list')).stdout).not.toContain('changed');
    expect(await world.run('fire', 'memo', 'session_start')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('noted'),
    });
    const entries = world.read('home/.claude/settings.json');
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    expect(world.read('home/.claude/settings.json')).toBe(entries);
    expect(JSON.parse(world.read(RECORD)).servers[0].definition.hash).toBe(now);
    expect(world.read(own(world, 'claude-code/SessionStart.json'))).toContain(now);

    // Another definition is still asked for.
    world.write(RECORD, world.read(RECORD).replace(now, before));
    world.write(
      'home/.claude.json',
      world.read('home/.claude.json').replace('"args":[', '"env":{"A":"1"},"args":['),
    );
    world.write('home/.codex/config.toml', '');
    world.write('home/.gemini/settings.json', '{}');
    expect(await world.run('diff')).toMatchObject({ code: 2 });
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 3 });
  },
);
