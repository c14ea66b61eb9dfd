import type { ClientId } from '../clients/types.ts';
import type { McpDialect } from '../fire/types.ts';
import type { DefinitionScope } from './types.ts';

/** Stands for a key: the git top level of the session's folder, else that folder. */
export const PROJECT = '<project>';

/** `$<env>` + `envSub`, else `~/<home>`. */
export interface Folder {
  env: string;
  envSub: string;
  home: string;
}

/**
 * Where a file is: in a folder of the user's; in the session's folder; there and in every parent (nearest first);
 * there and in the parents up to the git top level; or at that top level.
 */
export type Base = Folder | 'cwd' | 'parents' | 'repository' | 'top';

/** A value in a file: keys from the document's root, of which one may be `PROJECT`. */
export interface FileAt {
  in: Base;
  path: string;
  at: readonly string[];
}

export interface ServerFile extends FileAt {
  scope: DefinitionScope;
  /** The file counts only where this value stands (Codex: a trusted project). */
  onlyIf?: FileAt & { is: string };
}

/** A list that says which servers are off: `off` names them, `on` names all others, `flags` maps names to false or `{enabled: false}`. */
export interface Switch extends FileAt {
  kind: 'off' | 'on' | 'flags';
  /** Only entries of these scopes. */
  scopes?: readonly DefinitionScope[];
  /** Names are stored in lower case. */
  lowerCase?: true;
}

/** Plugins or extensions that bring servers. */
export interface PluginFolders {
  scope: 'plugin' | 'extension';
  in: Folder;
  /** Path of the plugins' folders, `*` for any name; or of an index that maps ids to `installPath`. */
  folders: string | { index: string; at: readonly string[] };
  /** The last `*` is a version: only the newest counts. */
  versions?: true;
  /** Id from the names that the `*` stood for, `{0}` first; the index has its own. */
  id: string;
  /** Files whose `name` is the plugin's, first found wins; none found: no plugin. */
  manifests: readonly string[];
  /** Files in a plugin's folder that define servers. */
  servers: readonly { path: string; at: readonly string[] }[];
  /** How the client knows the server; `{plugin}`, `{server}`. */
  alias: string;
  /** Maps ids to true, false or `{enabled}`; what holds for an id that isn't there. */
  enabled?: FileAt & { otherwise: boolean };
}

/** Everything that differs between clients about where MCP servers are written down. */
export interface ClientServers {
  client: ClientId;
  dialect: McpDialect;
  /** Strongest first. */
  files: readonly ServerFile[];
  switches: readonly Switch[];
  /** After all files. */
  plugins: readonly PluginFolders[];
}
