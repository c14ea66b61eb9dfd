import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { cleanWorlds, makeWorld } from './world.ts';

cleanWorlds();

const on = (matcher: object, context: string) => ({
  event: 'post_tool_use',
  matcher,
  context,
  priority: 'suggestion',
});

const shell = WINDOWS ? 'Bash|PowerShell' : 'Bash';

it('an entry follows the servers that its matcher names, and stays as it is otherwise', async () => {
  const world = makeWorld();
  const declarations = [on({ tool_name: 'Bash' }, 'bash'), on({ tool_server: 'other' }, 'other')];
  const file = world.write('project/d.json', JSON.stringify({ declarations }));
  await world.run('install', 'mem', '--declarations', file, '--client', 'claude-code', '--yes');
  const matchers = (): string[] =>
    JSON.parse(world.read('home/.claude/settings.json')).hooks.PostToolUse.map(
      (group: { matcher: string }) => group.matcher,
    );
  expect(matchers()).toEqual([shell]);

  const servers = (...names: string[]): string =>
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) });
  world.write('home/.claude.json', servers('unrelated'));
  expect(await world.run('diff')).toMatchObject({ code: 0 });
  world.write('home/.claude.json', servers('unrelated', 'other'));
  expect(await world.run('diff')).toMatchObject({ code: 2 });
  expect(await world.run('install', 'mem', '--yes')).toMatchObject({ code: 0 });
  expect(matchers()).toEqual([`^(${shell}|mcp__other__.*)$`]);
  expect(await world.run('diff')).toMatchObject({ code: 0 });
  await world.run('uninstall', 'mem');
  expect(Object.keys(world.files())).not.toContain('home/.claude/settings.json');
});

it.runIf(LONG)(
  'list, doctor and the plan say why hooks that were approved fire no more after an update',
  async () => {
    const world = makeWorld();
    const servers = (...names: string[]): string =>
      JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) });
    const matcher = { tool_name: 'mcp__my server__*' };
    const declarations = [on(matcher, 'notes'), on({ tool_name: 'Bash' }, 'bash')];
    const file = world.write('project/d.json', JSON.stringify({ declarations }));
    world.write('home/.claude.json', servers('my server'));
    const install = ['install', 'my server', '--declarations', file, '--no-check', '--client', 'claude-code'];
    expect(await world.run(...install, '--yes')).toMatchObject({ code: 0 });
    const found = async (command: string): Promise<object[]> => {
      const { stdout } = await world.run(command, '--json');
      const { servers: rows = [], findings = [] } = JSON.parse(stdout);
      const all = [...findings, ...rows.flatMap((row: { findings?: object[] }) => row.findings ?? [])];
      return all.filter(({ code }: { code: string }) => code === 'doctor.stops');
    };
    expect([await found('list'), await found('doctor')]).toEqual([[], []]);

    world.write('home/.claude.json', servers('my server', 'my_server'));
    const message = expect.stringMatching(
      /^the next install leaves out hook 1: .*'my server' and 'my_server' have the same names/,
    );
    for (const command of ['list', 'doctor'])
      expect(await found(command)).toMatchObject([{ client: 'claude-code', server: 'my server', message }]);
    const { stdout } = await world.run('diff');
    expect(stdout).toMatch(/ 1 {2}after mcp__my server__.*\n.*notes\n.* 2: as approved\n/);
    expect(stdout).toContain("'my server' and 'my_server' have the same names");
    // What was accepted is no finding.
    expect(await world.run('install', 'my server', '--yes')).toMatchObject({ code: 0 });
    expect([await found('list'), await found('doctor')]).toEqual([[], []]);
  },
);
