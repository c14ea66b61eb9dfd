import type { Unit } from '../clients/client.ts';
import type { FileFields, OutcomeRule } from '../clients/conditions.ts';
import type { Folder } from '../clients/folder.ts';
import type { McpDialect } from '../clients/mcp-config.ts';
import type { HookOutput, OtherHosts, Paths, PayloadRules, Step, VersionLimit } from '../clients/protocol.ts';
import type { ScopeName } from '../clients/scopes.ts';
import type { HookEvent, Priority } from '../declarations/types.ts';
import type { Outcome, SessionSource } from '../declarations/when.ts';
import type { Definition, DefinitionSource } from '../servers/types.ts';
import type { StateOwner } from './own-folders.ts';

/**
 * The data of one shim, in `<shim>.json` beside the script. The runtime contains no client names: everything that
 * differs between clients is in this data. Later runtime versions read these files too, so fields are only ever added.
 */
export interface FireData {
  format: 1;
  server: string;
  client: string;
  /** Native event that this shim serves. */
  native: string;
  /**
   * Shape of the document that the shim prints, with the event's name filled in. Default: `USUAL_OUTPUT` of `native`.
   */
  output?: HookOutput;
  /** Document to print in place of nothing. */
  silent?: Readonly<Record<string, unknown>>;
  /**
   * Random value per install. Used in the naming lines of documents that the shell prints without node; these contain
   * only declared texts, none made by a server at fire time. All other documents have a tag of their own. Also marks
   * kept texts as belonging to this install. Absent in shims shared between machines, which use the machine's tag.
   */
  tag?: string;
  /**
   * Absolute folder for kept texts, session markers and the log. Absent in shims shared between machines, which use the
   * machine's folder.
   */
  state?: string;
  /** Filled in at fire time in shims shared between machines. Absent in data of earlier versions. */
  owner?: StateOwner;
  /**
   * Set when the shim prints nothing while the user's own install of the server covers this client
   * (`coveredByUserInstall`). Implied for shims shared between machines.
   */
  yields?: true;
  /** Only in shims that yield so. Absent in data of earlier versions. */
  userHooks?: UserHooks;
  /** Set when an entry for several servers prints the shim's kept texts, and may have no room for one. */
  joint?: true;
  /** Milliseconds for the whole fire, less than the client's own timeout. */
  deadlineMs: number;
  /** Unit of the budgets. */
  unit: Unit;
  /** Most text in one document, naming lines included, in `unit`. */
  eventBudget: number;
  sessionBudget: number;
  payload: PayloadShape;
  /** Hooks in the order of their declarations. */
  hooks: FireHook[];
  /** How to reach the server; present when any hook calls a tool. */
  server_at?: FireServer;
}

/** How to tell whether the client runs the hooks of the user's own install of the same server (`isActive`). */
export interface UserHooks {
  /** The name that the server gives itself. */
  serverName?: string;
  /** The client's folder, with the files of the user's hooks. */
  home: Folder;
  /**
   * The folder, in the client's, of plugins that the client loads by itself, and the setting that is false where a person
   * switched off the server's plugin: its keys, and the files that may have it, strongest first.
   */
  plugin?: {
    folder: string;
    at: readonly string[];
    files: readonly { in: 'client' | 'session'; path: string }[];
  };
  /**
   * File in the client's folder and keys of the table in which a person switches off single entries of this shim's
   * event, and the entry's key there with `{file}`, `{group}` and `{handler}`. `enabled`: key of the flag that is false
   * then; absent: `enabled`, as in data of earlier versions.
   */
  review?: { path: string; at: readonly string[]; key: string; enabled?: string };
}

/** The data of a script that serves all servers at a native event, in `<script>.json` beside it. */
export interface JointData
  extends Pick<FireData, 'format' | 'client' | 'native' | 'output' | 'silent' | 'unit' | 'state'> {
  /** Most text of all servers together, in `unit`; absent: no limit. */
  cap?: number;
  /** Environment variable with the folder in which the client was started. */
  startFolderEnv?: string;
  role: JointRole;
}

/** What an entry does when another scope has an entry for the same event. */
export interface JointRole {
  scope: ScopeName;
  /**
   * `text`: stores its text, if it has one, for the entry whose output the client uses. `always`: also announces itself
   * first, so that the entry which takes the text waits, and stores an empty text, which ends the wait.
   */
  leaves?: 'text' | 'always';
  /** Adds the texts that others left to its own; `wait`: the others start at the same time. */
  takes?: 'now' | 'wait';
  /** Uses half of `cap`. */
  shares?: true;
  /** Leaves and takes texts only before this version of the client. */
  before?: VersionLimit;
}

/** Dotted paths into the client's payload, and rules about payloads. */
export interface PayloadShape extends PayloadRules {
  session: Paths;
  /** A sub-agent's id: its cooldown and its budget are its own. */
  agent?: string;
  toolName: Paths;
  toolInput: Paths;
  toolOutput?: Paths;
  outputIsText?: boolean;
  server?: string;
  serverTool?: string;
  foreign?: OtherHosts;
  /** Environment variable with the folder in which the client was started. */
  startFolderEnv?: string;
  /** Native tool name -> its canonical names. */
  names: Record<string, string[]>;
  /** Prefix of native MCP tool names -> alias, longest prefix first. */
  prefixes: [string, string][];
  /** Set when tools are named without their server: these tools are the server's, and all others are other servers'. */
  own?: { server: string; tools: string[] };
  /** Fields from here on serve conditions; each is present only when a hook has such a condition. */
  outcome?: OutcomeRule;
  /** Native names of tools that run a shell command -> the input field that holds the command. */
  shell?: Record<string, string>;
  /** Native names of tools that touch files -> the input fields that name the files. */
  files?: Record<string, FileFields>;
  /** In the event that starts a session: path and words that tell how the session began. */
  source?: { path: string; words: Record<string, SessionSource> };
  /** In the prompt event: path of the prompt's text. */
  prompt?: string;
}

export interface FireHook {
  /** Number of the declaration, from 1. */
  n: number;
  /**
   * Names the hook's marks of starts, rest and calls (markers.ts), and its kept texts: a hash of its declaration, which
   * stays when an update gives the declaration another number. Only where the hook has any of these; absent in data of
   * earlier versions.
   */
  mark?: string;
  event: HookEvent;
  priority: Priority;
  /** The step to run; `note-call` records that one of the server's own tools was called (`when.unless_called`). */
  does: Step | 'note-call';
  /** The hook gives its text once after each start of a session. */
  at?: 'start';
  /** A new text replaces one that was stored for this hook and still waits. */
  replacesKept?: true;
  match?: {
    /** Source of an anchored regular expression over canonical names, made by `globSource`. */
    name?: string;
    contains?: string;
    server?: string;
    /** Also accepts tools running a shell command that searches files. */
    search?: true;
    /**
     * Native names of all tools that match `name`, with `*` at the end for any rest. Absent when the shell can't decide
     * by names.
     */
    tools?: string[];
  };
  when?: FireConditions;
  text?: string;
  call?: HookToolCall;
  /** Milliseconds in which the hook gives no text in one session after it fired; null: the rest of the session. */
  cooldownMs?: number | null;
  /**
   * For `note-call`: milliseconds in which the hook with this mark gives no text after the call; null as in
   * `cooldownMs`.
   */
  muteMs?: number | null;
}

/** Ends a whole file of needles (src/shims/prefilter.ts); templates/shim.sh and a client's program repeat it. */
export const LAST_NEEDLE = '\\u007';

/** True for a hook that prints a kept text, or another one in its place. */
export const claimsKept = ({ does, replacesKept }: FireHook): boolean =>
  does === 'emit-deferred' || replacesKept === true;

export interface HookToolCall {
  tool: string;
  args: Record<string, unknown>;
  /** A JSON pointer into the tool's answer, and the most characters taken from there. */
  answer?: { select?: string; max?: number };
}

/**
 * Path globs without braces: `below` for paths relative to the project's root, `whole` for whole paths.
 */
export interface PathGlobs {
  below: readonly string[];
  whole: readonly string[];
}

/** Conditions of a hook that are tested when it fires (`when`); all of them must hold. */
export interface FireConditions {
  outcome?: Outcome;
  /** An unknown outcome is accepted. */
  ifUnknown?: true;
  /** Patterns, of which at least one must exist in the project's root. */
  files?: readonly string[];
  command?: readonly string[];
  paths?: PathGlobs;
  source?: SessionSource[];
  /** Silent while the marker of `note-call` is set. */
  unlessCalled?: true;
}

export interface FireServer extends ServerDefinedAt {
  /** Deadline of one call, in ms. */
  callMs: number;
  /** Set when the server stays running after a call, for later fires (`--keep-warm`). */
  keep?: KeepRunning;
  /**
   * Other places in the user's own files that define the server, or may do so later. The place of the client that fires
   * comes first, then all places in this order.
   */
  others?: (Omit<ServerDefinedAt, 'hash'> & Partial<Pick<ServerDefinedAt, 'hash'>>)[];
}

export interface KeepRunning {
  /** Milliseconds after the last call. */
  ms: number;
  /**
   * Variables that clients set anew for each session: a kept server isn't given these, and sessions that differ in
   * nothing else share one server.
   */
  omit: readonly string[];
  /** Regular expressions (sources) for folders of PATH of which the same is true. */
  omitPaths?: readonly string[];
}

/** One place that defines the server, and the hash of the definition approved there. */
export interface ServerDefinedAt {
  /**
   * Read again at fire time, and used only while its hash is the approved hash. In shims shared between machines `file`
   * and `root` are relative to the machine's folder `base`, or to the shim's own folder when `base` is absent.
   */
  source: DefinitionSource;
  base?: Folder;
  /** Folder of the project that the definition is for; the definition starts there. Relative as `file` is. */
  folder?: string;
  hash: string;
  /** Present only for servers given on the command line; contains no secret. */
  definition?: Definition;
  /** How the client that has the definition reads it and starts servers. */
  dialect: McpDialect;
}
