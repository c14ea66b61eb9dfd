import type { ClientId } from '../clients/client.ts';
import type { DefinitionScope } from '../clients/mcp-config.ts';
import type { Declaration } from '../declarations/types.ts';
import type { Fault } from '../messages/fault.ts';

/**
 * How a server is run or reached, with `${VAR}` unexpanded, from a client's file or the command line. Values of `env`
 * and `headers` may be secrets: they never leave the process (no record, output or log).
 */
export type Definition =
  | {
      transport: 'stdio';
      command: string;
      args: string[];
      cwd?: string;
      env: Record<string, string>;
      /** File with more variables, as written (Cursor `envFile`). */
      envFile?: string;
      /** Names of variables that the client passes on from its own environment (Codex `env_vars`). */
      passEnv?: string[];
    }
  | {
      transport: 'http' | 'sse';
      url: string;
      headers: Record<string, string>;
      /** Header name -> name of the environment variable with its value (Codex, `--header 'K: ${ENV}'`). */
      envHeaders?: Record<string, string>;
      /** Name of the environment variable with a bearer token (Codex `bearer_token_env_var`). */
      bearerEnv?: string;
      /** Set when only the client can authenticate, so that no shim can use the server. */
      heldBy?: 'oauth' | 'helper';
    };

export type StdioDefinition = Extract<Definition, { transport: 'stdio' }>;
export type HttpDefinition = Exclude<Definition, StdioDefinition>;

/** Place of a definition. `client` is absent for a definition given on the command line. */
export interface DefinitionSource {
  client?: ClientId;
  scope: DefinitionScope;
  /** Absolute path; absent for a definition given on the command line. */
  file?: string;
  /** Keys from the document's root to the entry. */
  pointer?: string[];
  /** For a plugin's or extension's server: the folder for `${CLAUDE_PLUGIN_ROOT}` and `${extensionPath}`. */
  root?: string;
}

/** One client's entry of a server. */
export interface FoundEntry {
  alias: string;
  definition: Definition;
  source: DefinitionSource;
}

/** The entry to use for a server. */
export interface ServerEntry extends FoundEntry {
  /** Hash of what an approval covers (`definitionHash`). */
  hash: string;
}

/** The MCP servers in each client's files, with each name resolved by that client's own precedence. */
export interface ServerTable {
  clients: readonly ClientId[];
  /** Returns a client's servers. The client's files are read at the first call. */
  of: (client: ClientId) => ClientServers;
  /** Returns the servers that a client has once it is in use here. */
  inUse: (client: ClientId) => readonly FoundEntry[];
  /** Returns the entry at a place, from the same reading of its file, or why there is none. */
  at: (source: DefinitionSource) => Definition | Absence;
}

/** An entry whose server its client doesn't start: it is switched off, or needs a variable that isn't set. */
export interface OffEntry extends FoundEntry {
  /** File with the list that switches it off, where the entry itself doesn't. */
  listedIn?: string;
  /** The variable that isn't set; '' for a name that may be a secret. */
  unset?: string;
}

/** The MCP servers in one client's files. */
export interface ClientServers {
  on: FoundEntry[];
  off: OffEntry[];
  /** Returns files that define a server of that name but are read only in a trusted folder, each with its client's id. */
  untrusted: (alias: string) => string[];
  /** Places of entries with that name that define no server, such as `/home/me/.claude.json: mcpServers.a`. */
  unusable: (alias: string) => string[];
  /** Every file that may define servers here, for messages. */
  looked: () => string[];
  /** Where the user's own files would define a server of that name. */
  userPlaces: (alias: string) => DefinitionSource[];
  /** Faults of files that the client can't read either (file:line:column); relevant only when such a file is needed. */
  broken: Fault[];
}

/** Place of declarations in capabilities: one of the first two paths, or `extensions["<id>"]`. */
export type DeclarationPlace = string;

/** A server's raw answers, in the protocol era that had hooks. */
export interface ServerReading {
  /** `initialize` (era of 2025) or `server/discover` (2026-07-28). */
  era: 'initialize' | 'discover';
  /**
   * The server's own name without secrets: shown, and used to recognise the server in matchers; never an identity.
   */
  serverName?: string;
  /** Returns a text about the document without the secrets that the server was given. */
  redact: (text: string) => string;
  /** Absent when no place in either era had hooks. */
  place?: DeclarationPlace;
  /** The raw value at that place, before validation. */
  document?: unknown;
  /**
   * Tools of `tools/list`, all pages, their names without secrets; undefined when the server has no tools capability or
   * refuses to list.
   */
  tools?: ServerTool[];
  /** The error with which the server refuses to list tools, safe to show; absent when it only doesn't know the method. */
  toolsRefusal?: string;
  /** Milliseconds from the first start to the first answer, which a package runner may have installed a package for. */
  firstMs: number;
  /** Outcomes of the requested calls. */
  called?: CalledTool[];
}

/** What was learned from asking a server, besides its declarations. */
export interface Answers extends Pick<ServerReading, 'firstMs' | 'called'> {
  /** Tools that the server lists; undefined where no declarations were found for them. */
  tools?: readonly ServerTool[];
  /** Faults of tools that the server, started in the home folder, doesn't list there. */
  uncheckedFaults?: readonly Fault[];
}

/** A call of a tool; see `CalledTool` for its outcome. */
export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
}

export interface CalledTool extends ToolCall {
  /** Duration in milliseconds. */
  ms: number;
  /** Error text instead of an answer, shortened and safe to show. */
  error?: string;
}

export interface ServerTool {
  name: string;
  /** True when the server declares that the tool changes nothing (`annotations.readOnlyHint`). */
  readOnly?: true;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

/** Source of hooks for a server that declares none: its package, or a catalogue. */
export type OverlaySource = (
  | { kind: 'package'; package: string; version?: string }
  | {
      kind: 'catalogue';
      /** Name of the entry. */
      entry: string;
      title: string;
      /** Set for an entry of the project (`.mcphooks/catalogue/`). */
      project?: true;
      /** Version of the server with which the entry was checked, and how. */
      version: string;
      checked: 'server' | 'docs';
      /** Day of the last review. */
      reviewed: string;
      /** Suggested values of options, for those that the user doesn't choose. */
      options?: { cooldown?: number; keepWarm?: number };
    }
) & {
  /** `declarationsHash` of the declarations as they came. */
  hash: string;
  /** The server can't be asked, so its tools weren't checked. */
  unchecked?: true;
};

/** A validated set of declarations, with its source. */
export interface Declared {
  declarations: Declaration[];
  /** `overrules`: the server declared hooks itself, too, when those of the file were chosen. */
  from:
    | { kind: 'server'; era: ServerReading['era']; place: DeclarationPlace }
    | { kind: 'file'; file: string; unchecked?: true; overrules?: true }
    | OverlaySource;
  serverName?: string;
}

export type Ecosystem = 'npm' | 'pypi' | 'oci';

/** A command that runs a package, and installs it first when it is missing. */
export interface PackageRun {
  /** The runner as people write it: `npx`, `npm exec`, `uv tool run`. */
  runner: string;
  ecosystem: Ecosystem;
  /** The requested package: `@scope/name@1.2.3`, `git+https://...`. Undefined when options hide the package. */
  spec?: string;
  /**
   * Name in the ecosystem's public registry; for images, with their registry. Undefined for a package from elsewhere.
   */
  name?: string;
  /** The version part of the spec: a version, a tag, a range, a digest. */
  version?: string;
  /** True when `version` is one exact version, so that the same code runs tomorrow. */
  pinned: boolean;
}

/**
 * Why a place holds no definition: no such file, a damaged file, one with a merge conflict, no such entry, one that is
 * off, or no usable one.
 */
export type Absence = 'no-file' | 'unreadable' | 'conflict' | 'removed' | 'off' | 'unusable';
