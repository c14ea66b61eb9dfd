import { afterEach, expect, it } from 'vitest';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();

const { node } = process.versions;
const pretend = (name: string, value: string): void =>
  void Object.defineProperty(process.versions, name, { value, configurable: true, enumerable: true });
afterEach(() => {
  for (const name of ['bun', 'deno']) Reflect.deleteProperty(process.versions, name);
  pretend('node', node);
});

// Hook scripts name the program that ran the install.
it.each([
  ['bun', '1.4.5', 'this is Bun 1.4.5'],
  ['deno', '2.5.0', 'this is Deno 2.5.0'],
  ['node', '18.20.8', 'this is Node 18.20.8'],
])('refuses to run in %s %s', async (name, version, said) => {
  const world = homeWith(COMMIT);
  const before = world.files();
  pretend(name, version);
  const { code, stdout, stderr } = await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(said);
  expect(world.files()).toEqual(before);
  const { faults } = JSON.parse((await world.run('list', '--json')).stdout);
  expect(faults).toMatchObject([{ code: 'internal.not-node' }]);
});
