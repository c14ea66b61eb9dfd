import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { word } from '../../src/messages/words.ts';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith, own } from './home.ts';
import { cleanWorlds, nodeServerEntry, serverEntry, type World } from './world.ts';

cleanWorlds();

const CLAUDE = 'home/.claude.json';

/** Puts servers of these names into Claude Code's file: started as `memo` is, or (`other`) with one more argument. */
function define(world: World, servers: Record<string, 'same' | 'other'>): void {
  const entry = serverEntry(join(world.home, 'declared.json'), join(world.home, 'started.log'));
  const other = { ...entry, args: [...entry.args, '--other'] };
  const all = Object.entries(servers).map(([name, is]) => [name, is === 'same' ? entry : other]);
  world.write(CLAUDE, JSON.stringify({ mcpServers: Object.fromEntries(all) }));
}

async function installed(servers: Record<string, 'same' | 'other'>): Promise<World> {
  const world = homeWith(COMMIT);
  for (const file of ['.codex/config.toml', '.gemini/settings.json']) world.write(`home/${file}`, '');
  define(world, { memo: 'same' });
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  define(world, servers);
  return world;
}

const planned = async (world: World): Promise<string> => {
  const { code, stdout } = await world.run('install', 'nb', '--dry-run');
  expect(code).toBe(2);
  return stdout;
};

it('tells of hooks from before the server got another name', async () => {
  const world = await installed({ nb: 'same' });
  expect(await planned(world)).toMatch(/hooks of 'memo', .*: mcphooks uninstall memo\n/);
  const { code, stdout } = await world.run('diff', 'memo', '--offline');
  expect(code).toBe(2);
  expect(stdout).toMatch(/now called 'nb'\n/);
  expect(stdout).toContain('→ mcphooks install nb, then mcphooks uninstall memo\n');
});

it('says nothing of hooks that are disabled, which give no text', async () => {
  const world = await installed({ nb: 'same' });
  expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
  expect(await planned(world)).not.toContain("hooks of 'memo'");
  expect(await world.run('enable', 'memo')).toMatchObject({ code: 0 });
  expect(await planned(world)).toContain("hooks of 'memo'");
});

it('tells of hooks of a project that are disabled on this machine alone', async () => {
  const world = homeWith();
  const hooks = world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const at = ['--scope', 'project', '--declarations', hooks, '--no-check', '--client', 'claude-code'];
  const defineAs = (name: string) =>
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { [name]: { command: 'server' } } }));
  defineAs('memo');
  expect(await world.run('install', 'memo', ...at, '--yes')).toMatchObject({ code: 0 });
  expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
  defineAs('nb');
  const { stdout } = await world.run('install', 'nb', ...at, '--dry-run');
  expect(stdout).toContain("hooks of 'memo'");
});

it('plans where a file of another server cannot be read', async () => {
  const world = await installed({ nb: 'same' });
  const folder = dirname(dirname(dirname(own(world, '/PostToolUse'))));
  world.write(`${folder}/disabled/folder`, '');
  expect(await planned(world)).toContain("hooks of 'memo'");
});

it('repeats the choices of the install under the new name', async () => {
  const world = await installed({ memo: 'same' });
  const choices = ['--client', 'claude-code,codex', '--only', '1', '--cooldown', '300'];
  expect(await world.run('install', 'memo', ...choices, '--yes')).toMatchObject({ code: 0 });
  define(world, { nb: 'same' });
  const { stdout } = await world.run('diff', 'memo', '--offline');
  expect(stdout).toContain(
    `→ mcphooks install nb ${choices.map((one) => word(one)).join(' ')}, then mcphooks uninstall memo\n`,
  );
});

it.runIf(LONG)('and goes on to until they are removed', async () => {
  const world = await installed({ nb: 'same' });
  expect((await world.run('doctor', 'memo')).stdout).toMatch(/now called 'nb'\n.*\n.*install nb, then/);
  expect(await world.run('install', 'nb', '--yes')).toMatchObject({ code: 0 });
  const { stdout } = await world.run('diff', '--offline');
  expect(stdout).toMatch(/now called 'nb'\n.*\n +→ mcphooks uninstall memo\n/);
  expect(stdout).toMatch(/^nb: as installed\n +→ hooks of 'memo'/m);
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(await world.run('diff', '--offline')).toMatchObject({ code: 0, stdout: 'nb: as installed\n' });
});

it.runIf(LONG)('names the file of declarations, which an install needs', async () => {
  const world = await installed({ memo: 'same' });
  const file = world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  expect(await world.run('install', 'memo', '--declarations', file, '--yes')).toMatchObject({ code: 0 });
  define(world, { nb: 'same' });
  const { stdout } = await world.run('diff', 'memo', '--offline');
  expect(stdout).toContain(
    `→ mcphooks install nb --declarations ${word(file)}, then mcphooks uninstall memo\n`,
  );
});

it.runIf(LONG).each<[string, Record<string, 'same' | 'other'>]>([
  ['another definition', { nb: 'other' }],
  ['both names', { memo: 'same', nb: 'same' }],
  ['the old name for another definition', { memo: 'other', nb: 'same' }],
])('says nothing of %s', async (_, servers) => {
  const world = await installed(servers);
  expect(await planned(world)).not.toContain("hooks of 'memo'");
  for (const command of ['diff', 'doctor'])
    expect((await world.run(command, 'memo')).stdout).not.toContain("'nb'");
});

it('tells of hooks under the old name where the server got another name in one client alone', async () => {
  const world = await installed({ nb: 'same' });
  const entry = serverEntry(join(world.home, 'declared.json'), join(world.home, 'started.log'));
  world.write('home/.gemini/settings.json', JSON.stringify({ mcpServers: { memo: entry } }));
  const note = /hooks of 'memo' .* in Claude Code, .*: mcphooks uninstall memo --client claude-code\n/;
  expect(await planned(world)).toMatch(note);
  expect((await world.run('diff', 'memo', '--offline')).stdout).not.toContain("'nb'");
  expect(await world.run('install', 'nb', '--yes')).toMatchObject({ code: 0 });
  const diff = async (): Promise<string> => (await world.run('diff', 'nb', '--offline')).stdout;
  expect(await diff()).toMatch(note);
  expect(await world.run('uninstall', 'memo', '--client', 'claude-code')).toMatchObject({ code: 0 });
  expect(await diff()).toBe('nb: as installed\n');
});

it.runIf(LONG)('takes no name for lost where a file that may have it is broken', async () => {
  const world = await installed({ nb: 'same' });
  world.write('home/.gemini/settings.json', '{ "mcpServers": { "memo": ');
  expect(await planned(world)).toContain('mcphooks uninstall memo --client claude-code\n');
  expect((await world.run('diff', 'memo', '--offline')).stdout).not.toContain("'nb'");
});

it.runIf(LONG)("doesn't take another account's server for the one that was removed", async () => {
  const world = homeWith(COMMIT);
  for (const file of ['.codex/config.toml', '.gemini/settings.json']) world.write(`home/${file}`, '');
  const entry = serverEntry(join(world.home, 'declared.json'), join(world.home, 'started.log'));
  const nb = { ...entry, env: { ACCOUNT: 'nb' } };
  const memo = { ...entry, env: { ACCOUNT: 'memo' } };
  world.write(CLAUDE, JSON.stringify({ mcpServers: { memo, nb } }));
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  world.write(CLAUDE, JSON.stringify({ mcpServers: { nb } }));
  const { stdout } = await world.run('diff', 'memo', '--offline');
  expect(stdout).toMatch(/'nb' has the same definition, apart from values of environment variables/);
  expect(stdout).toContain('→ restore it, or mcphooks install nb, then mcphooks uninstall memo\n');
});

it.runIf(LONG)('shows the plan of a server that is gone as a change, as diff does', async () => {
  const world = await installed({});
  const said = async (...args: string[]) => {
    const { code, stdout } = await world.run(...args, '--json');
    const { status, exit, faults } = JSON.parse(stdout);
    expect(exit).toBe(code);
    return [status, exit, faults.map((fault: { code: string }) => fault.code)];
  };
  expect(await said('diff', 'memo')).toEqual(['changed', 2, []]);
  expect(await said('install', 'memo', '--dry-run')).toEqual(['planned', 2, ['server.not-found']]);
  expect(await said('install', 'memo', '--yes')).toEqual(['failed', 1, ['server.not-found']]);
});

it('asks again where hooks named the server as it called itself, and it calls itself otherwise now', async () => {
  const world = homeWith({
    event: 'post_tool_use',
    matcher: { tool_name: 'mcp__github__*' },
    context_tool: 'note',
    context_tool_args: { q: '{tool_output}' },
    priority: 'suggestion',
  });
  const [declared, name] = [join(world.home, 'declared.json'), world.write('home/name', 'github')];
  const { args } = nodeServerEntry(declared);
  const script = world.write(
    'home/server.mjs',
    `import { readFileSync } from 'node:fs';
process.argv.splice(2, 3, ${JSON.stringify(declared)}, '', readFileSync(${JSON.stringify(name)}, 'utf8'));
await import(${JSON.stringify(pathToFileURL(`${args[0]}`).href)});`,
  );
  const memo = { command: process.execPath, args: [script] };
  world.write(CLAUDE, JSON.stringify({ mcpServers: { memo, github: memo } }));
  const install = ['install', 'memo', '--client', 'claude-code', '--yes'];
  expect(await world.run(...install, '--send-tool-data')).toMatchObject({ code: 0 });
  world.write('home/name', 'other');

  const { code, stdout } = await world.run('diff', 'memo');
  expect(code).toBe(2);
  expect(stdout).toContain('Changed since you approved it: declarations');
  expect(stdout).toMatch(/the server's own name.*\n.*- github\n.*\+ other\n/);
  expect(stdout).toContain('1  after mcp__github__*');
  const before = world.files();
  for (const [given, asked] of [
    [[], '--send-tool-data'],
    [['--accept-changed'], '--send-tool-data'],
    [['--send-tool-data'], '--accept-changed'],
  ] as const)
    expect(await world.run(...install, ...given), asked).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(asked),
    });
  expect(world.files()).toEqual(before);
  const both = ['--send-tool-data', '--accept-changed'];
  expect(await world.run(...install, ...both)).toMatchObject({ code: 0 });
  expect(await world.run('diff', 'memo')).toMatchObject({ code: 0 });
});
