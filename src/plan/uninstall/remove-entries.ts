import type { Files } from '../../base/files.ts';
import type { Client, ClientId } from '../../clients/client.ts';
import type { HookGroup, HookHandler } from '../../clients/hook-config.ts';
import { programHash } from '../../edit/module.ts';
import { readHooks, type StandingGroup } from '../../edit/read.ts';
import { reconcile } from '../../edit/reconcile.ts';
import type { EntryChange, FileMemory, Reconciled, WantedEntry } from '../../edit/types.ts';
import { Fault, orFault } from '../../messages/fault.ts';
import { holdsEntries, holdsJoint, ownShim, shimOf } from '../../shims/entry-owner.ts';
import { isAlone, jointFolder } from '../../shims/joint-script.ts';
import { findServer, type RecordReading, writtenEntries } from '../../store/record.ts';
import type { ClientRecord, FileChange, KeptEntry } from '../../store/types.ts';
import { keptAsWritten } from '../client/client-record.ts';
import { decode, decodedText, memoryOf, withoutRest, writtenForPlace } from '../client/hook-file.ts';
import { eventsOfOthers, neededByOthers } from '../client/joint-entry.ts';
import { keptEntriesOn } from '../kept-entries.ts';
import { keyIn, type Scope } from '../scopes/scope.ts';
import { mayHaveOffNames, withoutOffNames } from './off-list.ts';
import { hasScripts } from './own-removals.ts';
import type { RemovalPlace } from './removal-places.ts';

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
  /** Hooks that stay because another command than ours names the server's scripts; lines as above. */
  otherCommands?: { event: string; line?: number }[];
  /** Our entries before their removal, when entries edited by hand are removed, too. */
  removedGroups: HookGroup[];
  /** Set when the file is deleted, and nothing in it was edited. */
  asWritten?: true;
  /** Set when entries are removed that no record lists: nothing tells which of them were edited by hand. */
  unrecorded?: true;
  /** The client's list of switched-off hooks loses our names. */
  offNamesRemoved?: true;
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

/** A file of a client that may hold a server's entries. */
interface RemovalAt {
  client: Client;
  place: RemovalPlace;
  recorded: ClientRecord | undefined;
}

/** What is known of a file's entries: `written`, as they were last written. */
interface KnownFile extends RemovalAt {
  memory: FileMemory | undefined;
  written: WantedEntry[];
}

/**
 * Removes a server's entries from one file. `gone`: there is no file; `none`: nothing in the file is ours. A file that
 * can't be read or edited is the `fault` of the removal.
 */
export function removeEntries(
  at: RemovalAt,
  memory: FileMemory | undefined,
  input: RemovalInput,
): EntriesRemoved | 'gone' | 'none' {
  const { client, place, recorded } = at;
  const { file } = place;
  const kept = keptEntriesOn(client, input).filter((one) => one.file === file);
  const failed = (error: unknown): EntriesRemoved => {
    if (!(error instanceof Fault)) throw error;
    const removal = { ...unchanged(client, file, ''), fault: error.with({ client: client.title }) };
    return { removal, remembered: memory, kept };
  };
  let bytes: Uint8Array | null;
  try {
    bytes = input.files.read(file);
  } catch (error) {
    return !mayHaveHad(at, input) && error instanceof Fault ? 'none' : failed(unreadable(error, file));
  }
  if (bytes === null) return 'gone';
  const named = !place.listOnly && holdsEntries(bytes, input.slug);
  const holdsSome = named || (!place.listOnly && holdsJoint(bytes));
  if (!holdsSome && (place.oursAlone || !mayHaveOffNames(bytes, client, input.slug))) {
    const conflict = conflictIn(bytes, at, input);
    return conflict ? failed(conflict) : 'none';
  }
  const written = [...writtenEntries(writtenForPlace(client, file, recorded), file), ...kept];
  try {
    return entriesRemoved(bytes, { ...at, memory, written }, named, input);
  } catch (error) {
    return failed(error);
  }
}

/** A file that can't be read stops no other: the faults of writing say that nothing was written. */
const unreadable = (error: unknown, file: string): unknown =>
  error instanceof Fault && typeof error.args.code === 'string'
    ? new Fault('plan.unreadable', { reason: error.args.code }, { file })
    : error;

/** Returns what is remembered of a file without entries of ours, as far as the file or another server needs it. */
export function stillNeeded(
  { client, place }: RemovalAt,
  memory: FileMemory | undefined,
  { slug, scope, files, reading }: RemovalInput,
): FileMemory | undefined {
  if (!memory || place.listOnly) return memory;
  const found = orFault(() =>
    reconcile({
      ...place,
      text: decodedText(place.file, files),
      memory,
      wanted: [],
      ours: () => undefined,
      written: [],
      tombstones: client.hooks.tombstones === true,
      ofOthers: eventsOfOthers(reading.record, { scope, slug, client: client.id }),
    }),
  );
  return found instanceof Fault ? memory : found.memory;
}

const unchanged = (client: Client, file: string, text: string): ClientRemoval => ({
  client: client.id,
  file,
  before: text,
  after: text,
  entryChanges: [],
  kept: [],
  removedGroups: [],
});

/** While a merge is under way in a project's file, nobody knows whether the entries that the lock file lists stay. */
function conflictIn(
  bytes: Uint8Array,
  { place, recorded }: RemovalAt,
  { scope }: RemovalInput,
): Fault | undefined {
  const { file } = place;
  if (!scope.shared || recorded?.file !== file) return undefined;
  const found = orFault(() => readHooks({ ...place, text: decode(bytes, file) }));
  return found instanceof Fault && found.code === 'edit.conflict' ? found : undefined;
}

/** A client that never had hooks of the server may have any file. Where the record is lost, the scripts tell. */
function mayHaveHad({ client, recorded }: RemovalAt, { slug, scope, reading, files }: RemovalInput): boolean {
  if (recorded) return true;
  if (findServer(reading.record, keyIn(scope, slug))) return false;
  return hasScripts(slug, client.id, scope, files);
}

/** `named`: the file names scripts of the server. */
function entriesRemoved(
  bytes: Uint8Array,
  known: KnownFile,
  named: boolean,
  input: RemovalInput,
): EntriesRemoved | 'none' {
  const { client, place, recorded, memory, written } = known;
  const { file, listOnly } = place;
  const before = decode(bytes, file);
  const remaining = withoutOffNames(client, input.slug, place, before);
  // The project's own hooks may have our name in this list.
  if (listOnly && remaining === before) return 'none';
  const { result, ours, isAsWritten } = listOnly
    ? { result: { text: remaining, memory: undefined, changes: [] }, ours: () => undefined }
    : withoutEntries(remaining, known, input);
  const { text, changes } = result;
  const has = (kind: EntryChange['kind']): boolean => changes.some((change) => change.kind === kind);
  // A file may only mention our script, as in a comment; what other servers need stays.
  const hasOurs = named && (recorded !== undefined || changes.length > 0);
  const idle = changes.every(({ kind }) => kind === 'unchanged');
  if (!hasOurs && idle && remaining === before) return 'none';
  const standing = (of: string | null, ours: (command: string) => string | undefined) =>
    readHooks({ ...place, text: of }, ours);
  const removal: ClientRemoval = {
    ...unchanged(client, file, before),
    after: text === before ? text : withoutRest(place, text, memory),
    entryChanges: changes,
    ...(isAsWritten && { asWritten: true }),
    ...(remaining !== before && { offNamesRemoved: true }),
    ...(!recorded && !input.evenEdited && has('removed') && { unrecorded: true }),
  };
  if (input.evenEdited && !listOnly)
    removal.removedGroups = standing(remaining, ours).flatMap(({ group: { matcher, hooks }, ours }) =>
      ours.map(({ handler }) => ({
        ...(matcher !== undefined && { matcher }),
        hooks: [hooks[handler] as HookHandler],
      })),
    );
  if (has('kept-edited')) removal.kept = placesOf(standing(text, ours));
  const others = listOnly ? [] : placesOf(standing(text, (command) => otherCommand(command, known, input)));
  if (others.length > 0) removal.otherCommands = others;
  const { after } = removal;
  return {
    removal,
    // What is remembered of an unchanged file stays.
    remembered: text === remaining ? memory : result.memory,
    kept: keptAsWritten(changes, written).map((entry) => ({ ...entry, file })),
    ...(after !== before && {
      change: {
        path: file,
        before: bytes,
        after: after === null ? null : Buffer.from(after, 'utf8'),
        mode: 0o644,
      },
    }),
  };
}

const placesOf = (groups: readonly StandingGroup[]): ClientRemoval['kept'] =>
  groups
    .filter((group) => group.ours.length > 0)
    .map(({ event, line }) => ({ event, ...(line && { line }) }));

/** Returns the command when it names scripts that go with the server, and no version of mcphooks writes it so. */
function otherCommand(
  command: string,
  { client, place: { file } }: RemovalAt,
  { slug, scope, reading }: RemovalInput,
): string | undefined {
  if (shimOf(command) !== undefined) return undefined;
  const bytes = Buffer.from(command);
  const isJoint = () =>
    holdsJoint(bytes) &&
    neededByOthers(reading.record, { scope, slug, client: client.id, file }).length === 0;
  return holdsEntries(bytes, slug) || isJoint() ? command : undefined;
}

interface WithoutEntries {
  result: Reconciled;
  /** Returns the key of an entry with this command, if it is one of the server alone. */
  ours: (command: string) => string | undefined;
  /** The file is deleted, and nothing in it was edited. */
  isAsWritten: boolean;
}

/** Edits a file's text. What other servers need, and the file still has, is put back as it was written. */
function withoutEntries(text: string, known: KnownFile, input: RemovalInput): WithoutEntries {
  const { client, place, recorded, memory, written } = known;
  const { slug, scope, files, reading, evenEdited } = input;
  const { file, program } = place;
  const oursIf = (isOurs: (native: string) => boolean) => (command: string) =>
    ownShim(command, { slug, client: client.id, scope }, isOurs);
  const others = neededByOthers(reading.record, { scope, slug, client: client.id, file });
  const alone = isAlone(slug, jointFolder(scope.paths, client.id), others, files);
  const there = evenEdited
    ? readHooks(
        { ...place, text },
        oursIf(() => true),
      )
    : [];
  const shared = others.filter(({ event, key }) =>
    there.some((group) => group.event === event && group.ours.some((one) => one.key === key)),
  );
  const without = (evenEdited: boolean): Reconciled =>
    reconcile({
      ...place,
      text,
      memory: memoryOf({ ...input, client }, place, memory),
      wanted: shared,
      ours: oursIf((native) => alone(native) || shared.some(({ key }) => key === native)),
      evenEdited,
      written,
      tombstones: client.hooks.tombstones === true,
      ofOthers: eventsOfOthers(reading.record, { scope, slug, client: client.id }),
    });
  const result = without(evenEdited);
  const isAltered = program !== undefined && programHash(file, text) !== programHash(file, program);
  const isDeleted = evenEdited && recorded !== undefined && result.text === null;
  const isAsWritten = isDeleted && !isAltered && without(false).text === null;
  return { result, ours: oursIf(alone), isAsWritten };
}
