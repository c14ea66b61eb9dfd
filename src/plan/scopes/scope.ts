import type { Files } from '../../base/files.ts';
import type { OwnPaths } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import type { HookFile, Invocation } from '../../clients/hook-config.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { StateOwner } from '../../fire/own-folders.ts';
import type { NextStep } from '../../messages/notes.ts';
import type { OwnFile, ShimsToWrite } from '../../shims/own-files.ts';
import { areAtOneScope, type RecordStore, type ServerKey } from '../../store/record.ts';
import type { RecordDocument, ServerRecord } from '../../store/types.ts';

/** A client's file that can hold entries. */
export interface HookFilePath extends HookFile {
  /** Absolute path. */
  file: string;
  /** The file is in a plugin of ours. */
  inPlugin?: true;
}

/** Place of an install: the files for its entries, the folder of its shims, and the record. */
export interface Scope {
  name: ScopeName;
  /** Absolute path of the project's root; only for project and local scope. */
  root?: string;
  /** Other machines use the installed files, so these must not name anything of this machine. */
  shared: boolean;
  /** `data`: folder of shims and runtime; `state`: state folder of this machine. */
  paths: OwnPaths;
  /** Absolute folder of the process lock and the journal, on this machine. */
  lockFolder: string;
  store: RecordStore;
  /** Returns the file whose presence disables a server's shims. */
  disabledFile: (slug: string) => string;
  /** Returns the steps that the user has to take before a client's hooks act. */
  nextSteps: (client: Client) => readonly NextStep[];
  /**
   * Returns the files that can hold a server's entries (`ANY_SLUG`: any server's), the default first; empty: the client has
   * no such scope.
   */
  hookFiles: (client: Client, slug: string) => HookFilePath[];
  /** Returns how an entry starts a hook script; `shim` is absolute. */
  invoke: (shim: string, client: Client) => Invocation;
  /** Returns the program and arguments that start a hook script here, without the client's shell. */
  start: (shim: string, client: Client) => [string, ...string[]];
  /** Returns the path that a shim in `folder` uses for a path. */
  from: (path: string, folder: string) => string;
  /** Returns characters of a shim folder's path that the client would not take literally. */
  forbidden: (folder: string, client: Client) => string | undefined;
  /** Returns a client as it is on this system; absent: alike on all. */
  clientHere?: (client: Client) => Client;
  /** Returns the first version of a client that runs such entries; undefined: any. */
  since?: (client: Client) => string | undefined;
  /** Throws a Fault for a path that must not be written, for example because a link leads elsewhere. */
  check: (path: string, real: Files['real']) => void;
  /** Returns the shims with the files beside them, and the runtime. */
  shims: (wanted: ShimsToWrite) => OwnFile[];
  /** Returns this scope as a plugin that the client loads by itself; only at user scope, on clients that do so. */
  asPlugin?: (client: Client, slug: string) => PluginScope | undefined;
}

/** True for a server's install at a scope. */
export const isInstalledAt = (scope: Scope, server: ServerRecord): boolean =>
  areAtOneScope(server, keyIn(scope, server.slug));

/** Returns the servers that a record lists at a scope. */
export function serversIn(scope: Scope, { servers }: Pick<RecordDocument, 'servers'>): ServerRecord[] {
  return servers.filter((server) => isInstalledAt(scope, server));
}

/** Returns the key that identifies an install in the record: slug, scope, root. */
export function keyIn(scope: Scope, slug: string): ServerKey {
  return { slug, scope: scope.name, ...(scope.root !== undefined && { root: scope.root }) };
}

/** Returns whose state the hooks at a scope write (`FireData.owner`). */
export const stateOwner = ({ shared, root }: Scope): StateOwner | undefined =>
  shared ? 'shared' : root !== undefined ? 'local' : undefined;

/** Scope of one server's plugin on one client: hooks, shims and runtime are in one folder. */
export interface PluginScope extends Scope {
  /** Absolute path of the plugin's folder. */
  folder: string;
  /** Absolute path of the manifest. */
  manifest: string;
}

export const isPluginScope = (scope: Scope): scope is PluginScope => 'folder' in scope;
