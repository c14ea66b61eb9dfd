import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { fireAll } from '../export/folders.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { commit, installForTeam, installIn, mate, teamWorld } from './team.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const PROMPT = [
  ['claude-code', '.claude/settings.json', 'UserPromptSubmit'],
  ['codex', '.codex/hooks.json', 'UserPromptSubmit'],
  ['gemini-cli', '.gemini/settings.json', 'BeforeAgent'],
] as const;
const SAID = [expect.stringContaining('Keep answers short.')];

/** The project's hooks are in plain JSON, whatever stood there. */
async function team(client: string): Promise<World> {
  const ada = teamWorld();
  ada.write('project/.gemini/settings.json', '{}\n');
  const other = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
  ada.write('project/.codex/hooks.json', JSON.stringify(other));
  await installForTeam(ada, '--client', client);
  commit(ada);
  return ada;
}

const prompt = (world: World, file: string, native: string): (string | undefined)[] =>
  fireAll({ world, plugin: world.project }, native, { prompt: 'Hello' }, { file });

it.each(LONG ? PROMPT : PROMPT.slice(1, 2))(
  '%s: files that lost their executable bit speak, missing ones say nothing',
  async (...at) => {
    const [client, file, native] = at;
    const bob = mate(await team(client));
    const shims = join(bob.project, '.mcphooks');
    for (const e of readdirSync(shims, { recursive: true, withFileTypes: true }))
      if (e.isFile()) chmodSync(join(e.parentPath, e.name), 0o644);
    expect(prompt(bob, file, native)).toEqual(SAID);
    rmSync(shims, { recursive: true });
    expect(prompt(bob, file, native)).toEqual([undefined]);
  },
);

it.runIf(LONG)('Codex finds the shims from a subfolder', async () => {
  const ada = await team('codex');
  const sub = join(ada.project, 'a', "b's");
  mkdirSync(sub, { recursive: true });
  const [, file, native] = PROMPT[1];
  expect(fireAll({ world: { ...ada, project: sub }, plugin: ada.project }, native, {}, { file })).toEqual(
    SAID,
  );
});

it.runIf(LONG)('a package.json with a merge conflict stops no hook', async () => {
  const ada = teamWorld();
  const hook = { event: 'post_tool_use', context: 'Tell the others.', priority: 'suggestion' };
  const when = { command: ['git', 'commit'], otherwise: 'drop' };
  ada.write('project/hooks.json', JSON.stringify([{ ...hook, when }]));
  await installForTeam(ada, '--client', 'claude-code', '--declarations', 'hooks.json');
  ada.write('project/package.json', '{\n<<<<<<< HEAD\n');
  const file = '.claude/settings.json';
  const said = (command: string): (string | undefined)[] => {
    const call = { tool_name: 'Bash', tool_input: { command } };
    return fireAll({ world: ada, plugin: ada.project }, 'PostToolUse', call, { file });
  };
  expect(said('git commit -m x')).toEqual([expect.stringContaining('Tell the others.')]);
  expect(said('git status')).toEqual([undefined]);
});

it("one's own install speaks in place of the project's, and the user's in place of both", async () => {
  const ada = teamWorld();
  ada.write('project/.git/info/exclude', 'settings.local.json\n');
  await installIn(ada, '--scope', 'local', '--client', 'claude-code');
  await installForTeam(ada, '--client', 'claude-code');
  commit(ada);
  const said = (): unknown[] =>
    ['.claude/settings.json', '.claude/settings.local.json'].flatMap((file) =>
      prompt(ada, file, 'UserPromptSubmit'),
    );
  expect(said()).toEqual([undefined, ...SAID]);
  const bob = mate(ada);
  expect(prompt(bob, '.claude/settings.json', 'UserPromptSubmit')).toEqual(SAID);
  await installIn(ada, '--client', 'claude-code');
  expect(said()).toEqual([undefined, undefined]);
});

it.runIf(LONG)(
  "a text that waits for the next prompt is still given after the last uninstall of the user's own",
  async () => {
    const hooks = [{ event: 'post_request', context: 'Save what you learned.', priority: 'suggestion' }];
    const ada = teamWorld(hooks);
    await installForTeam(ada, '--client', 'claude-code');
    const file = '.claude/settings.json';
    expect(prompt(ada, file, 'Stop')).toEqual([undefined]);
    ada.write('home/own.json', JSON.stringify({ declarations: hooks }));
    const own = ['install', 'mine', '--declarations', join(ada.home, 'own.json'), '--client', 'claude-code'];
    expect(await ada.run(...own, '--yes', '--', 'true')).toMatchObject({ code: 0 });
    expect(await ada.run('uninstall', 'mine', '--yes')).toMatchObject({ code: 0 });
    expect(prompt(ada, file, 'UserPromptSubmit')).toEqual([
      expect.stringContaining('Save what you learned.'),
    ]);
  },
);

it('fire asks once whether the server of several clients may start', async () => {
  const ada = teamWorld();
  await installForTeam(ada, '--client', 'claude-code', '--client', 'codex');
  commit(ada);
  const bob = mate(ada);
  let asked = 0;
  const confirm = async (): Promise<boolean> => {
    asked++;
    return true;
  };
  const fire = ['fire', 'memo', 'session_start', '--scope', 'project'];
  const { stdout } = await bob.runAs({ says: true, ask: { confirm } }, ...fire);
  expect(stdout).toContain('Claude Code');
  expect(stdout).toContain('Codex');
  expect(asked).toBe(1);
});

/** Scopes with their files for Claude Code. */
const AT = [
  ['project', '.claude/settings.json'],
  ['local', '.claude/settings.local.json'],
] as const;

it.each(AT)(
  'scope %s: a preview gives the text that waits for the next prompt, and leaves it there',
  async (...at) => {
    const [scope, file] = at;
    const said = 'Save what you learned.';
    const ada = teamWorld([{ event: 'post_request', context: said, priority: 'suggestion' }]);
    await installIn(ada, '--scope', scope, '--client', 'claude-code');
    expect(prompt(ada, file, 'Stop')).toEqual([undefined]);
    const { stdout } = await ada.run('fire', 'memo', 'post_request', '--scope', scope, '--session', 's1');
    expect(stdout).toContain(said);
    expect(prompt(ada, file, 'UserPromptSubmit')).toEqual([expect.stringContaining(said)]);
    expect(prompt(ada, file, 'UserPromptSubmit')).toEqual([undefined]);
  },
);

it.each(AT)(
  "scope %s: a call of the server's own tool that the shell notes counts for Node",
  async (...at) => {
    const [scope, file] = at;
    const when = { unless_called: { tools: ['note'] }, otherwise: 'drop' };
    const hook = { event: 'pre_request', context: 'Be brief.', priority: 'suggestion' };
    const ada = teamWorld();
    ada.write('project/hooks.json', JSON.stringify([hook, { ...hook, context: 'Take a note.', when }]));
    await installIn(ada, '--scope', scope, '--client', 'claude-code', '--declarations', 'hooks.json');
    const said = (): string => String(prompt(ada, file, 'UserPromptSubmit'));
    expect(said()).toMatch(/Be brief.*Take a note/s);
    const call = { tool_name: 'mcp__memo__note', tool_input: {}, tool_response: {} };
    fireAll({ world: ada, plugin: ada.project }, 'PostToolUse', call, { file });
    expect(said()).toContain('Be brief.');
    expect(said()).not.toContain('Take a note.');
  },
);

describe('a project whose Droid reads events from several files', () => {
  const hooks = ['session_start', 'post_request'].map((event) => ({
    event,
    context: 'A word.',
    priority: 'suggestion',
  }));
  const diff = ['diff', '--scope', 'project', '--offline'];

  it.runIf(LONG)('is as installed where a file has only some of the events', async () => {
    const ada = teamWorld(hooks);
    ada.write('project/.factory/hooks.json', '{"SessionStart":[]}');
    await installForTeam(ada, '--client', 'droid');
    expect(ada.read('project/.factory/hooks.json')).toContain('.mcphooks');
    expect(ada.read('project/.factory/settings.json')).toContain('.mcphooks');
    expect(await ada.run(...diff)).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(LONG)('shows a command of somebody else with our script, in any of its files', async () => {
    const ada = teamWorld(hooks);
    ada.write('project/.factory/hooks.json', '{"SessionStart":[],"Stop":[],"UserPromptSubmit":[]}');
    await installForTeam(ada, '--client', 'droid');
    expect(await ada.run(...diff)).toMatchObject({ code: 0 });
    const file = JSON.parse(ada.read('project/.factory/hooks.json'));
    file.PreToolUse = [{ hooks: [{ type: 'command', command: 'x; sh .mcphooks/hooks/memo/y' }] }];
    ada.write('project/.factory/hooks.json', JSON.stringify(file));
    expect(await ada.run(...diff)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('mcphooks did not write it'),
    });
  });
});
