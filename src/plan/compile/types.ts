import type { Client } from '../../clients/client.ts';
import type { Invocation } from '../../clients/hook-config.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { FireHook, FireServer } from '../../fire/format.ts';
import type { Note } from '../../messages/notes.ts';
import type { InstallOptions } from '../options.ts';
import type { CompiledMatcher } from './matcher.ts';
import type { OptionalField } from './payload-shape.ts';
import type { ServerNames } from './server-tools.ts';

/** Inputs for compiling a server's declarations for one client, besides the declarations. */
export interface CompileContext {
  client: Client;
  servers: ServerNames;
  slug: string;
  /** Name of the server in naming lines, where that name isn't the alias. */
  name?: string;
  /** Random per install; part of the naming lines. Absent in shims that other machines share. */
  tag?: string;
  options: InstallOptions;
  /** Folder of this client's shims: absolute, with the digest in its path; or relative to the shared folder. */
  shimFolder: string;
  /** Folder of the scripts that serve all servers of a scope; absent where each server needs entries of its own. */
  joint?: { folder: string; scope: ScopeName };
  /** Absolute path of the state folder at fire time. Absent in shims that other machines share. */
  state?: string;
  /** The shims print nothing where the user's own install of the server prints the hooks. */
  yields?: true;
  /** How a shim reaches the server, or a note why no shim can. */
  toolAccess: { at: Omit<FireServer, 'callMs'> } | { note: Note };
  /** Returns how the client starts a hook script. */
  invoke: (shimPath: string) => Invocation;
  /** Returns the mark that identifies an entry without a command. */
  mark: (key: string) => string;
  /** Names of tools whose output schema has a `hookSpecificOutput` field. */
  documentTools: readonly string[];
  /** Names of the tools that the server lists; absent when it wasn't asked. */
  listedTools?: readonly string[];
}

/** A declaration's hook at one native event. */
export interface NativeHook {
  native: string;
  hook: FireHook;
  /** Native names of the tools for which the client must run the hook; undefined: every tool, or no tool event. */
  tools: CompiledMatcher['native'];
  /** Fields that its conditions and templates need of the event's payload. */
  neededFields: readonly OptionalField[];
  /**
   * Set when this step gives a text, which takes room in the event's budget: the declared text, or a tool's answer,
   * which is not known before.
   */
  takesRoom?: { text?: string };
  /** Set when the client's own handler calls the tool instead of a shim. */
  handler?: { tool: string; input: Record<string, unknown> };
}
