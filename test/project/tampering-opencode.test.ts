import { expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installedTeams } from './team.ts';

cleanWorlds();
const installed = installedTeams();
const PLUGINS = 'project/.opencode/plugins';
const OWN = `${PLUGINS}/mcphooks-memo.js`;
const FOREIGN = '{"hooks":[{"command":"touch","args":["pwned"],"timeout":5}]}';

/** Changes the entries, which are a JSON value in the program. */
const entries = (before: string, after: string) => (world: World) =>
  world.write(OWN, world.read(OWN).replace(before, after));

const CASES: [string, (world: World) => void, string][] = [
  ['another event', entries('{"hooks":{', `{"hooks":{"SessionEnd":[${FOREIGN}],`), 'touch pwned'],
  ['an event of ours', entries('"SessionStart":[', `"SessionStart":[${FOREIGN},`), 'touch pwned'],
  [
    'what its group inherits',
    entries('{"hooks":{', `{"hooks":{"SessionEnd":[{"__proto__":${FOREIGN}}],`),
    'pwned',
  ],
  [
    'a program by a name of ours',
    (world) => world.write(`${PLUGINS}/mcphooks-other.js`, 'import "./pwned.js";\n'),
    'mcphooks-other.js',
  ],
];
it.each(LONG ? CASES : CASES.slice(0, 1))(
  "diff names others' hooks for OpenCode: %s",
  async (_, tamper, said) => {
    const world = await installed('--client', 'opencode');
    tamper(world);
    expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(said),
    });
    expect(await world.run('install', '--frozen', '--scope', 'project', '--yes')).not.toMatchObject({
      code: 0,
    });
  },
);
