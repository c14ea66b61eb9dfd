import type { ClientRecord, FileChange } from '../apply/types.ts';
import type { Client } from '../clients/types.ts';
import { isProved } from '../clients/version.ts';
import type { FileMemory, WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages.ts';
import { entryMark } from './command.ts';
import { compile } from './compile.ts';
import { type EditedFile, editHookFile } from './hook-file.ts';
import { keptEntries } from './kept-entries.ts';
import { approvalDigest } from './options.ts';
import { driftOf, type OwnFile, ownChange, sha256, shimFolder } from './own-files.ts';
import type { PlanInput } from './plan.ts';
import type { ClientPlan, Note } from './types.ts';

/** One client's share of a plan, and what it makes of the client's file. */
export interface PlannedClient {
  plan: ClientPlan;
  change?: FileChange;
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
  const { slug, site, options, declared } = input;
  const digest = approvalDigest(declared.declarations, options, client.id);
  const folder = shimFolder(site.paths, slug, digest, client.id);
  const compiled = compile(declared.declarations, client, {
    servers: {
      alias: input.aliasOn[client.id] ?? input.server,
      ...(declared.serverName !== undefined && { serverName: declared.serverName }),
      known: input.aliases[client.id] ?? [],
    },
    slug,
    ...(!site.shared && { tag: input.tag, state: site.paths.state }),
    ...(site.yields && { yields: true }),
    options,
    shimFolder: folder,
    reach: reachFrom(folder, input),
    command: (path) => site.command(path, client),
    mark: (key) => entryMark(slug, digest, client.id, key, site.shared),
    documentTools: input.documentTools,
  });
  const notes: Note[] = [];
  const plan: ClientPlan = {
    client: client.id,
    cells: compiled.cells,
    shims: compiled.shims,
    entries: compiled.entries,
    before: null,
    after: null,
    entryChanges: [],
    drift: [],
    nextSteps: [],
    // Versions are looked up where they are shown.
    get notes() {
      return [...versionNotes(client, input.versions[client.id]), ...notes];
    },
  };
  try {
    const bad = site.forbidden(folder, client);
    if (bad && compiled.shims.length > 0)
      throw new Fault('plan.path-forbidden', { client: client.title, text: bad, path: folder });
    // What was approved is kept as it was written, so that a newer mcphooks asks for no new review.
    const kept =
      previous?.digest === digest ? keptEntries(previous.entries, compiled, folder, input.read) : undefined;
    const edited = editHookFile(client, input, kept ?? compiled.entries, previous, files);
    notes.push(...edited.notes);
    Object.assign(plan, {
      entries: kept ?? compiled.entries,
      file: edited.chosen.file,
      before: edited.before,
      after: edited.result.text,
      entryChanges: edited.result.changes,
      drift: driftOf(previous, input.read),
    });
    if (edited.result.changes.some((c) => c.kind === 'added' || c.kind === 'replaced'))
      plan.nextSteps.push(...site.nextSteps(client));
    const write = (): Written => {
      const wanted = compiled.shims.length > 0 ? site.shims(compiled.shims, folder, slug, input.runtime) : [];
      return {
        own: wanted.flatMap((file) => ownChange(file, input.read)),
        ...(compiled.entries.length > 0 && {
          record: {
            ...clientRecord(digest, edited, kept ?? compiled.entries, wanted, previous, input.now),
            fidelity: compiled.cells.map((cell) => cell.fidelity),
          },
        }),
      };
    };
    return { plan, ...(edited.change && { change: edited.change }), files: edited.files, write };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { plan: { ...plan, fault: error }, files, write: () => ({ own: [] }) };
  }
}

function reachFrom(folder: string, { reach, site }: PlanInput): PlanInput['reach'] {
  return 'note' in reach
    ? reach
    : { ...reach, at: { ...reach.at, source: site.source(reach.at.source, folder) } };
}

function versionNotes(client: Client, found: string | undefined): Note[] {
  if (found === undefined || isProved(found, client.proved)) return [];
  return [{ code: 'version.unproved', args: { client: client.title, found, ...client.proved } }];
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
