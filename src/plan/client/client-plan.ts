import type { Client, ClientId } from '../../clients/client.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { EntryChange, FileMemory } from '../../edit/types.ts';
import { Fault, orFault } from '../../messages/fault.ts';
import type { Note } from '../../messages/notes.ts';
import { leavingFiles } from '../../shims/joint-script.ts';
import { driftOf, type OwnFile, ownChanges } from '../../shims/own-files.ts';
import { findServer, writtenEntries, writtenToFile } from '../../store/record.ts';
import type { ClientRecord, FileChange } from '../../store/types.ts';
import { isCarried } from '../carried.ts';
import { definitionOn } from '../definitions.ts';
import type { PlanInput } from '../input.ts';
import { keptEntriesOn } from '../kept-entries.ts';
import { otherVersion } from '../lock-version.ts';
import { ownership } from '../scopes/owned.ts';
import { recordedScope } from '../scopes/plugin-scope.ts';
import { isPluginScope, keyIn, type PluginScope, type Scope } from '../scopes/scope.ts';
import type { ClientComparison, Compiled, EditedPlace } from '../types.ts';
import { matchesAddedServers } from './added-servers.ts';
import { clientRecord, otherFilesOf, unwantedEdits } from './client-record.ts';
import { type ClientTarget, targetOn } from './client-target.ts';
import { assertRuns, nameNotes, targetNotes, versionNotes } from './client-version.ts';
import { entriesAsWritten, nameSameFolders } from './entries-as-written.ts';
import { type EditedFile, editHookFiles } from './hook-file.ts';
import { eventsOfOthers, jointRecords } from './joint-entry.ts';
import { moveOut } from './move-out.ts';
import { removal } from './removal.ts';
import { usedTextNotes } from './used-texts.ts';
import { wantedFiles } from './wanted-files.ts';

/**
 * Plan for one client. The comparison with what is installed and the edits of its files are made; what its functions
 * return is made when they are called.
 */
interface LazyClientPlan {
  comparison: ClientComparison;
  /** Compiles the declarations at the first call and keeps the result. */
  compiled: () => Compiled;
  /** Returns the notes about this client and its file; looks up the client's version. */
  notes: () => Note[];
  changes: FileChange[];
  memories: Record<string, FileMemory>;
  /**
   * Builds mcphooks' own files and the client's record, which only a write needs. Throws a Fault when an own file can't
   * be read, or somebody else's plugin has the folder.
   */
  write: () => Written;
}

interface Written {
  own: FileChange[];
  record?: ClientRecord;
}

/**
 * Plans one server's install on one client. A file that can't be edited sets the comparison's `fault`; no Fault is
 * thrown.
 */
export function lazyClientPlan(
  everywhere: Client,
  input: PlanInput,
  recorded: ClientRecord | undefined,
  remembered: Record<string, FileMemory>,
): LazyClientPlan {
  const target = targetOn(everywhere, input, recorded, remembered);
  const { client, scope, compiled } = target;
  const definition = definitionOn(client.id, input);
  const edits = orFault(() => editFiles(target, input));
  const comparison: ClientComparison = {
    ...unchangedOn(client.id),
    ...(definition && { definition }),
    ...(isPluginScope(scope) && { plugin: scope.folder }),
    ...(edits instanceof Fault ? { fault: edits.with({ client: client.title }) } : edits.compared),
  };
  const plan = { comparison, compiled, notes: () => notesOn(client, comparison, input) };
  if (edits instanceof Fault)
    return { ...plan, changes: [], memories: target.memories, write: () => ({ own: [] }) };
  const { main, beside, moved } = edits;
  return {
    ...plan,
    changes: [...[main, ...beside].flatMap(({ change }) => change ?? []), ...moved.changes],
    memories: moved.memories,
    write: () => writtenBy(edits, target, input),
  };
}

/** The edits of one client's files. */
interface FileEdits {
  compared: Partial<ClientComparison> & WantedOn;
  /** Edits of the file that the record names. */
  main: EditedFile;
  /** Edits of further files, on a client that reads an event from one of several files. */
  beside: EditedFile[];
  /** Removals from other files. */
  moved: ReturnType<typeof moveOut>;
}

/** Edits the client's files in memory. Throws a Fault when one can't be edited, or the hooks can't run there. */
function editFiles(target: ClientTarget, input: PlanInput): FileEdits {
  const { client, scope, other, previous, memories, folder, compiled } = target;
  const { slug, files, fromLock } = input;
  const bad = scope.forbidden(folder, client);
  if (bad && compiled().shims.length > 0)
    throw new Fault('plan.path-forbidden', { client: client.title, text: bad, path: folder });
  assertRuns(client, scope, input);
  const wanted = wantedOn(target, input);
  const here = { scope, slug, client: client.id };
  const jointly = jointRecords(input.reading.record, here);
  const kept = keptEntriesOn(client, { ...input, scope });
  const ofOthers = eventsOfOthers(input.reading.record, here);
  const evenEdited = fromLock && { evenEdited: true as const };
  const editInput = { client, slug, scope, files, jointly, kept, ofOthers, ...evenEdited };
  const [main, ...beside] = editHookFiles(editInput, wanted.entries, previous, memories);
  const moved = moveOut(other, editInput, previous, main.memories);
  const hasNew = [main, ...beside].some(({ result }) => result.changes.some(isNew));
  const { file } = main.chosen;
  const isPlace = (path?: string): boolean => scope.hookFiles(client, slug).some((one) => one.file === path);
  // The user moved the entries to the client's other file, which is recorded by an install.
  const isMoved = previous?.file !== file && !client.hooks.shadows && isPlace(previous?.file);
  return {
    compared: {
      ...wanted,
      drift: isMoved ? [...wanted.drift, file] : wanted.drift,
      file,
      before: main.before,
      after: main.result.text,
      entryChanges: main.result.changes,
      beside: beside.map(editedPlace),
      movedOut: moved.places,
      ...(hasNew && { nextSteps: [...scope.nextSteps(client)] }),
    },
    main,
    beside,
    moved,
  };
}

/** Entries that a client's files are to hold, and how they stand to what is installed. */
type WantedOn = Pick<
  ClientComparison,
  'entries' | 'drift' | 'missing' | 'matchesMore' | 'unverified' | 'stopped'
>;

/**
 * Returns the entries to hold. On one machine, approved entries are kept as they were written, so that an upgrade of
 * mcphooks needs no new hook review. A person who edits a project's entry can edit it in the lock file, too.
 */
function wantedOn(target: ClientTarget, input: PlanInput): WantedOn {
  const { client, scope, previous, digest, folder, compiled, basis } = target;
  const { files } = input;
  const stays =
    isPluginScope(recordedScope(input.scope, client, input.slug, previous)) === isPluginScope(scope);
  const { drift, missing: lacking } = driftOf(previous, scope, files);
  // A shared entry may start the scripts of another data folder, in which this server has none.
  const elsewhere = stays && !scope.shared && scriptsMoved(previous, digest, folder);
  const missing = elsewhere ? [...lacking, folder] : lacking;
  if (previous?.digest !== digest || !stays) return { entries: compiled().entries, drift, missing };
  const isUnchanged = input.reading.untouched && previous.basis === basis && drift.length === 0;
  if (isUnchanged) return { entries: previous.entries, drift, missing };
  const restores = isOfOtherVersion(input);
  const asWritten =
    (!scope.shared || restores) && entriesAsWritten(previous.entries, compiled(), folder, files);
  const unverified = restores && asWritten && canonicalJson(asWritten) !== canonicalJson(compiled().entries);
  const here = input.aliasesHere?.[client.id] ?? [];
  const matchesMore = matchesAddedServers(compiled(), here, folder, files.read);
  const stopped = compiled().cells.filter(
    ({ fidelity }, i) => fidelity === 'unsupported' && fired(previous, i),
  );
  return {
    entries: asWritten || compiled().entries,
    drift,
    missing,
    ...(matchesMore && { matchesMore }),
    ...(unverified && { unverified }),
    ...(stopped.length > 0 && { stopped }),
  };
}

/** True for a lock file that is restored as it is, although another version wrote it. */
const isOfOtherVersion = ({ reading: { record }, scope, slug, fromLock }: PlanInput): boolean =>
  fromLock === true && otherVersion(record, findServer(record, keyIn(scope, slug))) !== undefined;

/** Returns the notes about a client and its file. */
function notesOn(client: Client, { entries, file }: ClientComparison, input: PlanInput): Note[] {
  return [
    ...input.hooksOff(client),
    ...versionNotes(client, input.versions()[client.id]),
    ...targetNotes(client, input),
    ...nameNotes(client, input.aliasOn[client.id] ?? input.server),
    ...(input.overlap?.notes[client.id] ?? []),
    ...(file === undefined ? [] : usedTextNotes(client, entries, file, input)),
  ];
}

/** Builds mcphooks' own files and the client's record. */
function writtenBy(
  { compared: { entries }, main, beside, moved }: FileEdits,
  target: ClientTarget,
  input: PlanInput,
): Written {
  const { scope, places, previous, compiled, basis } = target;
  const unwanted = [
    ...[main, ...beside].flatMap((one) => unwantedEdits(editedPlace(one), entries, one.written)),
    ...moved.places.flatMap((place) =>
      unwantedEdits(place, [], writtenEntries(writtenToFile(place.file, previous), place.file)),
    ),
  ];
  // A lock file describes what every clone gets, so one person's edits aren't recorded.
  const recordsEdits = unwanted.length > 0 && !scope.shared;
  const wanted = wantedFiles(target, input);
  return {
    own: [
      ...ownChanges(wanted, input.files),
      ...jointRemovals(wanted, previous, scope, input),
      ...manifestRemoval(scope, entries, previous, input),
      ...moved.own(),
    ],
    ...((entries.length > 0 || recordsEdits) && {
      record: {
        ...clientRecord({ main, entries, wanted }, target, input.now),
        ...(recordsEdits && { edited: unwanted }),
        ...otherFilesOf(main.chosen.file, places, previous, input),
        // Entries that name their scripts otherwise are compared with what is compiled, each time.
        ...(basis !== undefined && nameSameFolders(entries, compiled().entries) && { basis }),
        fidelity: compiled().cells.map((cell) => cell.fidelity),
      },
    }),
  };
}

/** Returns the comparison of a client on which nothing changes. */
export const unchangedOn = (client: ClientId): ClientComparison => ({
  client,
  entries: [],
  before: null,
  after: null,
  entryChanges: [],
  beside: [],
  movedOut: [],
  drift: [],
  missing: [],
  nextSteps: [],
});

/** True when the recorded scripts are in another folder than today's. */
const scriptsMoved = (previous: ClientRecord | undefined, digest: string, folder: string): boolean => {
  const own = Object.keys(previous?.own ?? {});
  return previous?.digest === digest && own.length > 0 && !own.some((path) => path.startsWith(folder));
};

/** True when a hook could fire by the record; a record of an earlier version doesn't tell. */
const fired = ({ fidelity = [] }: ClientRecord, i: number): boolean => isCarried(fidelity[i]);

const isNew = ({ kind }: EntryChange): boolean => kind === 'added' || kind === 'replaced';

const editedPlace = ({ chosen, before, result }: EditedFile): EditedPlace => ({
  file: chosen.file,
  before,
  after: result.text,
  entryChanges: result.changes,
});

/** Removes the manifest of a plugin that is to hold no hook: the client would load the rest as an empty plugin. */
function manifestRemoval(
  scope: Scope | PluginScope,
  entries: ClientComparison['entries'],
  previous: ClientRecord | undefined,
  { files }: PlanInput,
): FileChange[] {
  const isEmptied =
    isPluginScope(scope) && entries.length === 0 && previous?.own[scope.manifest] !== undefined;
  return isEmptied ? removal(scope.manifest, files) : [];
}

/** Removes the files by which joint entries served the server, where it needs them no more. */
function jointRemovals(
  wanted: readonly OwnFile[],
  previous: ClientRecord | undefined,
  scope: Scope,
  { slug, files }: PlanInput,
): FileChange[] {
  const before = Object.keys(previous?.own ?? {}).filter((path) => !wanted.some((own) => own.path === path));
  return leavingFiles(before, slug, files)
    .filter((path) => scope.shared || ownership(path, scope, files.real) === 'own')
    .flatMap((path) => removal(path, files));
}
