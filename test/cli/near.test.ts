import { expect, it } from 'vitest';
import { LONG, sample } from '../effort.ts';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();

it('names that miss by little are told, whatever they are of', async () => {
  const world = homeWith(COMMIT);
  world.write('project/declarations.json', JSON.stringify({ declarations: [COMMIT] }));
  const only = ['--declarations', 'declarations.json', '--client', 'codex'];
  for (const args of [['memo'], ['notebook', ...only]])
    expect((await world.run('install', ...args, '--yes')).code).toBe(0);
  const out = ['--format', 'codex-plugin', '--out', 'x'];
  const missed: [string[], string][] = [
    [['install', 'mem'], 'memo'],
    [['install', 'mem', '--declarations', 'declarations.json'], 'memo'],
    [['diff', 'mem'], 'memo'],
    [['diff', 'mem', '--offline'], 'memo'],
    [['explain', 'mem'], 'memo'],
    [['lint', 'mem'], 'memo'],
    [['export', 'mem', ...out], 'memo'],
    [['uninstall', 'mem'], 'memo'],
    [['disable', 'mem'], 'memo'],
    [['enable', 'mem'], 'memo'],
    [['fire', 'mem', 'pre_request'], 'memo'],
    [['diff', 'notebok'], 'notebook'],
    [['explain', 'notebok'], 'notebook'],
    [['fire', 'memo', 'post_tool'], 'post_tool_use'],
    [['fire', 'memo', 'PostToolUse'], 'post_tool_use'],
    [['fire', 'memo', 'pre_request', '--client', 'claude'], 'claude-code'],
    [['install', 'memo', '--client', 'gemini'], 'gemini-cli'],
    [['install', 'memo', '--only', 'pre_tool'], 'pre_tool_use'],
    [['install', 'memo', '--declarations', 'declaratons.json'], 'declarations.json'],
    [['lint', './declarations.jsn'], 'declarations.json'],
    [['export', 'memo', '--format', 'codex', '--out', 'x'], 'codex-plugin'],
    [['schema', 'declaration'], 'declarations'],
    [['completions', 'zhs'], 'zsh'],
    [['instal', 'memo'], 'install'],
    [['install', 'memo', '--clients', 'codex'], '--client'],
  ];
  for (const [args, meant] of LONG ? missed : sample(missed, 3)) {
    const { stderr } = await world.run(...args);
    expect(stderr, args.join(' ')).toMatch(new RegExp(`Did you mean '?${meant}'?\\?`));
  }
}, 120_000);
