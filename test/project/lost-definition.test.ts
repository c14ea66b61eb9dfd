import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { installedTeams } from './team.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const installed = installedTeams();

const write = (text: string) => (world: World) => {
  world.write('project/.mcp.json', text);
};

const LOST = [
  ['the server is no longer in this file', write('{"mcpServers":{}}\n')],
  ["this file can't be read", write('{')],
  ['the server is no longer in this file', write('')],
  ['this file is gone', (world: World) => rmSync(join(world.project, '.mcp.json'))],
  [
    "this file can't be read",
    (world: World) => {
      rmSync(join(world.project, '.mcp.json'));
      mkdirSync(join(world.project, '.mcp.json'));
    },
  ],
] as const;

it.each(LONG ? LOST : LOST.slice(0, 2))('a definition that is lost alters no file: %s', async (why, lose) => {
  const world = await installed('--client', 'claude-code,codex');
  lose(world);
  const at = ['--scope', 'project'];

  const listed = JSON.parse((await world.run('list', '--json')).stdout);
  const states = listed.servers.flatMap((one: { clients: { state: string }[] }) =>
    one.clients.map(({ state }) => state),
  );
  expect(states).toEqual(['changed', 'changed']);

  const compared = await world.run('diff', ...at, '--offline');
  expect(compared).toMatchObject({ code: 2, stdout: expect.stringContaining(why) });
  expect(compared.stdout).not.toContain('missing or changed');
  expect(compared.stdout).not.toContain('--frozen');
  // A reviewer of a pull request sees no terminal.
  const comment = (await world.run('diff', ...at, '--offline', '--format', 'markdown')).stdout;
  for (const word of [why, join(world.project, '.mcp.json'), 'mcphooks uninstall --scope project memo'])
    expect(comment).toContain(word);

  const frozen = await world.run('install', '--frozen', ...at, '--yes');
  expect(frozen).toMatchObject({ code: 1, stderr: expect.stringContaining(`.mcp.json: ${why}, from which`) });
  expect(frozen.stderr).not.toContain('differs');
});

it('a mistake that one client stops at is not the place where another finds a change', async () => {
  const world = await installed('--client', 'claude-code,qwen-code');
  mkdirSync(join(world.home, '.qwen'));
  const { mcpServers } = JSON.parse(world.read('project/.mcp.json'));
  mcpServers.memo.args.push('more');
  // Qwen Code takes comments.
  write(`// ours\n${JSON.stringify({ mcpServers })}`)(world);
  const { findings } = JSON.parse((await world.run('list', '--json')).stdout).servers[0];
  const places = findings.map((found: { code: string; where: string }) => [
    found.code,
    basename(found.where),
  ]);
  expect(places).toEqual([
    ['doctor.definition.gone', '.mcp.json:1:1'],
    ['doctor.definition.changed', '.mcp.json'],
  ]);
});

it.runIf(LONG)('hooks with a text of their own speak without it', async () => {
  const world = await installed('--client', 'claude-code,codex');
  write('{"mcpServers":{}}\n')(world);
  const fired = await world.run('fire', 'memo', 'pre_request', '--scope', 'project');
  expect(fired, fired.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Keep answers short.'),
  });
});

it.runIf(LONG)(
  'hides no script that was altered, and advises nothing that needs the definition',
  async () => {
    const world = await installed('--client', 'claude-code');
    const at = ['--scope', 'project'];
    const script =
      Object.keys(world.files()).find((path) => /claude-code\/UserPromptSubmit$/.test(path)) ?? '';
    world.write(script, `${world.read(script)}# evil\n`);
    write('{"mcpServers":{}}\n')(world);
    const frozen = await world.run('install', '--frozen', ...at, '--yes');
    expect(frozen.code).toBe(1);
    expect(frozen.stderr).toContain('the server is no longer in this file');
    expect(frozen.stderr).toContain('UserPromptSubmit differs');
    const fired = await world.run('fire', 'memo', 'pre_request', ...at);
    expect(fired).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("First bring back the server's definition."),
    });
    const compared = await world.run('diff', ...at, '--offline');
    expect(compared.code).toBe(2);
    expect(compared.stdout).toContain('UserPromptSubmit');
    expect(compared.stdout).not.toContain('--frozen');
  },
);

it.runIf(LONG)(
  'an install over another leaves a lock file from which all commands make the same',
  async () => {
    const world = await installed('--client', 'claude-code');
    const at = ['--scope', 'project'];
    const hooks = {
      declarations: [{ event: 'pre_request', context: 'Other text.', priority: 'suggestion' }],
    };
    world.write('project/hooks.json', JSON.stringify(hooks));
    const over = ['--declarations', 'hooks.json', '--no-check', '--accept-changed', '--yes'];
    expect(await world.run('install', 'memo', ...at, ...over)).toMatchObject({ code: 0 });
    expect(await world.run('diff', ...at, '--offline')).toMatchObject({ code: 0 });
    expect(await world.run('install', '--frozen', ...at, '--yes')).toMatchObject({ code: 0 });
    expect(await world.run('fire', 'memo', 'pre_request', ...at)).toMatchObject({ code: 0 });
  },
);

it("where another client's file has the server, an install can approve that one", async () => {
  const world = await installed('--client', 'claude-code,codex');
  const servers = world.read('project/.mcp.json');
  write('{"mcpServers":{}}\n')(world);
  mkdirSync(join(world.project, '.cursor'));
  world.write('project/.cursor/mcp.json', servers);
  const update = 'mcphooks install --scope project memo';
  const { code, stdout } = await world.run('diff', '--scope', 'project', '--offline');
  expect(code).toBe(2);
  expect(stdout).not.toContain('uninstall');
  expect(stdout).toContain(`→ restore it, or ${update}: read what changed, then approve it\n`);
  expect(stdout).toContain(`\nTo review and approve what changed: ${update}\n`);
});
