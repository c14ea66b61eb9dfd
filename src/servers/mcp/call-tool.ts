import { ifText, listAt, valueAt } from '../../base/json-value.ts';
import { Fault } from '../../messages/fault.ts';
import type { CalledTool, ToolCall } from '../types.ts';
import type { Channel, RpcResponse } from './channel.ts';
import type { Diagnostics } from './diagnostics.ts';

/** True when the server doesn't know the session any more. */
export const isSessionLost = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'server.session-lost';

/**
 * Calls a tool and returns the outcome; a failing tool is not a Fault of the server. `mayBeginAnew`: throws the Fault of
 * a lost session, after which the conversation begins anew; otherwise the call has failed. Other Faults as for `request`.
 */
export async function callTool(
  channel: Channel,
  call: ToolCall,
  { meta, deadline, mayBeginAnew }: { meta: object; deadline: number; mayBeginAnew: boolean },
  diagnostics: Diagnostics,
): Promise<CalledTool> {
  const began = Date.now();
  const params = { ...meta, name: call.tool, arguments: call.args };
  const answer = await channel.request('tools/call', params, deadline).catch((error): RpcResponse => {
    if (mayBeginAnew || !isSessionLost(error)) throw error;
    return { error: { code: 'HTTP 404', message: 'Not Found' } };
  });
  const ms = Date.now() - began;
  if ('error' in answer) return { ...call, ms, error: `${answer.error.message} (${answer.error.code})` };
  const failed = valueAt(answer.result, ['isError']) === true;
  return { ...call, ms, ...(failed && { error: diagnostics.quote(textParts(answer.result)) }) };
}

/** Returns the text parts of an answer. */
function textParts(result: unknown): string {
  return listAt(result, ['content'])
    .flatMap((part) => (valueAt(part, ['type']) === 'text' ? (ifText(valueAt(part, ['text'])) ?? []) : []))
    .join('\n');
}
