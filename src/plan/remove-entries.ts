import { type Files, filesBelow } from '../base/files.ts';
import { slashed } from '../base/paths.ts';
import type { Client, ClientId } from '../clients/client.ts';
import type { HookGroup, HookHandler } from '../clients/hook-config.ts';
import { signatureOf } from '../edit/decide.ts';
import { removeStrings } from '../edit/json-strings.ts';
import { programHash } from '../edit/module.ts';
import { readHooks } from '../edit/read.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { EntryChange, FileMemory, Reconciled } from '../edit/types.ts';
import { Fault } from '../messages/fault.ts';
import { holdsEntries, holdsJoint, ownShim } from '../shims/entry-owner.ts';
import { isAlone, jointFolder } from '../shims/joint.ts';
import { serverFolder } from '../shims/own-files.ts';
import { findServer, type RecordReading, writtenEntries } from '../store/record.ts';
import type { ClientRecord, FileChange, KeptEntry } from '../store/types.ts';
import { keptOf } from './client-record.ts';
import { decode, memoryOf, withoutRest, writtenForPlace } from './hook-file.ts';
import { neededByOthers } from './joint.ts';
import type { RemovalPlace } from './removal-places.ts';
import { keyIn, type Scope } from './scopes/scope.ts';

export interface RemovalInput {
  slug: string;
  reading: RecordReading;
  scope: Scope;
  /** Entries that were edited by hand are removed, too. */
  evenEdited: boolean;
  files: Files;
}

export interface ClientRemoval {
  client: ClientId;
  file: string;
  before: string;
  after: string | null;
  entryChanges: EntryChange[];
  /** Entries that were edited by hand and stay; lines from 1 in the file afterwards. */
  kept: { event: string; line?: number }[];
  /** Our entries before their removal, when entries edited by hand are removed, too. */
  removedGroups: HookGroup[];
  /** Set when the file is deleted, and nothing in it was edited. */
  asWritten?: true;
  /** Set when entries are removed that no record lists: nothing tells which of them were edited by hand. */
  unrecorded?: true;
  /** The client's list of switched-off hooks loses our names. */
  unlisted?: true;
  fault?: Fault;
}

interface EntriesRemoved {
  removal: ClientRemoval;
  change?: FileChange;
  /** What is remembered of the file afterwards. */
  remembered: FileMemory | undefined;
  /** The edited entries that stay, as last written. */
  kept: KeptEntry[];
}

/**
 * Removes a server's entries from one file. `gone`: there is no file; `none`: nothing in the file is ours. A file that
 * can't be read or edited is the `fault` of the removal.
 */
export function removeEntries(
  { client, place, recorded }: { client: Client; place: RemovalPlace; recorded: ClientRecord | undefined },
  memory: FileMemory | undefined,
  input: RemovalInput,
): EntriesRemoved | 'gone' | 'none' {
  const { slug, scope, files } = input;
  const { record } = input.reading;
  const { file } = place;
  const removal: ClientRemoval = {
    client: client.id,
    file,
    before: '',
    after: '',
    entryChanges: [],
    kept: [],
    removedGroups: [],
  };
  const left = keptIn(file, client, input);
  const failed = (error: unknown): EntriesRemoved => {
    if (!(error instanceof Fault)) throw error;
    const fault = error.with({ client: client.title });
    return { removal: { ...removal, fault }, remembered: memory, kept: left };
  };
  const scripts = serverFolder(scope.paths, slug);
  const isOfClient = (path: string): boolean =>
    slashed(path.slice(scripts.length + 1)).split('/')[1] === client.id;
  let bytes: Uint8Array | null;
  try {
    bytes = files.read(file);
  } catch (error) {
    // A client that never had hooks of the server may have any file. Where the record is lost, the scripts tell.
    const isLost = !findServer(record, keyIn(scope, slug));
    const had = recorded ?? (isLost && filesBelow(scripts, files).some(isOfClient));
    return !had && error instanceof Fault ? 'none' : failed(error);
  }
  if (bytes === null) return 'gone';
  const named = holdsEntries(bytes, slug) && !place.listOnly;
  const written = [...writtenEntries(writtenForPlace(client, file, recorded), file), ...left];
  const holdsSome = named || (holdsJoint(bytes) && !place.listOnly);
  // An entry that lost its command names nothing of ours.
  const mayHoldRest = written.length > 0 && !place.listOnly;
  const lists = client.gates.offList && !place.own && Buffer.from(bytes).includes(offName(client, slug));
  if (!(holdsSome || lists || mayHoldRest)) return 'none';
  const others = neededByOthers(record, scope, slug, client.id, file);
  const alone = isAlone(slug, jointFolder(scope.paths, client.id), others, files);
  const ours = (command: string): string | undefined => ownShim(command, slug, client.id, scope, alone);
  try {
    removal.before = decode(bytes, file);
    const listed = unlisted(client, slug, place, removal.before);
    // The project's own hooks may have our name in this list.
    if (place.listOnly && listed === removal.before) return 'none';
    const all = (command: string): string | undefined => ownShim(command, slug, client.id, scope, () => true);
    // What other servers need, and the file still has, is put back as it was written.
    const there = input.evenEdited ? readHooks({ ...place, text: listed, memory: undefined }, all) : [];
    const shared = others.filter(({ event, key }) =>
      there.some((group) => group.event === event && group.ours.some((one) => one.key === key)),
    );
    const needed = (native: string): boolean => alone(native) || shared.some(({ key }) => key === native);
    const without = (evenEdited: boolean): Reconciled =>
      reconcile({
        ...place,
        text: listed,
        memory: memoryOf(client, input, place, memory),
        wanted: shared,
        ours: (command) => ownShim(command, slug, client.id, scope, needed),
        evenEdited,
        written,
        tombstones: client.hooks.tombstones === true,
      });
    const result = place.listOnly
      ? { text: listed, memory: undefined, changes: [] }
      : without(input.evenEdited);
    removal.after = result.text === removal.before ? result.text : withoutRest(place, result.text, memory);
    const { program } = place;
    const altered = program !== undefined && programHash(file, listed) !== programHash(file, program);
    if (input.evenEdited && recorded && result.text === null && !altered && without(false).text === null)
      removal.asWritten = true;
    // What other servers need stays.
    const idle = result.changes.every(({ kind }) => kind === 'unchanged');
    // A file may only mention our script, as in a comment.
    const hasOurs = named && (recorded !== undefined || result.changes.length > 0);
    if (!hasOurs && idle && listed === removal.before) return 'none';
    if (listed !== removal.before) removal.unlisted = true;
    removal.entryChanges = result.changes;
    if (!recorded && !input.evenEdited && result.changes.some(({ kind }) => kind === 'removed'))
      removal.unrecorded = true;
    if (input.evenEdited && !place.listOnly)
      removal.removedGroups = readHooks({ ...place, text: listed, memory: undefined }, ours, written).flatMap(
        ({ group: { matcher, hooks }, ours }) =>
          ours.map(({ handler }) => ({
            ...(matcher !== undefined && { matcher }),
            hooks: [hooks[handler] as HookHandler],
          })),
      );
    if (result.changes.some((c) => c.kind === 'kept-edited'))
      removal.kept = readHooks({ ...place, text: result.text, memory: undefined }, ours, written)
        .filter((group) => group.ours.length > 0)
        .map(({ event, line }) => ({ event, ...(line && { line }) }));
    // What is remembered of an unchanged file stays.
    const remembered = result.text === listed ? memory : result.memory;
    const kept = keptOf(result.changes, written).map((entry) => ({ ...entry, file }));
    if (removal.after === removal.before) return { removal, remembered, kept };
    const after = removal.after === null ? null : Buffer.from(removal.after, 'utf8');
    return { removal, remembered, kept, change: { path: file, before: bytes, after, mode: 0o644 } };
  } catch (error) {
    const none = !(holdsSome || lists) && error instanceof Fault;
    return none ? 'none' : failed(error);
  }
}

/** Returns the edited entries that an earlier uninstall of the server left in a client's file. */
export const keptIn = (
  file: string,
  client: Client,
  { reading, scope, slug }: Pick<RemovalInput, 'reading' | 'scope' | 'slug'>,
): KeptEntry[] =>
  reading.record.kept?.filter(
    ({ group, ...kept }) =>
      kept.file === file &&
      ownShim(signatureOf(group.hooks[0]) ?? '', slug, client.id, scope, () => true) !== undefined,
  ) ?? [];

/** Prefix of the names of one server's handlers. */
function offName(client: Client, slug: string): string {
  return String(client.hooks.fields?.(`${slug}:`, '').name);
}

/** Returns the text without our names in the client's list of switched-off hooks. */
function unlisted(client: Client, slug: string, place: RemovalPlace, text: string): string {
  if (!client.gates.offList) return text;
  const begin = offName(client, slug);
  // Names may end in `-2` and so on: earlier versions split long texts over several entries.
  const ours = (name: string): boolean =>
    name.startsWith(begin) && /^[A-Za-z]+(-\d+)?$/.test(name.slice(begin.length));
  const source = { file: place.file, text, comments: place.format === 'jsonc' };
  return removeStrings(source, client.gates.offList.path, ours);
}
