import type { InstallOptions } from '../apply/types.ts';
import type { Client, Fidelity, NativeEvent, Wiring } from '../clients/types.ts';
import { type Declaration, type HookEvent, PRIORITIES, type Priority } from '../declarations/types.ts';
import type { HookGroup, WantedEntry } from '../edit/types.ts';
import type { FireData, FireHook, FireServer } from '../fire/types.ts';
import { budgetsFor, pieces, shares } from './budget.ts';
import { type CompiledMatcher, compileMatcher, entryMatcher, type ServerNames } from './matcher.ts';
import { nativeHandler } from './native-handler.ts';
import { DEADLINES } from './options.ts';
import type { Cell, Compiled, Note, ShimPlan } from './types.ts';

export interface CompileContext {
  servers: ServerNames;
  slug: string;
  /** The server in naming lines, where that isn't its alias. */
  name?: string;
  /** Random per install; stands in the naming lines. Absent in shims that other machines share. */
  tag?: string;
  options: InstallOptions;
  /** Folder of this client's shims: absolute, its path carries the digest; or relative to the folder that is shared. */
  shimFolder: string;
  /** Absolute state folder, as the shims will use it. Absent in shims that other machines share. */
  state?: string;
  /** The shims stay silent where the user's own install of the server speaks. */
  yields?: true;
  /** How a shim reaches the server; undefined: it can't, with the reason. */
  reach: { at: Omit<FireServer, 'callMs'> } | { note: Note };
  /** The command by which the client runs a shim. */
  command: (shimPath: string) => string;
  /** The mark of an entry without a command. */
  mark: (key: string) => string;
  /** Tools whose author says that they return a `hookSpecificOutput` document. */
  documentTools: readonly string[];
}

/** For measuring, where each machine has a tag of its own. */
const LIKE_A_TAG = '00000000';

/** A hook within a native event's shim, and the native names it wants to hear of. */
interface Part {
  hook: FireHook;
  native: CompiledMatcher['native'];
  /** The client's own handler does it instead of a shim. */
  handler?: { tool: string; input: Record<string, unknown> };
}

/** Compiles declarations for one client. Pure: the same input gives the same bytes. */
export function compile(
  declarations: readonly Declaration[],
  client: Client,
  context: CompileContext,
): Compiled {
  const parts = new Map<string, Part[]>();
  const cells = declarations.map((declaration, i) => {
    const { cell, wiring, part } = compileOne(declaration, i + 1, client, context);
    for (const w of part ? wiring : []) {
      const list = parts.get(w.native) ?? [];
      list.push({
        ...(part as Part),
        hook: { ...stepFields((part as Part).hook, w), ...(w.at && { at: w.at }) },
      });
      parts.set(w.native, list);
    }
    return cell;
  });
  const budgets = budgetsFor(context.options.maxText);
  const speaker = { server: context.name ?? context.servers.alias, tag: context.tag ?? LIKE_A_TAG };
  const shims: ShimPlan[] = [];
  const entries: WantedEntry[] = [];
  for (const [native, list] of parts) {
    const inShims = list
      .filter((p) => !p.handler)
      .flatMap((p) => pieces(p.hook, client, speaker).map((hook) => ({ ...p, hook })));
    for (const part of list) if (part.handler) entries.push(toolEntry(native, part, client, context));
    const split = shares(inShims, client, speaker, budgets.event);
    for (const n of split.givesWay)
      note(cells[n - 1], { code: 'budget.gives-way', args: { budget: budgets.event } });
    for (const [i, { parts, budget }] of split.shares.entries()) {
      const name = i === 0 ? native : `${native}-${i + 1}`;
      const shim = shimFor(name, native, parts, budget, client, context);
      shims.push(shim);
      entries.push({ event: native, key: name, group: groupFor(shim, parts, client, context) });
    }
  }
  return { client, cells, shims, entries };
}

function compileOne(
  declaration: Declaration,
  n: number,
  client: Client,
  context: CompileContext,
): { cell: Cell; wiring: readonly Wiring[]; part?: Part } {
  const { options, reach } = context;
  const { event } = declaration;
  const wired = client.events[event];
  const notes: Note[] = [];
  const cell = (fidelity: Fidelity | 'skipped', extra: Partial<Cell> = {}): Cell => ({
    n,
    client: client.id,
    fidelity,
    notes,
    natives: [],
    ...extra,
  });
  const none = (fidelity: Fidelity | 'skipped', note: Note) => {
    notes.push(note);
    return { cell: cell(fidelity), wiring: [] };
  };

  if (!isChosen(event, n, options)) return none('skipped', { code: 'skipped.by-choice', args: {} });
  if (event === 'session_end' && options.sessionEnd === 'skip')
    return none('unsupported', { code: 'unsupported.session-end', args: {} });
  if (event === 'post_request' && options.postRequest === 'skip')
    return none('skipped', { code: 'skipped.post-request', args: {} });
  const compiled = compileMatcher(declaration.matcher, client, context.servers);
  if (compiled.never) return none('unsupported', { code: compiled.never.note, args: compiled.never.args });
  if (declaration.context_tool !== undefined && 'note' in reach) return none('unsupported', reach.note);

  if (wired.note) notes.push({ code: wired.note, args: {} });
  const priority = lower(declaration.priority, options.maxPriority);
  if (priority !== declaration.priority)
    notes.push({ code: 'priority.lowered', args: { from: declaration.priority, to: priority } });
  const onTools = event === 'pre_tool_use' || event === 'post_tool_use';
  if (onTools && !declaration.matcher && options.cooldown === 0)
    notes.push({ code: 'flag.every-tool', args: {} });
  if (declaration.context_tool !== undefined && client.events[event].note === 'late.after-call')
    notes.push({ code: 'late.tool-called-after', args: {} });

  const hook: FireHook = { n, event, priority, does: 'give' };
  if (compiled.match) hook.match = compiled.match;
  if (declaration.context !== undefined) hook.text = declaration.context;
  if (declaration.context_tool !== undefined)
    hook.call = { tool: declaration.context_tool, args: declaration.context_tool_args ?? {} };
  if (options.cooldown > 0) hook.cooldownMs = options.cooldown * 1000;
  const natives = [...new Set(wired.wiring.map((w) => w.native))];
  const matcher = onTools ? entryMatcher([compiled.native], client) : undefined;
  const own =
    hook.call && options.handler === 'mcp_tool'
      ? nativeHandler(
          hook,
          client,
          context.documentTools,
          context.servers.known.includes(context.servers.alias),
        )
      : undefined;
  if (own) notes.push({ code: 'note' in own ? own.note : 'handler.control', args: {} });
  return {
    cell: cell(wired.fidelity, { natives, ...(matcher !== undefined && { matcher }) }),
    wiring: wired.wiring,
    part: {
      hook,
      native: onTools ? compiled.native : undefined,
      ...(own && !('note' in own) && { handler: own }),
    },
  };
}

/** Adds a remark once. */
function note(cell: Cell | undefined, remark: Note): void {
  if (!cell?.notes.some((n) => n.code === remark.code)) cell?.notes.push(remark);
}

/** An entry in which the client calls the tool itself. */
function toolEntry(native: string, part: Part, client: Client, context: CompileContext): WantedEntry {
  const event = client.natives[native] as NativeEvent;
  const key = `${native}.tool${part.hook.n}`;
  const matcher = event.matchesTools ? entryMatcher([part.native], client) : undefined;
  const seconds = timeoutOf([part.hook], event, context.options);
  const handler = {
    type: 'mcp_tool',
    server: context.servers.alias,
    tool: part.handler?.tool,
    input: part.handler?.input,
    timeout: client.timeoutUnit === 'ms' ? seconds * 1000 : seconds,
    'x-mcphooks': context.mark(key),
  };
  return { event: native, key, group: { ...(matcher !== undefined && { matcher }), hooks: [handler] } };
}

/** Steps that don't speak carry neither text nor call. */
function stepFields(hook: FireHook, wiring: Wiring): FireHook {
  if (wiring.does === 'give' || wiring.does === 'keep') return { ...hook, does: wiring.does };
  const { n, event, priority } = hook;
  return { n, event, priority, does: wiring.does };
}

function isChosen(event: HookEvent, n: number, options: InstallOptions): boolean {
  const names = (list: readonly string[]): boolean => list.includes(event) || list.includes(String(n));
  return (options.only.length === 0 || names(options.only)) && !names(options.skip);
}

function lower(priority: Priority, most: Priority): Priority {
  return PRIORITIES[Math.min(PRIORITIES.indexOf(priority), PRIORITIES.indexOf(most))] as Priority;
}

function shimFor(
  name: string,
  native: string,
  parts: readonly Part[],
  budget: number,
  client: Client,
  context: CompileContext,
): ShimPlan {
  const hooks = parts.map((p) => p.hook);
  const event = client.natives[native] as NativeEvent;
  const calls = hooks.some((h) => h.call !== undefined);
  const starts = hooks.some((h) => h.event === 'session_start' && h.does === 'give');
  const deadlines = DEADLINES[starts ? 'session_start' : 'other'];
  // The client's timeout is the last to strike: the shell gives node up before, and node its tools before that.
  const watchdog = Math.max(1, timeoutOf(hooks, event, context.options) - 1);
  const data: FireData = {
    format: 1,
    server: context.name ?? context.servers.alias,
    client: client.id,
    native,
    ...(context.tag !== undefined && { tag: context.tag }),
    ...(context.state !== undefined && { state: context.state }),
    ...(context.yields && { yields: true }),
    deadlineMs: Math.round(watchdog * 850),
    unit: client.unit,
    cap: client.perHandler ?? budget,
    eventBudget: budget,
    sessionBudget: budgetsFor(context.options.maxText).session,
    payload: payloadShape(client, event, context.servers),
    hooks,
    ...(calls &&
      'at' in context.reach && {
        server_at: { ...context.reach.at, callMs: Math.min(deadlines.callMs, watchdog * 800) },
      }),
  };
  return {
    name,
    native,
    seconds: watchdog,
    data,
  };
}

function timeoutOf(hooks: readonly FireHook[], event: NativeEvent, options: InstallOptions): number {
  const starts = hooks.some((h) => h.event === 'session_start' && h.does === 'give');
  const wanted = options.hookTimeout ?? DEADLINES[starts ? 'session_start' : 'other'].timeout;
  return Math.min(wanted, event.maxTimeout ?? wanted);
}

function payloadShape(client: Client, event: NativeEvent, servers: ServerNames): FireData['payload'] {
  const { tools } = client;
  const names: Record<string, string[]> = {};
  for (const [canonical, natives] of Object.entries(tools.names))
    for (const native of natives) names[native] = [...(names[native] ?? []), canonical];
  const aliases = [...new Set([...servers.known, servers.alias])];
  const prefixes = aliases.map((alias): [string, string] => [
    `${tools.mcp.prefix}${alias.replace(tools.mcp.unsafe, '_')}${tools.mcp.separator}`,
    alias,
  ]);
  return {
    session: 'session_id',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    ...(event.output && { toolOutput: event.output }),
    ...(tools.outputIsText && { outputIsText: true }),
    ...(tools.payload.server && { server: tools.payload.server }),
    ...(tools.payload.tool && { serverTool: tools.payload.tool }),
    ...(event.skipIf && { skipIf: event.skipIf }),
    ...(event.keepIf && { keepIf: event.keepIf }),
    ...(event.turnEnd && { turnEnd: event.turnEnd }),
    ...(event.continuation && { continuation: event.continuation }),
    ...(client.foreign && { foreign: client.foreign }),
    ...(client.startFolderEnv && { startFolderEnv: client.startFolderEnv }),
    names,
    prefixes: prefixes.sort((a, b) => b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1)),
  };
}

function groupFor(
  shim: ShimPlan,
  parts: readonly Part[],
  client: Client,
  context: CompileContext,
): HookGroup {
  const event = client.natives[shim.native] as NativeEvent;
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
        command: context.command(`${context.shimFolder}/${shim.name}`),
        timeout: client.timeoutUnit === 'ms' ? seconds * 1000 : seconds,
        ...client.handler(`${context.slug}:${shim.name}`, shim.native),
      },
    ],
  };
}
