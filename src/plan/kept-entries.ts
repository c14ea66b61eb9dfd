import type { Client } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { signatureOf } from '../edit/decide.ts';
import { ownShim } from '../shims/entry-owner.ts';
import type { KeptEntry, RecordDocument, ServerRecord } from '../store/types.ts';
import type { PlanInput } from './input.ts';

type Scoped = Pick<PlanInput, 'reading' | 'scope' | 'slug'>;

/** Returns the edited entries that earlier uninstalls of the server left in a client's files. */
export const keptEntriesOn = (client: Client, { reading, scope, slug }: Scoped): KeptEntry[] =>
  reading.record.kept?.filter(
    ({ group }) =>
      ownShim(signatureOf(group.hooks[0]) ?? '', { slug, client: client.id, scope }, () => true) !==
      undefined,
  ) ?? [];

/**
 * Returns a record without the edited entries that uninstalls left and that the server's record, `next`, has again. An
 * install in another file, or without the entry's declaration, writes nothing of an entry, which stays as it was left.
 */
export function withoutKeptEntries(
  record: RecordDocument,
  next: ServerRecord,
  { clients, ...input }: Scoped & Pick<PlanInput, 'clients'>,
): RecordDocument {
  const { kept = [], ...rest } = record;
  const again = clients.flatMap((id) => {
    const client = clientById(id);
    const { file, entries = [] } = next.clients[id] ?? {};
    // The record names one file, but some clients have a server's entries in several.
    const files = [
      file,
      ...(client.hooks.shadows ? input.scope.hookFiles(client, input.slug) : []).map((p) => p.file),
    ];
    return keptEntriesOn(client, input).filter(
      (one) => files.includes(one.file) && entries.some((e) => e.event === one.event && e.key === one.key),
    );
  });
  const stay = kept.filter((one) => !again.includes(one));
  return stay.length > 0 ? { ...rest, kept: stay } : rest;
}
