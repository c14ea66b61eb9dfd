/** A server's name as canonical tool names have it: Claude's own spelling. */
export const canonicalServer = (alias: string): string => alias.replace(/[^A-Za-z0-9_-]/g, '_');

/** What canonical names of a server's tools begin with. */
export const canonicalHead = (alias: string): string => `mcp__${canonicalServer(alias)}__`;

/** Server and tool of `mcp__server__tool`. */
export function mcpParts(name: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.*)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}
