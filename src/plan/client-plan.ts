import type { ClientRecord, FileChange } from '../apply/types.ts';
import type { Client } from '../clients/types.ts';
import { compareVersions, isProved } from '../clients/version.ts';
import { canonicalJson } from '../declarations/canonical.ts';
import type { FileMemory, WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages.ts';
import { once } from '../once.ts';
import { sha256 } from '../sha256.ts';
import { VERSION } from '../version.ts';
import { entryMark, holdsEntries } from './command.ts';
import { compile } from './compile.ts';
import { type EditedFile, editHookFile } from './hook-file.ts';
import { keptEntries } from './kept-entries.ts';
import { leave } from './leave.ts';
import type { ServerNames } from './matcher.ts';
import { approvalDigest } from './options.ts';
import { driftOf, type OwnFile, ownChanges, shimFolder } from './own-files.ts';
import type { PlanInput } from './plan.ts';
import { manifestText } from './plugin.ts';
import { isPlugin, type PluginSite, siteOf, siteOn } from './plugin-site.ts';
import type { Site } from './site.ts';
import type { ClientPlan, Compiled, Note } from './types.ts';

/** One client's share of a plan, and what it makes of the client's file. */
export interface PlannedClient {
  plan: ClientPlan;
  changes: FileChange[];
  files: Record<string, FileMemory>;
  /** Own files and record: what only a write needs. Throws a Fault where one of them can't be read. */
  write: () => Written;
}

export interface Written {
  own: FileChange[];
  record?: ClientRecord;
}

/** Plans one server on one client. A file that can't be edited is the plan's `fault`, nothing is thrown for it. */
export function planClient(
  client: Client,
  input: PlanInput,
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): PlannedClient {
  const { slug, options, declared } = input;
  const site = siteOn(input.site, client, slug, options.target);
  const other = isPlugin(site) ? input.site : input.site.asPlugin?.(client, slug);
  const digest = approvalDigest(declared.declarations, options, client.id);
  const folder = shimFolder(site.paths, slug, digest, client.id);
  const servers: ServerNames = {
    alias: input.aliasOn[client.id] ?? input.server,
    ...(declared.serverName !== undefined && { serverName: declared.serverName }),
    known: input.aliases[client.id] ?? [],
  };
  const compiled = once(() =>
    compile(declared.declarations, client, {
      servers,
      slug,
      ...(!site.shared && { tag: input.tag, state: site.paths.state }),
      ...(site.yields && { yields: true }),
      options,
      shimFolder: folder,
      reach: reachFrom(folder, input.reach, site),
      command: (path) => site.command(path, client),
      mark: (key) => entryMark(slug, digest, client.id, key, site.shared),
      documentTools: input.documentTools,
    }),
  );
  const basis = site.shared ? undefined : basisOf(servers, folder, input);
  const notes: Note[] = [...(input.across?.notes[client.id] ?? [])];
  const plan: ClientPlan = {
    client: client.id,
    get cells() {
      return compiled().cells;
    },
    get shims() {
      return compiled().shims;
    },
    entries: [],
    before: null,
    after: null,
    entryChanges: [],
    left: [],
    drift: [],
    nextSteps: [],
    // Versions are looked up where they are shown.
    get notes() {
      return [...versionNotes(client, input.versions[client.id]), ...targetNotes(client, input), ...notes];
    },
    ...(isPlugin(site) && { plugin: site.folder }),
  };
  try {
    const bad = site.forbidden(folder, client);
    if (bad && compiled().shims.length > 0)
      throw new Fault('plan.path-forbidden', { client: client.title, text: bad, path: folder });
    // What was approved is kept as it was written, so that a newer mcphooks asks for no new review.
    const stays = isPlugin(siteOf(input.site, client, slug, previous)) === isPlugin(site);
    const drift = driftOf(previous, site, input.read);
    const same = previous?.digest === digest && stays;
    const settled = same && input.reading.untouched && previous.basis === basis && drift.length === 0;
    const kept = settled
      ? previous.entries
      : same && keptEntries(previous.entries, compiled(), folder, input.read);
    const entries = kept || compiled().entries;
    // Not all of the input: some of it is looked up when it is asked for.
    const place = { slug, site, options, read: input.read };
    const edited = editHookFile(client, place, entries, previous, files);
    notes.push(...edited.notes);
    const left = leave(client, other, place, previous, edited.files);
    Object.assign(plan, {
      entries,
      file: edited.chosen.file,
      before: edited.before,
      after: edited.result.text,
      entryChanges: edited.result.changes,
      left: left.places,
      drift,
    });
    if (edited.result.changes.some((c) => c.kind === 'added' || c.kind === 'replaced'))
      plan.nextSteps.push(...site.nextSteps(client));
    const write = (): Written => {
      const wanted = ownFiles(client, site, compiled(), folder, input, previous);
      return {
        own: [...ownChanges(wanted, input.read), ...left.own()],
        ...(entries.length > 0 && {
          record: {
            ...clientRecord(digest, edited, entries, wanted, previous, input.now),
            ...(basis !== undefined && { basis }),
            fidelity: compiled().cells.map((cell) => cell.fidelity),
          },
        }),
      };
    };
    return {
      plan,
      changes: [...(edited.change ? [edited.change] : []), ...left.changes],
      files: left.files,
      write,
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { plan: { ...plan, fault: error }, changes: [], files, write: () => ({ own: [] }) };
  }
}

/**
 * What entries follow from besides what was approved (`folder` holds their shims), as a hash. While both are as
 * they were, the remembered entries are right, and needn't be compiled to be compared.
 */
function basisOf(servers: ServerNames, folder: string, { reach, documentTools }: PlanInput): string {
  const unreached = 'note' in reach ? reach.note.code : null;
  return sha256(canonicalJson({ version: VERSION, folder, servers, unreached, documentTools }));
}

function ownFiles(
  client: Client,
  site: Site | PluginSite,
  { shims, entries }: Compiled,
  folder: string,
  { server, slug, declared, runtime, read }: PlanInput,
  previous: ClientRecord | undefined,
): OwnFile[] {
  const own = shims.length > 0 ? site.shims(shims, folder, slug, runtime) : [];
  if (!isPlugin(site) || entries.length === 0) return own;
  const { manifest: path } = site;
  const ours =
    previous?.own[path] !== undefined || site.hookFiles(client).some((p) => holdsEntries(read(p.file), slug));
  if (read(path) !== null && !ours)
    throw new Fault('plan.plugin-taken', { client: client.title, folder: site.folder }, { file: path });
  const about = { version: '1.0.0', server, count: declared.declarations.length };
  return [{ path, text: manifestText(slug, about, client.plugin.fields), mode: 0o600 }, ...own];
}

function reachFrom(folder: string, reach: PlanInput['reach'], site: Site): PlanInput['reach'] {
  return 'note' in reach
    ? reach
    : { ...reach, at: { ...reach.at, source: site.source(reach.at.source, folder) } };
}

function versionNotes(client: Client, found: string | undefined): Note[] {
  if (found === undefined || isProved(found, client.proved)) return [];
  return [{ code: 'version.unproved', args: { client: client.title, found, ...client.proved } }];
}

/** What a user should know of a plugin that was asked for. */
function targetNotes(client: Client, { options, site, versions }: PlanInput): Note[] {
  if (options.target !== 'plugin' || !site.asPlugin) return [];
  const { autoLoad } = client.plugin;
  const args = { client: client.title };
  if (!autoLoad) return [{ code: 'target.none', args }];
  const { since, note } = autoLoad;
  const found = versions[client.id];
  return [
    ...(since !== undefined && found !== undefined && compareVersions(found, since) < 0
      ? [{ code: 'target.too-old' as const, args: { ...args, found, since } }]
      : []),
    ...(note ? [{ code: note, args }] : []),
  ];
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
