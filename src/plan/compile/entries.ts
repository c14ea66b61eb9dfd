import { join } from 'node:path';
import type { Client } from '../../clients/client.ts';
import type { HookGroup } from '../../clients/hook-config.ts';
import { nativeEvent } from '../../clients/index.ts';
import type { WantedEntry } from '../../edit/types.ts';
import type { ShimPlan } from '../../shims/types.ts';
import { entryMatcher } from './matcher.ts';
import { jointTimeout, timeoutOf } from './shim-data.ts';
import type { CompileContext, ShimHook } from './types.ts';

/** Returns the group of an entry that runs a shim. */
export function groupFor(
  shim: ShimPlan,
  parts: readonly ShimHook[],
  client: Client,
  context: CompileContext,
): HookGroup {
  const event = nativeEvent(client, shim.native);
  const matcher = event.matchesTools
    ? entryMatcher(
        parts.map((p) => p.native),
        client,
      )
    : undefined;
  const seconds = timeoutOf(shim.data.hooks, event, context.options);
  return {
    ...(matcher !== undefined && { matcher }),
    hooks: [
      {
        type: 'command',
        ...context.invoke(join(context.shimFolder, shim.native)),
        ...timeoutField(seconds, client),
        ...client.hooks.fields?.(`${context.slug}:${shim.native}`, shim.native),
      },
    ],
  };
}

/**
 * Returns the group of an entry that serves all servers. Nothing in it depends on a server, so that servers come and go
 * without a change of the entry, which a client may have reviewed.
 */
export function jointGroup(native: string, client: Client, { joint, invoke }: JointContext): HookGroup {
  const handler = {
    type: 'command',
    ...invoke(join(joint?.folder ?? '', native)),
    ...timeoutField(jointTimeout(nativeEvent(client, native)), client),
    ...client.hooks.fields?.(`joint:${native}`, native),
  };
  return { hooks: [handler] };
}

type JointContext = Pick<CompileContext, 'joint' | 'invoke'>;

/** Returns an entry by which the client calls the tool itself, without a shim. */
export function toolEntry(
  native: string,
  part: ShimHook,
  client: Client,
  context: CompileContext,
): WantedEntry {
  const event = nativeEvent(client, native);
  const key = `${native}.tool${part.hook.n}`;
  const matcher = event.matchesTools ? entryMatcher([part.native], client) : undefined;
  const seconds = timeoutOf([part.hook], event, context.options);
  const handler = {
    type: 'mcp_tool',
    server: context.servers.alias,
    tool: part.handler?.tool,
    input: part.handler?.input,
    ...timeoutField(seconds, client),
    'x-mcphooks': context.mark(key),
  };
  return { event: native, key, group: { ...(matcher !== undefined && { matcher }), hooks: [handler] } };
}

function timeoutField(seconds: number, { hooks: { timeout } }: Client): Record<string, number> {
  return { [timeout.key]: timeout.unit === 'ms' ? seconds * 1000 : seconds };
}
