import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ClientRecord, RecordDocument, ServerRecord } from '../apply/types.ts';
import { clientById, clientFolder } from '../clients/index.ts';
import type { Client, ClientId } from '../clients/types.ts';
import { readHooks, type StandingGroup } from '../edit/read.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { EntryChange } from '../edit/types.ts';
import { Fault } from '../messages.ts';
import { lookUp } from '../server/definition.ts';
import { ownShim } from './command.ts';
import { decode } from './hook-file.ts';
import { driftOf } from './own-files.ts';
import { pluginName } from './plugin.ts';
import { isPlugin, siteOf } from './plugin-site.ts';
import { type Surface, settingsValue, thrown } from './settings.ts';
import type { HookPlace, Site } from './site.ts';
import type { State } from './states.ts';
import { type Distrust, distrust } from './trust.ts';

/** One entry of ours, as the client's file and its reviews have it. */
export interface EntryStatus {
  event: string;
  key: string;
  standing: 'as-written' | 'edited' | 'missing';
  /** From 1. */
  line?: number;
  /** Only where the client reviews hooks. */
  review?: 'trusted' | 'modified' | 'untrusted';
  /** The file in which a person switched this hook off. */
  offIn?: string;
}

/** What stands of one server's install on one client. */
export interface ClientStatus {
  client: ClientId;
  /** ISO 8601; empty where a project's lock file remembers it. */
  since: string;
  /** The client's file that holds the entries. */
  file: string;
  entries: EntryStatus[];
  /** The client passes over this project's files: nobody trusted it here. */
  untrusted?: Distrust;
  /** It stands as a plugin that the client loads by itself. */
  plugin?: true;
  /** The file in which a person switched that plugin off, and the command that takes it back. */
  off?: { file: string; undo: string };
  /** Own files that are gone, and such that aren't what was written. */
  gone: string[];
  altered: string[];
  /** The client rejects its file, or it can't be read. */
  fault?: Fault;
}

/** Looks at what stands of one server on one client. Reads files only. */
export function inspect(
  server: ServerRecord,
  id: ClientId,
  site: Site,
  files: RecordDocument['files'],
  surface: Surface,
): ClientStatus {
  const client = clientById(id);
  const untrusted = site.root === undefined ? undefined : distrust(client, site.root, surface);
  const record = server.clients[id] as ClientRecord;
  const status: ClientStatus = {
    client: id,
    since: record.since,
    file: record.file,
    entries: record.entries.map(({ event, key }) => ({ event, key, standing: 'missing' })),
    gone: [],
    altered: [],
    ...(untrusted && { untrusted }),
  };
  try {
    const drift = driftOf(record, site, surface.read);
    status.gone = drift.filter((path) => surface.read(path) === null);
    status.altered = drift.filter((path) => !status.gone.includes(path));
    const bytes = surface.read(record.file);
    const text = bytes === null ? null : decode(bytes, record.file);
    const stands = siteOf(site, client, server.slug, record);
    const place = placeOf(stands.hookFiles(client), record.file);
    if (!place) return status;
    if (isPlugin(stands)) Object.assign(status, pluginStatus(client, server.slug, surface));
    const memory = files[record.file];
    const ours = (command: string): string | undefined => ownShim(command, server.slug, id, site);
    const { changes } = reconcile({
      file: record.file,
      text,
      format: place.format,
      accepts: place.accepts,
      memory,
      wanted: record.entries,
      ours,
      written: (event, key) => record.entries.find((e) => e.event === event && e.key === key)?.group,
      tombstones: client.tombstones,
    });
    // A file that the client doesn't look at: where its folder was moved to, nothing stands.
    if (place.file !== record.file) return status;
    const groups = readHooks({ file: record.file, text, format: place.format, memory }, ours);
    status.entries = record.entries.map(({ event, key }) =>
      entryStatus({ event, key }, changes, groups, client, record.file, server.slug, {
        ...surface,
        cwd: site.root ?? surface.cwd,
      }),
    );
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    status.fault = error;
  }
  return status;
}

/** The one state that says most about an install. `changed`: what was approved differs from what is declared now. */
export function stateOf(status: ClientStatus, disabled: boolean, changed: boolean): State {
  const { entries, fault, gone, altered, untrusted } = status;
  if (disabled) return 'disabled';
  if (fault || gone.length > 0 || entries.some((e) => e.standing === 'missing')) return 'missing';
  if (altered.length > 0 || entries.some((e) => e.standing === 'edited')) return 'edited';
  if (changed) return 'changed';
  if (status.off || entries.some((e) => e.offIn !== undefined)) return 'disabled';
  if (untrusted || entries.some((e) => e.review !== undefined && e.review !== 'trusted')) return 'untrusted';
  return 'current';
}

/** The place of a file, or one of the same shape, where the client's folder was moved since. */
function placeOf(places: readonly HookPlace[], file: string): HookPlace | undefined {
  return places.find((p) => p.file === file) ?? places.find((p) => file.endsWith(`/${p.path}`)) ?? places[0];
}

function pluginStatus(client: Client, slug: string, surface: Surface): Pick<ClientStatus, 'plugin' | 'off'> {
  const off = client.plugin.autoLoad?.off?.(pluginName(slug));
  const file = off && thrown(off.switch, client, surface)?.path;
  return { plugin: true, ...(off && file !== undefined && { off: { file, undo: off.undo } }) };
}

function entryStatus(
  { event, key }: { event: string; key: string },
  changes: readonly EntryChange[],
  groups: readonly StandingGroup[],
  client: Client,
  file: string,
  slug: string,
  surface: Surface,
): EntryStatus {
  const kind = changes.find((c) => c.event === event && c.key === key)?.kind;
  const standing = kind === 'unchanged' ? 'as-written' : kind === 'added' ? 'missing' : 'edited';
  const found = groups
    .filter((g) => g.event === event)
    .flatMap((g) => g.ours.filter((o) => o.key === key).map(({ handler }) => ({ ...g, handler })))[0];
  if (!found) return { event, key, standing };
  const kept = reviewOf(client, file, found, surface);
  const listed = offListed(client, `${slug}:${key}`, event, surface);
  const offIn = kept?.off ?? listed;
  return {
    event,
    key,
    standing,
    ...(found.line && { line: found.line }),
    ...(kept && { review: kept.review }),
    ...(offIn !== undefined && { offIn }),
  };
}

/** What the client keeps of a person's review of one handler. */
function reviewOf(
  client: Client,
  file: string,
  at: StandingGroup & { handler: number },
  surface: Surface,
): { review: NonNullable<EntryStatus['review']>; off?: string } | undefined {
  const { review } = client;
  if (!review) return undefined;
  const path = join(clientFolder(client, surface.env), review.path);
  const table = lookUp(settingsValue(path, client, surface), review.at);
  const keys = [file, real(file)].map((f) => review.key(f, at.event, at.index, at.handler));
  const kept = keys.map((key) => lookUp(table, [key])).find((value) => value !== undefined);
  const hash = lookUp(kept, ['trusted_hash']);
  const off = lookUp(kept, ['enabled']) === false ? { off: path } : {};
  if (typeof hash !== 'string') return { review: 'untrusted', ...off };
  const same = hash === review.hash(at.event, at.group, at.handler);
  return { review: same ? 'trusted' : 'modified', ...off };
}

function real(file: string): string {
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return file;
  }
}

/** The file in which a handler's name is in its client's list of hooks that are switched off. */
function offListed(client: Client, name: string, native: string, surface: Surface): string | undefined {
  const { offList } = client;
  const full = client.handler(name, native).name;
  if (!offList || typeof full !== 'string') return undefined;
  const own = client.hookFiles.map(({ path }) => join(clientFolder(client, surface.env), path));
  return [resolve(surface.cwd, offList.project), ...own].find((path) => {
    const list = lookUp(settingsValue(path, client, surface), offList.path);
    return Array.isArray(list) && list.includes(full);
  });
}
