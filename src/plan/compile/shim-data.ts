import type { Client } from '../../clients/client.ts';
import { nativeEvent } from '../../clients/index.ts';
import type { NativeEvent } from '../../clients/protocol.ts';
import type { FireData, FireHook } from '../../fire/format.ts';
import { outputOf } from '../../fire/render.ts';
import type { ShimPlan } from '../../shims/types.ts';
import type { InstallOptions } from '../options.ts';
import { eventBudget, SESSION_BUDGET } from './budget.ts';
import { type Asked, payloadShape } from './payload-shape.ts';
import type { CompileContext } from './types.ts';

/** `callMs`: milliseconds for one tool call; `timeout`: seconds that the client grants the hook. */
export const DEADLINES = {
  session_start: { callMs: 10_000, timeout: 15 },
  other: { callMs: 5_000, timeout: 10 },
} as const;

/** Plans the shim of one native event, shared by all hooks of that event. */
export function shimFor(
  native: string,
  hooks: FireHook[],
  asks: ReadonlySet<Asked>,
  client: Client,
  context: CompileContext,
): ShimPlan {
  const event = nativeEvent(client, native);
  const calls = hooks.some((h) => h.call !== undefined);
  const starts = hooks.some((h) => h.event === 'session_start' && h.does === 'emit');
  const deadlines = DEADLINES[starts ? 'session_start' : 'other'];
  // Deadlines are nested: node gives up on its tool calls first, the shell on node next, the client on the shell last.
  const watchdog = Math.max(1, timeoutOf(hooks, event, context.options) - 1);
  const data: FireData = {
    format: 1,
    server: context.name ?? context.servers.alias,
    client: client.id,
    native,
    ...(client.protocol.output && {
      output: outputOf(event.outputName ?? native, client.protocol.output),
    }),
    ...(context.tag !== undefined && { tag: context.tag }),
    ...(context.state !== undefined && { state: context.state }),
    ...(context.yields && { yields: true }),
    deadlineMs: Math.round(watchdog * 850),
    unit: client.limits.unit,
    cap: client.limits.perHandler ?? eventBudget(client),
    eventBudget: eventBudget(client),
    sessionBudget: SESSION_BUDGET,
    payload: payloadShape(client, native, context.servers, asks),
    hooks,
    ...(calls &&
      'at' in context.reach && {
        server_at: { ...context.reach.at, callMs: Math.min(deadlines.callMs, watchdog * 800) },
      }),
  };
  return { native, seconds: watchdog, data };
}

/** Returns the seconds that the client grants a shim with these hooks. */
export function timeoutOf(hooks: readonly FireHook[], event: NativeEvent, options: InstallOptions): number {
  const starts = hooks.some((h) => h.event === 'session_start' && h.does === 'emit');
  const wanted = options.hookTimeout ?? DEADLINES[starts ? 'session_start' : 'other'].timeout;
  return Math.min(wanted, event.maxTimeout ?? wanted);
}
