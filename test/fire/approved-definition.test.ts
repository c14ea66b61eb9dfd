import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LOCK } from '../../src/base/paths.ts';
import { clientById } from '../../src/clients/index.ts';
import { approvedDefinition } from '../../src/fire/approval/approved-definition.ts';
import { definitionHash } from '../../src/servers/definitions/definition-hash.ts';
import { HOME } from '../plan/golden.ts';
import { homeEnv } from '../platform.ts';

const place = (client: 'codex' | 'droid', env: Record<string, string>) => ({
  source: { client, scope: 'user' as const, file: `${HOME}/servers`, pointer: ['memo'] },
  dialect: clientById(client).mcp.dialect,
  definition: { transport: 'stdio' as const, command: 'memo', args: [], env },
});
const [codex, droid] = [place('codex', {}), place('droid', { KEY: '${NOPE}' })];
const incident = (...[first, ...others]: (typeof codex)[]) =>
  approvedDefinition({ ...first, hash: 'f'.repeat(64), others, callMs: 1 } as never, 'claude-code', {
    folder: HOME,
    env: { HOME },
    state: `${HOME}/.local/state/mcphooks`,
  });

it('tells of a variable that is not set where nothing else is known', () => {
  expect(incident(droid)).toEqual({ incident: 'definition.unset' });
  expect(incident(codex, droid)).toEqual({ incident: 'definition.changed' });
  expect(incident(droid, codex)).toEqual({ incident: 'definition.changed' });
});

it('takes the hash without the dialect for data of an earlier version alone, which name no folder', () => {
  const shop = `${HOME}/shop`;
  const source = { client: 'codex', scope: 'project', file: `${shop}/servers`, pointer: ['memo'] } as const;
  const found = (folder: string | undefined, dialect: typeof codex.dialect | undefined) =>
    approvedDefinition(
      {
        ...codex,
        source,
        folder,
        hash: definitionHash(codex.definition, source, dialect),
        callMs: 1,
      } as never,
      'codex',
      { folder: shop, env: { HOME }, state: `${HOME}/.local/state/mcphooks` },
    );
  const approved = { definition: codex.definition, folder: shop };
  const changed = { incident: 'definition.changed' };
  expect([found(undefined, undefined), found(shop, codex.dialect)]).toMatchObject([approved, approved]);
  expect([found(undefined, codex.dialect), found(shop, undefined)]).toEqual([changed, changed]);
});

it('takes the folder above the file of an earlier version for the project only in the same repository', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-')));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const shop = join(home, 'shop');
  mkdirSync(join(shop, '.codex'), { recursive: true });
  writeFileSync(join(shop, LOCK), '');
  const found = (session: string, ...file: string[]) => {
    const source = {
      client: 'codex',
      scope: 'project',
      file: join(shop, ...file),
      pointer: ['memo'],
    } as const;
    const server = { ...codex, source, hash: definitionHash(codex.definition, source, undefined), callMs: 1 };
    const state = join(home, 'state');
    return approvedDefinition(server as never, 'codex', { folder: session, env: homeEnv(home), state });
  };
  expect(found(shop, '.codex', 'config.toml')).toMatchObject({ folder: shop });
  expect(found(home, 'servers')).toEqual({ incident: 'definition.elsewhere' });
});
