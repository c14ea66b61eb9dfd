import { dirname } from 'node:path';
import { readFileState } from '../apply/files.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../apply/types.ts';
import { CLIENT_IDS, type ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import type { OwnPaths } from '../paths.ts';
import { installed } from './installed.ts';
import { disabledMarker, serverFolder } from './own-files.ts';
import { openRecord, settle } from './settle.ts';
import { withRecord } from './with-record.ts';
import { underLock } from './write.ts';

export interface Switched {
  server: string;
  changed: boolean;
  /** Clients that call tools of the server themselves: no marker of ours is looked at there. */
  unreached: ClientId[];
}

/** Silences an install, or lets it speak again. Faults: `plan.not-installed`, and as `underLock`. */
export async function switchServer(server: string, disabled: boolean, context: Context): Promise<Switched> {
  await settle(context);
  return underLock(context, () => {
    const reading = openRecord(context);
    const known = installed(reading.record.servers, server);
    const { disabled: _before, ...rest } = known;
    const next: ServerRecord = disabled ? { ...rest, disabled } : rest;
    const markers = markerFiles(known, context.paths).flatMap((path): FileChange[] => {
      const before = readFileState(path);
      const after = disabled ? Buffer.from('') : null;
      return (before === null) === (after === null) ? [] : [{ path, before, after, mode: 0o600 }];
    });
    const input = { reading, site: context.site, now: context.now() };
    const { changes, emptied } = withRecord(markers, replaced(reading.record, next), input);
    const unreached = CLIENT_IDS.filter((id) =>
      known.clients[id]?.entries.some((e) => e.group.hooks[0]?.type !== 'command'),
    );
    return {
      result: { server: known.server, changed: changes.length > 0, unreached: disabled ? unreached : [] },
      changes,
      emptied,
    };
  });
}

function replaced(record: RecordDocument, next: ServerRecord): RecordDocument {
  return { ...record, servers: record.servers.map((s) => (s.slug === next.slug ? next : s)) };
}

/** What silences the shims of a server; at install time the data folder may have been another one. */
export function markerFiles(server: ServerRecord, paths: OwnPaths): string[] {
  const folders = Object.values(server.clients)
    .flatMap((client) => Object.keys(client.own))
    .filter((path) => path.includes(`/mcphooks/hooks/${server.slug}/`))
    .map((path) => dirname(dirname(dirname(path))));
  return [...new Set([serverFolder(paths, server.slug), ...folders])].map(disabledMarker);
}
