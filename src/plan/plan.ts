import { createHash } from 'node:crypto';
import { planFolders } from '../apply/files.ts';
import {
  emptyRecord,
  findServer,
  putServer,
  type RecordReading,
  recordChanges,
  recordFile,
} from '../apply/record.ts';
import type {
  ClientRecord,
  FileChange,
  InstallOptions,
  RecordDocument,
  ServerRecord,
} from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import type { Client, ClientId } from '../clients/types.ts';
import { isProved } from '../clients/version.ts';
import { canonicalJson, declarationsHash } from '../declarations/canonical.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { FileMemory, Reconciled, WantedEntry } from '../edit/types.ts';
import type { FireServer } from '../fire/types.ts';
import { Fault } from '../messages.ts';
import type { Env, OwnPaths } from '../paths.ts';
import type { Declared } from '../server/types.ts';
import { entryMark, ownShim, type System, shimCommand, unquotable } from './command.ts';
import { compile } from './compile.ts';
import { type ChosenFile, chooseHookFile, otherHookFiles } from './hook-file.ts';
import { approvalDigest, chosenOptions } from './options.ts';
import {
  disabledMarker,
  type OwnFile,
  type Runtime,
  runtimeFiles,
  serverFolder,
  shimFiles,
  shimFolder,
} from './own-files.ts';
import type { ClientPlan, Note, Plan } from './types.ts';

/** All that a plan follows from. The same input gives the same plan; nothing is written. */
export interface PlanInput {
  server: string;
  slug: string;
  tag: string;
  declared: Declared;
  options: InstallOptions;
  /** Names of the options that are no choice for this server, and follow the user's defaults later too. */
  defaulted?: readonly (keyof InstallOptions)[];
  clients: readonly ClientId[];
  /** The name by which each client knows the server, where it does. */
  aliasOn: Partial<Record<ClientId, string>>;
  /** Aliases of all servers in each client's configuration, for matchers. */
  aliases: Partial<Record<ClientId, readonly string[]>>;
  /** How a shim reaches the server, or why it can't. `shown` is the definition in one line, secrets masked. */
  reach: { at: Omit<FireServer, 'callMs'>; shown: string } | { note: Note };
  /** Versions of the clients that are found here. */
  versions: Partial<Record<ClientId, string>>;
  /** Tools whose author says that they return a `hookSpecificOutput` document. */
  documentTools: readonly string[];
  /** What `diff` needs to reach the server again, when the command line said how. */
  given?: unknown;
  reading: RecordReading;
  /** Project definitions that may be started: hash -> since when. */
  starts: Record<string, string>;
  /** Folders that were created for the lock. */
  made?: readonly string[];
  paths: OwnPaths;
  env: Env;
  runtime: Runtime;
  system: System;
  /** ISO 8601. */
  now: string;
  read: (path: string) => Uint8Array | null;
}

/** Plans one server's install or update at user scope. */
export function planInstall(input: PlanInput): Plan {
  const { server, slug, declared, options } = input;
  const { record } = input.reading;
  const previous = findServer(record, { slug, scope: 'user' });
  const own = new Map<string, FileChange>();
  const texts = new Map<string, FileChange>();
  let files = { ...record.files };
  const clientRecords: ServerRecord['clients'] = { ...previous?.clients };
  const clients = input.clients.map((id): ClientPlan => {
    const planned = planClient(clientById(id), input, previous?.clients[id], files);
    if (planned.plan.fault) return planned.plan;
    for (const change of planned.own) own.set(change.path, change);
    if (planned.change) texts.set(planned.change.path, planned.change);
    files = planned.files;
    if (planned.record) clientRecords[id] = planned.record;
    else delete clientRecords[id];
    return planned.plan;
  });

  const marker = disabledMarker(serverFolder(input.paths, slug));
  const disabled = previous?.disabled ?? input.read(marker) !== null;
  if (disabled && clients.some((c) => !c.fault))
    for (const change of ownChange({ path: marker, text: '', mode: 0o600 }, input.read))
      own.set(marker, change);
  const reached = 'at' in input.reach ? input.reach : undefined;
  const next: ServerRecord = {
    ...previous,
    server,
    slug,
    scope: 'user',
    tag: input.tag,
    since: previous?.since ?? input.now,
    declarations: declared.declarations,
    declarationsHash: declarationsHash(declared.declarations),
    ...(declared.serverName !== undefined && { serverName: declared.serverName }),
    from: declared.from,
    ...(reached && {
      definition: { source: reached.at.source, hash: reached.at.hash, shown: reached.shown },
    }),
    given: input.given,
    ...(input.documentTools.length > 0 && { documentTools: [...input.documentTools] }),
    options,
    ...(input.defaulted && { defaulted: [...input.defaulted] }),
    clients: clientRecords,
    ...(disabled && { disabled }),
  };
  const changed = changedSince(previous, next);
  const starts = { ...record.starts, ...input.starts };
  const {
    changes,
    emptied,
    record: after,
  } = withRecord([...own.values(), ...texts.values()], { ...putServer(record, next), files, starts }, input);
  return {
    server,
    slug,
    declarations: declared.declarations,
    clients,
    options,
    ...(previous && { previous }),
    ...(disabled && { disabled }),
    changed,
    changes,
    emptied,
    record: after,
  };
}

/** The changes, and with them the record that goes last, when there is anything to write. */
export function withRecord(
  changes: FileChange[],
  record: RecordDocument,
  input: Pick<PlanInput, 'reading' | 'paths' | 'now' | 'made'>,
): { changes: FileChange[]; emptied: string[]; record: RecordDocument } {
  const { folders, emptied } = planFolders(changes, [
    ...new Set([...input.reading.record.folders, ...(input.made ?? [])]),
  ]);
  const after = { ...record, folders };
  if (changes.length === 0 && canonicalJson(after) === canonicalJson(input.reading.record))
    return { changes, emptied: [], record: after };
  // The last uninstall leaves no record either.
  const last = recordChanges(input.paths.state, input.reading, after, new Date(input.now))
    .map((change) =>
      isBlank(after, input.paths.state) && change.path === recordFile(input.paths.state)
        ? { ...change, after: null }
        : change,
    )
    .filter((change) => change.before !== null || change.after !== null);
  return { changes: [...changes, ...last], emptied, record: after };
}

/** The folder of the record itself, and those above it, go when the record is gone. */
function isBlank(record: RecordDocument, state: string): boolean {
  const folders = record.folders.filter((folder) => !isAround(folder, state));
  return canonicalJson({ ...record, folders }) === canonicalJson(emptyRecord());
}

export function isAround(folder: string, path: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

function changedSince(previous: ServerRecord | undefined, next: ServerRecord): Plan['changed'] {
  if (!previous) return [];
  const changed: Plan['changed'] = [];
  if (previous.declarationsHash !== next.declarationsHash) changed.push('declarations');
  if (previous.definition?.hash !== next.definition?.hash) changed.push('definition');
  if (canonicalJson(chosenOptions(previous.options)) !== canonicalJson(chosenOptions(next.options)))
    changed.push('options');
  return changed;
}

interface PlannedClient {
  plan: ClientPlan;
  own: FileChange[];
  change?: FileChange;
  files: Record<string, FileMemory>;
  record?: ClientRecord;
}

function planClient(
  client: Client,
  input: PlanInput,
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): PlannedClient {
  const { slug, paths, options, declared } = input;
  const digest = approvalDigest(declared.declarations, options, client.id);
  const folder = shimFolder(paths, slug, digest, client.id);
  const compiled = compile(declared.declarations, client, {
    servers: {
      alias: input.aliasOn[client.id] ?? input.server,
      ...(declared.serverName !== undefined && { serverName: declared.serverName }),
      known: input.aliases[client.id] ?? [],
    },
    slug,
    tag: input.tag,
    options,
    shimFolder: folder,
    state: paths.state,
    reach: input.reach,
    command: (path) => shimCommand(path, client, input.system),
    mark: (key) => entryMark(slug, digest, client.id, key),
    documentTools: input.documentTools,
  });
  const plan: ClientPlan = {
    client: client.id,
    cells: compiled.cells,
    before: null,
    after: null,
    entryChanges: [],
    drift: [],
    nextSteps: [],
    notes: versionNotes(client, input.versions[client.id]),
  };
  try {
    const bad =
      client.forbiddenInCommand.find((text) => folder.includes(text)) ??
      unquotable(folder, client, input.system);
    if (bad && compiled.shims.length > 0)
      throw new Fault('plan.path-forbidden', { client: client.title, text: bad, path: folder });
    // What was approved is kept as it was written, so that a newer mcphooks asks for no new review.
    const kept = previous?.digest === digest ? sameShims(previous.entries, compiled.entries) : undefined;
    const edited = editHookFile(client, input, kept ?? compiled.entries, previous, files);
    const wanted =
      compiled.shims.length > 0
        ? [
            ...shimFiles(compiled.shims, folder, paths, input.runtime, input.system),
            ...runtimeFiles(paths, input.runtime),
          ]
        : [];
    Object.assign(plan, {
      file: edited.chosen.file,
      before: edited.before,
      after: edited.result.text,
      entryChanges: edited.result.changes,
      drift: driftOf(previous, input.read),
    });
    if (edited.result.changes.some((c) => c.kind === 'added' || c.kind === 'replaced'))
      plan.nextSteps.push(...client.nextSteps);
    return {
      plan,
      own: wanted.flatMap((file) => ownChange(file, input.read)),
      ...(edited.change && { change: edited.change }),
      files: edited.files,
      ...(compiled.entries.length > 0 && {
        record: clientRecord(digest, edited, kept ?? compiled.entries, wanted, previous, input.now),
      }),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { plan: { ...plan, fault: error }, own: [], files };
  }
}

function versionNotes(client: Client, found: string | undefined): Note[] {
  if (found === undefined || isProved(found, client.proved)) return [];
  return [{ code: 'version.unproved', args: { client: client.title, found, ...client.proved } }];
}

function sameShims(old: readonly WantedEntry[], now: readonly WantedEntry[]): WantedEntry[] | undefined {
  const keys = (entries: readonly WantedEntry[]): string => entries.map((e) => `${e.event}/${e.key}`).join();
  return keys(old) === keys(now) ? [...old] : undefined;
}

interface EditedFile {
  chosen: ChosenFile;
  before: string | null;
  result: Reconciled;
  change?: FileChange;
  files: Record<string, FileMemory>;
}

/** Brings a client's file to hold exactly `wanted` of this server. */
export function editHookFile(
  client: Client,
  input: Pick<PlanInput, 'env' | 'read' | 'slug' | 'options'>,
  wanted: readonly WantedEntry[],
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): EditedFile {
  const read = (path: string): string | null => {
    const bytes = input.read(path);
    return bytes === null ? null : decode(bytes, path);
  };
  const { codexFile } = input.options;
  const chosen = chooseHookFile(client, input.env, read, {
    ...(previous && { previous: previous.file }),
    ...(codexFile && { format: codexFile }),
  });
  try {
    return edit(chosen);
  } catch (error) {
    // Hooks written as an inline array can't be added to; another file serves as long as that doubles nothing.
    const other = otherHookFiles(client, input.env, chosen, read)[0];
    if (!other || previous || !(error instanceof Fault) || error.code !== 'edit.unsupported-shape')
      throw error;
    return edit(other);
  }

  function edit(place: ChosenFile): EditedFile {
    const before = read(place.file);
    const result = reconcile({
      file: place.file,
      text: before,
      format: place.format,
      accepts: place.accepts,
      memory: files[place.file],
      wanted,
      ours: (command) => ownShim(command, input.slug, client.id),
      written: (event, key) => previous?.entries.find((e) => e.event === event && e.key === key)?.group,
      tombstones: client.tombstones,
    });
    const { [place.file]: _old, ...rest } = files;
    const memory = result.memory ? { ...rest, [place.file]: result.memory } : rest;
    const bytes = (text: string | null): Uint8Array | null =>
      text === null ? null : Buffer.from(text, 'utf8');
    return {
      chosen: place,
      before,
      result,
      files: memory,
      ...(result.text !== before && {
        change: { path: place.file, before: bytes(before), after: bytes(result.text), mode: 0o644 },
      }),
    };
  }
}

/** Strict UTF-8, so that what is written back is byte for byte what was read; the BOM is kept as a character. */
export function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault('plan.not-utf8', {}, { file });
  }
}

function ownChange(file: OwnFile, read: PlanInput['read']): FileChange[] {
  const before = read(file.path);
  const after = Buffer.from(file.text, 'utf8');
  return before && after.equals(before) ? [] : [{ path: file.path, before, after, mode: file.mode }];
}

function clientRecord(
  digest: string,
  edited: EditedFile,
  entries: readonly WantedEntry[],
  wanted: readonly OwnFile[],
  previous: ClientRecord | undefined,
  now: string,
): ClientRecord {
  return {
    ...previous,
    digest,
    since: previous?.digest === digest ? previous.since : now,
    file: edited.chosen.file,
    entries: entries.map(({ event, key, group }) => ({ event, key, group })),
    own: Object.fromEntries(wanted.map((f) => [f.path, sha256(f.text)])),
  };
}

/** Own files that aren't what was written. */
export function driftOf(previous: ClientRecord | undefined, read: PlanInput['read']): string[] {
  return Object.entries(previous?.own ?? {}).flatMap(([path, hash]) => {
    const bytes = read(path);
    return bytes !== null && sha256(bytes) === hash ? [] : [path];
  });
}

export function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}
