import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { LONG, sample } from '../effort.ts';
import { COMMIT, declare, homeWith, START } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const COMMANDS = [
  ['--version'],
  ['--help'],
  [],
  ['install', '--help'],
  ['instal'],
  ['list', '--no-such-option', '--json'],
  ['schema', 'record'],
  ['completions', 'bash'],
  ['__complete', 'install', 'me'],
  ['install', 'memo', '--dry-run'],
  ['install', 'memo'],
  ['install', 'nobody', '--json'],
  ['install', 'memo', '--yes'],
  ['install', 'memo', '--yes'],
  ['list'],
  ['diff'],
  ['diff', '--json'],
  ['explain', 'memo'],
  ['doctor', '--check'],
  ['fire', 'memo', 'session_start'],
  ['lint', 'memo'],
  ['disable', 'memo'],
  ['enable', 'memo', '--json'],
  ['uninstall', 'memo'],
  ['uninstall', 'memo'],
];

/** Of what a world prints, what differs from one to another: folders, tags, times. */
const alike = (world: World, text: string): string =>
  text
    .replaceAll(basename(dirname(world.home)), '<base>')
    .replaceAll(/\b[0-9a-f]{8,}\b/g, '<hash>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d+(\.\d+)? m?s\b/g, '<time>')
    .replaceAll(/"(ms|milliseconds)": \d+/g, '<time>');

it.runIf(LONG)('a command ends in this process as the built program does', async () => {
  const [here, apart] = [homeWith(START, COMMIT), homeWith(START, COMMIT)];
  for (const words of sample(COMMANDS, 6)) {
    const [a, b] = await Promise.all([here.run(...words), apart.spawn(...words)]);
    const name = words.join(' ');
    expect({ name, code: a.code, stdout: alike(here, a.stdout), stderr: alike(here, a.stderr) }).toEqual({
      name,
      code: b.code,
      stdout: alike(apart, b.stdout),
      stderr: alike(apart, b.stderr),
    });
  }
});

it.runIf(LONG)('nothing of a run is left for the next one in the same process', async () => {
  const [one, other] = [homeWith(COMMIT), homeWith(START)];
  await one.run('install', 'memo', '--yes');
  const record = one.read('home/.local/state/mcphooks/record.json');
  one.write('home/.local/state/mcphooks/record.json', '{');
  const damaged = await one.run('list');
  expect(damaged.stderr).toContain('record.json');
  expect((await one.run('list')).stderr).toBe(damaged.stderr);
  one.write('home/.local/state/mcphooks/record.json', record);
  expect(await one.run('list')).toMatchObject({ code: 0, stderr: '' });
  const [installed, listed] = await Promise.all([other.run('install', 'memo', '--yes'), one.run('list')]);
  expect([installed.code, listed.stderr]).toEqual([0, '']);
  declare(one, START);
  expect(await one.run('diff')).toMatchObject({ code: 2 });
  expect(await other.run('diff')).toMatchObject({ code: 0 });
  one.env.MCPHOOKS_DISABLE = 'memo';
  expect((await one.run('doctor')).stdout).toContain('MCPHOOKS_DISABLE');
  expect((await other.run('doctor')).stdout).not.toContain('MCPHOOKS_DISABLE');
});

it.each([
  [['install', 'memo', 'node', 'x.mjs', '--yes'], "unexpected argument 'node'"],
  [['install', 'memo', 'notion'], "unexpected argument 'notion'"],
  [['install', 'a', 'b', '--', 'node', 'x.mjs'], "unexpected argument 'b'"],
  [['install', '--', 'node', 'x.mjs'], "a server's name is missing"],
  [['catalogue', 'verify', '--', 'node', 'x.mjs'], "an entry's id is missing"],
  [['diff', 'memo', 'node'], "unexpected argument 'node'"],
  [['lint', 'memo', 'node'], "unexpected argument 'node'"],
  [['catalogue', 'verify', 'memory', 'node'], "unexpected argument 'node'"],
])('starts no program but one after --: %j', async (words, says) => {
  const world = homeWith(START);
  const before = world.files();
  const { code, stderr } = await world.run(...words);
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
  expect(world.files()).toEqual(before);
});

it('takes a server whose name begins with a hyphen behind --', async () => {
  const { stderr } = await homeWith(START).run('install', '--dry-run', '--', '-x');
  expect(stderr).toContain("no server named '-x'");
});

it.runIf(LONG)('asks to approve no tool call of a hook that is not chosen', async () => {
  const send = { ...START, event: 'pre_request', context_tool_args: { q: '{prompt}' } };
  const world = homeWith(COMMIT, send);
  const all = await world.run('install', 'memo', '--dry-run');
  const one = await world.run('install', 'memo', '--dry-run', '--only', '1');
  for (const text of ['hooks marked → call a tool', 'sends {prompt}']) {
    expect(all.stdout.replace(/\s+/g, ' ')).toContain(text);
    expect(one.stdout.replace(/\s+/g, ' ')).not.toContain(text);
  }
  expect(one.stdout).toContain('not chosen');
});

it.each([
  [['--client', ''], 'It is empty.'],
  [['--declarations', ''], 'It is empty.'],
  [['--url', ' '], 'It is empty.'],
  [['--only', ','], 'It is empty.'],
  [['--cooldown', '99999999999'], 'at most 1000000 s'],
  [['--hook-timeout', '2000000'], 'at most 1000000'],
])('takes no option without a value, and names the most that one can be: %j', async (options, says) => {
  const { code, stderr } = await homeWith(COMMIT).run('install', 'memo', '--yes', ...options);
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
});

it.each([
  ['fire', 'memo', 'session_start', '--input', '{}'],
  ['install', '--frozen', '--scope', 'user'],
  ['install', 'memo', '--header', 'a:b'],
  ['install', 'memo', '--no-check', '--yes'],
  ['lint', 'memo', '--header', 'a:b'],
  ['catalogue', 'show'],
])("an option that needs another names its command's page: %s %s %s %s %s", async (...words) => {
  const { code, stderr } = await homeWith(START).run(...words.filter((word) => word !== undefined));
  expect(code).toBe(1);
  expect(stderr).toContain(`  Run 'mcphooks ${words[0]} --help' for its options.`);
});
