import type { HookEvent, TemplateVariable } from '../declarations/types.ts';
import type { NextStep } from '../messages/notes.ts';
import type { Conditions } from './conditions.ts';
import type { Folder } from './folder.ts';
import type { Gates } from './gates.ts';
import type { HookConfig } from './hook-config.ts';
import type { ClientId } from './ids.ts';
import type { McpConfig } from './mcp-config.ts';
import type { PluginFormat } from './plugin-format.ts';
import type { EventCell, HookProtocol, NativeEvent } from './protocol.ts';
import type { ToolNames } from './tools.ts';

export { CLIENT_IDS, type ClientId } from './ids.ts';

/** One client as data; nothing outside its own folder knows it by name. */
export interface Client {
  id: ClientId;
  title: string;
  program: Program;
  proved: Proved;
  /** The user's configuration folder. */
  home: Folder;
  /** Where and how hooks are written down. */
  hooks: HookConfig;
  /** What a hook reads and prints. */
  protocol: HookProtocol;
  /** How each event of SEP-2282 is carried, and the client's own events that carry it. */
  events: Record<HookEvent, EventCell>;
  natives: Record<string, NativeEvent>;
  /** What its payloads tell, for conditions (`when`). */
  conditions: Conditions;
  tools: ToolNames;
  limits: Limits;
  /** Where MCP servers are configured. */
  mcp: McpConfig;
  /** What keeps hooks from firing. */
  gates: Gates;
  /** For `export` and `--target plugin`. */
  plugin?: PluginFormat;
  /** The client's own handler that calls a server's tool; used only where the user granted it control. */
  mcpTool?: McpToolHandler;
  /** What the user has to do before hooks act: their own, and those of a project. */
  nextSteps: { user: readonly NextStep[]; project: readonly NextStep[] };
}

/** How an installation is recognised and its version read. */
export interface Program {
  /** On PATH. */
  binary: string;
  /** By which an npm installation says its version. */
  npmPackage?: string;
  /** Where the client's own installer puts the version into the program's real path. */
  versionInPath?: RegExp;
}

/** The versions on which every cell was proved (test/clients), and how. */
export interface Proved {
  oldest: string;
  newest: string;
  /** `sessions`: real ones; `runtime`: the client's own hook module was driven; `source`: read only. */
  how: 'sessions' | 'runtime' | 'source';
}

/** How much text reaches the model. */
export interface Limits {
  /** What is counted. */
  unit: 'utf16' | 'utf8' | 'code-points';
  /** Most that one handler can carry, in `unit`; undefined: no limit that matters. */
  perHandler?: number;
}

/** Where a `context_tool` can be compiled to the client's own `mcp_tool` handler. */
interface McpToolHandler {
  events: readonly HookEvent[];
  /** Plain text of a tool reaches no model: only tools that return a `hookSpecificOutput` document. */
  needsDocument: boolean;
  /** What stands for a template variable in `input`; the others can't be had. */
  variables: Partial<Record<TemplateVariable, string>>;
}
