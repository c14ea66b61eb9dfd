import { expect, it } from 'vitest';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';

cleanWorlds();

const FILE = 'home/.copilot/hooks/mcphooks.json';
const PROMPT = { event: 'pre_request', context: 'Prompt.', priority: 'suggestion' };
const START = { event: 'session_start', context: 'Start.', priority: 'suggestion' };

function home(text?: string): World {
  const world = makeWorld();
  const servers = ['a', 'b'].map((name) => {
    const file = world.write(`home/${name}.json`, JSON.stringify({ declarations: [PROMPT, START] }));
    return [name, serverEntry(file)];
  });
  world.write('home/.claude.json', JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  if (text !== undefined) world.write(FILE, text);
  return world;
}

const install = (world: World, name: string) =>
  world.run('install', name, '--client', 'copilot', '--from', 'claude-code', '--yes');

it('a file of our own holds all servers, with what the client needs around them, and goes with the last one', async () => {
  const world = home();
  const before = world.files();
  await install(world, 'a');
  await install(world, 'b');
  const { version, hooks } = JSON.parse(world.read(FILE));
  expect(version).toBe(1);
  expect(hooks.userPromptSubmitted).toHaveLength(1);
  expect(hooks.sessionStart).toHaveLength(1);
  await world.run('uninstall', 'a');
  expect(JSON.parse(world.read(FILE)).hooks.sessionStart).toHaveLength(1);
  await world.run('uninstall', 'b');
  expect(world.files()).toEqual(before);
});

const BEFORE = [
  '{"version":1}',
  '{"version": 1, "hooks": {}}\n',
  '{\n  "version": 1,\n  "mine": true\n}\n',
  '{"version":1,"hooks":{"userPromptSubmitted":[{"command":"true"}]}}',
];
it.runIf(LONG).each(BEFORE)('what somebody has put there before stays: %s', async (text) => {
  const world = home(text);
  const before = world.files();
  for (const name of ['a', 'b']) expect(await install(world, name)).toMatchObject({ code: 0 });
  for (const name of ['a', 'b']) expect(await world.run('uninstall', name)).toMatchObject({ code: 0 });
  expect(world.files()).toEqual(before);
});

it('hooks that somebody adds meanwhile stay', async () => {
  const world = home();
  await install(world, 'a');
  const now = JSON.parse(world.read(FILE));
  now.hooks.sessionEnd = [{ type: 'command', command: 'true' }];
  world.write(FILE, JSON.stringify(now));
  expect(await world.run('uninstall', 'a')).toMatchObject({ code: 0 });
  expect(JSON.parse(world.read(FILE))).toEqual({
    version: 1,
    hooks: { sessionEnd: [{ type: 'command', command: 'true' }] },
  });
});
