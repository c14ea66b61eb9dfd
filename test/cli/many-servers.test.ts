import { expect, it, vi } from 'vitest';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const CLIENT = ['--client', 'claude-code'];

/** Installs one hook of each of these servers. */
async function installAll(world: World, names: readonly string[]): Promise<void> {
  world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const from = ['--declarations', 'hooks.json', '--no-check', '--yes', ...CLIENT];
  for (const name of names)
    expect(await world.run('install', name, ...from, '--', 'node', `${name}.js`)).toMatchObject({ code: 0 });
}

/** Returns how often a command parses texts with this word. */
async function parsings(word: string, world: World, ...command: string[]): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await world.run(...command);
    return parse.mock.calls.filter(([text]) => text.includes(word)).length;
  } finally {
    parse.mockRestore();
  }
}

it.each(['list', 'doctor', 'diff'])(
  '%s parses the file of a client as often for four servers as for one',
  async (command) => {
    const world = homeWith(COMMIT);
    world.write('home/.claude/settings.json', '{ "model": "of-mine" }\n');
    await installAll(world, ['one']);
    const ofOne = await parsings('of-mine', world, command);
    await installAll(world, ['two', 'three', 'four']);
    expect(ofOne).toBeGreaterThan(0);
    expect(await parsings('of-mine', world, command)).toBe(ofOne);
  },
);

it('uninstall --all parses a record that stays the same at most once', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one', 'two', 'three']);
  const uninstall = ['uninstall', '--all', '--dry-run'];
  expect(await parsings('"schema": 1', world, ...uninstall)).toBeLessThan(2);
  expect((await world.run(...uninstall)).stdout).toMatch(/one.*two.*three/s);
});
