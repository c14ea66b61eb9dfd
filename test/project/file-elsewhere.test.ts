import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { installIn, START, teamWorld } from './team.ts';

cleanWorlds();

const exported = (world: World): string[] => ['--format', 'claude-plugin', '--out', join(world.home, 'out')];

/** Whether the command's stderr names the scope of another install with a file, and what to add. */
async function told(world: World, ...words: string[]): Promise<string[]> {
  const { stderr } = await world.run(...words);
  const scope = /--scope (\w+)/.exec(stderr)?.[1] ?? [];
  const add = /add (--declarations [^.]+\.json)/.exec(stderr)?.[1] ?? [];
  return [scope, add].flat();
}

describe.each(LONG ? (['project', 'local'] as const) : (['project'] as const))(
  'a file of declarations that only an install at scope %s uses',
  (scope) => {
    it.runIf(LONG)('is named by lint and export, which look at the installs of the user alone', async () => {
      const world = teamWorld();
      world.write('project/.git/info/exclude', 'settings.local.json\n');
      const hook = { event: 'pre_request', context: 'Look.', priority: 'suggestion' };
      world.write('project/own/hooks.json', JSON.stringify([hook]));
      const file = 'own/hooks.json';
      await installIn(world, '--scope', scope, '--client', 'claude-code', '--declarations', file);
      const said = [scope, `--declarations ${file}`];
      expect(await told(world, 'lint', 'memo')).toEqual(said);
      expect(await told(world, 'export', 'memo', ...exported(world), '--dry-run')).toEqual(said);
      expect(await told(world, 'lint', 'memo', '--json')).toEqual(said);
      // The advice works, and nothing is said where the command line itself says what counts.
      for (const more of [['--declarations', file], ['--reset'], ['--', START.command, ...START.args]])
        expect(await told(world, 'lint', 'memo', ...more)).toEqual([]);
      const { stdout } = await world.run('lint', 'memo', '--declarations', file, '--no-check');
      expect(stdout).toContain('1 hook');
      expect(await told(world, 'lint', file)).toEqual([]);
      await installIn(world, '--client', 'claude-code', '--declarations', file);
      expect(await told(world, 'lint', 'memo')).toEqual([]);
    });
  },
);

describe('for a project', () => {
  it('a file of declarations outside of it is refused: others would not have it', async () => {
    const world = teamWorld();
    const file = world.write('home/hooks.json', JSON.stringify([]));
    const before = world.files();
    const flags = ['--scope', 'project', '--client', 'claude-code', '--yes'];
    const ran = await world.run('install', 'memo', ...flags, '--declarations', file, '--no-check');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('is outside the project');
    expect(world.files()).toEqual(before);
  });

  it.skipIf(WINDOWS)('a file of declarations with a backslash in its name is refused', async () => {
    const world = teamWorld();
    world.write('project/a\\b.json', '[]');
    const flags = ['--scope', 'project', '--client', 'claude-code', '--yes', '--no-check'];
    const { code, stdout } = await world.run(
      ...['install', 'memo', ...flags, '--declarations', 'a\\b.json', '--json'],
    );
    expect([code, JSON.parse(stdout).faults]).toMatchObject([1, [{ code: 'project.backslash' }]]);
  });

  it.runIf(LONG)('--frozen installs no server that the lock file lacks', async () => {
    const world = teamWorld();
    await installIn(world, '--scope', 'project', '--client', 'claude-code');
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: START, other: START } }));
    const before = world.files();
    const ran = await world.run('install', 'other', '--scope', 'project', '--frozen', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("the lock file has no server 'other'");
    expect(world.files()).toEqual(before);
  });
});
