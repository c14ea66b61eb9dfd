import { mapTexts } from '../../base/json-value.ts';
import type { Client } from '../../clients/client.ts';
import type { Wiring } from '../../clients/protocol.ts';
import { mcpToolName } from '../../clients/tools.ts';
import type { Declaration } from '../../declarations/types.ts';
import { variablesIn, withToolNames } from '../../declarations/variables.ts';
import type { FireHook } from '../../fire/format.ts';
import type { OptionalField } from './payload-shape.ts';
import type { ServerNames } from './server-tools.ts';

/**
 * Returns a hook's text or tool call, with `{tool:<name>}` replaced by the client's names of the server's own tools.
 */
export function contentOf(
  { context, context_tool: tool, context_tool_args: args, when }: Declaration,
  alias: string,
  client: Client,
): Pick<FireHook, 'text' | 'call'> {
  const fill = (text: string): string =>
    withToolNames(text, (name) => mcpToolName(client.tools.mcp, alias, name));
  return {
    ...(context !== undefined && { text: fill(context) }),
    ...(tool !== undefined && {
      call: {
        tool,
        args: mapTexts(args ?? {}, fill),
        ...(when?.answer && { answer: when.answer }),
      },
    }),
  };
}

/** Returns the servers whose tools have the same names on a client as those that a hook names by `{tool:<name>}`. */
export function sharingNames(
  { context, context_tool_args: args }: Declaration,
  { tools: { mcp } }: Client,
  { alias, known }: ServerNames,
): string[] {
  const own = variablesIn([context, args]).flatMap((name) => /^\{tool:(.*)\}$/.exec(name)?.slice(1) ?? []);
  const isShared = (other: string) => (tool: string) =>
    mcpToolName(mcp, other, tool) === mcpToolName(mcp, alias, tool);
  return mcp.name.includes('{alias}')
    ? known.filter((other) => other !== alias && own.some(isShared(other)))
    : [];
}

/** Returns the payload fields that a hook's templates need. */
export function fieldsOfTemplates({ text, call }: FireHook): OptionalField[] {
  return JSON.stringify([text, call?.args]).includes('{prompt}') ? ['prompt'] : [];
}

/** Returns a hook's data for one step at a native event. Only steps that print or defer carry text and call. */
export function atStep(hook: FireHook, { native, does, at, replacesKept }: Wiring, client: Client): FireHook {
  const place = { does, ...(at && { at }), ...(replacesKept && { replacesKept }) };
  const { n, event, priority, when, ...rest } = hook;
  const marks = hook.mark !== undefined && { mark: hook.mark };
  if (does !== 'emit' && does !== 'defer') return { n, ...marks, event, priority, ...place };
  // A native event that fires for one outcome, or one way to begin, needs no test of that.
  const { outcome, source } = client.conditions;
  const told = typeof outcome[native] === 'string';
  const begun = 'by' in source && source.by?.[native] !== undefined;
  const implied = [...(told ? ['outcome', 'ifUnknown'] : []), ...(begun ? ['source'] : [])];
  const left = Object.entries(when ?? {}).filter(([key]) => !implied.includes(key));
  return {
    n,
    event,
    priority,
    ...rest,
    ...place,
    ...(left.length > 0 && { when: Object.fromEntries(left) }),
  };
}
