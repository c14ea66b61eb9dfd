import { expect, it } from 'vitest';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const ALL = ['--client', 'claude-code,codex,gemini-cli', '--yes', '--accept-changed'];

function worldOf(): { world: World; install: (name: string, text?: string) => Promise<number | null> } {
  const world = makeWorld();
  world.write('home/.claude/settings.json', '{\n\t"model": "opus"\n}');
  world.write('home/.codex/config.toml', '# mine');
  return {
    world,
    install: async (name, text = 'A word.') => {
      const file = world.write(
        `home/${name}.json`,
        JSON.stringify({ declarations: [{ ...SAY, context: text }] }),
      );
      return (await world.spawn('install', name, '--declarations', file, ...ALL)).code;
    },
  };
}

it('installs, updates and uninstalls at once come out as if one had followed the other', async () => {
  const { world, install } = worldOf();
  for (const name of ['a', 'b', 'c']) expect(await install(name)).toBe(0);
  const codes = await Promise.all([
    install('d'),
    install('e'),
    install('a', 'Another word.'),
    world.spawn('uninstall', 'b').then((r) => r.code),
    world.spawn('uninstall', 'c').then((r) => r.code),
  ]);
  expect(codes).toEqual([0, 0, 0, 0, 0]);
  for (const file of [
    'home/.claude/settings.json',
    'home/.codex/config.toml',
    'home/.gemini/settings.json',
  ]) {
    const names = [...world.read(file).matchAll(/[/\\]hooks[/\\]+([a-z]+)[/\\]/g)].map((m) => m[1]);
    expect([...new Set(names)].sort(), file).toEqual(['a', 'd', 'e']);
  }
  const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
  expect(record.servers.map((s: { slug: string }) => s.slug).sort()).toEqual(['a', 'd', 'e']);
  expect((await world.run('diff', '--offline')).code).toBe(0);
  expect((await world.run('uninstall', '--all')).code).toBe(0);
  expect(world.read('home/.claude/settings.json')).toBe('{\n\t"model": "opus"\n}');
  expect(world.read('home/.codex/config.toml')).toBe('# mine');
});
