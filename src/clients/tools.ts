import type { OwnWords } from '../messages/notes.ts';
import type { Conditions } from './conditions.ts';

/** Canonical tool names for declarations: Claude Code's names. */
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
  /**
   * Set when canonical names missing in `names` are the client's own names too; otherwise the client has no such tools.
   */
  restIsCanonical?: true;
  /** Names that the client has besides on Windows. */
  onWindows?: Readonly<Partial<Record<CanonicalTool, readonly string[]>>>;
  /** Tools not offered to the client's model, by the first requests of real sessions (test/clients/tools.json). */
  absent?: Readonly<Partial<Record<CanonicalTool, AbsentTool>>>;
  /**
   * Set when entries have no matcher and only the hook script decides: where a matcher is no regular expression, or a
   * reader of the file knows none (VS Code, of Copilot's).
   */
  noMatcher?: true;
  /** Names for which a `|`-joined list matches exactly; undefined when every matcher is a regular expression. */
  exactNames?: RegExp;
  mcp: McpToolNames;
  /** Names of the servers that the client starts, where it leaves out all others; `otherwise` says so. */
  servers?: { names: RegExp; otherwise: OwnWords };
  /** Payload paths of an MCP tool's server (raw alias) and tool, if the client sends them. */
  payload: { server?: string; tool?: string };
  /** Set when the tool's result consists of text parts, not JSON (Gemini). */
  outputIsText?: boolean;
}

/** A tool that a client lacks, or whose name it only accepts. */
interface AbsentTool {
  /** First version observed without the tool; absent when no tested version offers the tool. */
  since?: string;
  /** Canonical name of the tool that the model uses instead. */
  instead?: CanonicalTool;
}

/** How a client names the tools of MCP servers. */
interface McpToolNames {
  /** Pattern of the name, with `{alias}` and `{tool}`; without `{alias}` the name doesn't tell the server (Cursor). */
  name: `${string}{tool}`;
  /** Returns an alias as written in the name. */
  spell: (alias: string) => string;
  /** Returns a server's own name of a tool as written in the name; absent: as `spell` does. */
  spellTool?: (tool: string) => string;
  /** Longest name; longer names are cut in the middle. */
  maxLength?: number;
  /** Returns a whole name as the client makes it valid; `raw`: the name with alias and tool unchanged. */
  finish?: (name: string, raw: string) => string;
  /** Glob of what `finish` may add at the end. */
  mark?: string;
  /** Length to which `finish` shortens a name, before it adds the mark. */
  keeps?: number;
}

/** Returns a client as it is on Windows: tools that it has besides take what the first name of the same tool takes. */
export function clientOnWindows<T extends { tools: ToolNames; conditions: Conditions }>(client: T): T {
  const { names, onWindows = {}, restIsCanonical } = client.tools;
  const elsewhere = (name: string): readonly string[] => {
    const known = nativeNames({ names }, name);
    return known.length > 0 || !restIsCanonical ? known : [name];
  };
  const more = Object.entries(onWindows).map(([name, natives]) => [name, [...elsewhere(name), ...natives]]);
  if (more.length === 0) return client;
  const { shell } = client.conditions;
  const shells = Object.entries(onWindows).flatMap(([name, natives]) => {
    const field = shell[elsewhere(name)[0] ?? name];
    return field === undefined ? [] : natives.map((native) => [native, field]);
  });
  return {
    ...client,
    tools: { ...client.tools, names: { ...names, ...Object.fromEntries(more) } },
    conditions: { ...client.conditions, shell: { ...shell, ...Object.fromEntries(shells) } },
  };
}

/** Returns all of a client's own names for a tool; empty when the client has none. */
export function nativeNames({ names }: Pick<ToolNames, 'names'>, canonical: string): readonly string[] {
  const all: Readonly<Record<string, readonly string[]>> = names;
  return Object.hasOwn(all, canonical) ? (all[canonical] ?? []) : [];
}

/** Returns the canonical names of a client's tool. */
export function canonicalNames({ names }: Pick<ToolNames, 'names'>, native: string): string[] {
  return Object.entries(names).flatMap(([name, natives]) => (natives.includes(native) ? [name] : []));
}

export const isCanonical = (name: string): boolean => (CANONICAL_TOOLS as readonly string[]).includes(name);

/** Canonical names of tools that a client lacks, or doesn't offer to its model. */
export function missingTools({ names, restIsCanonical, absent = {} }: ToolNames): string[] {
  return CANONICAL_TOOLS.filter((name) => absent[name] || (!restIsCanonical && !names[name]));
}

/** Returns what is known about a missing tool; `name` is canonical. */
export function absenceOf({ absent }: ToolNames, name: string): AbsentTool {
  return (absent as Readonly<Record<string, AbsentTool>> | undefined)?.[name] ?? {};
}

/** True when payloads tell the server of an MCP tool. */
export const namesServers = ({ mcp, payload }: Pick<ToolNames, 'mcp' | 'payload'>): boolean =>
  mcp.name.includes('{alias}') || payload.server !== undefined;

/** Returns the prefix of the names of all tools of a server. */
export function toolPrefix({ name, spell }: McpToolNames, alias: string): string {
  return name.slice(0, -'{tool}'.length).replace('{alias}', () => spell(alias));
}

/** Returns what the names of a server's tools begin with, the longest first: `finish` can cut into the server's name. */
export function toolPrefixes(names: McpToolNames, alias: string): string[] {
  const prefix = toolPrefix(names, alias);
  return [...new Set([prefix, prefix.slice(0, names.keeps)])];
}

/** Returns a client's name for a tool of a server. */
export function mcpToolName(names: McpToolNames, alias: string, tool: string): string {
  const { maxLength, finish, spell, spellTool = spell } = names;
  const name = `${toolPrefix(names, alias)}${spellTool(tool)}`;
  if (finish)
    return finish(
      name,
      names.name.replace('{alias}', () => alias).replace('{tool}', () => tool),
    );
  if (maxLength === undefined || name.length <= maxLength) return name;
  // Gemini CLI 0.61.0 cuts names in this way.
  const part = Math.floor((maxLength - 3) / 2);
  return `${name.slice(0, part)}...${name.slice(-part)}`;
}

/** Returns a glob of tools as written in the client's names. */
export const spelledGlob = ({ spell, spellTool = spell }: McpToolNames, glob: string): string =>
  glob.replace(/[^*?]+/g, (literal) => spellTool(literal));

/** Returns globs of the client's names for the tools of a server that fit a glob; a glob without wildcards is a name. */
export function toolGlobs(names: McpToolNames, alias: string, glob: string): string[] {
  if (!/[*?]/.test(glob)) return [mcpToolName(names, alias, glob)];
  const name = `${toolPrefix(names, alias)}${spelledGlob(names, glob)}`;
  const { mark, keeps = Number.POSITIVE_INFINITY } = names;
  if (mark === undefined) return [name];
  const isLong = name.search(/[*?]/) >= keeps;
  const marked = name.endsWith('*') ? [] : [`${name}${mark}`];
  const long = isLong ? [`${name.slice(0, keeps)}${mark}`] : [];
  return [...new Set([name, ...marked, ...long])];
}

/** Returns the prefix of the names of all servers' tools. */
export function commonPrefix({ name }: McpToolNames): string {
  return name.slice(0, name.search(/\{(?:alias|tool)\}/));
}

/** Returns a function that replaces the `unsafe` characters of a name by `_`. */
export const respelt =
  (unsafe: RegExp) =>
  (name: string): string =>
    name.replace(unsafe, '_');
