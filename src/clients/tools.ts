/** Tool names as declarations write them: Claude Code's, whatever a client calls the tool. */
export const CANONICAL_TOOLS = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'Edit',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'KillShell',
  'LS',
  'MultiEdit',
  'NotebookEdit',
  'Read',
  'Skill',
  'Task',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'Write',
] as const;
type CanonicalTool = (typeof CANONICAL_TOOLS)[number];

export interface ToolNames {
  /** Canonical name -> the client's own names. */
  names: Readonly<Partial<Record<CanonicalTool, readonly string[]>>>;
  /** Canonical names that aren't in `names` are the client's own, too; else it has no such tools. */
  restIsCanonical?: true;
  /** Tools that its model isn't offered, by the first requests of real sessions (test/clients/tools.json). */
  absent?: Readonly<Partial<Record<CanonicalTool, AbsentTool>>>;
  /** Entries carry no matcher: the hook script decides alone (Copilot's file, which VS Code reads without). */
  noMatcher?: true;
  /** Names of which a `|`-joined list is matched exactly; undefined: every matcher is a regular expression. */
  exactNames?: RegExp;
  mcp: McpToolNames;
  /** Payload paths that name an MCP tool's server (raw alias) and tool, where the client gives them. */
  payload: { server?: string; tool?: string };
  /** The tool's result is given as text parts, not as JSON (Gemini). */
  outputIsText?: boolean;
}

/** A tool that a client has not, or no more than the name of. */
interface AbsentTool {
  /** The first version that was seen without it; absent: no version that was tried offers it. */
  since?: string;
  /** The canonical name of the tool that its model uses for that. */
  instead?: CanonicalTool;
}

/** How a client calls the tools of MCP servers. */
interface McpToolNames {
  /** `{alias}` and `{tool}` filled in. */
  name: `${string}{tool}`;
  /** An alias as it stands in the name. */
  spell: (alias: string) => string;
  /** Longer names are cut in the middle. */
  maxLength?: number;
}

/** What a client calls a tool, in all ways; none where it has no name of its own for it. */
export function nativeNames({ names }: Pick<ToolNames, 'names'>, canonical: string): readonly string[] {
  const all: Readonly<Record<string, readonly string[]>> = names;
  return Object.hasOwn(all, canonical) ? (all[canonical] ?? []) : [];
}

/** The canonical names of what a client calls `native`. */
export function canonicalNames({ names }: Pick<ToolNames, 'names'>, native: string): string[] {
  return Object.entries(names).flatMap(([name, natives]) => (natives.includes(native) ? [name] : []));
}

export const isCanonical = (name: string): boolean => (CANONICAL_TOOLS as readonly string[]).includes(name);

/** Canonical names of tools that a client has no equivalent of, or doesn't offer its model. */
export function missingTools({ names, restIsCanonical, absent = {} }: ToolNames): string[] {
  return CANONICAL_TOOLS.filter((name) => absent[name] || (!restIsCanonical && !names[name]));
}

/** What is known of a tool that is missing; `name` is canonical. */
export function absenceOf({ absent }: ToolNames, name: string): AbsentTool {
  return (absent as Readonly<Record<string, AbsentTool>> | undefined)?.[name] ?? {};
}

/** What the names of all tools of a server begin with. */
export function toolPrefix({ name, spell }: McpToolNames, alias: string): string {
  return name.slice(0, -'{tool}'.length).replace('{alias}', () => spell(alias));
}

/** The name by which a client calls a tool of a server. */
export function mcpToolName(names: McpToolNames, alias: string, tool: string): string {
  const { maxLength } = names;
  const name = `${toolPrefix(names, alias)}${tool}`;
  if (maxLength === undefined || name.length <= maxLength) return name;
  // As Gemini CLI 0.61.0 cuts it.
  const part = Math.floor((maxLength - 3) / 2);
  return `${name.slice(0, part)}...${name.slice(-part)}`;
}

/** What the names of the tools of all servers begin with. */
export function commonPrefix({ name }: McpToolNames): string {
  return name.slice(0, name.search(/\{(?:alias|tool)\}/));
}

/** An alias whose `unsafe` characters are replaced. */
export const respelt =
  (unsafe: RegExp, other = '_') =>
  (alias: string): string =>
    alias.replace(unsafe, other);
