import type { Folder } from './folder.ts';

export type DefinitionScope = 'user' | 'local' | 'project' | 'plugin' | 'extension' | 'command-line';

/** Placeholder for a key: the git top level of the session's folder, or that folder outside git. */
export const PROJECT = '<project>';
/** The same, but in a git worktree the main checkout; for worktrees of a bare repository, the repository's folder. */
export const REPOSITORY = '<repository>';
/** The same, but in a git worktree the main worktree; of a bare repository, the folder around it if its `.git` names it. */
export const MAIN_WORKTREE = '<main worktree>';

export type Placeholder = typeof PROJECT | typeof REPOSITORY | typeof MAIN_WORKTREE;

export const isPlaceholder = (key: string): key is Placeholder =>
  [PROJECT, REPOSITORY, MAIN_WORKTREE].includes(key);

/**
 * Folder of a file: a folder of the user's; `cwd`: the session's folder; `parents`: that and every parent (nearest
 * first); `repository`: that and the parents up to the git top level; `top`: the git top level.
 */
export type Base = Folder | 'cwd' | 'parents' | 'repository' | 'top';

/** A value in a file: `at` are keys from the document's root, of which one may be a placeholder such as `PROJECT`. */
export interface FileAt {
  in: Base;
  path: string;
  at: readonly string[];
}

export interface ServerFile extends FileAt {
  scope: DefinitionScope;
  onlyIf?: ProjectGate;
  /** For another client's file (`.mcp.json`): counts where this folder of the user's exists, or the project's own. */
  ifThere?: Folder;
  /** Path of another file in the same folder: while that file exists, the client doesn't read this one. */
  unless?: string;
}

/**
 * Condition for a file to count: this value, or where it is unset the one at `otherwise`, is `is` (Codex: a trusted
 * project), or this list contains the project, its main worktree, or a folder around one of them (Copilot).
 */
export type ProjectGate = FileAt &
  ({ is: string; otherwise?: readonly string[] } | { lists: typeof PROJECT });

/**
 * A list of servers that are off: `off` lists them, `on` lists all others, `flags` maps names to false or `{enabled:
 * false}`.
 */
export interface Switch extends FileAt {
  kind: 'off' | 'on' | 'flags';
  /** Applies to entries of these scopes only; absent: of all scopes. */
  scopes?: readonly DefinitionScope[];
  /** Set when names are stored in lower case. */
  lowerCase?: true;
}

/** Folders of plugins or extensions that define servers. */
export interface PluginFolders {
  scope: 'plugin' | 'extension';
  in: Folder;
  /**
   * Path of the plugins' folders, with `*` for any name; or of an index from ids to `installPath`, or a list of plugins; or
   * of files, one per plugin, with the id at `id` and `installPath` below `at`.
   */
  folders:
    | string
    | PluginIndex
    | { records: string; id: readonly string[]; at: readonly string[] }
    | Marketplaces;
  /** Set when the last `*` is a version, of which only the newest counts. */
  versions?: true;
  /** Pattern of the plugin's id, with the names matched by `*` as `{0}` and so on; only where `folders` is a path. */
  id?: string;
  /** Files with the plugin's `name`, in order; without any of these files the folder is no plugin. */
  manifests: readonly string[];
  /** Files in a plugin's folder that define servers. */
  servers: readonly { path: string; at: readonly string[] }[];
  /** Pattern of the client's name for a server, with `{plugin}` and `{server}`; absent: the server's own name. */
  alias?: string;
  /** Map from ids to true, false or `{enabled}`; `otherwise` applies to a missing id. */
  enabled?: FileAt & { otherwise: boolean };
}

interface PluginIndex {
  index: string;
  at: readonly string[];
  /** Keys of a plugin's folder, and of the flag that switches the plugin off when false. Default: `installPath`. */
  keys?: { path: string; enabled: string };
}

/** Folders of marketplaces in which the client leaves plugins. A plugin's id is `<plugin>@<marketplace>`. */
interface Marketplaces {
  /** File with a map from marketplaces to `{source: {path}}`, and the map's keys. */
  settings: string;
  at: readonly string[];
  /**
   * Files in a marketplace that list its `plugins`, the first that is there counts. Each has its folder at `source`, below
   * the list's `metadata.pluginRoot`.
   */
  lists: readonly string[];
}

/** Where a client's MCP servers are configured. */
export interface McpConfig {
  dialect: McpDialect;
  /** Variables that the client sets anew for each session, for servers too. */
  perSession?: readonly string[];
  /** Regular expression (source) for the folders of PATH that the client makes for one session and removes after it. */
  perSessionPath?: string;
  /** Files, strongest first. */
  files: readonly ServerFile[];
  /** Set when the client merges the entries that several files have for one server. */
  merges?: true;
  switches: readonly Switch[];
  /** Plugins, all weaker than `files`. */
  plugins: readonly PluginFolders[];
}

/** The form of a client's MCP server entries, and how the client starts servers. */
export interface McpDialect {
  /**
   * Format of its configuration files. For a `toml` client, a file not ending in `.toml` is JSON (plugins). `jsonc,`:
   * with comments, and a comma behind a last element.
   */
  format: 'json' | 'jsonc' | 'jsonc,' | 'toml';
  keys: EntryKeys;
  /** Form of references to variables. */
  expand: ReferenceForm;
  /** What the client does with a reference to an unset variable; absent: the reference stays as written. */
  unset?: UnsetReference;
  /** Set when `${V:-d}` stays as written (Qwen Code). */
  fallbacks?: false;
  /** Set when a plugin's servers start in the plugin's folder (Copilot), not in the session's. */
  pluginCwd?: true;
  /** Set when only values of `env` are expanded (Droid). */
  expandOnly?: 'env';
  /** Set when a value of `env` that equals a set variable's name is replaced by that variable (Copilot). */
  bareEnv?: true;
  /** Set when `{file:path}` stands for a file's text; a relative path begins at the definition's own file (OpenCode). */
  includesFiles?: true;
  /**
   * Further names for `${NAME}` -> replacement, in which `<root>` is the plugin's folder, `<cwd>` the session's,
   * `<home>` the user's.
   */
  stands: Readonly<Record<string, string>>;
  /** Variables that a stdio server inherits: all of the client's, or only these. */
  inherits: 'all' | readonly string[];
  /** The same on Windows, where it differs. */
  inheritsOnWindows?: readonly string[];
  /** Case-insensitive regular expression (source) for names that aren't inherited when `inherits` is `all`. */
  drops?: string;
  /** Variables set for hooks but not for servers; removed when `inherits` is `all`. */
  hookOnly: readonly string[];
  /** Variables that the client sets for servers; `<root>` and `<cwd>` as in `stands`. */
  adds: Readonly<Record<string, string>>;
}

/**
 * `empty`: it becomes the empty text (OpenCode); `empty-in-env`: only in a value of `env` (Gemini CLI); `stops`: in a
 * value of `env`, the client doesn't start the server (Droid).
 */
export type UnsetReference = 'empty' | 'empty-in-env' | 'stops';

/**
 * `braces`: `${V}`, `${V:-d}`; `dollar`: also `$V`; `env`: `${env:V}`; `braces-env`: this and `braces`; `curly`:
 * `{env:V}`; `none`: no references.
 */
export type ReferenceForm = 'braces' | 'dollar' | 'env' | 'braces-env' | 'curly' | 'none';

/** Keys for the parts of a server in an entry of a client's file. */
export interface EntryKeys {
  /** The client's own transport names in `type`; absent: `stdio`, `http`, `streamable-http`, `sse`. */
  types?: Readonly<Record<string, 'stdio' | 'http' | 'sse'>>;
  /** Key of a list with program and arguments; absent: they are in `command` and `args`. */
  argv?: string;
  env: string;
  /** Key of a file with more variables; an entry of a project that has it isn't used. */
  envFile?: string;
  /** Key of the working folder; absent when the client has none. */
  cwd?: string;
  /** Key of a list with names of variables to pass on. */
  passEnv?: string;
  /** Keys of the URL, strongest first. */
  url: readonly string[];
  headers: string;
  /** Key of a table from header names to variable names. */
  envHeaders?: string;
  /** Key of the name of the variable with a bearer token. */
  bearerEnv?: string;
  /** Keys whose presence means that only the client can authenticate. */
  held: Readonly<Record<string, 'oauth' | 'helper'>>;
  /** Key that switches the entry off when `false`. */
  enabled?: string;
  /** Key that switches the entry off when `true`. */
  disabled?: string;
}
