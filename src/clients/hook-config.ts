import type { Path } from '../declarations/path.ts';
import type { OwnWords } from '../messages/notes.ts';
import type { ScopeName } from './scopes.ts';

/** One group of a client's `hooks.<event>` array; an entry of a `flat` file is read as a group of one handler. */
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

/** `module`: a program that the client loads, with the entries in it as a JSON value. */
export type FileFormat = 'json' | 'jsonc' | 'toml' | 'module';

/** Why a client refuses a file; `at`: path of the value that is wrong, from the top of the document. */
export type FileRefusal = OwnWords & { at?: Path };

/** What a client accepts in a file beyond the format. mcphooks refuses a file, or a result, that breaks these rules. */
export interface FileRules {
  /** Accepts a byte order mark (Claude Code, config.toml). Gemini CLI refuses to start, Codex drops hooks.json. */
  bom: boolean;
  /** Accepts a file without any value; the clients named for `bom` behave alike here. */
  emptyFile: boolean;
  /** The only keys allowed at top level (Codex hooks.json: `description`, `hooks`). */
  topLevelKeys?: readonly string[];
  /** Returns the client's reason to refuse a whole file; undefined when the client accepts the file. */
  refuses?: (value: unknown, text: string) => FileRefusal | undefined;
  /** Most bytes of UTF-8 in a result (Claude Code drops settings above about 2 MiB). */
  maxBytes?: number;
}

/** A file that can contain hooks. */
export interface HookFile {
  /**
   * Path relative to the client's folder, or to the project, with `/`. `{slug}` in the name: a separate file per
   * server.
   */
  path: string;
  format: FileFormat;
  /** For a module: its text, with the marks of edit/module.ts at the place of the entries. */
  program?: string;
  accepts: FileRules;
  /** True when the file is ours alone, and is deleted when no hooks are left in it. */
  oursAlone?: true;
  /** Elements of an event's array: groups, or with `flat` handlers, each with its matcher. */
  layout?: 'flat';
  /** Set when events are members of the document itself; absent: of its member `hooks`. */
  unwrapped?: true;
  /** Set when the client reads the file only while the file before it in the list is absent. */
  ifAbsent?: true;
  /** Members of a new file, written first. `accepts.refuses` decides on a user's file (Cursor accepts a later version). */
  frame?: Readonly<Record<string, unknown>>;
}

/** A place that a client reads hooks from, whoever writes them. */
interface HookPlace extends Omit<HookFile, 'accepts' | 'oursAlone' | 'program' | 'format'> {
  /** Whose place; a `path` of scope `user` is relative to the client's folder, else to the project. */
  scope: ScopeName;
  /** As in `HookFile`; with `*` for the name before `.json`, each such file of the folder; `**`: or below it. */
  path: string;
  /** `jsonc,`: with trailing commas, too. */
  format: FileFormat | 'jsonc,';
}

/** Which files contain a client's hooks, and in which form. */
export interface HookConfig {
  /**
   * Files at user scope, relative to the client's folder. Of several, the file that already contains hooks is used,
   * else the first.
   */
  user: readonly HookFile[];
  /** Files that a project commits, relative to the project; empty when the client has no such file. */
  project: readonly HookFile[];
  /** Set when those files count in the main worktree only, for the sessions in all worktrees of a repository (Codex). */
  mainWorktreeOnly?: true;
  /** Files for one user's own hooks in a project, ignored by git. */
  local: readonly HookFile[];
  /**
   * Set when an event in one of several files turns off this event in the files after it. An entry goes into the first
   * file that has its event, else into the last file. Copies of ours that the client made are kept up to date.
   */
  shadows?: true;
  /** Key of a handler's timeout, and its unit. */
  timeout: { key: string; unit: 's' | 'ms' };
  /** Returns fields of a handler besides type, command and timeout; `name` is unique per server and shim. */
  fields?: (name: string, native: string) => Readonly<Record<string, unknown>>;
  /** How the client's POSIX shell runs a hook script. */
  posix: PosixForm;
  /** How a hook script is started on Windows, and the first client version that supports this. */
  windows: { form: WindowsForm; since?: string; tested?: WindowsTest; project: ProjectOnWindows };
  /** Returns the command for a project's program that works in every clone of the project. `path` needs no quoting. */
  inProject: (path: string) => Invocation;
  /** Commands that earlier versions wrote: recognised as ours, and replaced by the next install. */
  inProjectBefore?: readonly ((path: string) => Invocation)[];
  /** Texts that must not occur in a command, because the client would rewrite them. */
  forbiddenInCommand: readonly string[];
  /**
   * Places that hold hooks, in the order in which the client runs or joins them, those of plugins last; only for clients
   * that don't use each hook by itself (`NativeEvent.textsUsed`).
   */
  order?: readonly HookPlace[];
  /** The client starts the hooks of an event one after another, in that order; absent: all at once. */
  inTurn?: true;
  /** Set when trust depends on position (Codex): an empty group replaces a removed group that isn't the last. */
  tombstones?: true;
}

/** The fields of a handler that start a program. */
export interface Invocation {
  /** A shell command line; with `args`, a program. */
  command: string;
  args?: readonly string[];
  /** A PowerShell command line for Windows, in files read on every system; each client has its own name for it. */
  commandWindows?: string;
  powershell?: string;
  /** A failed start blocks nothing, where a client blocks for it. */
  onFailure?: 'continue';
}

/**
 * `read`: the shell reads the script itself, which saves a process. `run`: the shell runs the script as a program, in
 * syntax that any login shell accepts. `braces`: for clients that append the payload to the line as a here-document,
 * which only the last command receives. `file`: a shell and the script as its argument, without a command line.
 */
export type PosixForm = 'read' | 'run' | 'braces' | 'file';

/** Whether Windows can start what a project's files name: always, only with Git Bash, or never. */
type ProjectOnWindows = 'fires' | 'git-bash' | 'never';

/** A session of the real Windows program, under Wine (test/windows): its version, and what ran the hook there. */
interface WindowsTest {
  version: string;
  /** `none`: the client starts the program itself; `stand-in`: a program in PowerShell's place, which Wine lacks. */
  shell: 'none' | 'stand-in';
}

/** `exec`: a program and its arguments, without a shell. */
export type WindowsForm = 'cmd' | 'powershell' | 'exec';
