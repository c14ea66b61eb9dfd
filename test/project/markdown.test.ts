import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { differText } from '../../src/messages/comment.ts';
import { cleanWorlds, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { commit, HOOKS, installedTeams, installForTeam, projectFiles, teamWorld } from './team.ts';

cleanWorlds();
const teamWith = installedTeams();

const redeclare = (world: World, hooks: readonly object[]): string =>
  world.write('project/tools/hooks.json', JSON.stringify({ declarations: hooks }));
const diff = (world: World, ...more: string[]) =>
  world.run('diff', '--scope', 'project', '--format', 'markdown', ...more);

it('says in a line that all agrees with the lock file', async () => {
  const world = await teamWith();
  expect(await diff(world)).toEqual({
    code: 0,
    stdout: '**mcphooks**: the hooks agree with `mcphooks.lock.json`.\n',
    stderr: '',
  });
});

it('shows what a server declares otherwise, how it comes out, and how to accept it', async () => {
  const world = await teamWith();
  const [start, prompt, commits] = HOOKS as [object, object, object];
  redeclare(world, [start, { ...prompt, context: 'Keep answers long.' }, commits]);
  const { code, stdout } = await diff(world);
  expect(code).toBe(2);
  expect(stdout).toContain(
    '```diff\n@@ hook 2: changed @@\n context:\n-Keep answers short.\n+Keep answers long.\n',
  );
  expect(stdout).toContain('| 2 `at each prompt` | native on ');
  expect(stdout).toContain('**Changed since it was approved: declarations.**');
  expect(stdout).toContain('Read what changed. To accept it, run `mcphooks install --scope project memo`');
  expect(stdout).not.toMatch(/frozen|do not merge|<details>/);
  expect(await diff(world, '--offline')).toMatchObject({ code: 0 });
});

it('names files that drifted, relative to the project, and needs no server for that', async () => {
  const world = await teamWith();
  rmSync(join(world.project, 'tools'), { recursive: true });
  const shim = Object.keys(projectFiles(world)).find((p) => p.endsWith('/PostToolUse')) ?? '';
  rmSync(join(world.project, shim));
  world.write('project/.claude/settings.json', '{}');
  const { code, stdout } = await diff(world, '--offline');
  expect(code).toBe(2);
  expect(stdout).toContain(`- \`${shim}\` is missing`);
  expect(stdout).toContain('- `.claude/settings.json`: `SessionStart` is missing');
  expect(stdout).not.toContain(world.project);
});

it('does not call the lock file altered where a hook file that the install created is replaced', async () => {
  const world = teamWorld();
  const settings = join(world.project, '.claude/settings.json');
  rmSync(settings);
  await installForTeam(world, '--client', 'claude-code,codex');
  const lock = projectFiles(world)['mcphooks.lock.json'] ?? '';
  world.write('project/.claude/settings.json', '{\n  "permissions": {}\n}\n');
  const { code, stdout } = await diff(world, '--offline');
  expect(code).toBe(2);
  expect(stdout).toContain('- `.claude/settings.json`: `SessionStart` is missing');
  expect(stdout).not.toContain('lock.json');
  const text = (await world.run('diff', '--scope', 'project', '--offline')).stdout;
  expect(text).not.toContain('missing or changed');
  const altered = lock.replace(/(PostToolUse": ")[0-9a-f]{8}/, '$100000000');
  expect(altered).not.toBe(lock);
  world.write('project/mcphooks.lock.json', altered);
  expect((await diff(world, '--offline')).stdout).toContain('`mcphooks.lock.json` was altered');
});

it.runIf(LONG)(
  'says of altered files that they are not to be merged, and how to bring back what was approved',
  async () => {
    const world = await teamWith('--client', 'claude-code,codex,gemini-cli');
    const approved = projectFiles(world);
    for (const path of Object.keys(approved).filter((p) =>
      /\.mcphooks\/.*\/(PostToolUse|AfterTool)$/.test(p),
    ))
      world.write(`project/${path}`, `${approved[path]}touch /tmp/pwned\n`);
    const { '.claude/settings.json': settings = '' } = approved;
    world.write('project/.claude/settings.json', settings.replace('"matcher": "Bash"', '"matcher": "*"'));
    const { code, stdout } = await diff(world, '--offline');
    expect(code).toBe(2);
    expect(stdout).toContain('do not merge them as they are');
    expect(stdout).toContain('`.claude/settings.json`: `PostToolUse` was edited by hand');
    expect(stdout).toContain(
      '<summary>3 of the files that mcphooks wrote differ from what was approved</summary>',
    );
    expect(stdout).not.toMatch(/accept/i);
    const [, command = ''] = /restore what was approved, run `mcphooks ([^`]+)`/.exec(stdout) ?? [];
    expect(command).toBe('install --scope project memo --frozen');
    const text = (await world.run('diff', '--scope', 'project', '--offline')).stdout;
    expect(text).toMatch(/To restore what was approved: mcphooks install --scope project memo --frozen$/m);
    expect((await world.run(...command.split(' '), '--yes')).code).toBe(0);
    expect(projectFiles(world)).toEqual(approved);
    expect(await diff(world, '--offline')).toMatchObject({ code: 0 });
  },
);

const ALTERED: [string, (world: World, settings: string, script: string) => void][] = [
  ['a script is altered', (world, _, script) => world.write(`project/${script}`, 'exit 0\n')],
  ['a script is gone', (world, _, script) => rmSync(join(world.project, script))],
  [
    'an entry is edited',
    (world, settings) =>
      world.write('project/.claude/settings.json', settings.replace('"matcher": "Bash"', '"matcher": "*"')),
  ],
  [
    'an entry is gone',
    (world, settings) =>
      world.write(
        'project/.claude/settings.json',
        settings.replace(/\n {4}"UserPromptSubmit": \[\n.*\n {4}\],/, ''),
      ),
  ],
];

it.each(LONG ? ALTERED : ALTERED.slice(0, 1))(
  'diff and list name one command that brings back what was approved: %s',
  async (_, alter) => {
    const world = await teamWith();
    const approved = projectFiles(world);
    const script = Object.keys(approved).find((path) => path.endsWith('/PostToolUse')) ?? '';
    alter(world, approved['.claude/settings.json'] ?? '', script);
    const said = await Promise.all([
      diff(world, '--offline'),
      world.run('diff', '--scope', 'project', '--offline'),
      world.run('list'),
    ]);
    const named = said.flatMap(({ stdout }) => [
      ...new Set(stdout.match(/mcphooks (?:un)?install [\w -]*(?:memo|--frozen)\b/g)),
    ]);
    expect(named).toEqual(Array(3).fill('mcphooks install --scope project memo --frozen'));
    const back = await world.run(...(named[0] ?? '').split(' ').slice(1), '--yes');
    expect(back, back.stderr).toMatchObject({ code: 0 });
    expect(await diff(world, '--offline')).toMatchObject({ code: 0 });
  },
);

it('tells what was altered from what is declared anew, where both are so', async () => {
  const world = await teamWith();
  redeclare(world, HOOKS.slice(0, 2));
  const script = Object.keys(projectFiles(world)).find((p) => p.endsWith('/PostToolUse')) ?? '';
  world.write(`project/${script}`, 'exit 0\n');
  const { stdout } = await diff(world);
  const [altered = '', declared = ''] = stdout.split('**Changed since it was approved');
  expect(altered).toContain(`\`${script}\` was altered`);
  expect(altered).toContain('--frozen');
  expect(declared).toContain('Read what changed.');
  expect(declared).not.toContain('--frozen');
});

it('says of a lock file that was altered alone that git has the right one', async () => {
  const world = await teamWith();
  const lock = world.read('project/mcphooks.lock.json');
  const other = lock.replace(/(PostToolUse": ")[0-9a-f]{8}/, '$100000000');
  expect(other).not.toBe(lock);
  world.write('project/mcphooks.lock.json', other);
  expect((await diff(world, '--offline')).stdout).toContain('Restore `mcphooks.lock.json` from git');
});

it('lets no text of a server out of its code', async () => {
  const world = await teamWith();
  const text = 'Before\n````\n# @everyone [all](http://x.example) is well\n<img src=x>\n|';
  const matcher = { tool_name: 'Bash', input_contains: '`` @someone | <b>' };
  redeclare(world, [{ event: 'post_tool_use', matcher, context: text, priority: 'suggestion' }]);
  const { stdout } = await diff(world);
  const outside = stdout
    .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  expect(stdout).toContain('@everyone');
  expect(outside).not.toMatch(/@|http|<|everyone|someone/);
  expect(
    outside
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .every((line) => line.split('|').length === 4),
  ).toBe(true);
});

it('tells faults too', async () => {
  const world = await teamWith();
  world.write('project/.claude/settings.json', '{ broken');
  const { code, stdout, stderr } = await diff(world, '--offline');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('### `memo`\n\n```text\n');
  expect(stdout).toContain('**mcphooks**: 1 of 1 server could not be compared.\n');
});

it.each([
  [1, 0, 0, 'the hooks are as approved.'],
  [2, 0, 0, 'the hooks of both servers are as approved.'],
  [3, 0, 0, 'the hooks of all 3 servers are as approved.'],
  [1, 1, 0, '1 of 1 server differs from what was approved.'],
  [3, 2, 0, '2 of 3 servers differ from what was approved.'],
  [1, 0, 1, '1 of 1 server could not be compared.'],
  [3, 1, 2, '1 of 3 servers differs from what was approved; 2 of 3 servers could not be compared.'],
])(
  'says of %i servers how many differ (%i) and could not be compared (%i)',
  (servers, differ, failed, text) => {
    expect(differText(servers, differ, failed)).toBe(`**mcphooks**: ${text}`);
  },
);

it.runIf(LONG)(
  'says of a changed text that was installed with its lock file only that they agree',
  async () => {
    const world = await teamWith();
    const [start, prompt, commits] = HOOKS as [object, object, object];
    redeclare(world, [start, { ...prompt, context: 'Keep answers long.' }, commits]);
    const accept = ['install', 'memo', '--scope', 'project', '--yes', '--accept-changed'];
    expect(await world.run(...accept)).toMatchObject({ code: 0 });
    const { code, stdout } = await diff(world, '--offline');
    expect([code, stdout]).toEqual([0, '**mcphooks**: the hooks agree with `mcphooks.lock.json`.\n']);
    // docs/ci.md sends reviewers there for the text.
    expect(world.read('project/mcphooks.lock.json')).toContain('"context": "Keep answers long."');
  },
);

it.runIf(ALL)(
  '--frozen answers for all servers in one document, and writes nothing where one of them fails',
  async () => {
    const world = teamWorld();
    const config = JSON.parse(world.read('project/.mcp.json'));
    config.mcpServers.also = config.mcpServers.memo;
    world.write('project/.mcp.json', JSON.stringify(config));
    await installForTeam(world);
    const also = await world.run('install', 'also', '--scope', 'project', '--yes');
    expect(also).toMatchObject({ code: 0 });
    commit(world);
    const frozen = async (...more: string[]) => {
      const { code, stdout } = await world.run(
        'install',
        '--frozen',
        '--scope',
        'project',
        '--json',
        ...more,
      );
      const { status, exit, servers = [] } = JSON.parse(stdout);
      return [
        code,
        exit,
        status,
        ...servers.map((s: { server: string; status: string }) => `${s.server} ${s.status}`),
      ];
    };
    expect(await frozen()).toEqual([0, 0, 'unchanged', 'also unchanged', 'memo unchanged']);
    const { stderr } = await world.run('install', '--frozen', '--scope', 'project');
    expect(stderr.split('\n')).toEqual([
      'Nothing to do: the hooks of also are already installed.',
      'Nothing to do: the hooks of memo are already installed.',
      '',
    ]);
    rmSync(join(world.project, '.mcphooks'), { recursive: true });
    expect(await frozen()).toEqual([3, 3, 'refused', 'also refused', 'memo refused']);
    delete config.mcpServers.memo;
    world.write('project/.mcp.json', JSON.stringify(config));
    const before = projectFiles(world);
    expect(await frozen('--yes')).toEqual([1, 1, 'failed']);
    expect(projectFiles(world)).toEqual(before);
  },
);
