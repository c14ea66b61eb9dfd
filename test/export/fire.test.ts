import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { fireAll, machineWith, SERVER, tree } from './folders.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const START = { event: 'session_start', context: 'Read this.', priority: 'important' };
const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You committed in {project_name}.',
  priority: 'suggestion',
};
const LATER = { event: 'post_request', context: 'Said later.', priority: 'suggestion' };
const ASK = {
  event: 'pre_request',
  context_tool: 'note',
  context_tool_args: { a: '{project_name}' },
  priority: 'suggestion',
};
const BASH = { tool_name: 'Bash', tool_input: { command: 'git commit' }, tool_response: {} };

interface Made {
  author: World;
  /** The folder that the author exported, and how the server is started. */
  folder: string;
  entry: { command: string; args: string[] };
}

async function exported(hooks: object[], ...more: string[]): Promise<Made> {
  const author = makeWorld();
  const entry = serverEntry(author.write('memo.json', JSON.stringify({ declarations: hooks })));
  const args = more.includes('--format') ? more : ['--format', 'claude-plugin', ...more];
  const given = ['--', entry.command, ...entry.args];
  const { code, stderr } = await author.run('export', 'memo', '--out', 'out', '--yes', ...args, ...given);
  expect(code, stderr).toBe(0);
  return { author, folder: join(author.project, 'out'), entry };
}

const TAG = /^\[mcphooks ([0-9a-f]{8}) \| MCP server "memo" \| /;
const state = (world: World): string => join(world.home, '.local/state/mcphooks');

describe('the hooks of a plugin on another machine', () => {
  it.runIf(LONG)('speak where an archive has lost the executable bit', async () => {
    const { folder } = await exported([START]);
    for (const file of Object.keys(tree(folder))) chmodSync(join(folder, file), 0o644);
    expect(fireAll(machineWith(folder), 'SessionStart', { source: 'startup' })[0]).toContain('Read this.');
  });

  it.runIf(LONG)(
    'speak with a tag at each fire, and keep one of that machine, made once and for nobody else to read',
    async () => {
      const { folder } = await exported([START, COMMIT]);
      const there = machineWith(folder);
      const [first] = fireAll(there, 'SessionStart', { source: 'startup' });
      const [second] = fireAll(there, 'PostToolUse', BASH);
      expect(first).toContain('Read this.');
      expect(second).toContain('You committed in project.');
      const file = join(state(there.world), 'tag');
      const tag = readFileSync(file, 'utf8');
      expect(new Set([TAG.exec(first ?? '')?.[1], TAG.exec(second ?? '')?.[1], tag]).size).toBe(3);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      fireAll(there, 'PostToolUse', BASH);
      expect(readFileSync(file, 'utf8')).toBe(tag);
      const elsewhere = machineWith(folder);
      fireAll(elsewhere, 'SessionStart', { source: 'startup' });
      expect(readFileSync(join(state(elsewhere.world), 'tag'), 'utf8')).not.toBe(tag);
    },
  );

  it.runIf(LONG)(
    'keep what they remember where XDG_STATE_HOME says, and speak where nothing can be kept',
    async () => {
      const { folder } = await exported([START]);
      const there = machineWith(folder);
      const moved = { env: { XDG_STATE_HOME: join(there.world.home, 'moved') } };
      fireAll(there, 'SessionStart', {}, moved);
      expect(Object.keys(there.world.files())).toContain('home/moved/mcphooks/tag');
      const nowhere = { env: { XDG_STATE_HOME: '/dev/null' } };
      const tags = [1, 2].map(() => TAG.exec(fireAll(there, 'SessionStart', {}, nowhere)[0] ?? '')?.[1]);
      expect(tags[0]).toMatch(/^[0-9a-f]{8}$/);
      expect(tags[1]).not.toBe(tags[0]);
    },
  );

  it.runIf(LONG)('give kept text, behind a matcher too', async () => {
    const { folder } = await exported([LATER, COMMIT], '--format', 'gemini-extension');
    const there = machineWith(folder);
    const failed = { ...BASH, tool_name: 'run_shell_command', tool_response: { error: { message: 'x' } } };
    expect(fireAll(there, 'AfterTool', failed)).toEqual([undefined]);
    fireAll(there, 'AfterAgent');
    const [text] = fireAll(there, 'BeforeAgent', { prompt: 'x' });
    expect(text).toContain('You committed in project.');
    expect(text).toContain('Said later.');
    expect(fireAll(there, 'BeforeAgent', { prompt: 'x' })).toEqual([undefined]);
  });

  it.runIf(LONG)('keep to the budget of a session', async () => {
    const { folder } = await exported([{ ...START, context: 'x'.repeat(7_000) }]);
    const there = machineWith(folder);
    const given = Array.from({ length: 9 }, () => fireAll(there, 'SessionStart')[0]);
    expect(given.filter((text) => text !== undefined).length).toBeLessThan(9);
    expect(fireAll(there, 'SessionStart', { session_id: 's2' })[0]).toContain('x'.repeat(7_000));
  });

  it.runIf(LONG)('are silent when switched off there, and say nothing twice', async () => {
    const { folder, author } = await exported([START]);
    const there = machineWith(folder);
    const says = (env = {}) => fireAll(there, 'SessionStart', {}, { env })[0] !== undefined;
    expect(says()).toBe(true);
    expect(says({ MCPHOOKS_DISABLE: 'memo' })).toBe(false);
    const data = join(there.world.home, '.local/share/mcphooks/hooks/memo');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'disabled'), '');
    expect(says()).toBe(false);
    rmSync(join(data, 'disabled'));

    cpSync(join(author.home, '..', 'memo.json'), join(there.world.home, 'memo.json'));
    const install = ['install', 'memo', '--client', 'claude-code', '--yes'];
    const command = ['--', process.execPath, SERVER, join(there.world.home, 'memo.json')];
    expect((await there.world.run(...install, ...command)).code).toBe(0);
    expect(says()).toBe(false);
    await there.world.run('uninstall', 'memo');
    expect(says()).toBe(true);

    const local = ['--scope', 'local'];
    expect((await there.world.run(...install, ...local, ...command)).code).toBe(0);
    expect(says()).toBe(false);
    // The client takes these hooks from the folder in which it is started, and from none around it.
    const below = join(there.world.project, 'below');
    mkdirSync(below);
    expect(says({ CLAUDE_PROJECT_DIR: below })).toBe(true);
    await there.world.run('uninstall', 'memo', ...local);
    expect(says()).toBe(true);
  });

  it('are harmless without their runtime, their data or themselves', async () => {
    const { folder } = await exported([START]);
    const there = machineWith(folder);
    const [data = ''] = Object.keys(tree(there.plugin)).filter((path) => path.endsWith('/SessionStart.json'));
    for (const part of ['runtime', data, 'shims']) {
      rmSync(join(there.plugin, part), { recursive: true });
      expect(fireAll(there, 'SessionStart')).toEqual([undefined]);
    }
  });

  it.runIf(LONG)('come out the same in a folder that two clients share', async () => {
    const { folder } = await exported([START], '--format', 'claude-plugin,codex-plugin');
    const there = machineWith(folder);
    for (const file of ['hooks/hooks.json', 'hooks/codex.json'])
      expect(fireAll(there, 'SessionStart', {}, { file })[0]).toContain('Read this.');
  });
});

describe('a tool', () => {
  it("is called on the plugin's own server, while that is the approved one", async () => {
    const { folder } = await exported([ASK], '--with-server');
    const there = machineWith(folder);
    expect(fireAll(there, 'UserPromptSubmit')[0]).toContain('noted {"a":"project"}');
    const file = join(there.plugin, '.mcp.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('declares.', './declares.'));
    expect(fireAll(there, 'UserPromptSubmit')).toEqual([undefined]);
    expect(there.world.read('home/.local/state/mcphooks/hooks.log')).toContain('definition.changed');
  });

  it.runIf(LONG)("of the plugin's own server is heard of, under the name of the user's own too", async () => {
    const own = {
      event: 'post_tool_use',
      matcher: { tool_server: 'memo' },
      context: 'Noted.',
      priority: 'suggestion',
    };
    const { folder } = await exported([own, ASK], '--with-server');
    const there = machineWith(folder);
    const heard = (name: string) =>
      fireAll(there, 'PostToolUse', {
        tool_name: `mcp__${name.replaceAll(':', '_')}__note`,
        tool_input: {},
        mcp_server: { name },
      }).filter((text) => text?.includes('Noted.'));
    expect(heard('plugin:mcphooks-memo:memo')).toHaveLength(1);
    expect(heard('memo')).toHaveLength(1);
    expect(heard('other')).toHaveLength(0);
  });

  it.runIf(LONG)("is called on the user's server of that name, while that is the approved one", async () => {
    const { folder, entry } = await exported([ASK]);
    const there = machineWith(folder);
    expect(fireAll(there, 'UserPromptSubmit')).toEqual([undefined]);
    const define = (memo: object) =>
      there.world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo } }));
    define(entry);
    expect(fireAll(there, 'UserPromptSubmit')[0]).toContain('noted {"a":"project"}');
    define({ ...entry, args: [...entry.args, 'more'] });
    expect(fireAll(there, 'UserPromptSubmit')).toEqual([undefined]);
    // A project's file may come from a stranger: it is not even looked at.
    rmSync(join(there.world.home, '.claude.json'));
    there.world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: entry } }));
    expect(fireAll(there, 'UserPromptSubmit')).toEqual([undefined]);
  });

  it.runIf(LONG)("is found where the client's folder was moved", async () => {
    const { folder, entry } = await exported([ASK], '--format', 'codex-plugin');
    const there = machineWith(folder);
    const lists = entry.args.map((arg) => JSON.stringify(arg)).join(', ');
    there.world.write(
      'home/elsewhere/config.toml',
      `[mcp_servers.memo]\ncommand = "${entry.command}"\nargs = [${lists}]\n`,
    );
    const env = { CODEX_HOME: join(there.world.home, 'elsewhere') };
    expect(fireAll(there, 'UserPromptSubmit', {}, { env })[0]).toContain('noted');
    expect(fireAll(there, 'UserPromptSubmit')).toEqual([undefined]);
  });
});
