import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Files } from '../base/files.ts';
import { listAt, valueAt } from '../base/json-value.ts';
import { endsWithSteps, ownPaths } from '../base/paths.ts';
import { HERE } from '../base/platform.ts';
import { followed } from '../base/real-path.ts';
import { mainWorktree } from '../base/repository.ts';
import type { Client, ClientId } from '../clients/client.ts';
import { clientById, clientFolder } from '../clients/index.ts';
import { readHooks, type StandingGroup } from '../edit/read.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { EntryChange, WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages/fault.ts';
import { decode, sharesIn } from '../plan/client/hook-file.ts';
import { pluginName } from '../plan/scopes/plugin.ts';
import { recordedScope } from '../plan/scopes/plugin-scope.ts';
import { type HookFilePath, isPluginScope, type Scope } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import { ownShim } from '../shims/entry-owner.ts';
import { driftOf } from '../shims/own-files.ts';
import { recordAmong, writtenEntries } from '../store/record.ts';
import type { ClientRecord, EditedEntry, RecordDocument, ServerRecord } from '../store/types.ts';
import type { ScopeState } from './scopes.ts';
import { activeSwitch, type MachineView, settingsValue } from './settings.ts';
import { distrust, folderDistrust, hooksOff, type Obstacle } from './trust.ts';

/** State of one of our entries: from the client's file, and from the client's record of hook reviews. */
export interface EntryStatus {
  event: string;
  key: string;
  standing: 'as-written' | 'edited' | 'missing';
  /** The file has the entry more than once. An install leaves one. */
  repeated?: true;
  /** Line in the file that the client reads, from 1. */
  line?: number;
  /** Result of the hook review; only on clients with such reviews. */
  review?: 'trusted' | 'modified' | 'untrusted';
  /** File in which the user switched this hook off. */
  offIn?: string;
}

/** Inspection of one server's install on one client. */
export interface ClientStatus {
  client: ClientId;
  /** Time of the install, ISO 8601; empty for an install in a project's lock file. */
  since: string;
  /** The client's file that holds the entries. */
  file: string;
  entries: EntryStatus[];
  /**
   * Set when the client ignores the hooks of this project, or of all settings in this folder, because nobody trusted
   * the folder.
   */
  untrusted?: Obstacle;
  /** The file that the client reads instead, where the entries stand in one that it doesn't read now. */
  reads?: string;
  /** The client's file in git's main worktree, where the client takes the hooks from there and not from `file`. */
  readsMain?: string;
  /** An own file outside the folder that own files have now (`XDG_DATA_HOME`). */
  outside?: string;
  /** Settings that switch all hooks off. */
  hooksOff: Obstacle[];
  /** The install is a plugin that the client loads by itself. */
  plugin?: true;
  /** File in which the user switched the plugin off, and the command that switches the plugin on again. */
  off?: { file: string; undo: string };
  /** Own files that are missing (`missing`), and own files that differ from what mcphooks wrote (`altered`). */
  missing: string[];
  altered: string[];
  /** Set when the client's file can't be read, or the client rejects it. */
  fault?: Fault;
}

/** One server's install on one client. */
interface InstallOnClient {
  client: Client;
  slug: string;
  scope: Scope;
  record: ClientRecord;
  memories: RecordDocument['files'];
  files: Files;
  view: MachineView;
  /** Main worktree from which the client takes the hooks of this project, where that is another one. */
  main: string | undefined;
}

/** Inspects one server's install on one client. Reads files only. */
export function inspect(
  server: ServerRecord,
  id: ClientId,
  { scope, reading }: Pick<ScopeState, 'scope' | 'reading'>,
  view: MachineView,
): ClientStatus {
  const client = clientById(id);
  const { slug } = server;
  const untrusted =
    scope.root === undefined ? folderDistrust(client, view.cwd, view) : distrust(client, scope.root, view);
  const places = scope.hookFiles(client, slug).map(({ file }) => file);
  const record = recordAmong(server.clients[id] as ClientRecord, places);
  const files = filesIn(scope, view);
  const main =
    client.hooks.mainWorktreeOnly && scope.shared && scope.root !== undefined
      ? mainWorktree(followed(scope.root))
      : undefined;
  const installed = { client, slug, scope, record, memories: reading.record.files, files, view, main };
  const status: ClientStatus = {
    client: id,
    since: record.since,
    file: record.file,
    entries: record.entries.map(({ event, key }) => ({ event, key, standing: 'missing' })),
    missing: [],
    altered: [],
    hooksOff: hooksOff(client, view),
    ...(untrusted && { untrusted }),
    ...(main !== undefined && { readsMain: readFrom(record.file, installed) }),
  };
  try {
    const { drift, missing } = driftOf(record, scope, files);
    status.missing = missing;
    status.altered = drift.filter((path) => !missing.includes(path));
    const at = recordedScope(scope, client, slug, record);
    const place = placeWithFile(at.hookFiles(client, slug), record.file);
    if (!place) return status;
    const isPlugin = isPluginScope(at);
    // Clients run the hooks of a plugin in any folder, trusted or not.
    if (isPlugin) delete status.untrusted;
    Object.assign(status, isPlugin ? pluginStatus(client, slug, view) : outsideOf(installed));
    // Each event is read from one of several files, or all from the recorded one.
    const several = client.hooks.shadows && !isPlugin;
    const found = entriesIn(installed, several ? undefined : { ...place, file: record.file });
    // Where the client reads its hooks from another folder now, no entry of the recorded file is active.
    if (several || place.file === record.file) status.entries = found;
    else if (found.some(({ standing }) => standing !== 'missing')) status.reads = place.file;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    status.fault = error.with({ client: client.title });
  }
  return status;
}

/** Returns the path from which the client reads a file of the install. */
const readFrom = (file: string, { main, scope: { root } }: InstallOnClient): string =>
  main === undefined || root === undefined ? file : join(main, relative(root, file));

function outsideOf({ scope, record, view }: InstallOnClient): Pick<ClientStatus, 'outside'> {
  const { data } = ownPaths(view.env);
  const outside = Object.keys(record.own).find((path) => !path.startsWith(data + sep));
  return scope.shared || outside === undefined ? {} : { outside };
}

/** Returns the states of the entries, in the order of the record. `place`: the only file that may hold them. */
function entriesIn(installed: InstallOnClient, place: HookFilePath | undefined): EntryStatus[] {
  const { record } = installed;
  const shares = place ? [{ place, acts: record.entries }] : sharesIn(installed, record.entries);
  const found = shares.flatMap(({ place, acts }) => entriesOfFile(installed, place, acts));
  const rank = ({ event, key }: EntryStatus): number => {
    const i = record.entries.findIndex((e) => e.event === event && e.key === key);
    return i < 0 ? record.entries.length : i;
  };
  return found.sort((a, b) => rank(a) - rank(b));
}

function entriesOfFile(installed: InstallOnClient, place: HookFilePath, acts: WantedEntry[]): EntryStatus[] {
  const { client, slug, scope, record, memories, files } = installed;
  const { file } = place;
  const isListed = (native: string): boolean => record.entries.some(({ key }) => key === native);
  const ours = (command: string): string | undefined =>
    ownShim(command, { slug, client: client.id, scope }, isListed);
  const read = readFrom(file, installed);
  const bytes = files.read(read);
  const text = bytes === null ? null : decode(bytes, read);
  const state = { ...place, file: read, text, memory: memories[file] };
  const { changes } = reconcile({
    ...state,
    wanted: acts,
    ours,
    written: writtenEntries(record, file),
    tombstones: client.hooks.tombstones === true,
  });
  const groups = readHooks(state, ours);
  const isKept = (edited: EditedEntry): boolean =>
    (edited.file ?? record.file) === file &&
    changes.some((c) => c.kind === 'kept-edited' && c.event === edited.event && c.key === edited.key);
  return [...acts, ...(record.edited ?? []).filter(isKept)].map(({ event, key }) => {
    const { line, ...entry } = entryStatus({ event, key }, changes, groups, read, installed);
    // Its line in another file would be read as one of the recorded file.
    return { ...entry, ...(line && file === record.file && { line }) };
  });
}

/** Returns the place of a file, or a place of equal shape when the client's folder has moved since. */
function placeWithFile(places: readonly HookFilePath[], file: string): HookFilePath | undefined {
  return places.find((p) => p.file === file) ?? places.find((p) => endsWithSteps(file, p.path)) ?? places[0];
}

function pluginStatus(client: Client, slug: string, view: MachineView): Pick<ClientStatus, 'plugin' | 'off'> {
  const off = client.plugin?.autoLoad?.off?.(pluginName(slug));
  const file = off && activeSwitch(off.switch, client, view)?.path;
  return { plugin: true, ...(off && file !== undefined && { off: { file, undo: off.undo } }) };
}

function entryStatus(
  { event, key }: { event: string; key: string },
  changes: readonly EntryChange[],
  groups: readonly StandingGroup[],
  file: string,
  { client, slug, scope, view: machine }: InstallOnClient,
): EntryStatus {
  const view = { ...machine, cwd: scope.root ?? machine.cwd };
  const [change, ...more] = changes.filter((c) => c.event === event && c.key === key);
  const standing =
    change?.kind === 'unchanged' ? 'as-written' : change?.kind === 'added' ? 'missing' : 'edited';
  const found = groups
    .filter((g) => g.event === event)
    .flatMap((g) => g.ours.filter((o) => o.key === key).map(({ handler }) => ({ ...g, handler })))[0];
  if (!found) return { event, key, standing };
  const kept = reviewOf(client, file, found, view);
  const listed = offListed(client, `${slug}:${key}`, event, view);
  const offIn = kept?.off ?? listed;
  return {
    event,
    key,
    standing,
    ...(more.length > 0 && { repeated: true }),
    ...(found.line && { line: found.line }),
    ...(kept && { review: kept.review }),
    ...(offIn !== undefined && { offIn }),
  };
}

/** Returns the client's record of the user's review of one handler. */
function reviewOf(
  client: Client,
  file: string,
  at: StandingGroup & { handler: number },
  view: MachineView,
): { review: NonNullable<EntryStatus['review']>; off?: string } | undefined {
  const { review } = client.gates;
  if (!review) return undefined;
  const path = join(clientFolder(client, view.env), review.path);
  const table = valueAt(settingsValue(path, client, view), review.at);
  const keys = [file, real(file)].map((f) => review.key(f, at.event, at.index, at.handler));
  const kept = keys.map((key) => valueAt(table, [key])).find((value) => value !== undefined);
  const hash = valueAt(kept, [review.fields.hash]);
  const off = valueAt(kept, [review.fields.enabled]) === false ? { off: path } : {};
  if (typeof hash !== 'string') return { review: 'untrusted', ...off };
  const same = hash === review.hash(at.event, at.group, at.handler, HERE.windows);
  return { review: same ? 'trusted' : 'modified', ...off };
}

/** Resolves links in the path of a file's folder. */
const real = (file: string): string => join(followed(dirname(file)), basename(file));

/** Returns the file that has a handler's name in its client's list of switched-off hooks. */
function offListed(client: Client, name: string, native: string, view: MachineView): string | undefined {
  const { offList } = client.gates;
  const full = client.hooks.fields?.(name, native).name;
  if (!offList || typeof full !== 'string') return undefined;
  const own = client.hooks.user.map(({ path }) => join(clientFolder(client, view.env), path));
  return [resolve(view.cwd, offList.project), ...own].find((path) =>
    listAt(settingsValue(path, client, view), offList.path).includes(full),
  );
}
