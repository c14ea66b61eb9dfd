import { expect, it } from 'vitest';
import { cleanWorlds } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { HOOKS, installForTeam, installIn, START, teamWorld } from './team.ts';

cleanWorlds();
const SHOWN = [START.command, ...START.args].join(' ');
const PROJECT = ['--scope', 'project'];
const defines = (server: object): string => `${JSON.stringify({ mcpServers: { memo: server } })}\n`;

it('diff names both files where the same definition stands in another one', async () => {
  const world = teamWorld();
  await installForTeam(world, '--client', 'claude-code');
  world.write('project/.mcp.json', '{"mcpServers":{}}\n');
  world.write('project/.gemini/settings.json', defines(START));
  for (const format of ['text', 'markdown']) {
    const { stdout } = await world.run('diff', ...PROJECT, '--offline', '--format', format);
    expect(stdout).toMatch(/^ *- ?.*\(in \.mcp\.json\)\n *\+ ?.*\(in \.gemini\/settings\.json\)$/m);
  }
});

it.runIf(LONG)('diff says that a value differs that it does not show', async () => {
  const world = teamWorld();
  const withKey = (key: string) => {
    const headers = { Authorization: `Bearer ghp_${key}` };
    world.write('project/.mcp.json', defines({ type: 'http', url: 'https://memo.example/mcp', headers }));
  };
  withKey('0123456789abcdefghij');
  world.write('project/hooks.json', JSON.stringify(HOOKS.slice(1)));
  const given = ['--declarations', 'hooks.json', '--no-check', '--client', 'claude-code', '--yes'];
  expect(await world.run('install', 'memo', ...PROJECT, ...given)).toMatchObject({ code: 0 });
  withKey('abcdefghij0123456789');
  const { stdout } = await world.run('diff', ...PROJECT, '--offline');
  expect(stdout).toContain('+ (reads the same, but a value that is not shown differs');
  expect(stdout).not.toMatch(/^ +- .*memo\.example/m);
});

it.runIf(LONG)('diff names both where the project begins to define what only a person had', async () => {
  const world = teamWorld();
  const mine = world.read('project/.mcp.json');
  world.write('project/.mcp.json', '{}\n');
  world.write('home/.claude.json', mine);
  await installIn(world, '--scope', 'local', '--client', 'claude-code');
  world.write('project/.mcp.json', mine);
  const asked = await world.run('diff', '--scope', 'local');
  const [, hash = ''] = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr) ?? [];
  const { stdout } = await world.run('diff', '--scope', 'local', '--allow-start', hash);
  expect(stdout).toContain(`- ${SHOWN}   (in `);
  expect(stdout).toMatch(/^ +- .*\(in .*\.claude\.json\)\n +\+ .*\(in \.mcp\.json\)$/m);
});
