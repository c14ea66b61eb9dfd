import type { Client } from '../../clients/client.ts';
import { type Wiring, wiringOf } from '../../clients/protocol.ts';
import {
  type Declaration,
  type HookEvent,
  isToolEvent,
  PRIORITIES,
  type Priority,
} from '../../declarations/types.ts';
import { conditionsOf } from '../../declarations/when.ts';
import type { WantedEntry } from '../../edit/types.ts';
import type { FireHook } from '../../fire/format.ts';
import { UNIT_NAMES } from '../../fire/text/render.ts';
import type { Note } from '../../messages/notes.ts';
import type { ShimPlan } from '../../shims/types.ts';
import { isChosen } from '../chosen-hooks.ts';
import type { Compiled, HookOutcome } from '../types.ts';
import { eventBudget, givingWay, LIKE_A_TAG } from './budget.ts';
import { groupFor, jointGroup, toolEntry } from './entries.ts';
import { askedByTemplates, atStep, contentOf } from './hook.ts';
import { entryMatcher } from './matcher.ts';
import { nativeHandler } from './mcp-tool.ts';
import { shimFor } from './shim-data.ts';
import { toolNameNotes } from './tool-names.ts';
import type { CompileContext, ShimHook } from './types.ts';
import { type CompiledWhen, compileWhen, cooldownMs, toolNatives, wiringFor } from './when.ts';

/** Compiles declarations for one client. Pure: equal input results in equal bytes. */
export function compile(
  declarations: readonly Declaration[],
  client: Client,
  context: CompileContext,
): Compiled {
  const parts = new Map<string, ShimHook[]>();
  const cells = declarations.map((declaration, i) => {
    const { cell, wiring, part, notesCalls } = compileOne(declaration, i + 1, client, context);
    const add = (native: string, one: ShimHook): void => {
      parts.set(native, [...(parts.get(native) ?? []), one]);
    };
    // A text that is always kept for a later event takes its room there.
    const printing = wiring.some(({ does }) => does === 'emit') ? 'emit' : 'emit-deferred';
    if (part)
      for (const w of wiring) {
        const { text } = part.hook;
        const prints = w.does === printing && { prints: text === undefined ? {} : { text } };
        add(w.native, { ...part, hook: atStep(part.hook, w, client), ...prints });
      }
    if (notesCalls) for (const native of toolNatives(client)) add(native, notesCalls);
    return cell;
  });
  const declarer = { server: context.name ?? context.servers.alias, tag: context.tag ?? LIKE_A_TAG };
  const shims: ShimPlan[] = [];
  const entries: WantedEntry[] = [];
  for (const [native, list] of parts) {
    for (const part of list) if (part.handler) entries.push(toolEntry(native, part, client, context));
    const inShim = list.filter((part) => !part.handler);
    if (inShim.length === 0) continue;
    const hooks = inShim.map((part) => part.hook);
    const budget = eventBudget(client, native);
    const printed = inShim.flatMap(({ hook: { n, event, priority }, prints }) =>
      prints ? [{ n, event, priority, ...prints }] : [],
    );
    const unit = UNIT_NAMES[client.limits.unit];
    const events = new Set(printed.map(({ event }) => event));
    for (const { n, length, shared } of givingWay(printed, client, declarer, budget)) {
      const others = [...events].filter((event) => event !== declarations[n - 1]?.event);
      const why = { ...(length && { length }), ...(shared && { shared: 1, others }) };
      note(cells[n - 1], { code: 'budget.gives-way', args: { budget, unit, ...why } });
    }
    const asks = new Set(inShim.flatMap((part) => part.asks));
    const shim = shimFor(native, hooks, asks, client, context);
    shims.push(shim);
    const group = shim.joint ? jointGroup(native, client, context) : groupFor(shim, inShim, client, context);
    entries.push({ event: native, key: native, group });
  }
  return { client, cells, shims, entries };
}

interface CompiledDeclaration {
  cell: HookOutcome;
  wiring: readonly Wiring[];
  part?: ShimHook;
  notesCalls?: ShimHook;
}

function compileOne(
  declaration: Declaration,
  n: number,
  client: Client,
  context: CompileContext,
): CompiledDeclaration {
  const { event } = declaration;
  const cell = { n, client: client.id };
  const compiled = compileWhen(declaration, client, context.servers);
  const missing = noHookFor(declaration, n, compiled, client, context);
  if (missing) return { cell: { ...cell, ...missing, natives: [] }, wiring: [] };

  const { notesCalls } = compiled;
  const priority = lower(declaration.priority, context.options.maxPriority);
  const cooldown = cooldownMs(declaration, context.options.cooldown);
  const hook: FireHook = { n, event, priority, does: 'emit' };
  if (compiled.match) hook.match = compiled.match;
  if (compiled.when) hook.when = compiled.when;
  Object.assign(hook, contentOf(declaration, context.servers.alias, client));
  if (cooldown !== undefined) hook.cooldownMs = cooldown;
  const wired = client.events[event];
  const wiring = wiringFor(wiringOf(wired), compiled);
  const natives = [...new Set([...wiring.map((w) => w.native), ...(notesCalls ? toolNatives(client) : [])])];
  const onTools = isToolEvent(event);
  const matcher = onTools ? entryMatcher([compiled.native], client) : undefined;
  const own = clientsOwnCall(hook, client, context);
  const notes = remarksOn(declaration, hook, compiled, client, context);
  if (own) notes.push({ code: 'note' in own ? own.note : 'handler.control', args: {} });
  return {
    cell: { ...cell, fidelity: wired.fidelity, notes, natives, ...(matcher !== undefined && { matcher }) },
    wiring,
    part: {
      hook,
      native: onTools ? compiled.native : undefined,
      asks: [...compiled.asks, ...askedByTemplates(hook)],
      ...(own && !('note' in own) && { handler: own }),
    },
    ...(notesCalls && {
      notesCalls: {
        hook: { n, event: 'post_tool_use', priority, does: 'note-call', ...notesCalls.hook },
        native: notesCalls.native,
        asks: [],
      },
    }),
  };
}

/** Returns why the client gets no hook for a declaration; undefined when it gets one. */
function noHookFor(
  { event, context, context_tool }: Declaration,
  n: number,
  { never }: CompiledWhen,
  client: Client,
  { options, toolAccess }: CompileContext,
): Pick<HookOutcome, 'fidelity' | 'notes'> | undefined {
  const because = (fidelity: HookOutcome['fidelity'], note: Note) => ({ fidelity, notes: [note] });
  const isPossible = client.events[event].fidelity !== 'unsupported';
  if (!isChosen(event, n, options)) return because('skipped', { code: 'skipped.by-choice', args: {} });
  if (context?.trim() === '') return because('skipped', { code: 'skipped.empty-text', args: {} });
  if (event === 'session_end' && options.sessionEnd === 'skip' && isPossible)
    return because('unsupported', { code: 'unsupported.session-end', args: {} });
  if (event === 'post_request' && options.postRequest === 'skip' && isPossible)
    return because('skipped', { code: 'skipped.post-request', args: {} });
  if (never) return because('unsupported', { code: never.note, args: never.args });
  if (context_tool !== undefined && 'note' in toolAccess) return because('unsupported', toolAccess.note);
  return undefined;
}

/** Returns what the plan says of a declaration's hook. */
function remarksOn(
  declaration: Declaration,
  { event, priority, cooldownMs }: FireHook,
  { match, when, notes }: CompiledWhen,
  client: Client,
  { servers, listedTools }: CompileContext,
): Note[] {
  const { note } = client.events[event];
  const remarks: Note[] = [
    ...(note ? [typeof note === 'string' ? { code: note, args: {} } : note] : []),
    ...notes,
    ...toolNameNotes(declaration, servers, listedTools),
  ];
  if (priority !== declaration.priority)
    remarks.push({ code: 'priority.lowered', args: { from: declaration.priority, to: priority } });
  if (isToolEvent(event) && !match && !when?.unlessCalled && cooldownMs === undefined)
    remarks.push({ code: 'flag.every-tool', args: { conditions: conditionsOf(declaration.when ?? {}) } });
  if (declaration.context_tool !== undefined && carriedAfterCall(event, client))
    remarks.push({ code: 'late.tool-called-after', args: {} });
  if (client.limits.escapesAngles && /[<>]/.test(declaration.context ?? ''))
    remarks.push({ code: 'text.angles', args: {} });
  return remarks;
}

/** Returns the handler by which the client itself calls the hook's tool, or a note why it can't. */
const clientsOwnCall = (hook: FireHook, client: Client, context: CompileContext) => {
  const { options, servers, documentTools } = context;
  return hook.call && options.handler === 'mcp_tool'
    ? nativeHandler(hook, client, documentTools, servers.known.includes(servers.alias))
    : undefined;
};

/** True when the client carries what is meant for before a tool's call at an event after the call. */
function carriedAfterCall(event: HookEvent, { events }: Client): boolean {
  const after = wiringOf(events.post_tool_use).map(({ native }) => native);
  const isAfter = ({ native, does }: Wiring): boolean => does === 'emit' && after.includes(native);
  return event === 'pre_tool_use' && wiringOf(events.pre_tool_use).some(isAfter);
}

/** Adds a note unless the cell has a note with that code already. */
function note(cell: HookOutcome | undefined, remark: Note): void {
  if (!cell?.notes.some((n) => n.code === remark.code)) cell?.notes.push(remark);
}

function lower(priority: Priority, most: Priority): Priority {
  return PRIORITIES[Math.min(PRIORITIES.indexOf(priority), PRIORITIES.indexOf(most))] as Priority;
}
