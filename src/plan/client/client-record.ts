import type { EntryChange, WantedEntry } from '../../edit/types.ts';
import { hashOfOwn, type OwnFile } from '../../shims/own-files.ts';
import type { ClientRecord, EditedEntry } from '../../store/types.ts';
import type { PlanInput } from '../input.ts';
import { holds } from '../relocated.ts';
import type { HookFilePath } from '../scopes/scope.ts';
import type { EditedPlace } from '../types.ts';
import type { ClientTarget } from './client-target.ts';
import { type EditedFile, programIn } from './hook-file.ts';

/** Fields that say how the last install came out, which each install gives anew. */
const OF_ONE_INSTALL: readonly string[] = ['edited', 'otherFiles', 'basis', 'fidelity'];

/** Returns the record of an install on one client, with what a later version may have added to the previous one. */
export function clientRecord(
  {
    main,
    entries,
    wanted,
  }: { main: EditedFile; entries: readonly WantedEntry[]; wanted: readonly OwnFile[] },
  { digest, previous }: Pick<ClientTarget, 'digest' | 'previous'>,
  now: string,
): ClientRecord {
  const lasting = Object.entries(previous ?? {}).filter(([field]) => !OF_ONE_INSTALL.includes(field));
  return {
    ...Object.fromEntries(lasting),
    digest,
    since: previous?.digest === digest ? previous.since : now,
    file: main.chosen.file,
    ...programIn(main),
    entries: entries.map(({ event, key, group }) => ({ event, key, group })),
    own: Object.fromEntries(wanted.map((file) => [file.path, hashOfOwn(file)])),
  };
}

/** Returns what the record holds of a file's edited entries that stay although they aren't wanted there any more. */
export function unwantedEdits(
  { file, entryChanges }: EditedPlace,
  wanted: readonly WantedEntry[],
  written: readonly WantedEntry[],
): EditedEntry[] {
  const isWanted = (change: EntryChange): boolean =>
    wanted.some(({ event, key }) => event === change.event && key === change.key);
  return keptAsWritten(
    entryChanges.filter((change) => !isWanted(change)),
    written,
  ).map(({ event, key, group }) => ({ event, key, group, file }));
}

/** Returns the edited entries that stay, as last written. */
export const keptAsWritten = (
  changes: readonly EntryChange[],
  written: readonly WantedEntry[],
): WantedEntry[] =>
  changes
    .filter(({ kind }) => kind === 'kept-edited')
    .flatMap(({ event, key }) => written.find((one) => one.event === event && one.key === key) ?? []);

/** Returns what was written into files of other folders of the client that still hold entries of the server. */
export function otherFilesOf(
  chosen: string,
  places: readonly HookFilePath[],
  previous: ClientRecord | undefined,
  { slug, files }: PlanInput,
): Pick<ClientRecord, 'otherFiles'> {
  if (!previous || (previous.file === chosen && !previous.otherFiles)) return {};
  const known = new Set([chosen, ...places.map(({ file }) => file)].map((file) => files.real(file)));
  const otherFiles = [
    { file: previous.file, entries: previous.entries },
    ...(previous.otherFiles ?? []),
  ].filter(({ file }) => !known.has(files.real(file)) && holds(file, slug, files));
  return otherFiles.length > 0 ? { otherFiles } : {};
}
