import { fitsGlob } from '../../base/glob.ts';
import type { Client } from '../../clients/client.ts';
import { CLIENTS } from '../../clients/index.ts';
import {
  absenceOf,
  canonicalNames,
  isCanonical,
  missingTools,
  namesServers,
  toolPrefixes,
} from '../../clients/tools.ts';
import { canonicalHead } from '../../declarations/canonical-name.ts';
import type { Declaration, Matcher } from '../../declarations/types.ts';
import type { FireHook } from '../../fire/format.ts';
import type { FaultArgs } from '../../messages/args.ts';
import type { Note, NoteCode } from '../../messages/notes.ts';
import { globSource } from '../../shims/glob.ts';
import {
  anyMcp,
  canonicalSource,
  couldBeMcp,
  fitsNoTool,
  isGlob,
  knownParts,
  mcpPattern,
  ofOtherServers,
  type ServerNames,
  sourceAnywhere,
} from './server-tools.ts';

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

/** Why a matcher can't fire on a client. */
type NeverFires = Required<Pick<CompiledMatcher, 'never'>>;

/** Returns why a matcher or condition fires on no call of a client. */
export const never = (note: NoteCode, args: FaultArgs = {}): NeverFires => ({ never: { note, args } });

/** A `tool_name` for one client: the source of the test of canonical names, and the client's prefilter. */
type CompiledName = (Pick<CompiledMatcher, 'native'> & { name: string }) | NeverFires;

function exactMatcher(matcher: Matcher | undefined, client: Client, servers: ServerNames): CompiledMatcher {
  if (!matcher) return {};
  const { tool_name: glob, tool_server: named, input_contains: contains } = matcher;
  if ([glob, named].some((name) => name?.trim() === '')) return never('never.empty-name');

  const match: NonNullable<FireHook['match']> = {};
  if (contains) match.contains = contains;
  if (named !== undefined) {
    const found = aliasMeant(named, client, servers);
    if ('never' in found) return found;
    match.server = found.alias;
  }
  if (glob !== undefined) {
    const compiled = compileName(glob, match.server, client, servers);
    if ('never' in compiled) return compiled;
    match.name = compiled.name;
    return { match, ...(compiled.native && { native: compiled.native }) };
  }
  if (match.server !== undefined)
    return { match, native: mcpOnly(mcpPattern(match.server, '*', client, servers)) };
  return match.contains === undefined ? {} : { match };
}

/** Resolves a server name in a matcher to that server's alias on this client. */
function aliasMeant(name: string, client: Client, servers: ServerNames): { alias: string } | NeverFires {
  const { mcp } = client.tools;
  const self = name === servers.serverName || servers.otherNames?.includes(name);
  const wanted = self ? servers.alias : name;
  if (!servers.known.includes(wanted)) return never('never.no-such-server', { name: wanted });
  const written = (a: string) => (mcp.name.includes('{alias}') ? toolPrefixes(mcp, a).at(-1) : mcp.spell(a));
  const names = servers.known.filter((a) => a !== wanted && written(a) === written(wanted));
  return names.length > 0 ? never('never.ambiguous-server', { name: wanted, names }) : { alias: wanted };
}

/** `server`: the alias for the matcher's `tool_server`, where it has one. */
function compileName(
  glob: string,
  server: string | undefined,
  client: Client,
  servers: ServerNames,
): CompiledName {
  const mcp = knownParts(glob, servers);
  if (mcp && !isGlob(mcp.server)) return nameWithServer(mcp, client, servers);
  if (server !== undefined) return nameBesideServer(glob, server, client, servers);
  if (fitsNoTool(glob)) return never('never.not-a-glob', { name: glob });
  return isGlob(glob) ? globOfTools(glob, client, servers) : nameOfTool(glob, client, servers);
}

/** Compiles `mcp__<server>__<tool>`, whose server is named without wildcards. */
function nameWithServer(
  { server, tool }: { server: string; tool: string },
  client: Client,
  servers: ServerNames,
): CompiledName {
  const found = aliasMeant(server, client, servers);
  if ('never' in found) return found;
  const { alias } = found;
  const patterns = [
    ...mcpPattern(alias, tool, client, servers),
    ...ofOtherServers(`${canonicalHead(alias)}${tool}`, alias, client, servers),
  ];
  return { name: canonicalSource(alias, tool, client), native: mcpOnly(unique(patterns)) };
}

/** Compiles a name beside `tool_server`: a bare name, or a full `mcp__` name. */
function nameBesideServer(glob: string, server: string, client: Client, servers: ServerNames): CompiledName {
  const isFull = glob.startsWith('mcp__');
  return {
    name: isFull ? sourceAnywhere(glob, client, servers) : canonicalSource(server, glob, client),
    native: mcpOnly(mcpPattern(server, isFull ? '*' : glob, client, servers)),
  };
}

/** Compiles a name without wildcards, and without a server. */
function nameOfTool(name: string, client: Client, servers: ServerNames): CompiledName {
  const { tools } = client;
  if (missingTools(tools).includes(name)) {
    const { since, instead } = absenceOf(tools, name);
    return never('never.no-such-tool', { name, ...(since && { since }), ...(instead && { instead }) });
  }
  const source = sourceOfAny(name, client, servers);
  const exact = nativesFitting(name, client);
  if (exact.length > 0) return { name: source, native: { exact, patterns: [] } };
  const meant = namesMeant(name);
  if (meant.length > 0) return never('never.native-name', { name, names: meant.join(' or ') });
  return { name: source, native: { exact: [name], patterns: [] } };
}

/** Compiles a name with wildcards, which may fit tools of the client and of any server. */
function globOfTools(glob: string, client: Client, servers: ServerNames): CompiledName {
  const name = sourceOfAny(glob, client, servers);
  if (/^\*+$/.test(glob)) return { name };
  const patterns = glob.startsWith('mcp__') ? [] : [globSource(glob)];
  if (couldBeMcp(glob)) patterns.push(...anyMcp(client, servers));
  return { name, native: { exact: nativesFitting(glob, client), patterns: unique(patterns) } };
}

/** Returns the source of a test of canonical names, whatever server the tool belongs to. */
const sourceOfAny = (glob: string, client: Client, servers: ServerNames): string =>
  glob.startsWith('mcp__') ? sourceAnywhere(glob, client, servers) : globSource(glob);

/** Returns the client's own names of the tools whose canonical names fit the glob. */
function nativesFitting(glob: string, { tools }: Client): string[] {
  return unique(
    Object.entries(tools.names).flatMap(([name, natives]) => (fitsGlob(glob, name) ? natives : [])),
  );
}

/** Returns a prefilter for tools of servers alone. */
const mcpOnly = (patterns: string[]): NonNullable<CompiledMatcher['native']> => ({ exact: [], patterns });

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
