import { lookUp } from '../definition.ts';
import type { ServerTool } from '../types.ts';
import type { Channel } from './channel.ts';

/** Most pages of one list, against a server that returns new cursors forever. */
const MAX_PAGES = 100;

/** Returns all pages of `tools/list`; undefined when the server refuses to list tools. */
export async function listTools(
  channel: Channel,
  params: object,
  deadline: number,
): Promise<ServerTool[] | undefined> {
  const tools: ServerTool[] = [];
  const cursors = new Set<string>();
  let cursor: unknown;
  do {
    const page = typeof cursor === 'string' ? { ...params, cursor } : params;
    const answer = await channel.request('tools/list', page, deadline);
    if ('error' in answer) return undefined;
    const listed = lookUp(answer.result, ['tools']);
    for (const tool of Array.isArray(listed) ? listed : []) {
      const name = lookUp(tool, ['name']);
      if (typeof name === 'string')
        tools.push({
          name,
          inputSchema: lookUp(tool, ['inputSchema']),
          outputSchema: lookUp(tool, ['outputSchema']),
          ...(lookUp(tool, ['annotations', 'readOnlyHint']) === true && { readOnly: true as const }),
        });
    }
    cursor = lookUp(answer.result, ['nextCursor']);
    if (typeof cursor !== 'string' || cursors.has(cursor)) return tools;
    cursors.add(cursor);
  } while (cursors.size < MAX_PAGES);
  return tools;
}
