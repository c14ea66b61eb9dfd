import { valueAt } from '../../base/json-value.ts';
import type { Fault } from '../../messages/fault.ts';
import type { ServerTool } from '../types.ts';
import type { Channel, RpcResponse } from './channel.ts';

/** Most pages of one list, against a server that returns new cursors forever. */
const MAX_PAGES = 100;

/** Most tools of a server: with more, the record could become too large to be read again. */
const MAX_TOOLS = 2000;
/** Most characters (UTF-16 units) of a tool's name, and of the server's own. */
export const MAX_NAME = 256;

/** True for an error of the moment: no answer at all, a web page, or a status of HTTP that asks to try again. */
const isPassing = (code: number | string): boolean =>
  /^(?:no answer|HTTP (?:200|408|429|5\d\d))$/.test(String(code));

/**
 * Returns the tools of all pages of `tools/list`, each name once, within the limits; undefined when the server refuses
 * to list tools. Throws what `failed` returns when the server can't do so now.
 */
export async function listTools(
  channel: Channel,
  params: object,
  deadline: number,
  failed: (error: Extract<RpcResponse, { error: unknown }>['error']) => Fault,
): Promise<ServerTool[] | undefined> {
  const tools = new Map<string, ServerTool>();
  const cursors = new Set<string>();
  let cursor: unknown;
  do {
    const page = typeof cursor === 'string' ? { ...params, cursor } : params;
    const answer = await channel.request('tools/list', page, deadline);
    if ('error' in answer) {
      if (isPassing(answer.error.code)) throw failed(answer.error);
      return undefined;
    }
    const listed = valueAt(answer.result, ['tools']);
    for (const tool of Array.isArray(listed) ? listed : []) {
      const name = valueAt(tool, ['name']);
      if (typeof name === 'string' && name.length <= MAX_NAME && tools.size < MAX_TOOLS && !tools.has(name))
        tools.set(name, {
          name,
          inputSchema: valueAt(tool, ['inputSchema']),
          outputSchema: valueAt(tool, ['outputSchema']),
          ...(valueAt(tool, ['annotations', 'readOnlyHint']) === true && { readOnly: true as const }),
        });
    }
    cursor = valueAt(answer.result, ['nextCursor']);
    if (typeof cursor !== 'string' || cursors.has(cursor)) break;
    cursors.add(cursor);
  } while (cursors.size < MAX_PAGES && tools.size < MAX_TOOLS);
  return [...tools.values()];
}
