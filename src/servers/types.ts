import type { ClientId } from '../clients/client.ts';
import type { DefinitionScope } from '../clients/mcp-config.ts';
import type { Declaration } from '../declarations/types.ts';
import type { Fault } from '../messages/fault.ts';

/**
 * How a server is run or reached, with `${VAR}` unexpanded, as a client's file or the command line gives it.
 * Values of `env` and `headers` may be secrets: they never leave the process (no record, output or log).
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
export interface FoundEntry {
  alias: string;
  definition: Definition;
  source: DefinitionSource;
}

/** The entry that counts for a server. */
export interface ServerEntry extends FoundEntry {
  /** Over what an approval covers: `definitionHash`. */
  hash: string;
}

/** What each client's files say of MCP servers, the winner of each name first resolved by that client's own precedence. */
export interface ServerTable {
  clients: readonly ClientId[];
  /** A client's files are read when it is first asked about: those of the others cost nothing. */
  of: (client: ClientId) => ClientServers;
}

/** What one client's files say of MCP servers. */
export interface ClientServers {
  on: FoundEntry[];
  /** Entries that the client has switched off. */
  off: FoundEntry[];
  /** Every file that may define servers here, for messages. */
  looked: string[];
  /** Files that the client couldn't read either: file:line:column. They matter only when it is needed. */
  broken: Fault[];
}

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
  /** Of the calls that were asked for. */
  called?: CalledTool[];
}

/** A call of a tool, and what came of it. */
export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
}

export interface CalledTool extends ToolCall {
  /** Milliseconds. */
  ms: number;
  /** Characters of its answer. */
  characters: number;
  /** What it said instead, short and safe to show. */
  error?: string;
}

export interface ServerTool {
  name: string;
  /** The server says that it changes nothing (`annotations.readOnlyHint`). */
  readOnly?: true;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

/** A validated set of declarations and where it came from. */
export interface Declared {
  declarations: Declaration[];
  from:
    | { kind: 'server'; era: ServerReading['era']; place: DeclarationPlace }
    | { kind: 'file'; file: string; unchecked?: true };
  serverName?: string;
}

export type Ecosystem = 'npm' | 'pypi' | 'oci';

/** A command that installs a package, where it isn't installed yet, and runs it. */
export interface PackageRun {
  /** As people write it: `npx`, `npm exec`, `uv tool run`. */
  runner: string;
  ecosystem: Ecosystem;
  /** The package as it is asked for: `@scope/name@1.2.3`, `git+https://...`. undefined: options hide it. */
  spec?: string;
  /** Name in the public registry of the ecosystem; for images with their registry. undefined: it comes from elsewhere. */
  name?: string;
  /** What the spec asks for behind the name: a version, a tag, a range, a digest. */
  version?: string;
  /** `version` is one version: the same is run tomorrow. */
  pinned: boolean;
}
