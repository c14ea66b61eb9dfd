import type { ServerRecord } from '../../src/apply/types.ts';

export function serverRecord(slug: string, fields: Partial<ServerRecord> = {}): ServerRecord {
  return {
    server: slug,
    slug,
    scope: 'user',
    tag: 'tag',
    since: '2026-01-01T00:00:00.000Z',
    declarations: [{ event: 'pre_request', context: 'x', priority: 'suggestion' }],
    declarationsHash: 'hash',
    from: { kind: 'server', era: 'initialize', place: 'hooks' },
    options: {
      only: [],
      skip: [],
      sessionEnd: 'skip',
      postRequest: 'defer',
      maxPriority: 'important',
      cooldown: 0,
      maxText: 8000,
      maxDeclarations: 64,
      lenient: false,
      sendToolData: false,
      handler: 'shim',
      target: 'settings',
      allowInvisible: false,
    },
    clients: {},
    ...fields,
  };
}
