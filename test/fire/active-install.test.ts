import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { FireData } from '../../src/fire/format.ts';
import { isActive } from '../../src/fire/installs/active-install.ts';
import { userHooksOf } from '../../src/plan/compile/user-hooks.ts';
import { homeEnv } from '../platform.ts';
import { put, scratch } from '../store/support.ts';

it.each([
  ['enabled', undefined],
  ['active', 'active'],
])('tells by the flag `%s` of a review that an entry is switched off', (enabled, written) => {
  const codex = clientById('codex');
  const gates = { ...codex.gates, review: codex.gates.review && { ...codex.gates.review } };
  if (gates.review) gates.review.fields = { hash: 'trusted_hash', enabled };
  const about = { slug: 'memo', servers: { alias: 'memo', known: [], serverName: 'memo' } };
  const userHooks = userHooksOf({ ...codex, gates } as typeof codex, 'Stop', about);
  expect(userHooks.review?.enabled).toBe(written);

  const home = scratch();
  const file = join(home, '.codex/config.toml');
  const entry = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = "/mark/"\n';
  const installed = {
    server: 'memo',
    serverName: 'memo',
    slug: 'memo',
    scope: 'user',
    clients: { codex: { file, digest: '', own: {} } },
  };
  const data = { client: 'codex', native: 'Stop', userHooks, hooks: [] } as unknown as FireData & {
    userHooks: typeof userHooks;
  };
  const runs = (flag: string): boolean => {
    const key = codex.gates.review?.key(file, 'Stop', 0, 0);
    put(file, `${entry}[hooks.state.${JSON.stringify(key)}]\n${flag} = false\n`);
    return isActive(installed, data, ['/mark/'], home, homeEnv(home));
  };
  expect(runs('other')).toBe(true);
  expect(runs(enabled)).toBe(false);
});
