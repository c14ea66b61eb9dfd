/** A server that can't be asked, while its hooks are fixed texts: it keeps the name that it said at the install. */
import { expect, it } from 'vitest';
import { LOCK } from '../../src/base/paths.ts';
import { commit, HOOKS, installForTeam, mate, projectFiles, teamWorld } from './team.ts';

const PROJECT = ['--scope', 'project'];
const DIFF = ['diff', ...PROJECT];

it('diff finds nothing changed for a teammate who has not approved its start', async () => {
  const world = teamWorld();
  world.write('project/texts.json', JSON.stringify({ declarations: HOOKS.slice(1) }));
  await installForTeam(world);
  await installForTeam(world, '--declarations', 'texts.json', '--accept-changed');
  expect(world.read(`project/${LOCK}`)).toContain('"serverName": "declares"');
  expect(await world.run(...DIFF)).toMatchObject({ code: 0, stdout: 'memo: as installed\n' });
  commit(world);
  const other = mate(world);
  const { code, stdout, stderr } = await other.run(...DIFF);
  expect([code, stdout]).toEqual([0, 'memo: as installed\n']);
  expect(stderr).toContain("could not reach 'memo'");
  const files = projectFiles(other);
  expect(await other.run('install', 'memo', ...PROJECT, '--yes')).toMatchObject({ code: 0 });
  expect(projectFiles(other)).toEqual(files);
});
