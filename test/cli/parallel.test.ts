import fs, { existsSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { lockFile } from '../../src/store/process-lock.ts';
import { ALL } from '../effort.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const MORE = ['--client', 'claude-code,codex,gemini-cli', '--yes', '--accept-changed'];

function worldOf(): {
  world: World;
  install: (run: World['run'], name: string, text?: string) => Promise<number | null>;
} {
  const world = makeWorld();
  world.write('home/.claude/settings.json', '{\n\t"model": "opus"\n}');
  world.write('home/.codex/config.toml', '# mine');
  return {
    world,
    install: async (run, name, text = 'A word.') => {
      const file = world.write(
        `home/${name}.json`,
        JSON.stringify({ declarations: [{ ...SAY, context: text }] }),
      );
      return (await run('install', name, '--declarations', file, ...MORE)).code;
    },
  };
}

it.runIf(ALL)(
  'installs, updates and uninstalls at once come out as if one had followed the other',
  async () => {
    const { world, install } = worldOf();
    for (const name of ['a', 'b', 'c']) expect(await install(world.run, name)).toBe(0);
    const begin: (() => Promise<number | null>)[] = [
      () => install(world.spawn, 'd'),
      () => install(world.spawn, 'a', 'Another word.'),
      () => world.spawn('uninstall', 'b').then((r) => r.code),
    ];
    if (ALL)
      begin.push(
        () => install(world.spawn, 'e'),
        () => world.spawn('uninstall', 'c').then((r) => r.code),
      );
    const codes = await Promise.all(begin.map((one) => one()));
    expect(new Set(codes)).toEqual(new Set([0]));
    const names = ALL ? ['a', 'd', 'e'] : ['a', 'c', 'd'];
    for (const file of [
      'home/.claude/settings.json',
      'home/.codex/config.toml',
      'home/.gemini/settings.json',
    ]) {
      const found = [...world.read(file).matchAll(/[/\\]hooks[/\\]+([a-z]+)[/\\]/g)].map((m) => m[1]);
      expect([...new Set(found)].sort(), file).toEqual(names);
    }
    const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
    expect(record.servers.map((s: { slug: string }) => s.slug).sort()).toEqual(names);
    expect((await world.run('diff', '--offline')).code).toBe(0);
    expect((await world.run('uninstall', '--all')).code).toBe(0);
    expect(world.read('home/.claude/settings.json')).toBe('{\n\t"model": "opus"\n}');
    expect(world.read('home/.codex/config.toml')).toBe('# mine');
  },
);

it('disable leaves nothing when an uninstall has the lock before it', async () => {
  const { world, install } = worldOf();
  expect(await install(world.run, 'memo')).toBe(0);
  const { state, data } = ownPaths(world.env);
  const record = join(state, 'record.json');
  const write = fs.writeFileSync;
  const restore = (): void => {
    fs.writeFileSync = write;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  fs.writeFileSync = (path, ...rest) => {
    // Last of all, an uninstall makes the record forget the server.
    if (path === lockFile(state)) rmSync(record, { force: true });
    return write(path, ...rest);
  };
  syncBuiltinESMExports();
  expect(await world.run('disable', 'memo')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no hooks from 'memo' are installed"),
  });
  restore();
  expect([join(data, 'hooks/memo/disabled'), record].filter((path) => existsSync(path))).toEqual([]);
});
