import { CLIENTS, nativeEvent } from '../../clients/index.ts';
import type { NativeEvent } from '../../clients/protocol.ts';
import { claimsKept, type FireData, type FireHook } from '../../fire/format.ts';
import { outputOf } from '../../fire/text/render.ts';
import type { ShimPlan } from '../../shims/types.ts';
import type { InstallOptions } from '../options.ts';
import { eventBudget, SESSION_BUDGET } from './budget.ts';
import { jointData } from './joint-data.ts';
import { payloadShape } from './payload-shape.ts';
import type { CompileContext, NativeHook } from './types.ts';
import { userHooksOf } from './user-hooks.ts';

/** `callMs`: milliseconds for one tool call; `timeout`: seconds that the client grants the hook. */
export const DEADLINES = {
  session_start: { callMs: 10_000, timeout: 15 },
  other: { callMs: 5_000, timeout: 10 },
} as const;

/**
 * Seconds that a client grants an entry that serves all servers, whatever their hooks ask for. Their scripts end
 * `JOINT.margin` seconds before.
 */
const JOINT = { timeout: 30, margin: 2 } as const;

export const jointTimeout = ({ maxTimeout = JOINT.timeout }: NativeEvent): number =>
  Math.min(JOINT.timeout, maxTimeout);

/** Variables of all clients that differ between sessions: one kept server serves the sessions of all. */
const PER_SESSION = [...new Set(CLIENTS.flatMap(({ mcp }) => mcp.perSession ?? []))].sort();
const PER_SESSION_PATHS = CLIENTS.flatMap(({ mcp }) => mcp.perSessionPath ?? []);

/** Plans the shim of one native event, shared by all hooks of that event. */
export function shimFor(native: string, planned: readonly NativeHook[], context: CompileContext): ShimPlan {
  const { client } = context;
  const hooks = planned.map(({ hook }) => hook);
  const neededFields = new Set(planned.flatMap((one) => one.neededFields));
  const event = nativeEvent(client, native);
  const calls = hooks.some((h) => h.call !== undefined);
  // Deadlines are nested: node gives up on its tool calls first, the shell on node next, the client on the shell last.
  const { keepWarm } = context.options;
  const watchdog = Math.max(1, timeoutOf(hooks, event, context.options) - 1);
  const data: FireData = {
    format: 1,
    server: context.name ?? context.servers.alias,
    client: client.id,
    native,
    ...(client.protocol.output && {
      output: outputOf(event.outputName ?? native, client.protocol.output),
    }),
    ...(event.whenSilent && { silent: event.whenSilent }),
    ...(context.tag !== undefined && { tag: context.tag }),
    ...(context.state !== undefined && { state: context.state }),
    ...(context.state !== undefined && context.yields && { owner: 'local' }),
    ...(context.yields && { yields: true }),
    ...((context.yields || context.state === undefined) && {
      userHooks: userHooksOf(native, context),
    }),
    deadlineMs: Math.round(watchdog * 850),
    unit: client.limits.unit,
    eventBudget: eventBudget(client, native),
    sessionBudget: SESSION_BUDGET,
    payload: payloadShape(client, native, context.servers, neededFields),
    hooks,
    ...(calls &&
      'at' in context.toolAccess && {
        server_at: {
          ...context.toolAccess.at,
          callMs: Math.min(deadlinesOf(hooks).callMs, watchdog * 800),
          ...(keepWarm > 0 && {
            keep: { ms: keepWarm * 60_000, omit: PER_SESSION, omitPaths: PER_SESSION_PATHS },
          }),
        },
      }),
  };
  const joint = event.textsUsed && context.joint && jointData(data, client, context.joint.scope);
  const keeps = joint && hooks.some(claimsKept);
  return {
    native,
    // The shell asks node to end, and kills it half a second later, or a whole one where sleep takes no fractions: before
    // the client's own timeout. Of so few seconds none is left for that: node's calls end 0.7 s before the deadline, which
    // counts from node's start, and the shell counts from its own.
    seconds: watchdog < 7 ? watchdog : watchdog - 1,
    data: { ...data, ...(keeps && { joint: true }) },
    ...(joint && { joint }),
  };
}

function deadlinesOf(hooks: readonly FireHook[]): (typeof DEADLINES)[keyof typeof DEADLINES] {
  const starts = hooks.some((h) => h.event === 'session_start' && h.does === 'emit');
  return DEADLINES[starts ? 'session_start' : 'other'];
}

/** Returns the seconds that the client grants a shim with these hooks. */
export function timeoutOf(hooks: readonly FireHook[], event: NativeEvent, options: InstallOptions): number {
  const wanted = options.hookTimeout ?? deadlinesOf(hooks).timeout;
  const most = event.textsUsed ? jointTimeout(event) - JOINT.margin : event.maxTimeout;
  return Math.max(1, Math.min(wanted, most ?? wanted));
}
