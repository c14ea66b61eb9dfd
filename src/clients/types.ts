import type { HookEvent, TemplateVariable } from '../declarations/types.ts';
import type { FileFormat, FileRules, HookGroup } from '../edit/types.ts';
import type { Continuation, Foreign } from '../fire/types.ts';
import type { Moment, NextStep, NoteCode } from '../messages.ts';

export const CLIENT_IDS = ['claude-code', 'codex', 'gemini-cli'] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

export const PLUGIN_FORMATS = ['claude-plugin', 'codex-plugin', 'gemini-extension'] as const;
export type PluginFormatName = (typeof PLUGIN_FORMATS)[number];

/** Contract, "Words". */
export type Fidelity = 'native' | 'late' | 'deferred' | 'unsupported';

/**
 * What a declaration does in a native event's shim:
 * `give` its text now; `keep` it for a later event; `give-kept` what was kept; `mark-turn` that the session had a
 * turn (only such sessions leave session_end texts); `rearm` what is given once per session start.
 */
export type Step = 'give' | 'keep' | 'give-kept' | 'mark-turn' | 'rearm';

export interface Wiring {
  native: string;
  does: Step;
  /** Only at the session's first firing of `native` since it was (re)armed. */
  at?: 'start';
}

/** How one SEP event is carried by a client. `note` says why it is less than native. */
export interface EventCell {
  fidelity: Fidelity;
  /** When the model reads the text. */
  moment: Moment;
  wiring: readonly Wiring[];
  note?: NoteCode;
}

/** One native event: how its entries are written and read. */
export interface NativeEvent {
  /** The entry carries a tool matcher. */
  matchesTools?: boolean;
  /** Whole seconds; the client cuts longer ones off. */
  maxTimeout?: number;
  /** Payload path of the tool's result, where it has one. */
  output?: string;
  /** A payload with something at this path is not for us (Codex: a sub-agent's prompt). */
  skipIf?: string;
  /** A payload with something at this path: the client drops our text, so keep it (Gemini: a tool result with an error). */
  keepIf?: string;
  /** Payload path of the time at which a turn ended. */
  turnEnd?: string;
  /** How a prompt that the client made itself is told from the user's. */
  continuation?: Continuation;
  /** What a payload of this event holds besides the common fields; `mcphooks fire` sends it when nothing else is given. */
  sample?: Readonly<Record<string, unknown>>;
}

/** Placement of one kind of file that can hold hooks. */
export interface HookFile {
  /** Relative to the client's folder. */
  path: string;
  format: FileFormat;
  accepts: FileRules;
}

/** A file of a client's settings; `env` names a variable that holds another path. */
export interface SettingsFile {
  /** `client`: in the client's folder; `session`: in the folder of the session; `system`: an absolute path. */
  in: 'client' | 'session' | 'system';
  path: string;
  env?: string;
  /** All files of this folder with this ending; the last by name is the strongest. */
  each?: string;
}

/** A setting that keeps hooks from firing. The first of its files that has it decides. */
export interface OffSwitch {
  at: readonly string[];
  off: boolean;
  files: readonly SettingsFile[];
}

/** A client that runs a hook only after a person reviewed it. What it keeps of that is read and never written. */
export interface Review {
  /** File in the client's folder, and the keys of a table of reviews in it. */
  path: string;
  at: readonly string[];
  /** Key in that table; `file` is the absolute path of the file with the entry. */
  key: (file: string, event: string, group: number, handler: number) => string;
  /** The reviewed hash of a handler as it stands in its group. */
  hash: (event: string, group: HookGroup, handler: number) => string;
}

/** A client that runs hooks only in folders that a person trusts: a file maps folders to one of the levels. */
export interface FolderTrust {
  file: SettingsFile;
  levels: { folder: string; parent: string; never: string };
  /** Trusts every folder. */
  env: { name: string; value: string };
  off: OffSwitch;
}

/** One client as data; nothing outside its own file knows it by name. */
export interface Client {
  id: ClientId;
  title: string;
  /** Oldest and newest version on which every cell was proved (test/clients). */
  proved: { oldest: string; newest: string };
  /** By which an npm installation says its version. */
  npmPackage: string;
  /** Where the client's own installer puts the version into the program's real path. */
  versionInPath?: RegExp;
  /** Program on PATH by which an installation is recognised, when its folder is missing. */
  binary: string;
  /** The user's configuration folder: `$<env>` + `envSub`, else `~/<home>`. */
  folder: { env: string; envSub: string; home: string };
  /** Where a user's hooks can stand; the first is the default. More than one: the one that already holds hooks wins. */
  hookFiles: readonly HookFile[];
  /** Positional trust (Codex): a removed group that is not last leaves an empty one behind. */
  tombstones: boolean;
  /** Unit of `timeout` in an entry. */
  timeoutUnit: 's' | 'ms';
  /** Fields of a handler besides type, command and timeout; `name` is unique per server and shim. */
  handler: (name: string, native: string) => Record<string, unknown>;
  /** How a project's own files carry hooks. */
  project: ProjectHooks;
  offSwitches: readonly OffSwitch[];
  review?: Review;
  folderTrust?: FolderTrust;
  /** Where the client lists handlers by name that a person switched off, in its settings and in a project's. */
  offList?: { path: readonly string[]; project: string };
  /** What runs commands: `sh`, a POSIX shell for certain (sh, bash); `login`, it may be the account's login shell. */
  shell: 'sh' | 'login';
  /** The same on Windows, where nothing is proved. */
  windowsShell: 'cmd' | 'powershell';
  /** Characters that a command may not hold since the client would rewrite them. */
  forbiddenInCommand: readonly string[];
  /** What is counted against `perHandler`. */
  unit: 'utf16' | 'utf8' | 'code-points';
  /** Most text that one handler can carry, in `unit`; undefined: no limit that matters. */
  perHandler?: number;
  events: Record<HookEvent, EventCell>;
  natives: Record<string, NativeEvent>;
  tools: ToolDialect;
  /** Environment variable that holds the folder in which the client was started; else the hook's working folder. */
  startFolderEnv?: string;
  /** The client's own handler that calls a server's tool; used only where the user granted it control. */
  mcpTool?: McpToolHandler;
  /** How other programs that run this client's hooks are recognised, so that nothing is given twice. */
  foreign?: Foreign;
  /** What the user has to do before hooks act. */
  nextSteps: readonly NextStep[];
  plugin: PluginFormat;
}

/** Hooks in the files of a project; all paths are relative to its folder, with `/`. */
export interface ProjectHooks {
  /** Committed ones; the first is the default, as in `hookFiles`. */
  files: readonly HookFile[];
  /** One's own, which git ignores; none: the client has no such file. */
  local: readonly HookFile[];
  /** The command that runs a program of the project in every clone of it. Nothing in `path` needs quoting. */
  command: (path: string) => string;
  /** What has to be so for them to act. */
  nextSteps: readonly NextStep[];
}

/** How hooks are packed for the client's own channels; paths are relative to the plugin's folder. */
export interface PluginFormat {
  /** Value of `--format`. */
  name: PluginFormatName;
  manifest: string;
  /** Of the manifest, besides name, version and description. */
  fields?: Readonly<Record<string, unknown>>;
  /** The file of hooks that the client reads without being told. */
  hooks: string;
  /** Where another client's hooks are in that file: the manifest's key that names another one, and its path. */
  elsewhere?: { key: string; hooks: string };
  /** The plugin's folder as a word of a hook's command: the same whatever stands in the path. */
  root: string;
  nextSteps: readonly NextStep[];
  autoLoad?: AutoLoad;
}

/** A folder of the user's from which the client loads every plugin by itself. */
export interface AutoLoad {
  /** Relative to the client's folder; each plugin has a folder of its own name in it. */
  folder: string;
  /** The first version that does. */
  since?: string;
  /** Where a person switches a plugin off, by its name, and the command that takes it back. */
  off?: (name: string) => { switch: OffSwitch; undo: string };
  /** What a user should know before. */
  note?: NoteCode;
  nextSteps: readonly NextStep[];
}

/** Where a `context_tool` can be compiled to the client's own `mcp_tool` handler. */
export interface McpToolHandler {
  events: readonly HookEvent[];
  /** Plain text of a tool reaches no model: only tools that return a `hookSpecificOutput` document. */
  needsDocument: boolean;
  /** What stands for a template variable in `input`; the others can't be had. */
  variables: Partial<Record<TemplateVariable, string>>;
}

export interface ToolDialect {
  /** Canonical (Claude-style) name -> the client's own names. A name that is missing here is the client's own and canonical. */
  names: Readonly<Record<string, readonly string[]>>;
  /** Canonical names that the client has no equivalent of, to be reported rather than compiled. */
  missing: readonly string[];
  /** Names of which a `|`-joined list is matched exactly; undefined: every matcher is a regular expression. */
  exactNames?: RegExp;
  /** Native name of an MCP tool: `<prefix><alias><separator><tool>`, alias with `unsafe` characters replaced by `_`. */
  mcp: {
    prefix: string;
    separator: string;
    unsafe: RegExp;
    /** Longer native names are cut in the middle. */
    maxLength?: number;
  };
  /** Payload paths that name an MCP tool's server (raw alias) and tool, where the client gives them. */
  payload: { server?: string; tool?: string };
  /** The tool's result is given as text parts, not as JSON (Gemini). */
  outputIsText?: boolean;
}
