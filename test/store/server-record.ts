import { fullRecordShapes } from '../../src/plan/option-shapes.ts';
import { readFileState } from '../../src/store/files.ts';
import * as store from '../../src/store/record.ts';
import type { RecordDocument, ServerRecord } from '../../src/store/types.ts';

export const readRecord = (state: string): store.RecordReading => {
  const file = store.recordFile(state);
  return store.parseRecord(readFileState(file), file, fullRecordShapes);
};
export const putServer = (record: RecordDocument, server: ServerRecord): RecordDocument =>
  store.putServer(record, server, fullRecordShapes);

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

/** Returns the bytes of a record file, as this version writes it. */
export function recordBytes(record: RecordDocument): Uint8Array {
  const [change] = store.recordChanges('', { record, bytes: null }, record);
  return change?.after ?? Buffer.of();
}
