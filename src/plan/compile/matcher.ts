import type { Client } from '../../clients/client.ts';
import { CLIENTS } from '../../clients/index.ts';
import {
  absenceOf,
  canonicalNames,
  commonPrefix,
  isCanonical,
  missingTools,
  namesServers,
  spelledGlob,
  toolGlobs,
  toolPrefix,
} from '../../clients/tools.ts';
import { canonicalHead, mcpParts } from '../../declarations/canonical-name.ts';
import type { Declaration, Matcher } from '../../declarations/types.ts';
import type { FireHook } from '../../fire/format.ts';
import type { FaultArgs } from '../../messages/args.ts';
import type { Note, NoteCode } from '../../messages/notes.ts';
import { globSource } from '../../shims/glob.ts';

/** Names of the MCP servers that are configured where the hooks will run. */
export interface ServerNames {
  /** Alias of the declaring server. */
  alias: string;
  /** The declaring server's own name (`serverInfo.name`); a matcher may use this name. */
  serverName?: string;
  /**
   * Further names of the declaring server: in a plugin that bundles the server, its alias isn't the name that people
   * know.
   */
  otherNames?: readonly string[];
  /** Aliases of all servers in this client's configuration. */
  known: readonly string[];
  /** Names of the declaring server's tools, for a client that names tools without their server; absent when unknown. */
  ownTools?: readonly string[];
}

export interface CompiledMatcher {
  /** Exact test on canonical names, done by the shim. */
  match?: NonNullable<FireHook['match']>;
  /** The client's prefilter: native names, or sources of anchored regular expressions; undefined: every tool. */
  native?: { exact: string[]; patterns: string[] };
  /** Set when the client doesn't tell the server of a tool, and others could be meant. */
  notes?: Note[];
  /** Why the matcher can never fire on this client. */
  never?: { note: NoteCode; args: FaultArgs };
}

/** Returns the server names that matchers mention. */
export function serversNamed(declarations: readonly Pick<Declaration, 'matcher'>[]): string[] {
  return unique(
    declarations.flatMap(({ matcher }) => [
      ...(matcher?.tool_server === undefined ? [] : [matcher.tool_server]),
      ...(/^mcp__([^*?]+?)__/.exec(matcher?.tool_name ?? '')?.slice(1) ?? []),
    ]),
  );
}

export const isGlob = (name: string): boolean => /[*?]/.test(name);

/** Returns the canonical names behind a client's native tool name; [] for a name that is canonical or unknown. */
function namesMeant(name: string): string[] {
  return isCanonical(name) ? [] : unique(CLIENTS.flatMap(({ tools }) => canonicalNames(tools, name)));
}

/** Compiles a declaration's matcher for one client. Pure; returns `{}` for a declaration without a matcher. */
export function compileMatcher(
  matcher: Matcher | undefined,
  client: Client,
  servers: ServerNames,
): CompiledMatcher {
  const compiled = exactMatcher(matcher, client, servers);
  const named = serversNamed([{ ...(matcher && { matcher }) }]);
  if (compiled.never || named.length === 0 || namesServers(client.tools)) return compiled;
  const { alias, serverName, otherNames = [], known, ownTools } = servers;
  const others = known.filter((name) => name !== alias);
  const isOwn = named.every((name) => [alias, serverName, ...otherNames].includes(name));
  // With two servers, a tool that isn't this one's is the other's.
  if (others.length === 0 || (ownTools && !isOwn && others.length === 1)) return compiled;
  const code = ownTools && isOwn ? 'server.by-tool' : 'server.untold';
  return { ...compiled, notes: [{ code, args: { client: client.title, names: others } }] };
}

function exactMatcher(matcher: Matcher | undefined, client: Client, servers: ServerNames): CompiledMatcher {
  if (!matcher) return {};
  const { tools } = client;
  const { spell } = tools.mcp;
  const match: NonNullable<FireHook['match']> = {};
  if (matcher.input_contains) match.contains = matcher.input_contains;

  // Resolves a server name in a matcher to that server's alias on this client.
  const resolve = (name: string): { alias: string } | Required<Pick<CompiledMatcher, 'never'>> => {
    const self = name === servers.serverName || servers.otherNames?.includes(name);
    const wanted = self ? servers.alias : name;
    const never = (note: NoteCode, args: FaultArgs = {}) => ({
      never: { note, args: { name: wanted, ...args } },
    });
    if (!servers.known.includes(wanted)) return never('never.no-such-server');
    const names = servers.known.filter((a) => a !== wanted && spell(a) === spell(wanted));
    return names.length > 0 ? never('never.ambiguous-server', { names }) : { alias: wanted };
  };
  if ([matcher.tool_name, matcher.tool_server].some((name) => name?.trim() === ''))
    return { never: { note: 'never.empty-name', args: {} } };

  let server: string | undefined;
  if (matcher.tool_server !== undefined) {
    const found = resolve(matcher.tool_server);
    if ('never' in found) return found;
    server = found.alias;
    match.server = server;
  }
  const glob = matcher.tool_name;
  if (glob === undefined) {
    if (server === undefined) return match.contains === undefined ? {} : { match };
    return { match, native: { exact: [], patterns: [...mcpPattern(server, '*', client, servers)] } };
  }

  const mcp = knownParts(glob, servers);
  if (mcp && !isGlob(mcp.server)) {
    const { server, tool } = mcp;
    const found = resolve(server);
    if ('never' in found) return found;
    const full = `${canonicalHead(found.alias)}${tool}`;
    match.name = canonicalSource(found.alias, tool, client);
    const patterns = [
      ...mcpPattern(found.alias, tool, client, servers),
      ...ofOtherServers(full, found.alias, client, servers),
    ];
    return { match, native: { exact: [], patterns: unique(patterns) } };
  }
  if (server !== undefined) {
    // Beside `tool_server`, `tool_name` may be a bare name or a full `mcp__` name.
    const isFull = glob.startsWith('mcp__');
    match.name = isFull ? sourceAnywhere(glob, client) : canonicalSource(server, glob, client);
    const tool = isFull ? '*' : glob;
    return { match, native: { exact: [], patterns: [...mcpPattern(server, tool, client, servers)] } };
  }

  const source = globSource(glob);
  match.name = glob.startsWith('mcp__') ? sourceAnywhere(glob, client) : source;
  const test = new RegExp(source, 's');
  const exact = Object.entries(tools.names).flatMap(([name, natives]) => (test.test(name) ? natives : []));
  if (!isGlob(glob)) {
    if (missingTools(tools).includes(glob)) {
      const { since, instead } = absenceOf(tools, glob);
      const args = { name: glob, ...(since && { since }), ...(instead && { instead }) };
      return { never: { note: 'never.no-such-tool', args } };
    }
    if (exact.length > 0) return { match, native: { exact: unique(exact), patterns: [] } };
    const meant = namesMeant(glob);
    if (meant.length > 0)
      return { never: { note: 'never.native-name', args: { name: glob, names: meant.join(' or ') } } };
    return { match, native: { exact: [glob], patterns: [] } };
  }
  if (/^\*+$/.test(glob)) return { match };
  const patterns = glob.startsWith('mcp__') ? [] : [source];
  if (couldBeMcp(glob)) patterns.push(...anyMcp(client, servers));
  return { match, native: { exact: unique(exact), patterns: unique(patterns) } };
}

/**
 * Splits `mcp__server__tool` into server and tool. Known servers are tried first, since their names may contain `__`.
 */
export function knownParts(
  glob: string,
  { serverName, known }: ServerNames,
): { server: string; tool: string } | undefined {
  const [named] = [...(serverName === undefined ? [] : [serverName]), ...known]
    .filter((name) => glob.startsWith(canonicalHead(name)))
    .sort((a, b) => b.length - a.length);
  if (named !== undefined) return { server: named, tool: glob.slice(canonicalHead(named).length) };
  return mcpParts(glob);
}

/** Returns patterns for one server's tools. Names that the client would shorten are matched by their common prefix. */
function mcpPattern(alias: string, tool: string, client: Client, servers: ServerNames): string[] {
  const { mcp } = client.tools;
  const head = toolPrefix(mcp, alias);
  if (mcp.maxLength === undefined) return toolGlobs(mcp, alias, tool).map(globSource);
  if (head.length > mcp.maxLength / 3) return anyMcp(client, servers);
  const spelled = spelledGlob(mcp, tool);
  return [globSource(head.length + tool.length > mcp.maxLength ? `${head}*` : `${head}${spelled}`)];
}

/**
 * Returns the source of a test of canonical names for one server's tools. Unless its payloads tell the server's own name
 * of a tool, these names have the tool as the client writes it.
 */
function canonicalSource(alias: string, tool: string, { tools: { mcp, payload } }: Client): string {
  const head = canonicalHead(alias);
  if (payload.tool !== undefined) return globSource(`${head}${tool}`);
  const { length } = toolPrefix(mcp, alias);
  return unionSource(toolGlobs(mcp, alias, tool).map((name) => globSource(`${head}${name.slice(length)}`)));
}

/** Returns the same for a glob `mcp__<server>__<tool>` whose server has wildcards. */
function sourceAnywhere(glob: string, { tools: { mcp, payload } }: Client): string {
  const at = glob.lastIndexOf('__') + 2;
  if (payload.tool !== undefined || at <= 'mcp__'.length) return globSource(glob);
  const name = glob.slice(0, at) + spelledGlob(mcp, glob.slice(at));
  const marked = mcp.mark === undefined || name.endsWith('*') ? [] : [`${name}${mcp.mark}`];
  return unionSource([name, ...marked].map(globSource));
}

/** Returns the union of sources that are anchored on both sides. */
export function unionSource(sources: readonly string[]): string {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only;
  return `^(?:${sources.map((source) => source.replace(/^\^|\$$/g, '')).join('|')})$`;
}

/**
 * Returns patterns for tools of other servers whose canonical names also fit the glob `full`: server `a__b` for
 * `mcp__a__b*`, server `a` for `mcp__a__b__*`.
 */
function ofOtherServers(full: string, alias: string, client: Client, servers: ServerNames): string[] {
  const fixed = full.split(/[*?]/)[0] ?? '';
  return servers.known.flatMap((other) => {
    const head = canonicalHead(other);
    if (other === alias) return [];
    if (full.startsWith(head)) return mcpPattern(other, full.slice(head.length), client, servers);
    return head.startsWith(fixed) && isGlob(full) ? mcpPattern(other, '*', client, servers) : [];
  });
}

/** Returns patterns for the tools of all servers: a single pattern where all native names share a prefix. */
function anyMcp({ tools: { mcp } }: Client, { known, alias }: ServerNames): string[] {
  const common = commonPrefix(mcp);
  if (common !== '') return [globSource(`${common}*`)];
  return unique([...known, alias].map((a) => globSource(`${toolPrefix(mcp, a)}*`)));
}

/** True when a name that begins with `mcp__` can fit the glob. */
function couldBeMcp(glob: string): boolean {
  const fixed = glob.slice(0, glob.search(/[*?]/));
  return 'mcp__'.startsWith(fixed) || fixed.startsWith('mcp__');
}

/**
 * Returns the matcher of an entry for several hooks: the union of their prefilters in the client's dialect; undefined:
 * all tools.
 */
export function entryMatcher(parts: CompiledMatcher['native'][], client: Client): string | undefined {
  if (client.tools.noMatcher || parts.some((p) => p === undefined)) return undefined;
  const exact = unique(parts.flatMap((p) => p?.exact ?? []));
  const patterns = unique(parts.flatMap((p) => p?.patterns ?? []));
  const plain = client.tools.exactNames;
  if (patterns.length === 0 && plain && exact.every((name) => plain.test(name))) return exact.join('|');
  const sources = [...exact.map((name) => globSource(name)), ...patterns];
  if (sources.length === 1) return sources[0];
  return `^(${sources.map((s) => s.slice(1, -1)).join('|')})$`;
}

/** Returns each item once, in the order of first places. */
export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
