import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { cleanWorlds, makeWorld, serverEntry } from './world.ts';

cleanWorlds();

const say = (context: string): string =>
  JSON.stringify({ declarations: [{ event: 'session_start', context, priority: 'suggestion' }] });

it.runIf(LONG)(
  'whose definition to use is remembered like every option, until another is named or all are forgotten',
  async () => {
    const world = makeWorld();
    const entry = (text: string) => serverEntry(world.write(`home/${text}.json`, say(text)));
    const { command, args } = entry('second');
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry('first') } }));
    world.write(
      'home/.codex/config.toml',
      `[mcp_servers.memo]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    );
    const install = (...more: string[]) => world.run('install', 'memo', '--yes', ...more);
    expect(await install()).toMatchObject({ code: 1 });
    expect(await install('--from', 'codex')).toMatchObject({ code: 0 });
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(await install()).toMatchObject({ code: 0 });
    expect((await world.run('fire', 'memo', 'session_start')).stdout).toContain('second');
    expect(await install('--from', 'claude-code')).toMatchObject({ code: 3 });
    expect(await install('--from', 'claude-code', '--accept-changed')).toMatchObject({ code: 0 });
    expect((await world.run('fire', 'memo', 'session_start')).stdout).toContain('first');
    expect(await install('--reset')).toMatchObject({ code: 1 });
  },
);

it.runIf(LONG)(
  'a command and a file of declarations are forgotten with --reset, and a client takes the place of a command',
  async () => {
    const world = makeWorld();
    const own = world.write('home/own.json', say('own'));
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry(own) } }));
    const file = world.write('home/file.json', say('file'));
    const { command, args } = serverEntry(world.write('home/given.json', say('given')));
    const install = (...more: string[]) => world.run('install', 'memo', '--yes', '--accept-changed', ...more);
    const said = async () =>
      JSON.parse(
        (await world.run('fire', 'memo', 'session_start', '--client', 'claude-code', '--json')).stdout,
      ).clients[0].firings[0].text.split('\n')[1];
    await install('--declarations', file);
    expect(await said()).toBe('file');
    await install('--reset');
    expect(await said()).toBe('own');
    await install('--client', 'claude-code', '--', command, ...args);
    expect(await said()).toBe('given');
    await install('--from', 'claude-code');
    expect(await said()).toBe('own');
    await install('--', command, ...args);
    await install('--reset');
    expect(await said()).toBe('own');
  },
);

it('of no declarations, or of bad ones alone, there is nothing to install', async () => {
  const world = makeWorld();
  const codes = async (document: object, ...more: string[]) => {
    const file = world.write('home/file.json', JSON.stringify(document));
    const words = ['install', 'memo', '--json', '--yes', '--client', 'codex', ...more];
    const byFile = await world.run(...words, '--declarations', file);
    const { command, args } = serverEntry(file);
    const byServer = await world.run(...words, '--', command, ...args);
    return [byFile, byServer].map(({ code, stdout }) => [
      code,
      ...JSON.parse(stdout).faults.map((fault: { code: string }) => fault.code),
    ]);
  };
  expect(await codes({ declarations: [] })).toEqual([
    [1, 'decl.none'],
    [4, 'server.empty-hooks'],
  ]);
  const bad = { declarations: [{ event: 'session_start', context: '', priority: 'suggestion' }] };
  const [byFile, byServer] = await codes(bad, '--lenient');
  expect(byFile).toEqual(byServer);
  expect(byFile?.[0]).toBe(1);
  expect(Object.keys(world.files()).filter((path) => path.includes('.codex'))).toEqual([]);
});
