import { valuesByKey } from '../../base/grouped.ts';
import type { Client } from '../../clients/client.ts';
import { type Wiring, wiringOf } from '../../clients/protocol.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { firesOnEveryCall } from '../../declarations/every-call.ts';
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
import { hashOf } from '../../fire/own-folders.ts';
import { UNIT_NAMES } from '../../fire/text/render.ts';
import type { Note } from '../../messages/notes.ts';
import type { ShimPlan } from '../../shims/types.ts';
import { isChosen } from '../chosen-hooks.ts';
import type { Compiled, HookOutcome } from '../types.ts';
import { eventBudget, givingWay, LIKE_A_TAG } from './budget.ts';
import { entriesAt } from './entries.ts';
import { atStep, contentOf, fieldsOfTemplates, sharingNames } from './hook.ts';
import { entryMatcher } from './matcher.ts';
import { nativeHandler } from './mcp-tool.ts';
import { shimFor } from './shim-data.ts';
import { toolNameNotes } from './tool-names.ts';
import type { CompileContext, NativeHook } from './types.ts';
import { type CompiledWhen, compileWhen, cooldownOf, toolNatives, wiringFor } from './when.ts';

/** Compiles declarations for one client. Pure: equal input results in equal bytes. */
export function compile(declarations: readonly Declaration[], context: CompileContext): Compiled {
  const compiled = declarations.map((declaration, i) => compileOne(declaration, i + 1, context));
  const cells = compiled.map(({ cell }) => cell);
  const shims: ShimPlan[] = [];
  const entries: WantedEntry[] = [];
  const all = compiled.flatMap(({ hooks }) => hooks);
  for (const [native, hooks] of valuesByKey(all.map((hook) => [hook.native, hook]))) {
    const inShim = hooks.filter(({ handler }) => !handler);
    noteGivingWay(native, inShim, cells, context);
    const shim = inShim.length > 0 ? shimFor(native, inShim, context) : undefined;
    if (shim) shims.push(shim);
    entries.push(...entriesAt(hooks, shim, context));
  }
  return { client: context.client, cells, shims, entries };
}

/** Notes which hooks get less room than their text needs, or none, where all hooks of a native event fire together. */
function noteGivingWay(
  native: string,
  hooks: readonly NativeHook[],
  cells: readonly HookOutcome[],
  { client, name, servers, tag = LIKE_A_TAG }: CompileContext,
): void {
  const declarer = { server: name ?? servers.alias, tag };
  const budget = eventBudget(client, native);
  const unit = UNIT_NAMES[client.limits.unit];
  const given = hooks.flatMap(({ hook: { n, event, priority }, takesRoom }) =>
    takesRoom ? [{ n, event, priority, ...takesRoom }] : [],
  );
  const events = new Set(given.map(({ event }) => event));
  for (const { n, length, shared } of givingWay(given, client, declarer, budget)) {
    const event = given.find((one) => one.n === n)?.event;
    const others = [...events].filter((other) => other !== event);
    const why = { ...(length && { length }), ...(shared && { shared: 1, others }) };
    note(cells[n - 1], { code: 'budget.gives-way', args: { budget, unit, ...why } });
  }
}

interface CompiledDeclaration {
  cell: HookOutcome;
  /** The declaration's hook at each native event that has a step of it. */
  hooks: NativeHook[];
}

function compileOne(declaration: Declaration, n: number, context: CompileContext): CompiledDeclaration {
  const { event } = declaration;
  const { client } = context;
  const compiled = compileWhen(declaration, client, context.servers);
  const missing = noHookFor(declaration, n, compiled, context);
  if (missing) return { cell: { n, ...missing, natives: [] }, hooks: [] };

  const priority = lower(declaration.priority, context.options.maxPriority);
  const hook: FireHook = { n, event, priority, does: 'emit' };
  if (compiled.match) hook.match = compiled.match;
  if (compiled.when) hook.when = compiled.when;
  Object.assign(hook, contentOf(declaration, context.servers.alias, client));
  const wired = client.events[event];
  const cooldown = cooldownOf(declaration, context.options.cooldown);
  if (cooldown !== undefined && !replacesEarlier(event, client)) hook.cooldownMs = cooldown;
  const steps = wiringFor(wiringOf(wired), compiled);
  if (hook.cooldownMs !== undefined || hook.when?.unlessCalled || steps.some(hasState))
    hook.mark = hashOf(canonicalJson(declaration));
  const matcher = isToolEvent(event) ? entryMatcher([compiled.native], client) : undefined;
  const clientCall = clientsOwnCall(hook, context);
  const notes = remarksOn(declaration, hook, compiled, context);
  if (clientCall) notes.push({ code: 'note' in clientCall ? clientCall.note : 'handler.control', args: {} });
  const everyStep = {
    tools: isToolEvent(event) ? compiled.native : undefined,
    neededFields: [...compiled.neededFields, ...fieldsOfTemplates(hook)],
    ...(clientCall && !('note' in clientCall) && { handler: clientCall }),
  };
  const hooks = [
    ...atSteps(hook, steps, client).map((one) => ({ ...one, ...everyStep })),
    ...callNoting(hook, compiled, client),
  ];
  const natives = [...new Set(hooks.map(({ native }) => native))];
  return {
    cell: { n, fidelity: wired.fidelity, notes, natives, ...(matcher !== undefined && { matcher }) },
    hooks,
  };
}

/** Returns a hook at the native event of each of its steps. */
function atSteps(
  hook: FireHook,
  wiring: readonly Wiring[],
  client: Client,
): Pick<NativeHook, 'native' | 'hook' | 'takesRoom'>[] {
  // A text that is always kept for a later event takes its room there.
  const giving = wiring.some(({ does }) => does === 'emit') ? 'emit' : 'emit-deferred';
  const takesRoom = hook.text === undefined ? {} : { text: hook.text };
  return wiring.map((step) => ({
    native: step.native,
    hook: atStep(hook, step, client),
    ...(step.does === giving && { takesRoom }),
  }));
}

/** Returns the hooks that record calls of the server's own tools, for `unless_called`. */
function callNoting(
  { n, mark, priority }: FireHook,
  { notesCalls }: CompiledWhen,
  client: Client,
): NativeHook[] {
  if (!notesCalls) return [];
  const shared = { n, ...(mark && { mark }), priority };
  const hook: FireHook = { ...shared, event: 'post_tool_use', does: 'note-call', ...notesCalls.hook };
  return toolNatives(client).map((native) => ({ native, hook, tools: notesCalls.native, neededFields: [] }));
}

/** Returns why the client gets no hook for a declaration; undefined when it gets one. */
function noHookFor(
  { event, context, context_tool }: Declaration,
  n: number,
  { never }: CompiledWhen,
  { client, options, toolAccess }: CompileContext,
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

/** True for a step that marks a session's start, keeps a text, or is about one that was kept. */
const hasState = ({ at, does, replacesKept }: Wiring): boolean =>
  at !== undefined || does === 'defer' || does === 'emit-deferred' || replacesKept === true;

const replacesEarlier = (event: HookEvent, { events }: Client): boolean => 'replacesEarlier' in events[event];

/** Returns what the plan says of a declaration's hook. */
function remarksOn(
  declaration: Declaration,
  { event, priority, cooldownMs }: FireHook,
  { notes }: CompiledWhen,
  { client, servers, listedTools, options }: CompileContext,
): Note[] {
  const { note } = client.events[event];
  const remarks: Note[] = [
    ...(note ? [typeof note === 'string' ? { code: note, args: {} } : note] : []),
    ...notes,
    ...toolNameNotes(declaration, servers, listedTools),
  ];
  if (priority !== declaration.priority)
    remarks.push({ code: 'priority.lowered', args: { from: declaration.priority, to: priority } });
  if (firesOnEveryCall(declaration) && cooldownMs === undefined)
    remarks.push({ code: 'flag.every-tool', args: { conditions: conditionsOf(declaration.when ?? {}) } });
  if (replacesEarlier(event, client) && cooldownOf(declaration, options.cooldown) !== undefined)
    remarks.push({ code: 'when.no-cooldown', args: {} });
  if (declaration.context_tool !== undefined && carriedAfterCall(event, client))
    remarks.push({ code: 'late.tool-called-after', args: {} });
  if (client.limits.escapesAngles && /[<>]/.test(declaration.context ?? ''))
    remarks.push({ code: 'text.angles', args: {} });
  const names = sharingNames(declaration, client, servers);
  if (names.length > 0) remarks.push({ code: 'text.ambiguous-server', args: { name: servers.alias, names } });
  return remarks;
}

/** Returns the handler by which the client itself calls the hook's tool, or a note why it can't. */
const clientsOwnCall = (hook: FireHook, { client, options, servers, documentTools }: CompileContext) =>
  hook.call && options.handler === 'mcp_tool'
    ? nativeHandler(hook, client, documentTools, servers.known.includes(servers.alias))
    : undefined;

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
