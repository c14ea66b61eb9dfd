import { join, relative } from 'node:path';
import * as z from 'zod/mini';
import { type Files, namesIn } from '../base/files.ts';
import { jsonOrUndefined } from '../base/json-value.ts';
import { once } from '../base/once.ts';
import { foldersAbove, homeFolder } from '../base/paths.ts';
import { sha256 } from '../base/sha256.ts';
import { oneLine } from '../base/visible.ts';
import type { Client } from '../clients/client.ts';
import { nativeEvent, PLUGIN_CLIENTS, type PluginClient } from '../clients/index.ts';
import { canonicalJson, declarationsHash } from '../declarations/canonical-json.ts';
import { EXPORT_MARK } from '../inspect/exported-plugins.ts';
import { Fault } from '../messages/fault.ts';
import { commonStep, type Note } from '../messages/notes.ts';
import { isCarried } from '../plan/carried.ts';
import { nameNotes } from '../plan/client/client-version.ts';
import type { PlanInput } from '../plan/input.ts';
import { chosenOptions } from '../plan/options.ts';
import { manifestText, pluginName } from '../plan/scopes/plugin.ts';
import type { ClientPlan } from '../plan/types.ts';
import { machinePlaces } from '../servers/definitions/machine-places.ts';
import type { Definition } from '../servers/types.ts';
import type { FileChange } from '../store/types.ts';
import { assertUtf8 } from '../store/utf8-path.ts';
import { isExportPath, README } from './export-path.ts';
import { attributes, json, type Packed, type PackedFile, pack, runtimeCopies, together } from './pack.ts';
import { pageOf } from './page.ts';
import type { ServerToPack } from './server-entry.ts';

export interface ExportInput extends PlanInput {
  formats: readonly string[];
  /** Absolute path. */
  out: string;
  /** Folder around `out`; no link below this folder is followed. */
  around: string;
  /** The server's definition on this machine. */
  definition?: Definition;
  /** The server to include in the plugin. */
  withServer?: ServerToPack;
  cwd: string;
}

/** What a plugin gets for one client. */
type ExportedClient = Pick<ClientPlan, 'client' | 'cells' | 'shims' | 'entries' | 'notes' | 'nextSteps'>;

/** Everything that an export is about to write, as data. */
export interface ExportPlan extends Pick<PlanInput, 'server' | 'slug' | 'options' | 'leftOut'> {
  declarations: PlanInput['declared']['declarations'];
  clients: ExportedClient[];
  /** Remarks on the plugin as a whole. */
  notes?: Note[];
  /** Name and version in the manifests. */
  plugin: { name: string; version: string };
  out: string;
  changes: FileChange[];
  /** Folders in `out` to remove when they are empty afterwards. */
  emptied: string[];
}

/** As npm has it: the README says whose the texts are. */
const LICENSE = `SEE LICENSE IN ${README}`;

/** Schema of the mark file in an export, which the next export reads. */
const Mark = once(() =>
  z.looseObject({
    schema: z.literal(1),
    server: z.string(),
    version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
    // Only paths that an export writes, because the next export removes every listed file that it doesn't write itself.
    files: z.record(z.string().check(z.refine(isExportPath)), z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  }),
);
type Mark = z.infer<ReturnType<typeof Mark>>;

/**
 * Plans a plugin or extension as a folder. Equal declarations, options and earlier export result in equal bytes. Throws
 * a Fault: `export.*`, `own.not-utf8`.
 */
export function planExport(input: ExportInput): ExportPlan {
  const { server, slug, declared, options, formats, out, withServer } = input;
  const { declarations } = declared;
  const name = pluginName(slug);
  assertUtf8(out);
  const clients = PLUGIN_CLIENTS.filter((c) => formats.includes(c.plugin.name));
  if (withServer) refuseMachinePlaces(withServer.definition, input);
  const shares = clients.map((client) => {
    const hooks = hooksElsewhere(client, clients);
    return pack(client, input, name, { ...(withServer && { withServer }), ...(hooks && { hooks }) });
  });
  const variables = [...new Set(shares.flatMap((share) => share.variables))].sort();
  assertNoLink(input, [EXPORT_MARK]);
  const { readme, earlier } = withReadme(
    pageOf({ server, declarations, name, variables, shares }),
    readMark(out, input),
    input,
  );
  const common = [...commonFiles(earlier, input), ...(readme ? [readme] : [])];
  const { version, files } = versioned(
    (of) => together([...shares.flatMap((share) => filesOf(share, of, input)), ...common], formats),
    earlier,
  );
  const mark = {
    schema: 1,
    server,
    formats: clients.map((c) => c.plugin.name),
    version,
    declarations: declarationsHash(declarations),
    options: chosenOptions(options),
    files: hashesOf(files),
  };
  assertNoLink(input, [...Object.keys(earlier?.files ?? {}), ...files.map(({ path }) => path)]);
  const notes = [
    ...clients.flatMap((client) => nameNotes(client, server)),
    ...(variables.length > 0 ? [{ code: 'export.variables' as const, args: { names: variables } }] : []),
    ...(readme ? [] : [{ code: 'export.readme-kept' as const, args: {} }]),
  ];
  const { changes, emptied } = changesFor(
    [...files, { path: EXPORT_MARK, text: json(mark) }],
    earlier,
    input,
  );
  return {
    server,
    slug,
    declarations,
    options,
    clients: shares.map(exportedClient),
    plugin: { name, version },
    out,
    ...(input.leftOut && { leftOut: input.leftOut }),
    ...(notes.length > 0 && { notes }),
    changes,
    emptied,
  };
}

/** Returns what a plugin has for one client: its files, and the manifest with this version. */
function filesOf(
  { files, manifest, cells }: Packed,
  version: string,
  { server, slug, declared }: ExportInput,
): PackedFile[] {
  const count = declared.declarations.length;
  const about = {
    version,
    server,
    count,
    packed: cells.filter(({ fidelity }) => isCarried(fidelity)).length,
  };
  const text = manifestText(slug, about, { license: LICENSE, ...manifest.fields });
  return [...files, { path: manifest.path, text }];
}

/** Returns the files that serve all clients, but for those that the folder's owner put there. */
function commonFiles(earlier: Mark | undefined, { runtime, files, out }: ExportInput): PackedFile[] {
  const isTheirs = (path: string): boolean =>
    earlier?.files[path] === undefined && files.read(join(out, path)) !== null;
  return [...runtimeCopies(runtime()), ...attributes().filter(({ path }) => !isTheirs(path))];
}

/** Returns the files with the version of the earlier export, or with the next one where they differ from it. */
function versioned(
  filesFor: (version: string) => PackedFile[],
  earlier: Mark | undefined,
): { version: string; files: PackedFile[] } {
  if (!earlier) return { version: '1.0.0', files: filesFor('1.0.0') };
  const same = filesFor(earlier.version);
  if (canonicalJson(hashesOf(same)) === canonicalJson(earlier.files))
    return { version: earlier.version, files: same };
  const version = next(earlier.version);
  return { version, files: filesFor(version) };
}

const hashesOf = (files: readonly PackedFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ path, text }) => [path, sha256(text)]));

const exportedClient = ({ client, cells, shims, entries, nextSteps }: Packed): ExportedClient => ({
  client: client.id,
  cells: cells.map((cell) => ({ ...cell, notes: [...cell.notes, ...besideOthers(client, cell.natives)] })),
  shims,
  entries,
  nextSteps: [commonStep('plugin.node'), ...nextSteps],
  notes: [],
});

/** A README that a person wrote stays, and is no part of the export from then on. */
function withReadme(
  page: PackedFile,
  earlier: Mark | undefined,
  { out, files }: Pick<ExportInput, 'out' | 'files'>,
): { readme?: PackedFile; earlier: Mark | undefined } {
  const there = files.read(join(out, README));
  if (there === null || isAsExported(there, earlier?.files[README])) return { readme: page, earlier };
  const { [README]: _, ...rest } = earlier?.files ?? {};
  return { earlier: earlier && { ...earlier, files: rest } };
}

/** A plugin holds one server's hooks, so that it shares no entry with other plugins and installs. */
function besideOthers(client: Client, natives: readonly string[]): Note[] {
  return natives.flatMap((native): Note[] => {
    const { textsUsed, allUsedFrom } = nativeEvent(client, native);
    if (textsUsed === undefined) return [];
    if (typeof textsUsed === 'object') return [{ code: 'export.counted', args: { native } }];
    return [{ code: 'export.heard', args: { native, textsUsed, before: allUsedFrom?.version ?? '' } }];
  });
}

/** Returns another path for a client's hook file when an earlier client reads a file at the default path. */
function hooksElsewhere(client: PluginClient, all: readonly PluginClient[]): string | undefined {
  const { hooks, elsewhere } = client.plugin;
  const first = all.find((c) => c.plugin.hooks === hooks);
  return first === client ? undefined : elsewhere?.hooks;
}

function refuseMachinePlaces(definition: Definition, { env, cwd }: Pick<ExportInput, 'env' | 'cwd'>): void {
  const places = machinePlaces(definition, [homeFolder(env), cwd], { inProject: false });
  if (places.length > 0) throw new Fault('export.machine-path', { places });
}

/** True for a file with the hash of its export, also when git has converted the line ends since. */
function isAsExported(bytes: Uint8Array, hash: string | undefined): boolean {
  const unix = Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return [bytes, unix].some((one) => sha256(one) === hash);
}

const next = (version: string): string => version.replace(/\d+$/, (n) => String(Number(n) + 1));

/**
 * Returns the mark of an earlier export in `out`; undefined: `out` is empty. Throws when `out` contains anything else.
 */
function readMark(out: string, { server, files }: Pick<ExportInput, 'server' | 'files'>): Mark | undefined {
  const found = list(out, files);
  if (found.length === 0) return undefined;
  const bytes = files.read(join(out, EXPORT_MARK)) ?? [];
  const { data: mark } = Mark().safeParse(jsonOrUndefined(Buffer.from(bytes).toString('utf8')));
  if (mark?.server === server) return mark;
  const args = { name: server, found: found.slice(0, 5).map((f) => oneLine(f)) };
  throw new Fault('export.not-empty', args, { file: out });
}

/** Throws a Fault, `export.linked`: a clone may contain the folder, and the target of a link may be somebody else's. */
function assertNoLink({ out, around, files: { real } }: ExportInput, paths: readonly string[]): void {
  for (const path of [out, ...paths.map((path) => join(out, path))]) {
    const to = real(path);
    if (to !== join(real(around), relative(around, path)))
      throw new Fault('export.linked', { to }, { file: path });
  }
}

function list(folder: string, files: Files): string[] {
  const entries = files.list(folder);
  if (entries === 'closed' || (entries === 'gone' && files.read(folder) !== null))
    throw new Fault(
      'export.not-a-folder',
      { reason: entries === 'gone' ? 'ENOTDIR' : 'EACCES' },
      { file: folder },
    );
  return namesIn(folder, files).sort();
}

/**
 * Returns the changes from the earlier export to `files`. Throws `export.edited` instead of overwriting a person's
 * edits.
 */
function changesFor(
  files: readonly PackedFile[],
  earlier: Mark | undefined,
  { out, files: disk }: Pick<ExportInput, 'out' | 'files'>,
): Pick<ExportPlan, 'changes' | 'emptied'> {
  const wanted = new Map(files.map((f) => [f.path, f]));
  const before = Object.keys(earlier?.files ?? {});
  const edited: string[] = [];
  const changes: FileChange[] = [];
  for (const path of new Set([...before.filter((p) => !wanted.has(p)), ...wanted.keys()])) {
    const file = wanted.get(path);
    const there = disk.read(join(out, path));
    const after = file ? Buffer.from(file.text, 'utf8') : null;
    if (there === null ? after === null : after?.equals(there)) continue;
    if (there && path !== EXPORT_MARK && !isAsExported(there, earlier?.files[path])) edited.push(path);
    changes.push({ path: join(out, path), before: there, after, mode: file?.executable ? 0o777 : 0o666 });
  }
  if (edited.length > 0) throw new Fault('export.edited', { files: edited }, { file: out });
  const gone = before.filter((path) => !wanted.has(path)).flatMap(foldersAbove);
  return { changes, emptied: [...new Set(gone)].map((folder) => join(out, folder)) };
}
