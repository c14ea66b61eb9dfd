import type { Files } from '../base/files.ts';
import type { Client } from '../clients/client.ts';
import type { EntryChange, WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages/fault.ts';
import { holdsEntries, holdsJoint } from '../shims/command.ts';
import { hashOfOwn, type OwnFile } from '../shims/own-files.ts';
import { type WrittenEntries, writtenGroup } from '../store/record.ts';
import type { ClientRecord, EditedEntry } from '../store/types.ts';
import { type EditedFile, programIn } from './hook-file.ts';
import type { PlanInput } from './input.ts';
import type { Scope } from './scopes/scope.ts';
import type { EditedPlace } from './types.ts';

/** Returns the record of an install on one client. */
export function clientRecord(
  digest: string,
  edited: EditedFile,
  entries: readonly WantedEntry[],
  wanted: readonly OwnFile[],
  previous: Partial<ClientRecord>,
  now: string,
): ClientRecord {
  return {
    ...previous,
    digest,
    since: (previous.digest === digest ? previous.since : undefined) ?? now,
    file: edited.chosen.file,
    ...programIn(edited),
    entries: entries.map(({ event, key, group }) => ({ event, key, group })),
    own: Object.fromEntries(wanted.map((file) => [file.path, hashOfOwn(file)])),
  };
}

/** Returns what the record holds of a file's edited entries that stay although they aren't wanted there any more. */
export function leftEdited(
  { file, entryChanges }: EditedPlace,
  wanted: readonly WantedEntry[],
  written: WrittenEntries | undefined,
): EditedEntry[] {
  const isWanted = (change: EntryChange): boolean =>
    wanted.some(({ event, key }) => event === change.event && key === change.key);
  return entryChanges
    .filter((change) => change.kind === 'kept-edited' && !isWanted(change))
    .flatMap(({ event, key }) => {
      const group = writtenGroup(written, file, event, key);
      return group ? [{ event, key, group, file }] : [];
    });
}

/** Returns the files of other folders of the client that still hold entries of the server. */
export function otherFiles(
  chosen: string,
  scopes: readonly (Scope | undefined)[],
  client: Client,
  previous: ClientRecord | undefined,
  { slug, files }: PlanInput,
): Pick<ClientRecord, 'others'> {
  const here = scopes.flatMap((scope) => scope?.hookFiles(client, slug).map(({ file }) => file) ?? []);
  const others = [previous?.file ?? [], previous?.others ?? []]
    .flat()
    .filter((file) => file !== chosen && !here.includes(file) && holds(file, slug, files));
  return others.length > 0 ? { others: [...new Set(others)] } : {};
}

function holds(path: string, slug: string, { read }: Pick<Files, 'read'>): boolean {
  try {
    const bytes = read(path);
    return holdsEntries(bytes, slug) || holdsJoint(bytes);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return true;
  }
}
