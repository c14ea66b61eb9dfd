import type { Step } from '../clients/types.ts';
import type { HookEvent, Priority } from '../declarations/types.ts';
import type { Definition, DefinitionSource } from '../server/types.ts';

/**
 * What a shim knows, in `<shim>.json` beside it. The runtime knows no client by name: all that differs between
 * clients stands here. Read by runtimes of later versions too, so fields are only ever added.
 */
export interface FireData {
  format: 1;
  server: string;
  client: string;
  /** Native event that this shim serves; echoed as hookEventName. */
  native: string;
  /** Random per install; stands in both naming lines. */
  tag: string;
  /** Absolute folder for kept text, session markers and the log; absent in shims that a repository shares. */
  state?: string;
  /** Milliseconds for everything, below the client's own timeout. */
  deadlineMs: number;
  /** What `cap` and `eventBudget` count. */
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
  session: string;
  toolName: string;
  toolInput: string;
  toolOutput?: string;
  outputIsText?: boolean;
  server?: string;
  serverTool?: string;
  skipIf?: string;
  keepIf?: string;
  /** Environment variable with the folder in which the client was started. */
  startFolderEnv?: string;
  /** Native tool name -> its canonical names. */
  names: Record<string, string[]>;
  /** Prefix of native MCP tool names -> alias, longest first. */
  prefixes: [string, string][];
}

export interface FireHook {
  /** Number of the declaration, from 1. */
  n: number;
  event: HookEvent;
  priority: Priority;
  does: Step;
  at?: 'start';
  match?: {
    /** Source of an anchored regular expression over canonical names, made by `globSource`. */
    name?: string;
    contains?: string;
    server?: string;
  };
  text?: string;
  call?: { tool: string; args: Record<string, unknown> };
  /** Milliseconds that the same hook stays silent in one session after it fired. */
  cooldownMs?: number;
}

export interface FireServer {
  /** Re-read at fire time; used only while its hash is the approved one. */
  source: DefinitionSource;
  hash: string;
  /** Only for servers given on the command line: holds no secret. */
  definition?: Definition;
  /** Deadline of one call, in ms. */
  callMs: number;
  /** How the client that holds the definition reads it and starts servers. */
  dialect: McpDialect;
}

/** How a client writes MCP servers down and starts them. */
export interface McpDialect {
  format: 'json' | 'jsonc' | 'toml';
  /** `braces`: `${V}`, `${V:-d}`; `dollar`: also `$V`; `none`: literal. Unset variables stay literal. */
  expand: 'braces' | 'dollar' | 'none';
  /** Variables that a stdio server inherits: all of the client's, or only these. */
  inherits: 'all' | readonly string[];
  /** Variables that the client adds for hooks and not for servers: removed when `inherits` is `all`. */
  hookOnly: readonly string[];
}
