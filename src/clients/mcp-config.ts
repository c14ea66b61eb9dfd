import type { Folder } from './folder.ts';

export type DefinitionScope = 'user' | 'local' | 'project' | 'plugin' | 'extension' | 'command-line';

/** Stands for a key: the git top level of the session's folder, else that folder. */
export const PROJECT = '<project>';

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

interface ServerFile extends FileAt {
  scope: DefinitionScope;
  onlyIf?: ProjectGate;
}

/** The file counts only where this value stands (Codex: a trusted project), or this list names the project (Copilot). */
export type ProjectGate = FileAt & ({ is: string } | { lists: typeof PROJECT });

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
export interface McpConfig {
  dialect: McpDialect;
  /** Strongest first. */
  files: readonly ServerFile[];
  switches: readonly Switch[];
  /** After all files. */
  plugins: readonly PluginFolders[];
}

/** How a client writes MCP servers down and starts them. */
export interface McpDialect {
  /** Format of its configuration files; a file that doesn't end in `.toml` is JSON for a `toml` client too (plugins). */
  format: 'json' | 'jsonc' | 'toml';
  keys: EntryKeys;
  /** What refers to a variable. Unset ones stay as they are written. */
  expand: ReferenceForm;
  /** `${V:-d}` stays as it is written (Qwen Code). */
  fallbacks?: false;
  /** Only values of `env` are expanded (Droid). */
  expandOnly?: 'env';
  /** A value of `env` that is the name of a set variable stands for it (Copilot). */
  bareEnv?: true;
  /** In values of `env`, an unset variable becomes the empty text (Gemini CLI). */
  emptyInEnv?: true;
  /** What `${NAME}` stands for beside variables: `<root>` is the plugin's folder, `<cwd>` the session's, `<home>` the user's. */
  stands: Readonly<Record<string, string>>;
  /** Variables that a stdio server inherits: all of the client's, or only these. */
  inherits: 'all' | readonly string[];
  /** Source of a case-insensitive pattern of names that are not inherited when `inherits` is `all`. */
  drops?: string;
  /** Variables that the client adds for hooks and not for servers: removed when `inherits` is `all`. */
  hookOnly: readonly string[];
  /** Variables that the client sets for servers; `<root>` and `<cwd>` as in `stands`. */
  adds: Readonly<Record<string, string>>;
}

/** `braces`: `${V}`, `${V:-d}`; `dollar`: also `$V`; `env`: `${env:V}`; `curly`: `{env:V}`; `none`: all is literal. */
export type ReferenceForm = 'braces' | 'dollar' | 'env' | 'curly' | 'none';

/** Where the parts of a server stand in an entry of a client's file. */
export interface EntryKeys {
  /** The client's own words for transports in `type`; absent: `stdio`, `http`, `streamable-http`, `sse`. */
  types?: Readonly<Record<string, 'stdio' | 'http' | 'sse'>>;
  /** The program and its arguments stand in one list here; absent: in `command` and `args`. */
  argv?: string;
  env: string;
  /** The client reads a working folder. */
  cwd?: string;
  /** Names of variables to pass on. */
  passEnv?: string;
  /** Keys that hold a URL, strongest first. */
  url: readonly string[];
  headers: string;
  /** Header name -> name of a variable. */
  envHeaders?: string;
  /** Name of the variable that holds a bearer token. */
  bearerEnv?: string;
  /** A key whose presence means that only the client has access. */
  held: Readonly<Record<string, 'oauth' | 'helper'>>;
  /** `false` here switches the entry off. */
  enabled?: string;
  /** So does `true` here. */
  disabled?: string;
}
