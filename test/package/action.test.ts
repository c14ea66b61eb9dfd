import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';

cleanWorlds();

const root = join(import.meta.dirname, '../..');
const action = readFileSync(join(root, 'action.yml'), 'utf8');

/** The steps' scripts, as YAML has them: in the line of `run`, or in the deeper lines below. */
const scripts = [...action.matchAll(/^( +)run: (?:\|\n((?:\1 {2}.*\n)+)|(.+)\n)/gm)].map(
  ([, indent = '', block, line]) => line ?? (block ?? '').replaceAll(new RegExp(`^${indent}  `, 'gm'), ''),
);

/**
 * Runs every step as a runner would: bash, which ends at the first command that fails. What is built is taken as it is,
 * since setup.mjs might install packages under the other tests.
 */
function act(world: World, target: string, command = '') {
  const action = dirname(world.write('action/setup.mjs', `console.log('made ready')`));
  rmSync(join(action, 'dist'), { force: true });
  symlinkSync(join(root, 'dist'), join(action, 'dist'), 'dir');
  const summary = join(world.home, 'summary.md');
  world.write('home/summary.md', '');
  const env = {
    ...world.env,
    TARGET: target,
    COMMAND: command,
    GITHUB_ACTION_PATH: action,
    GITHUB_WORKSPACE: world.project,
    GITHUB_STEP_SUMMARY: summary,
  };
  let said = '';
  for (const script of scripts) {
    const how = { cwd: world.project, env, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
      how,
    );
    said += stdout + stderr;
    if (status !== 0) return { status, said, summary: readFileSync(summary, 'utf8') };
  }
  return { status: 0, said, summary: readFileSync(summary, 'utf8') };
}

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'x',
  priority: 'suggestion',
};
const title = `| hook | on ${CLIENTS.map((c) => c.title).join(', ')} |`;

it.runIf(LONG)('action.yml lints a file: annotations and a summary', () => {
  expect(scripts).toHaveLength(2);
  expect(existsSync(join(root, 'setup.mjs'))).toBe(true);
  const world = makeWorld();
  const hooks = (...declarations: object[]) =>
    world.write('project/my hooks.json', JSON.stringify({ declarations }, null, 2));
  hooks(COMMIT);
  expect(act(world, 'my hooks.json')).toEqual({
    status: 0,
    said: 'made ready\n',
    summary: expect.stringContaining(title),
  });
  hooks({ ...COMMIT, event: 'never' });
  const failed = act(world, 'my hooks.json');
  expect(failed.status).toBe(1);
  expect(failed.said).toMatch(
    /^made ready\n::error file=my hooks\.json,line=4,col=\d+,title=mcphooks decl\.choice::/,
  );
  expect(failed.summary).toContain('1 fault');
});

it.runIf(ALL)('action.yml lints a server, by a command of the shell', () => {
  const world = makeWorld();
  const file = world.write('project/declared.json', JSON.stringify({ declarations: [COMMIT] }));
  const { command, args } = serverEntry(file);
  const { status, said, summary } = act(
    world,
    'memo',
    `NAME='a b' && '${command}' '${args[0]}' declared.json`,
  );
  expect([status, said]).toEqual([0, 'made ready\n']);
  expect(summary).toContain(title);
  expect(act(world, 'memo', 'exit 3').status).toBe(1);
});

it('action.yml takes no input but by the environment, and names what its inputs are', () => {
  expect(scripts.join('\n')).not.toContain('${{');
  const used = [...action.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
  for (const name of used) expect(action).toMatch(new RegExp(`^  ${name}:\\n    description: `, 'm'));
});
