import { fitsGlob } from '../../base/glob.ts';
import type { Client } from '../../clients/client.ts';
import { commonPrefix, spelledGlob, toolGlobs, toolPrefix, toolPrefixes } from '../../clients/tools.ts';
import { canonicalHead, mcpParts } from '../../declarations/canonical-name.ts';
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

/** A plugin's server may be known by its bare name, unless the client has another server of that name. */
export const bareName = (server: string, known: readonly string[]): Pick<ServerNames, 'otherNames'> =>
  known.includes(server) ? {} : { otherNames: [server] };

export const isGlob = (name: string): boolean => /[*?]/.test(name);

/**
 * Splits `mcp__server__tool` into server and tool. Known servers are tried first, since their names may contain `__`.
 */
export function knownParts(
  glob: string,
  { serverName, otherNames = [], known }: ServerNames,
): { server: string; tool: string } | undefined {
  const [named] = [...(serverName === undefined ? [] : [serverName]), ...otherNames, ...known]
    .filter((name) => glob.startsWith(canonicalHead(name)))
    .sort((a, b) => b.length - a.length);
  if (named !== undefined) return { server: named, tool: glob.slice(canonicalHead(named).length) };
  return mcpParts(glob);
}

/** Returns patterns for one server's tools. Names that the client would shorten are matched by their common prefix. */
export function mcpPattern(alias: string, tool: string, client: Client, servers: ServerNames): string[] {
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
export function canonicalSource(alias: string, tool: string, client: Client): string {
  const { payload } = client.tools;
  if (payload.tool !== undefined) return globSource(`${canonicalHead(alias)}${tool}`);
  return unionSource(canonicalGlobs(alias, tool, client).map(globSource));
}

function canonicalGlobs(alias: string, tool: string, { tools: { mcp } }: Client): string[] {
  const prefixes = toolPrefixes(mcp, alias);
  const own = (name: string): string =>
    name.slice(prefixes.find((prefix) => name.startsWith(prefix))?.length ?? 0);
  return toolGlobs(mcp, alias, tool).map((name) => `${canonicalHead(alias)}${own(name)}`);
}

/**
 * Returns the same for a glob `mcp__<server>__<tool>` whose server has wildcards. Where the client cuts a known server's
 * names of these tools, the test has what it leaves of them.
 */
export function sourceAnywhere(glob: string, client: Client, { alias, known }: ServerNames): string {
  const { mcp, payload } = client.tools;
  const at = glob.lastIndexOf('__') + 2;
  if (payload.tool !== undefined || at <= 'mcp__'.length) return globSource(glob);
  const [head, tool] = [glob.slice(0, at), glob.slice(at)];
  const name = head + spelledGlob(mcp, tool);
  const marked = mcp.mark === undefined || name.endsWith('*') ? [] : [`${name}${mcp.mark}`];
  const globs = [name, ...marked];
  const cut = [...new Set([alias, ...known])]
    .filter((one) => fitsGlob(head, canonicalHead(one)))
    .flatMap((one) => canonicalGlobs(one, tool, client))
    .filter((one) => !globs.some((general) => fitsGlob(general, one)));
  return unionSource([...globs, ...cut].map(globSource));
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
export function ofOtherServers(full: string, alias: string, client: Client, servers: ServerNames): string[] {
  const fixed = full.split(/[*?]/)[0] ?? '';
  return servers.known.flatMap((other) => {
    const head = canonicalHead(other);
    if (other === alias) return [];
    if (full.startsWith(head)) return mcpPattern(other, full.slice(head.length), client, servers);
    return head.startsWith(fixed) && isGlob(full) ? mcpPattern(other, '*', client, servers) : [];
  });
}

/** Returns patterns for the tools of all servers: a single pattern where all native names share a prefix. */
export function anyMcp({ tools: { mcp } }: Client, { known, alias }: ServerNames): string[] {
  const common = commonPrefix(mcp);
  if (common !== '') return [globSource(`${common}*`)];
  return [...new Set([...known, alias].map((a) => globSource(`${toolPrefix(mcp, a)}*`)))];
}

/** True when a name that begins with `mcp__` can fit the glob. */
export function couldBeMcp(glob: string): boolean {
  const fixed = glob.slice(0, glob.search(/[*?]/));
  return 'mcp__'.startsWith(fixed) || fixed.startsWith('mcp__');
}

/** What stands in no name of a client's own tools, since no model's API accepts it there. */
const NEVER_BUILT_IN = /[|()[\]{}^$+\\/,\s]|^\./;

/** True for a name or glob without a server that fits no tool: no client's own, nor one of any server. */
export const fitsNoTool = (glob: string): boolean =>
  NEVER_BUILT_IN.test(glob) && !glob.startsWith('mcp__') && !(isGlob(glob) && couldBeMcp(glob));
