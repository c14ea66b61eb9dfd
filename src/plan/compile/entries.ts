import { join } from 'node:path';
import type { Client } from '../../clients/client.ts';
import type { HookGroup } from '../../clients/hook-config.ts';
import { nativeEvent } from '../../clients/index.ts';
import type { NativeEvent } from '../../clients/protocol.ts';
import type { WantedEntry } from '../../edit/types.ts';
import type { ShimPlan } from '../../shims/types.ts';
import { entryMatcher } from './matcher.ts';
import { jointTimeout, timeoutOf } from './shim-data.ts';
import type { CompileContext, NativeHook } from './types.ts';

/**
 * Returns the entries of one native event: for each hook whose tool the client itself calls, and for the shim of all
 * other hooks.
 */
export function entriesAt(
  hooks: readonly NativeHook[],
  shim: ShimPlan | undefined,
  context: CompileContext,
): WantedEntry[] {
  const calls = hooks.filter(({ handler }) => handler).map((hook) => toolEntry(hook, context));
  if (!shim) return calls;
  const { native } = shim;
  const inShim = hooks.filter(({ handler }) => !handler);
  const group = shim.joint ? jointGroup(native, context) : groupFor(shim, inShim, context);
  return [...calls, { event: native, key: native, group }];
}

/** Returns the group of an entry that runs a shim. */
function groupFor(shim: ShimPlan, hooks: readonly NativeHook[], context: CompileContext): HookGroup {
  const { client } = context;
  const event = nativeEvent(client, shim.native);
  const matcher = matcherFor(hooks, event, client);
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
function jointGroup(native: string, { client, joint, invoke }: CompileContext): HookGroup {
  const handler = {
    type: 'command',
    ...invoke(join(joint?.folder ?? '', native)),
    ...timeoutField(jointTimeout(nativeEvent(client, native)), client),
    ...client.hooks.fields?.(`joint:${native}`, native),
  };
  return { hooks: [handler] };
}

/** Returns an entry by which the client calls the tool itself, without a shim. */
function toolEntry(one: NativeHook, context: CompileContext): WantedEntry {
  const { client } = context;
  const { native, hook, handler: call } = one;
  const key = `${native}.tool${hook.n}`;
  const event = nativeEvent(client, native);
  const matcher = matcherFor([one], event, client);
  const seconds = timeoutOf([hook], event, context.options);
  const handler = {
    type: 'mcp_tool',
    server: context.servers.alias,
    tool: call?.tool,
    input: call?.input,
    ...timeoutField(seconds, client),
    'x-mcphooks': context.mark(key),
  };
  return { event: native, key, group: { ...(matcher !== undefined && { matcher }), hooks: [handler] } };
}

function matcherFor(
  hooks: readonly NativeHook[],
  { matchesTools }: NativeEvent,
  client: Client,
): string | undefined {
  const tools = hooks.map((hook) => hook.tools);
  return matchesTools ? entryMatcher(tools, client) : undefined;
}

function timeoutField(seconds: number, { hooks: { timeout } }: Client): Record<string, number> {
  return { [timeout.key]: timeout.unit === 'ms' ? seconds * 1000 : seconds };
}
