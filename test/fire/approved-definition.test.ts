import { expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { approvedDefinition } from '../../src/fire/approval/approved-definition.ts';
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
