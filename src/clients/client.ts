import type { HookEvent, TemplateVariable } from '../declarations/types.ts';
import type { NextStep, OwnWords } from '../messages/notes.ts';
import type { Conditions } from './conditions.ts';
import type { Folder } from './folder.ts';
import type { Gates } from './gates.ts';
import type { HookConfig } from './hook-config.ts';
import type { ClientId } from './ids.ts';
import type { McpConfig } from './mcp-config.ts';
import type { PluginFormat } from './plugin-format.ts';
import type { EventCell, HookProtocol, NativeEvent, ProvedBy } from './protocol.ts';
import type { ToolNames } from './tools.ts';

export { CLIENT_IDS, type ClientId } from './ids.ts';

/** Everything about one client, as data. Code outside the client's folder never names a client. */
export interface Client {
  id: ClientId;
  title: string;
  program: ClientProgram;
  proved: Proved;
  /** What old versions carry less, where that was observed. */
  older?: Older;
  /** From which version on no hook gives a text, and what says so. */
  newer?: Newer;
  /** The user's configuration folder. */
  home: Folder;
  /** Files that hold hooks, and the form of their entries. */
  hooks: HookConfig;
  /** The input and output of a hook. */
  protocol: HookProtocol;
  /** How each event of SEP-2282 is carried, and the client's native events; names.ts limits their names. */
  events: Record<HookEvent, EventCell>;
  natives: Record<string, NativeEvent>;
  /** How payloads show what conditions (`when`) test. */
  conditions: Conditions;
  tools: ToolNames;
  limits: Limits;
  /** Where MCP servers are configured. */
  mcp: McpConfig;
  /** Settings and reviews that keep hooks from firing. */
  gates: Gates;
  /** Plugin format, for `export` and `--target plugin`. */
  plugin?: PluginFormat;
  /** The client's own handler type that calls a server's tool; used only when the user granted the server control. */
  mcpTool?: McpToolHandler;
  /** Steps that a user must take before hooks fire: for hooks of their own, and for a project's hooks. */
  nextSteps: { user: readonly NextStep[]; project: readonly NextStep[] };
}

/** How to detect an installation and its version. */
interface ClientProgram {
  /** Name of the program on PATH. */
  binary: string;
  /** Packages from which npm installs the program; their package.json has the version. */
  npmPackages?: readonly string[];
  /** Pattern for the version in the program's real path, as the client's own installer writes it. */
  versionInPath?: RegExp;
  /** It is a JavaScript runtime itself, and runs our scripts where there is no node. */
  runsScripts?: true;
}

/** The versions on which all data were tested (test/clients), and how. */
export interface Proved {
  oldest: string;
  newest: string;
  how: ProvedBy;
  /** What these are versions of, where that isn't the program; they say nothing about the program's version then. */
  of?: string;
}

/** Events whose text reaches no model on versions before `before`; `note` says that, and what else differs there. */
export interface Older {
  before: string;
  textUnusedAt: readonly HookEvent[];
  note: OwnWords;
}

/** Versions, `since` and later, on which no text reaches a model; `note` says why. */
export interface Newer {
  since: string;
  note: OwnWords;
}

/** What a client counts in a text: UTF-16 units, bytes or characters. */
export type Unit = 'utf16' | 'utf8' | 'code-points';

/** How much text reaches the model, and what of it is replaced. */
interface Limits {
  /** Unit of `perHandler`. */
  unit: Unit;
  /** Most text of one handler, in `unit`; undefined when no limit matters. */
  perHandler?: number;
  /** True when the model reads `&lt;` and `&gt;` for `<` and `>`. */
  escapesAngles?: true;
}

/** Events and variables for which a `context_tool` can be compiled to the client's own `mcp_tool` handler. */
interface McpToolHandler {
  events: readonly HookEvent[];
  /**
   * True when plain text of a tool doesn't reach the model: then only tools that return a `hookSpecificOutput` document
   * qualify.
   */
  needsDocument: boolean;
  /** Template variable -> its replacement in `input`. Variables missing here are unavailable. */
  variables: Partial<Record<TemplateVariable, string>>;
}
