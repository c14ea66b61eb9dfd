import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { FireData } from '../../src/fire/format.ts';
import { isActive } from '../../src/fire/installs/active-install.ts';
import { userHooksOf } from '../../src/plan/compile/user-hooks.ts';
import { homeEnv } from '../platform.ts';
import { put, scratch } from '../store/support.ts';

/** A home in which an entry of Codex is installed, and a function that switches it off by a flag of its review. */
function codexHome(enabled: string) {
  const codex = clientById('codex');
  const gates = { ...codex.gates, review: codex.gates.review && { ...codex.gates.review } };
  if (gates.review) gates.review.fields = { hash: 'trusted_hash', enabled };
  const client = { ...codex, gates } as typeof codex;
  const about = { client, slug: 'memo', servers: { alias: 'memo', known: [], serverName: 'memo' } };
  const userHooks = userHooksOf('Stop', about);
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
  const runs = (flag: string, named = file): boolean => {
    const key = codex.gates.review?.key(named, 'Stop', 0, 0);
    put(file, `${entry}[hooks.state.${JSON.stringify(key)}]\n${flag} = false\n`);
    return isActive(installed, data, ['/mark/'], home, homeEnv(home));
  };
  return { home, userHooks, runs };
}

it.each([
  ['enabled', undefined],
  ['active', 'active'],
])('tells by the flag `%s` of a review that an entry is switched off', (enabled, written) => {
  const { userHooks, runs } = codexHome(enabled);
  expect(userHooks.review?.enabled).toBe(written);
  expect(runs('other')).toBe(true);
  expect(runs(enabled)).toBe(false);
});

it('finds the review of a file behind a link by either path', () => {
  const { home, runs } = codexHome('enabled');
  mkdirSync(join(home, 'dotfiles'));
  symlinkSync(join(home, 'dotfiles'), join(home, '.codex'));
  for (const folder of ['.codex', 'dotfiles']) {
    const named = join(home, folder, 'config.toml');
    expect(runs('other', named)).toBe(true);
    expect(runs('enabled', named)).toBe(false);
  }
});
