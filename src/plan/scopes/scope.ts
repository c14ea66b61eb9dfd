import type { Files } from '../../base/files.ts';
import type { OwnPaths } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import type { HookFile, Invocation } from '../../clients/hook-config.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { NextStep } from '../../messages/notes.ts';
import type { DefinitionSource } from '../../servers/types.ts';
import type { OwnFile, Runtime } from '../../shims/own-files.ts';
import type { ShimPlan } from '../../shims/types.ts';
import type { RecordStore } from '../../store/record.ts';
import type { RecordDocument, ServerRecord } from '../../store/types.ts';

/** A file that can hold entries. */
export interface HookFilePath extends HookFile {
  /** Absolute. */
  file: string;
  /** A file of a plugin of ours. */
  inPlugin?: true;
}

/** Where an install stands: which files hold its entries, where its shims lie, and what remembers it. */
export interface Scope {
  name: ScopeName;
  /** Project root, absolute; only for project and local scope. */
  root?: string;
  /** Others run what is written, so nothing of this machine may stand in it. */
  shared: boolean;
  /** Its shims stay silent where the user's own install of the server speaks. */
  yields: boolean;
  /** `data`: shims and runtime; `state`: this machine's. */
  paths: OwnPaths;
  /** Folder of the lock and the journal of a change, on this machine; absolute. */
  lockFolder: string;
  store: RecordStore;
  /** The file whose presence silences a server's shims. */
  marker: (slug: string) => string;
  /** What the user has to do before a client's hooks act. */
  nextSteps: (client: Client) => readonly NextStep[];
  /** Where a server's entries (`SLUG`: any server's) can stand, the first is the default; none: the client has no such scope. */
  hookFiles: (client: Client, slug: string) => HookFilePath[];
  /** What an entry starts a hook script by; `shim` is absolute. */
  invoke: (shim: string, client: Client) => Invocation;
  /** Where a shim in `folder` finds a definition. */
  source: (source: DefinitionSource, folder: string) => DefinitionSource;
  /** Characters of a shim folder's path that the client would not take literally. */
  forbidden: (folder: string, client: Client) => string | undefined;
  /** Throws a Fault where a file may not be written: it lies somewhere else than it seems. */
  check: (path: string, real: Files['real']) => void;
  /** Shims with the files beside them, and the runtime. */
  shims: (shims: readonly ShimPlan[], folder: string, slug: string, runtime: Runtime) => OwnFile[];
  /** The same as a plugin that a client loads by itself, where it does and the scope is the user's. */
  asPlugin?: (client: Client, slug: string) => PluginScope | undefined;
}

/** What of a record was installed at a scope. */
export function serversIn(scope: Scope, { servers }: RecordDocument): ServerRecord[] {
  return servers.filter((s) => s.scope === scope.name && s.root === scope.root);
}

/** What tells an install at a scope from the others. */
export function keyIn(scope: Scope, slug: string): Pick<ServerRecord, 'slug' | 'scope' | 'root'> {
  return { slug, scope: scope.name, ...(scope.root !== undefined && { root: scope.root }) };
}
/** A scope that is one server's plugin on one client: hooks, shims and runtime stand in one folder. */
export interface PluginScope extends Scope {
  /** The plugin's folder, absolute. */
  folder: string;
  /** Absolute. */
  manifest: string;
}

export const isPluginScope = (scope: Scope): scope is PluginScope => 'folder' in scope;
