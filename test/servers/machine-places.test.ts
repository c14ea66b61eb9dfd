import { join, parse, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { machinePlaces } from '../../src/servers/definitions/machine-places.ts';
import type { Definition } from '../../src/servers/types.ts';

it('finds a folder in whatever form its variable names it', () => {
  const home = resolve('/home/me');
  const parts = [join(home, 'server'), `cd ${home} && memo`];
  const server: Definition = { transport: 'stdio', command: 'sh', args: [...parts, `${home}-2`], env: {} };
  for (const form of [home, `${home}/`, `${home}/../me`])
    expect(machinePlaces(server, [form], { inProject: false }), form).toEqual(parts);
  expect(machinePlaces(server, [parse(home).root], { inProject: false })).toEqual([]);
});
