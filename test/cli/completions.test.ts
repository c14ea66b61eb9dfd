import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL, LONG } from '../effort.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
const CLI = join(import.meta.dirname, '../../dist/mcphooks.cjs');

/** A home in which `memo` is installed, `other` and a plugin's server are known, and `mcphooks` is a program. */
async function worldWith(): Promise<World> {
  const world = makeWorld();
  const file = world.write(
    'home/declared.json',
    '{"declarations":[{"event":"session_start","context":"x","priority":"suggestion"}]}',
  );
  const entry = serverEntry(file, join(world.home, 'started'));
  world.write(
    'home/.claude.json',
    JSON.stringify({
      mcpServers: { memo: entry, other: entry, 'plugin:kit:memo': entry, 'my notes': entry },
    }),
  );
  expect((await world.run('install', 'memo', '--yes', '--client', 'claude-code')).code).toBe(0);
  const program = world.write('bin/mcphooks', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(program, 0o755);
  world.env.PATH = `${dirname(program)}:${world.env.PATH}`;
  return world;
}

/** What is offered for the last of the words. */
async function offered(world: World, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await world.run('__complete', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] ?? '');
}

describe('what is offered', () => {
  it('commands, options and their values, events, schemas', async () => {
    const world = await worldWith();
    const commands = await offered(world, '');
    expect(commands).toEqual(
      expect.arrayContaining(['install', 'diff', 'uninstall', 'fire', 'lint', 'schema']),
    );
    expect(commands.filter((c) => c.startsWith('_'))).toEqual([]);
    expect(await offered(world, 'unin')).toEqual(['uninstall']);
    expect(await offered(world, 'install', 'memo', '--session')).toEqual(['--session-end']);
    expect(await offered(world, 'install', '--yes', '--y')).toEqual([]);
    expect(await offered(world, 'list', '--help')).toEqual(['--help']);
    expect(await offered(world, 'install', '--session-end', '')).toEqual(['skip', 'defer']);
    expect(await offered(world, 'install', '--client', 'cod')).toEqual(['codex']);
    expect(await offered(world, 'install', '--client', 'codex,cl')).toEqual(['codex,claude-code']);
    expect(await offered(world, 'fire', 'memo', 'pre_')).toEqual(['pre_request', 'pre_tool_use']);
    expect(await offered(world, 'schema', 'dec')).toEqual(['declarations']);
    expect(await offered(world, 'catalogue', 's')).toEqual(['show']);
    expect(await offered(world, 'catalogue', 'show', 'mem')).toEqual(['memory']);
    expect(await offered(world, 'completions', 'z')).toEqual(['zsh']);
    expect(await offered(world, 'install', '--declarations', '')).toEqual([]);
    expect(await offered(world, 'install', 'x', '--', '')).toEqual([]);
    expect(await offered(world, 'nonsense', '')).toEqual([]);
  });

  it('names of servers: all that are known, or those that are installed', async () => {
    const world = await worldWith();
    const started = world.files()['home/started'];
    const all = ['memo', 'my notes', 'other', 'plugin:kit:memo'];
    expect(await offered(world, 'install', '')).toEqual(all);
    expect(await offered(world, 'install', '--client', 'codex', '')).toEqual(all);
    expect(await offered(world, 'install', 'memo', '')).toEqual([]);
    expect(await offered(world, 'lint', 'o')).toEqual(['other']);
    expect(await offered(world, 'export', '')).toEqual(all);
    expect(await offered(world, 'uninstall', '')).toEqual(['memo']);
    expect(await offered(world, 'diff', '')).toEqual(['memo']);
    expect(await offered(world, 'doctor', '')).toEqual(['memo']);
    expect(world.files()['home/started']).toBe(started);
  });

  it('nothing, rather than a fault, where files are broken', async () => {
    const world = await worldWith();
    world.write('home/.claude.json', '{');
    world.write('home/.local/state/mcphooks/record.json', '{ "schema": 99 }');
    expect(await offered(world, 'install', '')).toEqual([]);
  });
});

describe.skipIf(!has('bash'))('bash', () => {
  /** Completes the last of the words as bash breaks them. */
  async function completed(world: World, ...words: string[]): Promise<string[]> {
    const { stdout: script } = await world.run('completions', 'bash');
    const file = world.write('completions.bash', script);
    const code = `source '${file}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mcphooks mcphooks; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p mcphooks`;
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', code, 'bash', 'mcphooks', ...words], {
      cwd: world.project,
      env: world.env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.pop()).toContain('_mcphooks');
    return lines.filter(Boolean);
  }

  it.runIf(LONG)('completes commands, options and names', async () => {
    const world = await worldWith();
    expect(await completed(world, 'unin')).toEqual(['uninstall']);
    expect(await completed(world, 'install', 'me')).toEqual(['memo']);
    expect(await completed(world, 'install', 'memo', '--ses')).toEqual(['--session-end']);
    expect(await completed(world, 'install', '--client', 'codex,cl')).toEqual(['codex,claude-code']);
    expect(await completed(world, 'install', 'zzz')).toEqual([]);
  });

  it.runIf(LONG)('completes names with colons and spaces', async () => {
    const world = await worldWith();
    expect(await completed(world, 'install', 'plu')).toEqual(['plugin:kit:memo']);
    expect(await completed(world, 'install', 'plugin', ':', 'kit', ':', 'm')).toEqual(['memo']);
    expect(await completed(world, 'install', 'plugin', ':')).toEqual(['kit:memo']);
    expect(await completed(world, 'install', 'my')).toEqual(['my\\ notes']);
    expect(await completed(world, 'install', 'my\\ n')).toEqual(['my\\ notes']);
  });
});

describe('PowerShell', () => {
  it('doubles each character that PowerShell takes for a quote, in a name that it quotes', async () => {
    const { stdout } = await makeWorld().run('completions', 'powershell');
    const doubled = /\$value -replace "(\S+)", '\$0\$0'/.exec(stdout)?.[1] ?? 'nothing';
    const quoted = "'\u2018\u2019\u201a\u201b".replace(new RegExp(doubled, 'g'), '$&$&');
    expect(quoted).toBe("''\u2018\u2018\u2019\u2019\u201a\u201a\u201b\u201b");
  });
});

/** Types lines into a zsh at a terminal of its own, each with a tab behind, and prints what they became. */
const TYPE = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell ". $1"
zpty -r -m shell got '*ready*'
for line in "\${@:2}"; do
  zpty -w -n shell "$line"$'\\t\\x18'
  zpty -r -m shell got '*<<*>>*'
  print -r -- "\${\${got##*<<}%%>>*}"
done
zpty -d shell`;

describe.skipIf(!ALL || !has('zsh'))('zsh', () => {
  it('completes commands, options and names, with colons and spaces too', async () => {
    const world = await worldWith();
    const script = world.write('completions.zsh', (await world.run('completions', 'zsh')).stdout);
    const setup = world.write(
      'setup.zsh',
      `autoload -U compinit; compinit -u -D; . '${script}'
show() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey '^X' show; PS1=; print ready`,
    );
    const typed = {
      'mcphooks unin': 'mcphooks uninstall',
      'mcphooks install me': 'mcphooks install memo',
      'mcphooks install memo --session-e': 'mcphooks install memo --session-end',
      'mcphooks install plugin:k': 'mcphooks install plugin:kit:memo',
      'mcphooks install my': 'mcphooks install my\\ notes',
      'mcphooks install --client codex,cl': 'mcphooks install --client codex,claude-code',
    };
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', TYPE, 'zsh', setup, ...Object.keys(typed)], {
      cwd: world.project,
      env: { ...world.env, TERM: 'dumb' },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(stderr).toBe('');
    expect(
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.trimEnd()),
    ).toEqual(Object.values(typed));
  });
});

describe.skipIf(!ALL || !has('fish'))('fish', () => {
  it('completes commands, options and names, with colons and spaces too', async () => {
    const world = await worldWith();
    const file = world.write('completions.fish', (await world.run('completions', 'fish')).stdout);
    const typed = {
      'mcphooks unin': 'uninstall',
      'mcphooks install me': 'memo',
      'mcphooks install memo --session-e': '--session-end',
      'mcphooks install plugin:k': 'plugin:kit:memo',
      'mcphooks install my': 'my notes',
      'mcphooks install --client codex,cl': 'codex,claude-code',
    };
    const asks = Object.keys(typed).map((line) => `complete -C '${line}'`);
    const { stdout, stderr } = spawnSync(
      'fish',
      ['--no-config', '-c', `source '${file}'; ${asks.join('; ')}`],
      {
        cwd: world.project,
        env: world.env,
        encoding: 'utf8',
      },
    );
    expect(stderr).toBe('');
    const values = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(values).toEqual(Object.values(typed));
  });
});

it('refuses a shell that it does not know', async () => {
  expect((await makeWorld().run('completions', 'tcsh')).code).toBe(1);
});
