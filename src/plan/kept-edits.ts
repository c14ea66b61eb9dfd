import type { Client } from '../clients/client.ts';
import { signatureOf } from '../edit/decide.ts';
import { ownShim } from '../shims/entry-owner.ts';
import type { KeptEntry, RecordDocument } from '../store/types.ts';
import type { PlanInput } from './input.ts';

type Scoped = Pick<PlanInput, 'reading' | 'scope' | 'slug'>;

/** Returns the edited entries that earlier uninstalls of the server left in a client's files. */
export const keptOn = (client: Client, { reading, scope, slug }: Scoped): KeptEntry[] =>
  reading.record.kept?.filter(
    ({ group }) =>
      ownShim(signatureOf(group.hooks[0]) ?? '', slug, client.id, scope, () => true) !== undefined,
  ) ?? [];

/** Returns a record without the edited entries that uninstalls left on these clients, where the server is installed again. */
export function withoutKept(
  record: RecordDocument,
  clients: readonly Client[],
  input: Scoped,
): RecordDocument {
  const { kept = [], ...rest } = record;
  const stay = kept.filter((one) => !clients.some((client) => keptOn(client, input).includes(one)));
  return stay.length > 0 ? { ...rest, kept: stay } : rest;
}
