import { CLIENTS } from '../clients/index.ts';
import type { Client } from '../clients/types.ts';
import type { Declaration, Matcher } from '../declarations/types.ts';
import { globSource } from '../fire/glob.ts';
import type { FireHook } from '../fire/types.ts';
import type { NoteCode } from '../messages.ts';

/** What is known of MCP servers where the hooks will run. */
export interface ServerNames {
  /** Alias of the declaring server. */
  alias: string;
  /** Its own name, by which a matcher may mean it. */
  serverName?: string;
  /** Further such names: in a plugin that brings the server along, its alias isn't the one that people know. */
  otherNames?: readonly string[];
  /** Aliases of all servers in this client's configuration. */
  known: readonly string[];
}

export interface CompiledMatcher {
  /** The shim's exact decision, on canonical names. */
  match?: NonNullable<FireHook['match']>;
  /** The client's prefilter: native names or sources of anchored regular expressions; undefined: every tool. */
  native?: { exact: string[]; patterns: string[] };
  /** Why it can never fire on this client. */
  never?: { note: NoteCode; args: Record<string, string> };
}

/** Names of servers that matchers say. */
export function serversNamed(declarations: readonly Pick<Declaration, 'matcher'>[]): string[] {
  return unique(
    declarations.flatMap(({ matcher }) => [
      ...(matcher?.tool_server === undefined ? [] : [matcher.tool_server]),
      ...(/^mcp__([^*?]+?)__/.exec(matcher?.tool_name ?? '')?.slice(1) ?? []),
    ]),
  );
}

export const isGlob = (name: string): boolean => /[*?]/.test(name);
const canonicalAlias = (alias: string): string => alias.replace(/[^A-Za-z0-9_-]/g, '_');

/** What declarations call a tool for which `name` is only a client's own word; [] for every other name. */
function canonicalNames(name: string): string[] {
  const tables = CLIENTS.map(({ tools }) => tools);
  const isCanonical = tables.some(
    ({ names, missing }) => Object.hasOwn(names, name) || missing.includes(name),
  );
  if (isCanonical) return [];
  return unique(
    tables.flatMap(({ names }) => Object.keys(names).filter((canonical) => names[canonical]?.includes(name))),
  );
}

/** Compiles a declaration's matcher for one client. Pure; a declaration without a matcher gives `{}`. */
export function compileMatcher(
  matcher: Matcher | undefined,
  client: Client,
  servers: ServerNames,
): CompiledMatcher {
  if (!matcher) return {};
  const { tools } = client;
  const nativeAlias = (alias: string): string => alias.replace(tools.mcp.unsafe, '_');
  const match: NonNullable<FireHook['match']> = {};
  if (matcher.input_contains !== undefined) match.contains = matcher.input_contains;

  // The alias that a name of a server in a matcher means on this client.
  const resolve = (name: string): { alias: string } | { note: NoteCode } => {
    const self = name === servers.serverName || servers.otherNames?.includes(name);
    const wanted = self ? servers.alias : name;
    if (!servers.known.includes(wanted)) return { note: 'never.no-such-server' };
    const twins = servers.known.filter((a) => nativeAlias(a) === nativeAlias(wanted));
    return twins.length > 1 ? { note: 'never.ambiguous-server' } : { alias: wanted };
  };
  const never = (note: NoteCode, name: string): CompiledMatcher => ({ never: { note, args: { name } } });

  let server: string | undefined;
  if (matcher.tool_server !== undefined) {
    const found = resolve(matcher.tool_server);
    if ('note' in found) return never(found.note, matcher.tool_server);
    server = found.alias;
    match.server = server;
  }
  const glob = matcher.tool_name;
  if (glob === undefined) {
    if (server === undefined) return { match };
    return { match, native: { exact: [], patterns: [mcpPattern(nativeAlias(server), '*', client)] } };
  }

  const mcp = mcpParts(glob, servers);
  if (mcp && !isGlob(mcp.server)) {
    const { server, tool } = mcp;
    const found = resolve(server);
    if ('note' in found) return never(found.note, server);
    match.name = globSource(`mcp__${canonicalAlias(found.alias)}__${tool}`);
    return { match, native: { exact: [], patterns: [mcpPattern(nativeAlias(found.alias), tool, client)] } };
  }
  if (server !== undefined) {
    // With tool_server, the tool may be named bare or by its full name.
    const bare = globSource(glob).slice(1, -1);
    const prefix = globSource(`mcp__${canonicalAlias(server)}__`).slice(1, -1);
    match.name = glob.startsWith('mcp__') ? globSource(glob) : `^(${prefix})?${bare}$`;
    const tool = glob.startsWith('mcp__') ? '*' : glob;
    return { match, native: { exact: [], patterns: [mcpPattern(nativeAlias(server), tool, client)] } };
  }

  const source = globSource(glob);
  match.name = source;
  const test = new RegExp(source, 's');
  const exact = Object.entries(tools.names).flatMap(([name, natives]) => (test.test(name) ? natives : []));
  if (!isGlob(glob)) {
    if (exact.length > 0) return { match, native: { exact: unique(exact), patterns: [] } };
    if (tools.missing.includes(glob)) return never('never.no-such-tool', glob);
    const meant = canonicalNames(glob);
    if (meant.length > 0)
      return { never: { note: 'never.native-name', args: { name: glob, names: meant.join(' or ') } } };
    return { match, native: { exact: [glob], patterns: [] } };
  }
  if (/^\*+$/.test(glob)) return { match };
  const patterns = glob.startsWith('mcp__') ? [] : [source];
  if (couldBeMcp(glob)) patterns.push(globSource(`${tools.mcp.prefix}*`));
  return { match, native: { exact: unique(exact), patterns: unique(patterns) } };
}

/** The server and the tool of `mcp__server__tool`. A server's name may hold `__` itself, so known ones go first. */
function mcpParts(
  glob: string,
  { serverName, known }: ServerNames,
): { server: string; tool: string } | undefined {
  const head = (name: string): string => `mcp__${canonicalAlias(name)}__`;
  const [named] = [...(serverName === undefined ? [] : [serverName]), ...known]
    .filter((name) => glob.startsWith(head(name)))
    .sort((a, b) => b.length - a.length);
  if (named !== undefined) return { server: named, tool: glob.slice(head(named).length) };
  const [, server, tool] = /^mcp__(.+?)__(.*)$/s.exec(glob) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

/** Pattern for one server's tools. A name that the client would cut is matched by its prefix alone. */
function mcpPattern(nativeAlias: string, tool: string, client: Client): string {
  const { prefix, separator, maxLength } = client.tools.mcp;
  const head = `${prefix}${nativeAlias}${separator}`;
  if (maxLength === undefined) return globSource(`${head}${tool}`);
  if (head.length > maxLength / 3) return globSource(`${prefix}*`);
  return globSource(head.length + tool.length > maxLength ? `${head}*` : `${head}${tool}`);
}

/** Whether some name that begins with `mcp__` fits the glob. */
function couldBeMcp(glob: string): boolean {
  const fixed = glob.slice(0, glob.search(/[*?]/));
  return 'mcp__'.startsWith(fixed) || fixed.startsWith('mcp__');
}

/** The matcher of an entry that serves several hooks: their union in the client's dialect; undefined: all tools. */
export function entryMatcher(parts: CompiledMatcher['native'][], client: Client): string | undefined {
  if (parts.some((p) => p === undefined)) return undefined;
  const exact = unique(parts.flatMap((p) => p?.exact ?? []));
  const patterns = unique(parts.flatMap((p) => p?.patterns ?? []));
  const plain = client.tools.exactNames;
  if (patterns.length === 0 && plain && exact.every((name) => plain.test(name))) return exact.join('|');
  const sources = [...exact.map((name) => globSource(name)), ...patterns];
  if (sources.length === 1) return sources[0];
  return `^(${sources.map((s) => s.slice(1, -1)).join('|')})$`;
}

export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
