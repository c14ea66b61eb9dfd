import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Files } from '../../src/base/files.ts';
import { clientById } from '../../src/clients/index.ts';
import { usedTextAt } from '../../src/plan/client/used-texts.ts';
import { limited } from '../../src/plan/limited.ts';
import { cleanWorlds } from '../cli/world.ts';
import { cpuTime, LONG } from '../effort.ts';
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

it.runIf(LONG)('a link to a large file of the root is not searched again', async () => {
  const world = await team('--client', 'claude-code');
  const file = join(world.project, '.claude', 'settings.json');
  writeFileSync(file, readFileSync(file, 'utf8') + ' '.repeat(2 ** 20));
  for (let i = 0; i < 20; i++) {
    mkdirSync(join(world.project, `part${i}`));
    symlinkSync(join('..', '.claude'), join(world.project, `part${i}`, '.claude'));
  }
  commit(world);
  expect(await world.run(...DIFF)).toMatchObject({ code: 0 });
});

it('no more than 16 MB of files are read to find whose text a client uses', () => {
  const root = join('/', 'project');
  const folder = join(root, '.github', 'hooks');
  const names = Array.from({ length: 40 }, (_, i) => `a${i}.json`);
  const large = Buffer.from(`{"hooks": {"userPromptSubmitted": [{"bash": "true"}]}}${' '.repeat(2 ** 20)}`);
  const read: string[] = [];
  const used = usedTextAt(
    clientById('copilot'),
    { native: 'userPromptSubmitted', mine: join(folder, 'mcphooks.json') },
    { env: { HOME: join('/', 'home') }, root, version: '1.0.0' },
    {
      read: (path) => {
        read.push(path);
        return path.startsWith(folder) ? large : null;
      },
      list: (path) => (path === folder ? names.map((name) => ({ name, kind: 'file' as const })) : 'gone'),
      isExecutable: () => true,
      real: (path) => path,
    },
  );
  expect(read.filter((path) => path.startsWith(folder))).toHaveLength(16);
  expect(used?.files).toHaveLength(16);
});

it('thousands of files beyond the limit take little time in one folder', () => {
  const folder = join('/', 'project', 'hooks');
  const names = Array.from({ length: 3000 }, (_, i) => `a${i}.json`);
  const { read } = limited<Files>({
    read: () => Buffer.alloc(2 ** 24),
    list: () => names.map((name) => ({ name, kind: 'link' as const })),
    isExecutable: () => true,
    real: (path) => path,
  });
  const [first = '', ...others] = names.map((name) => join(folder, name));
  read(first);
  const time = cpuTime(() => {
    for (const path of others) expect(() => read(path)).toThrow();
  });
  expect(time).toBeLessThan(2000);
  expect(read(join(folder, 'b.json'))).toBe(null);
});
