import type { OwnWords } from '../messages/notes.ts';

/** One group of a client's `hooks.<event>` array; a `flat` entry is read as a group of one handler. */
export interface HookGroup {
  matcher?: string;
  hooks: HookHandler[];
  [key: string]: unknown;
}

export interface HookHandler {
  type: string;
  command?: string;
  timeout?: number;
  [key: string]: unknown;
}

/** `module`: a program that the client loads, with the entries as a JSON value in it. */
export type FileFormat = 'json' | 'jsonc' | 'toml' | 'module';

/** What the client that reads a file takes, beyond its format. A file or result outside of it is refused. */
export interface FileRules {
  /** A byte order mark (Claude Code, config.toml). Gemini CLI refuses to start, Codex drops hooks.json. */
  bom: boolean;
  /** A file without any value. The same clients differ in the same way. */
  emptyFile: boolean;
  /** The only keys that may stand at top level (Codex hooks.json: `description`, `hooks`). */
  topLevelKeys?: readonly string[];
  /** What the client would refuse of a whole file besides, in its own words; undefined: nothing. */
  refuses?: (value: unknown, text: string) => OwnWords | undefined;
  /** Most bytes of UTF-8 that a result may have (Claude Code drops settings above about 2 MiB). */
  maxBytes?: number;
}

/** A file that can hold hooks. */
export interface HookFile {
  /** Relative to the client's folder, or to the project, with `/`. With `{slug}` in its name each server has its own. */
  path: string;
  format: FileFormat;
  /** Of a module: its text, with the marks of edit/module.ts where the entries stand. */
  program?: string;
  accepts: FileRules;
  /** Ours alone: it goes when no hooks are left in it. */
  own?: true;
  /** What an event's array holds. Absent: groups; `flat`: the handlers themselves, each with its matcher. */
  layout?: 'flat';
  /** Members that the client demands beside `hooks`: in a new file they stand first, a file without them is refused. */
  frame?: Readonly<Record<string, unknown>>;
}

/** Where and how a client's hooks are written down. */
export interface HookConfig {
  /** A user's, relative to the client's folder; the first is the default, of several the one that holds hooks already is used. */
  user: readonly HookFile[];
  /** Those that a project commits, relative to it. None: the client has no such file. */
  project: readonly HookFile[];
  /** One's own in a project, which git ignores. */
  local: readonly HookFile[];
  /** The key of a handler that holds its timeout, and the unit. */
  timeout: { key: string; unit: 's' | 'ms' };
  /** Fields of a handler besides type, command and timeout; `name` is unique per server and shim. */
  fields?: (name: string, native: string) => Readonly<Record<string, unknown>>;
  /** How a POSIX shell that the client starts runs a hook script. */
  posix: PosixForm;
  /** How a hook script is started on Windows, and the first version of the client that can; nothing there is proved. */
  windows: { form: WindowsForm; since?: string };
  /** What runs a program of the project in every clone of it. Nothing in `path` needs quoting. */
  inProject: (path: string) => Invocation;
  /** Such as earlier versions wrote: ours, and written anew by the next install. */
  inProjectBefore?: readonly ((path: string) => Invocation)[];
  /** Texts that a command may not hold since the client would rewrite them. */
  forbiddenInCommand: readonly string[];
  /** Trust goes by position (Codex): a removed group that is not last leaves an empty one behind. */
  tombstones?: true;
}

/** The fields of a handler that start something. */
export interface Invocation {
  /** A line for a shell; with `args`, a program. */
  command: string;
  args?: readonly string[];
  /** A line for PowerShell, in files that every system reads. */
  commandWindows?: string;
}

/**
 * `read`: the shell reads the script itself, which saves a process; `run`: it may be the account's login shell;
 * `braces`: the client appends the payload to the line as a here-document, which the last command gets.
 */
export type PosixForm = 'read' | 'run' | 'braces';

/** `exec`: a program and its arguments, without any shell. */
export type WindowsForm = 'cmd' | 'powershell' | 'exec';
