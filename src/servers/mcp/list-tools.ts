import { deeperThan, isObject, listAt, valueAt } from '../../base/json-value.ts';
import type { Fault } from '../../messages/fault.ts';
import type { ServerTool } from '../types.ts';
import type { Channel, RpcError } from './channel.ts';

/** Most pages of one list, against a server that returns new cursors forever. */
const MAX_PAGES = 100;

/** Most tools of a server: with more, the record could become too large to be read again. */
const MAX_TOOLS = 2000;
/** Most characters of all schemas as JSON. Tools beyond have none, so that their arguments aren't checked. */
const MAX_SCHEMAS = 10_000_000;
/** Most levels of a schema: what turns it into JSON recurses. */
const MAX_LEVELS = 200;
/** Most characters (UTF-16 units) of a tool's name, and of the server's own. */
export const MAX_NAME = 256;

/** True for an error of the moment: no answer at all, one in another form, a web page, or a status of HTTP that asks to try again. */
const isPassing = (code: number | string): boolean =>
  /^(?:no answer|not JSON-RPC|HTTP (?:200|408|429|5\d\d))$/.test(String(code));

/** Code of JSON-RPC for an unknown method: a server without tools need not know this one. */
const METHOD_UNKNOWN = -32601;

/**
 * Returns the tools of all pages of `tools/list`, each name once, within the limits. None when the server refuses to list
 * tools, with its error unless it doesn't know the method. Throws what `failed` returns when the server can't do so now.
 */
export async function listTools(
  channel: Channel,
  params: object,
  deadline: number,
  failed: (error: RpcError) => Fault,
): Promise<{ tools?: ServerTool[]; refusal?: RpcError }> {
  const tools = new Map<string, ServerTool>();
  const cursors = new Set<string>();
  let room = MAX_SCHEMAS;
  const schemaOf = (tool: unknown, key: string): unknown => {
    const schema = valueAt(tool, [key]);
    if (!isObject(schema) || deeperThan(schema, MAX_LEVELS)) return undefined;
    room -= JSON.stringify(schema).length;
    return room < 0 ? undefined : schema;
  };
  let cursor: unknown;
  do {
    const page = typeof cursor === 'string' ? { ...params, cursor } : params;
    const answer = await channel.request('tools/list', page, deadline);
    if ('error' in answer) {
      const { error } = answer;
      if (isPassing(error.code)) throw failed(error);
      return error.code === METHOD_UNKNOWN ? {} : { refusal: error };
    }
    for (const tool of listAt(answer.result, ['tools'])) {
      const name = valueAt(tool, ['name']);
      if (typeof name === 'string' && name.length <= MAX_NAME && tools.size < MAX_TOOLS && !tools.has(name))
        tools.set(name, {
          name,
          inputSchema: schemaOf(tool, 'inputSchema'),
          outputSchema: schemaOf(tool, 'outputSchema'),
          ...(valueAt(tool, ['annotations', 'readOnlyHint']) === true && { readOnly: true as const }),
        });
    }
    cursor = valueAt(answer.result, ['nextCursor']);
    if (typeof cursor !== 'string' || cursors.has(cursor)) break;
    cursors.add(cursor);
  } while (cursors.size < MAX_PAGES && tools.size < MAX_TOOLS);
  return { tools: [...tools.values()] };
}
