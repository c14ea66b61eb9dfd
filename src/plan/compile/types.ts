import type { Invocation } from '../../clients/hook-config.ts';
import type { FireHook, FireServer } from '../../fire/format.ts';
import type { Note } from '../../messages/notes.ts';
import type { InstallOptions } from '../options.ts';
import type { CompiledMatcher, ServerNames } from './matcher.ts';
import type { Asked } from './payload-shape.ts';

/** What the compilation of a server's declarations for one client depends on. */
export interface CompileContext {
  servers: ServerNames;
  slug: string;
  /** The server in naming lines, where that isn't its alias. */
  name?: string;
  /** Random per install; stands in the naming lines. Absent in shims that other machines share. */
  tag?: string;
  options: InstallOptions;
  /** Folder of this client's shims: absolute, its path carries the digest; or relative to the folder that is shared. */
  shimFolder: string;
  /** Absolute state folder, as the shims will use it. Absent in shims that other machines share. */
  state?: string;
  /** The shims stay silent where the user's own install of the server speaks. */
  yields?: true;
  /** How a shim reaches the server; undefined: it can't, with the reason. */
  reach: { at: Omit<FireServer, 'callMs'> } | { note: Note };
  /** By what the client starts a hook script. */
  invoke: (shimPath: string) => Invocation;
  /** The mark of an entry without a command. */
  mark: (key: string) => string;
  /** Tools whose author says that they return a `hookSpecificOutput` document. */
  documentTools: readonly string[];
}

/** A hook within a native event's shim, and the native names it wants to hear of. */
export interface Part {
  hook: FireHook;
  native: CompiledMatcher['native'];
  asks: readonly Asked[];
  /** The client's own handler does it instead of a shim. */
  handler?: { tool: string; input: Record<string, unknown> };
}
