import { once } from '../base/once.ts';
import { sha256 } from '../base/sha256.ts';
import { VERSION } from '../base/version.ts';
import type { Client, ClientId } from '../clients/client.ts';
import { namesServers } from '../clients/tools.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import type { EntryChange, FileMemory } from '../edit/types.ts';
import { Fault } from '../messages/fault.ts';
import type { Note } from '../messages/notes.ts';
import { entryMark } from '../shims/entry-owner.ts';
import { jointFolder, leavingFiles } from '../shims/joint.ts';
import { driftOf, type OwnFile, ownChanges, shimFolder } from '../shims/own-files.ts';
import { writtenToFile } from '../store/record.ts';
import type { ClientRecord, FileChange } from '../store/types.ts';
import { matchesAddedServers } from './added-servers.ts';
import { clientRecord, leftEdited, otherFilesOf } from './client-record.ts';
import { assertRuns, targetNotes, versionNotes } from './client-version.ts';
import { compile } from './compile/compile.ts';
import type { ServerNames } from './compile/matcher.ts';
import { definitionOn, otherPlaces } from './definitions.ts';
import { heardNotes } from './heard.ts';
import { type EditedFile, editHookFiles, writtenForPlace } from './hook-file.ts';
import type { PlanInput, ToolAccess } from './input.ts';
import { jointRecords } from './joint.ts';
import { keptEntries, nameSameFolders } from './kept-entries.ts';
import { moveOut } from './move-out.ts';
import { approvalDigest } from './options.ts';
import { relocated } from './relocated.ts';
import { removal } from './removal.ts';
import { ownership } from './scopes/owned.ts';
import { recordedScope, targetScope } from './scopes/plugin-scope.ts';
import { isPluginScope, type PluginScope, type Scope } from './scopes/scope.ts';
import type { ClientComparison, Compiled, EditedPlace } from './types.ts';
import { wantedFiles } from './wanted-files.ts';

/** Plan for one client: the comparison with what is installed, and the edits of its files. */
interface PlannedClient {
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
export function planClient(
  everywhere: Client,
  input: PlanInput,
  recorded: ClientRecord | undefined,
  remembered: Record<string, FileMemory>,
): PlannedClient {
  const { slug, options, declared } = input;
  const client = input.scope.clientHere?.(everywhere) ?? everywhere;
  const scope = targetScope(input.scope, client, slug, options.target);
  const other = isPluginScope(scope) ? input.scope : input.scope.asPlugin?.(client, slug);
  const places = [scope, other].flatMap((one) => one?.hookFiles(client, slug) ?? []);
  const { record: previous, memories } = relocated(recorded, remembered, places, input);
  const digest = approvalDigest(declared.declarations, options, client.id);
  const folder = shimFolder(scope.paths, slug, digest, client.id);
  const known = input.aliases[client.id] ?? [];
  const servers: ServerNames = {
    alias: input.aliasOn[client.id] ?? input.server,
    ...(declared.serverName !== undefined && { serverName: declared.serverName }),
    // A plugin's server may be known by its bare name, unless the client has another server of that name.
    ...(!known.includes(input.server) && { otherNames: [input.server] }),
    known,
    ...(input.ownTools && !namesServers(client.tools) && { ownTools: input.ownTools }),
  };
  const compiled = once(() =>
    compile(declared.declarations, client, {
      servers,
      slug,
      ...(!scope.shared && { tag: input.tag, state: scope.paths.state }),
      ...(scope.root !== undefined && { yields: true }),
      options,
      shimFolder: folder,
      // A plugin holds one server's hooks.
      ...(!isPluginScope(scope) && {
        joint: { folder: jointFolder(scope.paths, client.id), scope: scope.name },
      }),
      toolAccess: toolAccessFrom(folder, input, scope),
      invoke: (path) => scope.invoke(path, client),
      mark: (key) => entryMark(slug, digest, client.id, key, scope.shared),
      documentTools: input.documentTools,
      ...(input.listedTools && { listedTools: input.listedTools }),
    }),
  );
  const basis = scope.shared ? undefined : compileInputsHash(servers, folder, input);
  const notes = (): Note[] => [
    ...input.hooksOff(client),
    ...versionNotes(client, input.versions()[client.id]),
    ...targetNotes(client, input),
    ...(input.overlap?.notes[client.id] ?? []),
    ...(comparison.file === undefined ? [] : heardNotes(client, comparison.entries, comparison.file, input)),
  ];
  const definition = definitionOn(client.id, input);
  const comparison: ClientComparison = {
    ...unchangedOn(client.id),
    ...(definition && { definition }),
    ...(isPluginScope(scope) && { plugin: scope.folder }),
  };
  try {
    const bad = scope.forbidden(folder, client);
    if (bad && compiled().shims.length > 0)
      throw new Fault('plan.path-forbidden', { client: client.title, text: bad, path: folder });
    assertRuns(client, scope, input);
    // Approved entries are kept as they were written, so that an upgrade of mcphooks needs no new hook review.
    const stays = isPluginScope(recordedScope(input.scope, client, slug, previous)) === isPluginScope(scope);
    const { drift, missing: files } = driftOf(previous, scope, input.files);
    // A shared entry may start the scripts of another data folder, in which this server has none.
    const elsewhere = stays && !scope.shared && scriptsMoved(previous, digest, folder);
    const missing = elsewhere ? [...files, folder] : files;
    const same = previous?.digest === digest && stays;
    const unchangedSinceCompile =
      same && input.reading.untouched && previous.basis === basis && drift.length === 0;
    const kept = unchangedSinceCompile
      ? previous.entries
      : same && keptEntries(previous.entries, compiled(), folder, input.files);
    const entries = kept || compiled().entries;
    const matchesMore =
      same &&
      !unchangedSinceCompile &&
      matchesAddedServers(compiled(), input.aliasesHere?.[client.id] ?? [], folder, input.files.read);
    const stopped =
      same && !unchangedSinceCompile
        ? compiled().cells.filter(({ fidelity }, i) => fidelity === 'unsupported' && fired(previous, i))
        : [];
    const { evenEdited } = input;
    const jointly = jointRecords(input.reading.record, scope, slug, client.id);
    const editInput = { slug, scope, files: input.files, jointly, ...(evenEdited && { evenEdited }) };
    const [edited, ...beside] = editHookFiles(client, editInput, entries, previous, memories);
    const moved = moveOut(client, other, editInput, previous, edited.memories);
    Object.assign(comparison, {
      entries,
      file: edited.chosen.file,
      before: edited.before,
      after: edited.result.text,
      entryChanges: edited.result.changes,
      movedOut: moved.places,
      ...(beside.length > 0 && { beside: beside.map(editedPlace) }),
      drift,
      missing,
      ...(matchesMore && { matchesMore }),
      ...(stopped.length > 0 && { stopped }),
    });
    if ([edited, ...beside].some(({ result }) => result.changes.some(isNew)))
      comparison.nextSteps.push(...scope.nextSteps(client));
    // A lock file holds what a clone gets, and that isn't what one person edited.
    const left = [
      ...[edited, ...beside].flatMap((one) =>
        leftEdited(editedPlace(one), entries, writtenForPlace(client, one.chosen.file, previous)),
      ),
      ...moved.places.flatMap((place) => leftEdited(place, [], writtenToFile(place.file, previous))),
    ];
    const stay = left.length > 0 && !scope.shared;
    const write = (): Written => {
      const wanted = wantedFiles(client, scope, compiled(), folder, input, previous);
      return {
        own: [
          ...ownChanges(wanted, input.files),
          ...leftJoint(wanted, previous, scope, input),
          ...leftManifest(scope, entries, previous, input),
          ...moved.own(),
        ],
        ...((entries.length > 0 || stay) && {
          record: {
            ...clientRecord(digest, edited, entries, wanted, previous, input.now),
            ...(stay && { edited: left }),
            ...otherFilesOf(edited.chosen.file, places, previous, input),
            // Entries that name their scripts otherwise are compared with what is compiled, each time.
            ...(basis !== undefined && nameSameFolders(entries, compiled().entries) && { basis }),
            fidelity: compiled().cells.map((cell) => cell.fidelity),
          },
        }),
      };
    };
    return {
      comparison,
      compiled,
      notes,
      changes: [...[edited, ...beside].flatMap(({ change }) => change ?? []), ...moved.changes],
      memories: moved.memories,
      write,
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const failed = { ...comparison, fault: error };
    return { comparison: failed, compiled, notes, changes: [], memories, write: () => ({ own: [] }) };
  }
}

/** Returns the comparison of a client on which nothing changes. */
export const unchangedOn = (client: ClientId): ClientComparison => ({
  client,
  entries: [],
  before: null,
  after: null,
  entryChanges: [],
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
const fired = ({ fidelity = [] }: ClientRecord, i: number): boolean =>
  !['unsupported', 'skipped', undefined].includes(fidelity[i]);

const isNew = ({ kind }: EntryChange): boolean => kind === 'added' || kind === 'replaced';

const editedPlace = ({ chosen, before, result }: EditedFile): EditedPlace => ({
  file: chosen.file,
  before,
  after: result.text,
  entryChanges: result.changes,
});

/**
 * Hash of the inputs of the entries besides what was approved: mcphooks' version, shim folder, server names, tool
 * access. While this hash and the approval's digest are unchanged, a comparison uses the recorded entries without
 * compiling.
 */
function compileInputsHash(
  servers: ServerNames,
  folder: string,
  { toolAccess, documentTools }: PlanInput,
): string {
  const unreached = 'note' in toolAccess ? toolAccess.note.code : null;
  return sha256(canonicalJson({ version: VERSION, folder, servers, unreached, documentTools }));
}

/** Removes the manifest of a plugin that is to hold no hook: the client would load the rest as an empty plugin. */
function leftManifest(
  scope: Scope | PluginScope,
  entries: ClientComparison['entries'],
  previous: ClientRecord | undefined,
  { files }: PlanInput,
): FileChange[] {
  const isLeft = isPluginScope(scope) && entries.length === 0 && previous?.own[scope.manifest] !== undefined;
  return isLeft ? removal(scope.manifest, files) : [];
}

/** Removes the files by which joint entries served the server, where it needs them no more. */
function leftJoint(
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

function toolAccessFrom(folder: string, input: PlanInput, scope: Scope): ToolAccess {
  const { toolAccess } = input;
  if ('note' in toolAccess) return toolAccess;
  const others = otherPlaces(input);
  // What a lock file gives on its command line is for its project alone.
  const project = toolAccess.at.folder ?? (scope.shared ? scope.root : undefined);
  const { source } = toolAccess.at;
  const at = {
    ...toolAccess.at,
    source: { ...source, ...(source.file !== undefined && { file: scope.from(source.file, folder) }) },
    ...(project !== undefined && { folder: scope.from(project, folder) }),
  };
  return { ...toolAccess, at: { ...at, ...(others && others.length > 0 && { others }) } };
}
