import type { ClientId } from '../clients/types.ts';
import type { Declaration } from '../declarations/types.ts';
import type { Fault } from '../messages.ts';

/**
 * How a server is run or reached, with `${VAR}` unexpanded, as a client's file or the command line gives it.
 * Values of `env` and `headers` may be secrets: they never leave the process (no record, output, log or hash).
 */
export type Definition =
  | {
      transport: 'stdio';
      command: string;
      args: string[];
      cwd?: string;
      env: Record<string, string>;
      /** Names of variables that the client passes on from its own environment (Codex `env_vars`). */
      passEnv?: string[];
    }
  | {
      transport: 'http' | 'sse';
      url: string;
      headers: Record<string, string>;
      /** Header name -> name of the environment variable that holds its value (Codex, `--header 'K: ${ENV}'`). */
      envHeaders?: Record<string, string>;
      /** Name of the environment variable that holds a bearer token (Codex `bearer_token_env_var`). */
      bearerEnv?: string;
      /** Access that only the client holds, so that no shim can use it. */
      heldBy?: 'oauth' | 'helper';
    };

export type DefinitionScope = 'user' | 'local' | 'project' | 'plugin' | 'extension' | 'command-line';

/** Where a definition stands. `client` is absent for one given on the command line. */
export interface DefinitionSource {
  client?: ClientId;
  scope: DefinitionScope;
  /** Absolute path. Absent for one given on the command line. */
  file?: string;
  /** Keys from the document's root to the entry. */
  pointer?: string[];
  /** For a plugin's or extension's server: the folder that `${CLAUDE_PLUGIN_ROOT}`, `${extensionPath}` stand for. */
  root?: string;
}

/** A server as one client knows it. */
export interface ServerEntry {
  alias: string;
  definition: Definition;
  source: DefinitionSource;
  /** sha256 over what an approval covers (contract, "Trust"): secret values left out, `${VAR}` unexpanded. */
  hash: string;
}

/** What each client's files say of MCP servers, the winner of each name first resolved by that client's own precedence. */
export interface ServerTable {
  byClient: Partial<Record<ClientId, ServerEntry[]>>;
  /** Every file that may define servers here, for messages. */
  looked: string[];
  /** Entries that their client has switched off. */
  off: ServerEntry[];
  /** Files that their client couldn't read either: file:line:column. They matter only when that client is needed. */
  broken: { client: ClientId; fault: Fault }[];
}

export const PLACES = ['hooks', 'experimental.hooks', 'extensions'] as const;
/** Where declarations stood: one of the first two, or `extensions["<id>"]`. */
export type DeclarationPlace = string;

/** What a server said, raw, in whichever protocol era showed hooks. */
export interface ServerReading {
  /** `initialize` (era of 2025) or `server/discover` (2026-07-28). */
  era: 'initialize' | 'discover';
  protocolVersion: string;
  /** Every era that was asked, in order. */
  asked: ServerReading['era'][];
  /** The server's own name: shown, and used to recognise itself in matchers; never an identity. */
  serverName?: string;
  /** Absent: no place in either era held hooks. */
  place?: DeclarationPlace;
  /** The raw value of that place, before validation. */
  document?: unknown;
  /** Names of `tools/list`, all pages; undefined when the server has no tools capability or refuses to list. */
  tools?: ServerTool[];
}

export interface ServerTool {
  name: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

/** A validated set of declarations and where it came from. */
export interface Declared {
  declarations: Declaration[];
  from:
    | { kind: 'server'; era: ServerReading['era']; place: DeclarationPlace }
    | { kind: 'file'; file: string };
  serverName?: string;
}
