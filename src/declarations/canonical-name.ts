/** Returns a server's name as written in canonical tool names, in Claude's own spelling. */
export const canonicalServer = (alias: string): string => alias.replace(/[^A-Za-z0-9_-]/g, '_');

/** Returns the prefix of the canonical names of a server's tools. */
export const canonicalHead = (alias: string): string => `mcp__${canonicalServer(alias)}__`;

/** Returns server and tool of `mcp__server__tool`. */
export function mcpParts(name: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.*)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}
