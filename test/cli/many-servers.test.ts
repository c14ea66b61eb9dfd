import { expect, it, vi } from 'vitest';
import { NOBODY } from '../../src/app/context.ts';
import { uninstallServers } from '../../src/app/uninstall/uninstall-servers.ts';
import { ownPaths } from '../../src/base/paths.ts';
import { styleFor } from '../../src/base/text-style.ts';
import { userScope } from '../../src/plan/scopes/user-scope.ts';
import { thisSystem } from '../../src/shims/command.ts';
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

it('uninstall --all keeps no copy of the record for each server', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one', 'two']);
  const { env, project: cwd } = world;
  const [paths, style] = [ownPaths(env), styleFor(false, env)];
  const { removals } = await uninstallServers(
    { server: undefined, evenEdited: false, mayAsk: false },
    {
      ...NOBODY,
      ...{ env, cwd, paths, style, errStyle: style, dryRun: true, reported: new Set() },
      scope: userScope(env, paths, thisSystem()),
      now: () => new Date().toISOString(),
      out: () => {},
      err: () => {},
    },
  );
  expect(removals.map(({ slug }) => slug)).toEqual(['one', 'two']);
  for (const { own, changes, record } of removals) {
    expect(own.length).toBeGreaterThan(0);
    expect(changes.map(({ after }) => after?.length)).toEqual([0, 0]);
    expect(record.servers).toEqual([]);
  }
});
