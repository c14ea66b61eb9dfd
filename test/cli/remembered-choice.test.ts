import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const hook = (context: string, event = 'session_start') => ({ event, context, priority: 'suggestion' });
const [A, B, C] = [hook('Text A.'), hook('Text B.'), hook('Text C.', 'pre_request')];

/**
 * A home in which hooks of a file were installed with a choice; `words`: declares these, and returns the words of an
 * install.
 */
async function chosen(declarations: object[], ...choice: string[]) {
  const world = homeWith();
  const words = (now: object[]): string[] => {
    const file = world.write('home/declared.json', JSON.stringify({ declarations: now }));
    return ['install', 'memo', '--declarations', file, '--no-check', '--client', 'claude-code', '--yes'];
  };
  expect((await world.run(...words(declarations), ...choice)).code).toBe(0);
  return { world, words };
}

const heard = async (world: World, event: string): Promise<string> =>
  (await world.run('fire', 'memo', event)).stdout;

it('the same choice in another order, or with a hook twice, changes nothing', async () => {
  const { world, words } = await chosen([A, B, C], '--only', '2,1');
  for (const only of ['2,1', '1,2', '2,1,2']) {
    const { code, stderr } = await world.run(...words([A, B, C]), '--only', only);
    expect([code, stderr], only).toEqual([0, expect.stringContaining('Nothing to do')]);
  }
  expect(await world.run('diff')).toMatchObject({ code: 0 });
});

it.runIf(LONG)('a hook that was left out stays so wherever it stands later', async () => {
  const { world, words } = await chosen([A, B], '--skip', '2');
  const ran = await world.run(...words([B, A]), '--accept-changed');
  expect(ran.stdout).toMatch(/1 .*not chosen/);
  const said = await heard(world, 'session_start');
  expect(said).toContain('Text A.');
  expect(said).not.toContain('Text B.');
});

it.runIf(LONG)('the only hook stays the only one when another comes before it', async () => {
  const { world, words } = await chosen([A, C], '--only', '2');
  expect((await world.run(...words([hook('New.'), A, C]), '--accept-changed')).code).toBe(0);
  expect(await heard(world, 'pre_request')).toContain('Text C.');
  expect(await heard(world, 'session_start')).not.toMatch(/Text A|New/);
});

it('a number that follows its hook is no change of options', async () => {
  const { world } = await chosen([A, C], '--only', '2');
  world.write('home/declared.json', JSON.stringify({ declarations: [hook('New.'), A, C] }));
  const { stdout } = await world.run('list');
  expect(stdout).toContain('its declarations differ');
  expect(stdout).not.toContain('options');
});

it('a plan shows the whole text of a hook that was left out before', async () => {
  const { world, words } = await chosen([A, B], '--skip', '2');
  const ran = await world.run(...words([A, B]), '--reset', '--accept-changed');
  expect(ran.stdout).toContain('Text B.');
  expect(ran.stdout).toMatch(/^ +1: as approved/m);
});

it.runIf(LONG)(
  'when no chosen hook is declared any more, an approved install removes the hooks',
  async () => {
    const { world, words } = await chosen([A, B, C], '--only', '3');
    const update = words([A, B]);
    expect((await world.run(...update, '--dry-run')).code).toBe(2);
    const before = world.files();
    expect((await world.run(...update)).code).toBe(3);
    expect(world.files()).toEqual(before);
    const ran = await world.run(...update, '--accept-changed');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('not chosen');
    expect(ran.stderr).toContain('Removed: no hook is left to install.');
    const none = await world.run('fire', 'memo', 'session_start');
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('install memo --dry-run') });
    expect(none.stderr).not.toContain("mean 'memo'");
    expect((await world.run('list')).stdout).toMatch(/· memo: it is installed without hooks/);
    expect(world.read('home/.claude/settings.json')).not.toContain('mcphooks');
    expect((await world.run('diff', '--offline')).code).toBe(0);
    expect((await world.run(...words([A, B, C]), '--accept-changed')).code).toBe(0);
    expect(await heard(world, 'pre_request')).not.toContain('Text C.');
  },
);

it('a plan shows the whole text of a hook whose event was left out before', async () => {
  const late = ['session_end', 'post_request'].map((event) => hook(`Text at ${event}.`, event));
  const { world, words } = await chosen([A, ...late], '--post-request', 'skip');
  const ran = await world.run(
    ...words([A, ...late]),
    ...['--session-end', 'defer', '--post-request', 'defer', '--accept-changed'],
  );
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/Text at session_end\.[\s\S]*Text at post_request\./);
});

it('an update to hooks that say nothing is refused, and leaves the hooks', async () => {
  const { world, words } = await chosen([A]);
  const before = world.files();
  const ran = await world.run(...words([{ ...A, context: ' ' }]), '--accept-changed');
  expect(ran.code).toBe(1);
  expect(world.files()).toEqual({ ...before, 'home/declared.json': expect.anything() });
  // Nothing is announced that isn't done, and the step that helps is named.
  expect(ran.stdout).toMatch(/\nNo file changes\.\n$/);
  expect(ran.stderr).toMatch(/their texts are empty\n *Write a text for at least one of them/);
});

it('a first install of hooks that say nothing announces no file', async () => {
  const world = homeWith();
  const file = world.write('home/declared.json', JSON.stringify({ declarations: [{ ...A, context: ' ' }] }));
  const from = ['memo', '--declarations', file, '--no-check', '--yes', '--json'];
  const ran = await world.run('install', ...from, '--client', 'claude-code');
  const { plan, faults } = JSON.parse(ran.stdout);
  expect([ran.code, plan.files, faults[0].code]).toEqual([1, [], 'plan.nothing-installable']);
  const out = join(world.home, 'plugin');
  const packed = await world.run('export', ...from, '--format', 'claude-plugin', '--out', out);
  expect([packed.code, JSON.parse(packed.stdout).plan.files]).toEqual([1, []]);
});

it.runIf(LONG)('a plan shows changed options as flags', async () => {
  const { world, words } = await chosen([A, C], '--only', '2', '--session-end', 'defer');
  const { stdout } = await world.run(...words([A, C]), '--reset', '--cooldown', '300');
  expect(stdout).toMatch(/@ options\n *- --only 2 --session-end defer\n *\+ --cooldown 300\n/);
  expect((await world.run(...words([A, C]), '--reset')).stdout).toMatch(/\+ no options\n/);
});

it.runIf(LONG).each([
  ['--skip', '1', '--only', '1'],
  ['--only', '2', '--skip', '2'],
])('a new choice replaces the one before: %s %s, then %s %s', async (...choice) => {
  const { world, words } = await chosen([A, C], ...choice.slice(0, 2));
  expect(await world.run(...words([A, C]), ...choice.slice(2))).toMatchObject({ code: 0 });
  expect(await heard(world, 'session_start')).toContain('Text A.');
  expect(await heard(world, 'pre_request')).not.toContain('Text C.');
});

it.each([
  ['--only', 'pre_tool_use'],
  ['--skip', '1,2'],
])('a choice that leaves no hook is refused: %s %s', async (...choice) => {
  const { world, words } = await chosen([A, C]);
  const before = world.files();
  expect(await world.run(...words([A, C]), ...choice)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("'mcphooks uninstall memo' removes them"),
  });
  expect(world.files()).toEqual(before);
});

describe('an approval of earlier hooks', () => {
  const calls = (event: string, args: object, tool = 'note') => ({
    event,
    context_tool: tool,
    context_tool_args: args,
    priority: 'suggestion',
  });
  const SENDS = calls('post_tool_use', { q: '{tool_input}' });
  const PLAIN = calls('session_start', { q: 'x' });

  it('to send data is asked only for what is sent, not for what only looks like a variable', async () => {
    const args = { q: '{tool_input.a b} {tool_input.$x} {tool_input.}' };
    const { world, words } = await chosen([calls('post_tool_use', args)]);
    const ran = await world.run(
      ...words([calls('post_tool_use', { q: '{tool_input.a.b}' })]),
      '--accept-changed',
    );
    expect(ran.code).toBe(3);
  });

  it('to send data covers no other data, and no hook that sends some since', async () => {
    const { world, words } = await chosen([SENDS, PLAIN], '--send-tool-data');
    const [first, second] = [SENDS, PLAIN];
    const again = async (hooks: object[], ...more: string[]) => {
      const { code, stderr } = await world.run(...words(hooks), '--accept-changed', ...more);
      return code === 0 ? [] : [code, /cover (hooks? [\d, ]+):/.exec(stderr)?.[1]];
    };
    expect(await again([second, first])).toEqual([]);
    const prompt = calls('pre_request', { q: '{prompt}' });
    const before = world.files()['home/.claude/settings.json'];
    expect(await again([first, prompt])).toEqual([3, 'hook 2']);
    expect(await again([{ ...SENDS, matcher: { tool_name: 'Edit' } }, prompt])).toEqual([3, 'hooks 1, 2']);
    expect(world.files()['home/.claude/settings.json']).toBe(before);
    expect(await again([first, prompt], '--send-tool-data')).toEqual([]);
    expect(await again([first, prompt])).toEqual([]);
  });

  it('covers no hook that was left out then', async () => {
    const { world, words } = await chosen([SENDS, PLAIN], '--send-tool-data', '--skip', '1');
    expect(await world.run(...words([SENDS, PLAIN]), '--reset', '--cooldown', '5')).toMatchObject({
      code: 3,
    });
    expect(await world.run(...words([SENDS, PLAIN]), '--only', '1,2')).toMatchObject({ code: 3 });
    const sent = await world.run(...words([SENDS, PLAIN]), '--only', '1,2', '--send-tool-data');
    expect(sent).toMatchObject({ code: 0 });
  });

  it('to send data covers no hook that no client could have', async () => {
    const world = homeWith();
    const failed = { ...calls('post_tool_use', { q: '{tool_output}' }), when: { outcome: 'failure' } };
    const hooks = { declarations: [PLAIN, { ...failed, matcher: { tool_name: 'Bash' } }] };
    const file = world.write('home/declared.json', JSON.stringify(hooks));
    const words = ['install', 'memo', '--declarations', file, '--no-check', '--yes'];
    const sends = ['--client', 'codex', '--send-tool-data'];
    expect(await world.run(...words, ...sends)).toMatchObject({ code: 0 });
    expect(await world.run(...words, '--client', 'claude-code')).toMatchObject({ code: 3 });
  });

  it('to grant control covers no other client, and asks for more at a terminal, too', async () => {
    const world = homeWith();
    const file = world.write(
      'home/declared.json',
      JSON.stringify({ declarations: [PLAIN, calls('pre_request', { q: 'x' })] }),
    );
    const words = ['install', 'memo', '--declarations', file, '--no-check'];
    const only = [...words, '--only', '1', '--client', 'codex', '--yes', '--grant-control', 'memo'];
    expect(await world.run(...only)).toMatchObject({ code: 0 });
    const more = ['--only', '1,2', '--client', 'codex'];
    expect(await world.run(...words, ...more, '--yes')).toMatchObject({ code: 3 });
    expect(await world.runAs({ ask: { decide: async () => 'yes' } }, ...words, ...more)).toMatchObject({
      code: 3,
    });
    expect(world.read('home/.codex/config.toml')).not.toContain('UserPromptSubmit.tool2');
    expect(await world.run(...words, ...more, '--yes', '--grant-control', 'memo')).toMatchObject({ code: 0 });
    expect(world.read('home/.codex/config.toml')).toContain('UserPromptSubmit.tool2');
  });

  it.runIf(LONG)('to grant control covers no other tool', async () => {
    const world = homeWith();
    const words = (...hooks: object[]): string[] => {
      const file = world.write('home/declared.json', JSON.stringify({ declarations: hooks }));
      return ['install', 'memo', '--declarations', file, '--no-check', '--client', 'codex', '--yes'];
    };
    expect(await world.run(...words(PLAIN), '--grant-control', 'memo')).toMatchObject({ code: 0 });
    expect(await world.run(...words(PLAIN))).toMatchObject({ code: 0 });
    const other = calls('session_start', { q: 'x' }, 'danger');
    expect(await world.run(...words(PLAIN, other), '--accept-changed')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("doesn't cover hook 2 of 'memo'"),
    });
    const granted = [...words(PLAIN, other), '--accept-changed', '--grant-control', 'memo'];
    expect(await world.run(...granted)).toMatchObject({ code: 0 });
  });
});
