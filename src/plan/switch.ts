import { dirname } from 'node:path';
import { readFileState } from '../apply/files.ts';
import { findServer, isSame, type ServerKey } from '../apply/record.ts';
import { slugFor } from '../apply/slug.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../apply/types.ts';
import { CLIENT_IDS, type ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { findExported } from '../server/exported.ts';
import { notInstalled } from './installed.ts';
import { disabledMarker } from './own-files.ts';
import { openRecord, settle } from './settle.ts';
import { type Site, userSite } from './site.ts';
import { sitesHere } from './sites.ts';
import { withRecord } from './with-record.ts';
import { underLock } from './write.ts';

export interface Switched {
  server: string;
  changed: boolean;
  /** Clients that call tools of the server themselves: no marker of ours is looked at there. */
  unreached: ClientId[];
}

/**
 * Silences every install of a server that acts here, or lets it speak again: on this machine alone, whatever a project
 * shares. Faults: `plan.not-installed`, and as `underLock`.
 */
export async function switchServer(server: string, disabled: boolean, context: Context): Promise<Switched> {
  await settle(context);
  const slug = slugFor(server);
  const here = await sitesHere(context);
  const found = here.flatMap(({ site, servers }) =>
    servers.filter((s) => s.slug === slug).map((known) => ({ site, known })),
  );
  const exported = findExported(context).filter((e) => slugFor(e.server) === slug);
  const [name] = [...found.map(({ known }) => known.server), ...exported.map((e) => e.server)];
  if (name === undefined) throw await notInstalled(server, context, { here });
  // An exported shim goes by the same marker as the user's own.
  const user = userSite(context.env, context.paths);
  const markers = exported.length > 0 ? [user.marker(slug)] : [];
  const paths = [...new Set([...markers, ...found.flatMap(({ site, known }) => markerFiles(known, site))])];
  return underLock(context, () => {
    const reading = openRecord(context);
    const switches = paths.flatMap((path): FileChange[] => {
      const before = readFileState(path);
      const after = disabled ? Buffer.from('') : null;
      return (before === null) === (after === null) ? [] : [{ path, before, after, mode: 0o600 }];
    });
    const input = { reading, site: context.site, now: context.now() };
    const record = found.reduce((all, { known }) => switched(all, known, disabled), reading.record);
    const { changes, emptied } = withRecord(switches, record, input);
    const unreached = CLIENT_IDS.filter((id) =>
      found.some(({ known }) => known.clients[id]?.entries.some((e) => e.group.hooks[0]?.type !== 'command')),
    );
    return {
      result: {
        server: name,
        changed: changes.length > 0,
        unreached: disabled ? unreached : [],
      },
      changes,
      emptied,
    };
  });
}

/** The machine's record, in which what a project shares isn't. */
function switched(record: RecordDocument, key: ServerKey, disabled: boolean): RecordDocument {
  const { disabled: _before, ...rest } = findServer(record, key) ?? {};
  if (!('slug' in rest)) return record;
  const next = (disabled ? { ...rest, disabled } : rest) as ServerRecord;
  return { ...record, servers: record.servers.map((s) => (isSame(s, key) ? next : s)) };
}

/** What silences the shims of a server; at install time the data folder may have been another one. */
export function markerFiles(server: ServerRecord, site: Site): string[] {
  const folders = Object.values(server.clients)
    .flatMap((client) => Object.keys(client.own))
    .filter((path) => path.includes(`/mcphooks/hooks/${server.slug}/`))
    .map((path) => dirname(dirname(dirname(path))));
  return [...new Set([site.marker(server.slug), ...folders.map(disabledMarker)])];
}
