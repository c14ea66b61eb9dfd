import { expect, it } from 'vitest';
import { cleanWorlds } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { commit, installedTeams } from './team.ts';

cleanWorlds();
const team = installedTeams();
const DIFF = ['diff', '--offline', '--scope', 'project'];

it.runIf(LONG).each([
  ['a folder of hooks', (i: number) => `.github/hooks/a${i}.json`],
  ['folders below', (i: number) => `part${i}/.claude/settings.json`],
])(
  'no more than 16 MB of files are searched for our commands, and one fault says so: in %s',
  async (_, path) => {
    const world = await team('--client', 'claude-code');
    const large = `{"hooks": {}}${' '.repeat(2 ** 20)}`;
    for (let i = 0; i < 15; i++) world.write(`project/${path(i)}`, large);
    commit(world);
    expect(await world.run(...DIFF)).toMatchObject({ code: 0 });
    for (let i = 15; i < 20; i++) world.write(`project/${path(i)}`, large);
    const { code, stderr } = await world.run(...DIFF);
    expect(code).toBe(2);
    expect(stderr.split('searched before it have 16 MB together')).toHaveLength(2);
  },
);
