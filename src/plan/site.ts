import { type RecordReading, readRecord, recordChanges, recordFile } from '../apply/record.ts';
import type { FileChange, RecordDocument, Scope, ServerRecord } from '../apply/types.ts';
import { hookFilePaths } from '../clients/index.ts';
import type { Client, HookFile } from '../clients/types.ts';
import type { Env, OwnPaths } from '../paths.ts';
import { type System, shimCommand, unquotable } from './command.ts';
import { machineShims, type OwnFile, type Runtime } from './own-files.ts';
import type { ShimPlan } from './types.ts';

/** A file that can hold entries. */
export interface HookPlace extends HookFile {
  /** Absolute. */
  file: string;
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
  /** `data`: shims and runtime; `state`: the lock and the journal of a change. */
  paths: OwnPaths;
  store: RecordStore;
  /** Where entries can stand, the first is the default; none: the client has no such scope. */
  hookFiles: (client: Client) => HookPlace[];
  /** The command of an entry; `shim` is absolute. */
  command: (shim: string, client: Client) => string;
  /** Characters of a shim folder's path that the client would not take literally. */
  forbidden: (folder: string, client: Client) => string | undefined;
  /** Shims with the files beside them, and the runtime. */
  shims: (shims: readonly ShimPlan[], folder: string, slug: string, runtime: Runtime) => OwnFile[];
}

/** The user's own installs, on this machine. */
export function userSite(env: Env, paths: OwnPaths, system: System = thisSystem()): Site {
  return {
    scope: 'user',
    shared: false,
    paths,
    store: machineStore(paths.state),
    hookFiles: (client) => hookFilePaths(client, env),
    ...machineForm(paths, system),
  };
}

/** Shims for this machine alone: absolute paths, this node. */
export function machineForm(paths: OwnPaths, system: System): Pick<Site, 'command' | 'forbidden' | 'shims'> {
  return {
    command: (shim, client) => shimCommand(shim, client, system),
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

export const thisSystem = (): System => ({ platform: process.platform, node: process.execPath });

/** What tells an install at a site from the others. */
export function keyAt(site: Site, slug: string): Pick<ServerRecord, 'slug' | 'scope' | 'root'> {
  return { slug, scope: site.scope, ...(site.root !== undefined && { root: site.root }) };
}
