import { expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { approvedDefinition } from '../../src/fire/approval/approved-definition.ts';
import { definitionHash } from '../../src/servers/definitions/definition-hash.ts';
import { HOME } from '../plan/golden.ts';

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
