import { expect, it } from 'vitest';
import type { Questions } from '../../src/app/ask.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const declarations = [
  { event: 'session_start', context: 'One.', priority: 'suggestion' },
  { event: 'pre_request', context: 'Two.', priority: 'suggestion' },
];
const clients = ['--client', 'claude-code,codex'];

/** A home with an install on two clients, and the words of the same install once more. */
async function installed(): Promise<{ world: World; words: string[] }> {
  const world = makeWorld();
  world.write('home/.codex/config.toml', 'model = "gpt"\n');
  const file = world.write('home/declared.json', JSON.stringify({ declarations }));
  const words = ['install', 'memo', '--declarations', file, '--no-check', ...clients];
  expect((await world.run(...words, '--yes')).code).toBe(0);
  world.write(
    'home/declared.json',
    JSON.stringify({ declarations: [...declarations, { ...declarations[0], context: 'New.' }] }),
  );
  return { world, words };
}

/** A person who decides this in turn, and chooses that. */
function person(
  decisions: ('choose' | 'yes' | 'no')[],
  chosen: Awaited<ReturnType<Questions['choose']>>,
  agrees: boolean,
): Partial<Questions> {
  return {
    decide: async () => decisions.shift() ?? 'no',
    choose: async () => chosen,
    confirm: async () => agrees,
  };
}

it('drops a client that is not chosen, every byte of its file, and asks before', async () => {
  const { world, words } = await installed();
  const ask = person(['choose', 'yes'], { only: ['1', '3'], clients: ['claude-code'] }, true);
  const ran = await world.runAs({ says: true, ask }, ...words);
  expect(ran.stderr).toContain('Removed the hooks from Codex.');
  expect(ran.code).toBe(0);
  expect(world.read('home/.codex/config.toml')).toBe('model = "gpt"\n');
  expect(world.read('home/.claude/settings.json')).toContain('mcphooks');
  expect((await world.run('list')).stdout).not.toContain('Codex');
  expect((await world.run('diff', '--offline')).code).toBe(0);
  expect(ran.stdout).toMatch(/not chosen/);
  // As a changed option alone, not as a reason.
  expect(ran.stdout.match(/^.*--only.*$/gm)).toEqual([expect.stringMatching(/^ *\+ --only 1,3$/)]);
});

it('drops none when that is declined', async () => {
  const { world, words } = await installed();
  const before = world.files();
  const ask = person(['choose', 'no'], { only: ['1', '2', '3'], clients: ['claude-code'] }, false);
  const ran = await world.runAs({ says: true, ask }, ...words);
  expect(ran.code).toBe(3);
  expect(world.files()).toEqual(before);
});
