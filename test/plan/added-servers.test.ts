import { expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { matchesAddedServers } from '../../src/plan/client/added-servers.ts';
import { cpuTime } from '../effort.ts';

type Hooks = Parameters<typeof matchesAddedServers>[0];

it('servers that a project adds are found in time proportional to their number', () => {
  const client = CLIENTS.find(({ tools }) => tools.payload.server === undefined);
  const names = Array.from({ length: 40_000 }, (_, i) => `server-${i}`);
  const data = (aliases: string[]) => ({
    hooks: [],
    payload: { prefixes: aliases.map((one) => [one, one]) },
  });
  const hooks = { shims: [{ native: 'PreToolUse', data: data(names) }], client };
  const before = Buffer.from(JSON.stringify(data(names.slice(20_000))));
  expect(client).toBeDefined();
  const compare = () =>
    expect(matchesAddedServers(hooks as unknown as Hooks, names.toReversed(), '/', () => before)).toBe(false);
  expect(cpuTime(compare)).toBeLessThan(1_000);
});
