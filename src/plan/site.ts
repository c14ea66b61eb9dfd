import { type RecordReading, readRecord, recordChanges, recordFile } from '../apply/record.ts';
import type { FileChange, RecordDocument, Scope, ServerRecord } from '../apply/types.ts';
import { hookFilePaths } from '../clients/index.ts';
import type { Client, HookFile } from '../clients/types.ts';
import type { NextStep } from '../messages.ts';
import type { Env, OwnPaths } from '../paths.ts';
import type { DefinitionSource } from '../server/types.ts';
import { type System, shimCommand, unquotable } from './command.ts';
import { disabledMarker, machineShims, type OwnFile, type Runtime, serverFolder } from './own-files.ts';
import { type PluginSite, pluginSite } from './plugin-site.ts';
import type { ShimPlan } from './types.ts';

/** A file that can hold entries. */
export interface HookPlace extends HookFile {
  /** Absolute. */
  file: string;
  /** A file of a plugin of ours: it goes when no hooks are left in it. */
  own?: true;
}

/** Where installs are remembered. */
export interface RecordStore {
  /** Absolute. */
  file: string;
  /** Faults as `readRecord`. */
  read: () => RecordReading;
  /** The files that bring it up to date; last in a change. */
  changes: (reading: RecordReading, record: RecordDocument, now: Date) => FileChange[];
}

/** Where an install stands: which files hold its entries, where its shims lie, and what remembers it. */
export interface Site {
  scope: Scope;
  /** Project root, absolute; only for project and local scope. */
  root?: string;
  /** Others run what is written, so nothing of this machine may stand in it. */
  shared: boolean;
  /** Its shims stay silent where the user's own install of the server speaks. */
  yields: boolean;
  /** `data`: shims and runtime; `state`: the lock and the journal of a change. */
  paths: OwnPaths;
  store: RecordStore;
  /** The file whose presence silences a server's shims. */
  marker: (slug: string) => string;
  /** What the user has to do before a client's hooks act. */
  nextSteps: (client: Client) => readonly NextStep[];
  /** Where entries can stand, the first is the default; none: the client has no such scope. */
  hookFiles: (client: Client) => HookPlace[];
  /** The command of an entry; `shim` is absolute. */
  command: (shim: string, client: Client) => string;
  /** Where a shim in `folder` finds a definition. */
  source: (source: DefinitionSource, folder: string) => DefinitionSource;
  /** Characters of a shim folder's path that the client would not take literally. */
  forbidden: (folder: string, client: Client) => string | undefined;
  /** Throws a Fault where a file may not be written: it lies somewhere else than it seems. */
  check: (path: string) => void;
  /** Shims with the files beside them, and the runtime. */
  shims: (shims: readonly ShimPlan[], folder: string, slug: string, runtime: Runtime) => OwnFile[];
  /** The same as a plugin that a client loads by itself, where it does and the scope is the user's. */
  asPlugin?: (client: Client, slug: string) => PluginSite | undefined;
}

/** The user's own installs, on this machine. */
export function userSite(env: Env, paths: OwnPaths, system: System = thisSystem()): Site {
  const site: Site = {
    scope: 'user',
    shared: false,
    yields: false,
    check: () => {},
    paths,
    store: machineStore(paths.state),
    marker: (slug) => disabledMarker(serverFolder(paths, slug)),
    nextSteps: (client) => client.nextSteps,
    hookFiles: (client) => hookFilePaths(client, env),
    ...machineForm(paths, system),
  };
  const plugins = new Map<string, PluginSite | undefined>();
  const asPlugin = (client: Client, slug: string): PluginSite | undefined => {
    const key = `${client.id} ${slug}`;
    if (!plugins.has(key)) plugins.set(key, pluginSite(site, client, slug, env, system));
    return plugins.get(key);
  };
  return { ...site, asPlugin };
}

/** Shims for this machine alone: absolute paths, this node. */
export function machineForm(
  paths: OwnPaths,
  system: System,
): Pick<Site, 'command' | 'source' | 'forbidden' | 'shims'> {
  return {
    command: (shim, client) => shimCommand(shim, client, system),
    source: (source) => source,
    forbidden: (folder, client) =>
      client.forbiddenInCommand.find((text) => folder.includes(text)) ?? unquotable(folder, client, system),
    shims: (shims, folder, _slug, runtime) => machineShims(shims, folder, paths, runtime, system),
  };
}

/** The record in a state folder. */
export function machineStore(state: string): RecordStore {
  return {
    file: recordFile(state),
    read: () => readRecord(state),
    changes: (reading, record, now) => recordChanges(state, reading, record, now),
  };
}

/** What of a record was installed at a site. */
export function serversAt(site: Site, { servers }: RecordDocument): ServerRecord[] {
  return servers.filter((s) => s.scope === site.scope && s.root === site.root);
}

export const thisSystem = (): System => ({ platform: process.platform, node: process.execPath });

/** What tells an install at a site from the others. */
export function keyAt(site: Site, slug: string): Pick<ServerRecord, 'slug' | 'scope' | 'root'> {
  return { slug, scope: site.scope, ...(site.root !== undefined && { root: site.root }) };
}
