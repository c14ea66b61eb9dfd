import type { FileFields, OutcomeRule } from '../clients/conditions.ts';
import type { Folder } from '../clients/folder.ts';
import type { McpDialect } from '../clients/mcp-config.ts';
import type { Continuation, HookOutput, OtherHosts, Paths, Step } from '../clients/protocol.ts';
import type { HookEvent, Priority } from '../declarations/types.ts';
import type { Outcome, Source } from '../declarations/when.ts';
import type { Definition, DefinitionSource } from '../servers/types.ts';

/**
 * What a shim knows, in `<shim>.json` beside it. The runtime knows no client by name: all that differs between
 * clients stands here. Read by runtimes of later versions too, so fields are only ever added.
 */
export interface FireData {
  format: 1;
  server: string;
  client: string;
  /** Native event that this shim serves. */
  native: string;
  /** The document that it prints, with the event's name filled in. Absent: `USUAL_OUTPUT` of `native`. */
  output?: HookOutput;
  /**
   * Random per install. Stands in the naming lines of documents that the shell prints without node: declared texts,
   * which no server makes at fire time. All other documents have a tag of their own. Also marks deferred texts as this
   * install's. Absent in shims that other machines share: the machine's own.
   */
  tag?: string;
  /** Absolute folder for kept text, session markers and the log. Absent as `tag` is: the machine's own. */
  state?: string;
  /** Silent where another install of the server comes first (`spokenFor`), as all shims that other machines share. */
  yields?: true;
  /** Milliseconds for everything, below the client's own timeout. */
  deadlineMs: number;
  /** What `cap` and the budgets count. */
  unit: 'utf16' | 'utf8' | 'code-points';
  /** Most text in one document, naming lines included. */
  cap: number;
  eventBudget: number;
  sessionBudget: number;
  payload: PayloadShape;
  /** In the order of the declarations. */
  hooks: FireHook[];
  /** How to reach the server, when any hook calls a tool. */
  server_at?: FireServer;
}

/** Dotted paths into the client's payload. */
export interface PayloadShape {
  session: Paths;
  toolName: Paths;
  toolInput: Paths;
  toolOutput?: string;
  outputIsText?: boolean;
  server?: string;
  serverTool?: string;
  /** A payload with something at this path is not for us. */
  skipIf?: Paths;
  /** Nor is one whose text at a path fits this source of a regular expression. */
  skipLike?: { path: string; like: string };
  /** A payload with nothing at this path, or an empty text, is not for us. */
  skipUnless?: string;
  /** Of payloads with the same value at this path in one session only the first is for us. */
  oncePer?: string;
  /** A payload with something at this path: the client drops what is given now, so it is kept. */
  keepIf?: string;
  /** In the event that ends a turn: the time of that, for `continuation`. */
  turnEnd?: string;
  continuation?: Continuation;
  foreign?: OtherHosts;
  /** Environment variable with the folder in which the client was started. */
  startFolderEnv?: string;
  /** Native tool name -> its canonical names. */
  names: Record<string, string[]>;
  /** Prefix of native MCP tool names -> alias, longest first. */
  prefixes: [string, string][];
  /** What conditions ask for, each only where a hook has such a condition. */
  outcome?: OutcomeRule;
  /** Native names of tools that run a shell command -> the field of their input that holds it. */
  shell?: Record<string, string>;
  /** Native names of tools that touch files -> where their input names them. */
  files?: Record<string, FileFields>;
  /** In the event that starts a session: how it began. */
  source?: { path: string; words: Record<string, Source> };
  /** In the event of a prompt: its text. */
  prompt?: string;
}

export interface FireHook {
  /** Number of the declaration, from 1. */
  n: number;
  event: HookEvent;
  priority: Priority;
  /** `note-call`: notes that one of the server's own tools was called (`when.unless_called`). */
  does: Step | 'note-call';
  at?: 'start';
  match?: {
    /** Source of an anchored regular expression over canonical names, made by `globSource`. */
    name?: string;
    contains?: string;
    server?: string;
    /** Beside the tools that `name` fits, those that run a shell command which searches files. */
    search?: true;
    /** Native names of all tools that `name` fits, `*` at the end for any rest; absent: the shell can't know them. */
    tools?: string[];
  };
  when?: FireConditions;
  text?: string;
  call?: ToolCall;
  /** Milliseconds that the same hook stays silent in one session after it fired; null: for the rest of it. */
  cooldownMs?: number | null;
  /** Of `note-call`: how long the hook with this number stays silent after the call, as `cooldownMs`. */
  muteMs?: number | null;
}

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  /** A JSON pointer into its answer, and most characters of that. */
  answer?: { select?: string; max?: number };
}

/** Globs on paths as sources of regular expressions: below the project's root, and on whole paths. */
export interface PathPatterns {
  below: readonly string[];
  whole: readonly string[];
}

/** Conditions of a hook that are tested when it fires (`when`); every one must hold. */
export interface FireConditions {
  outcome?: Outcome;
  /** An unknown outcome will do. */
  ifUnknown?: true;
  /** Patterns of which one exists in the project's root. */
  files?: string[];
  command?: string[];
  paths?: PathPatterns;
  source?: Source[];
  /** Silent while the mark of `note-call` stands. */
  unlessCalled?: true;
}

export interface FireServer extends ServerDefinedAt {
  /** Deadline of one call, in ms. */
  callMs: number;
  /**
   * Other places of the user's own that define the server, or may come to. The place of the client that fires counts
   * first, then all in this order.
   */
  others?: (Omit<ServerDefinedAt, 'hash'> & Partial<Pick<ServerDefinedAt, 'hash'>>)[];
}

/** One place that defines the server, and the hash of the definition that was approved there. */
export interface ServerDefinedAt {
  /**
   * Re-read at fire time; used only while its hash is the approved one. In shims that other machines share `file` and
   * `root` are relative: to the folder `base` of the machine, else to the shim's own folder.
   */
  source: DefinitionSource;
  base?: Folder;
  hash: string;
  /** Only for servers given on the command line: holds no secret. */
  definition?: Definition;
  /** How the client that holds the definition reads it and starts servers. */
  dialect: McpDialect;
}
