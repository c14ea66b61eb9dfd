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
  /** Random per install; stands in both naming lines. Absent in shims that other machines share: the machine's own. */
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
  session: string;
  toolName: string;
  toolInput: string;
  toolOutput?: string;
  outputIsText?: boolean;
  server?: string;
  serverTool?: string;
  /** A payload with something at this path is not for us. */
  skipIf?: string;
  /** A payload with something at this path: the client drops what is given now, so it is kept. */
  keepIf?: string;
  /** In the event that ends a turn: the time of that, for `continuation`. */
  turnEnd?: string;
  continuation?: Continuation;
  foreign?: Foreign;
  /** Environment variable with the folder in which the client was started. */
  startFolderEnv?: string;
  /** Native tool name -> its canonical names. */
  names: Record<string, string[]>;
  /** Prefix of native MCP tool names -> alias, longest first. */
  prefixes: [string, string][];
}

/**
 * How a prompt that the client made itself is told from the user's. Gemini CLI 0.61.0: when a hook refuses the end
 * of a turn, BeforeAgent fires again with the reason as prompt; the user's own prompts, and only they, are first
 * written to `logs.json` (interactive), or are the only one after a SessionStart (headless). Needs `mark-turn` in
 * the event that ends a turn, and `rearm` in the one that starts a session.
 */
export interface Continuation {
  /** Payload path of a file; `log` is relative to its folder. */
  beside: string;
  /** JSON array of `{ type: "user", timestamp }`, of all sessions of the project. */
  log: string;
  /** Payload path of the time at which the event fired, ISO 8601. */
  time: string;
  /** The client's own prompt comes this soon after a turn's end. */
  withinMs: number;
}

/** How other programs that run this client's hook format are recognised, so that nothing is given twice. */
export interface Foreign {
  /** Variables that they set for hooks. */
  env: string[];
  /** Top-level payload fields that only they send. */
  fields: string[];
  /** Variable in which the client itself gives hooks the session's id: where it is the payload's, it is no other. */
  ownSession?: string;
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
  /** Which piece of a text that is too long for one handler: `part 1 of 2`. */
  part?: string;
  call?: { tool: string; args: Record<string, unknown> };
  /** Milliseconds that the same hook stays silent in one session after it fired. */
  cooldownMs?: number;
}

export interface FireServer {
  /**
   * Re-read at fire time; used only while its hash is the approved one. In shims that other machines share `file` and
   * `root` are relative: to the folder `base` of the machine, else to the shim's own folder.
   */
  source: DefinitionSource;
  base?: ClientFolder;
  hash: string;
  /** Only for servers given on the command line: holds no secret. */
  definition?: Definition;
  /** Deadline of one call, in ms. */
  callMs: number;
  /** How the client that holds the definition reads it and starts servers. */
  dialect: McpDialect;
}

/** `$<env>` + `envSub`, else `~/<home>`. */
export interface ClientFolder {
  env: string;
  envSub: string;
  home: string;
}

/** How a client writes MCP servers down and starts them. */
export interface McpDialect {
  /** Format of its configuration files; a file that doesn't end in `.toml` is JSON for a `toml` client too (plugins). */
  format: 'json' | 'jsonc' | 'toml';
  keys: EntryKeys;
  /** `braces`: `${V}`, `${V:-d}`; `dollar`: also `$V`; `none`: literal. Unset variables stay as they are written. */
  expand: 'braces' | 'dollar' | 'none';
  /** In values of `env`, an unset variable becomes the empty text (Gemini CLI). */
  emptyInEnv?: true;
  /** What `${NAME}` stands for beside variables: `<root>` is the plugin's folder, `<cwd>` the session's. */
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

/** Where the parts of a server stand in an entry of a client's file. */
export interface EntryKeys {
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
}
