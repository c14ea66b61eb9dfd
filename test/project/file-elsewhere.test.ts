import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
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
