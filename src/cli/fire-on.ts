import type { Context } from '../app/context.ts';
import { machineView } from '../app/disk.ts';
import { fireInstalled, nativesOf, precedingFires } from '../app/fire/fire.ts';
import { sequence } from '../app/fire/sample-payload.ts';
import type { FireRequest, Reason, ShimRun } from '../app/fire/shim-run.ts';
import { openRecord } from '../app/open-record.ts';
import { preparePlan } from '../app/prepare/prepare.ts';
import { installedRequest } from '../app/request.ts';
import { excerpt } from '../base/visible.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { absenceOf, missingTools } from '../clients/tools.ts';
import { canonicalHead } from '../declarations/canonical-name.ts';
import { isToolEvent, type Matcher } from '../declarations/types.ts';
import { at } from '../fire/payload.ts';
import { stopsOn } from '../inspect/stops.ts';
import { noteText } from '../messages/notes.ts';
import { silenceText } from '../messages/silences.ts';
import { neededTool } from '../messages/when-words.ts';
import { isCarried } from '../plan/carried.ts';
import { planInstall } from '../plan/install.ts';
import type { HookOutcome } from '../plan/types.ts';
import type { ServerRecord } from '../store/types.ts';
import { unnarrowed, wantedText } from './text/conditions.ts';

/** Reason why a hook gave no text. */
export interface WordedReason {
  code: string;
  n?: number;
  message: string;
}

/** The runs on one client; when there are none, only `why`. */
export interface Fired {
  client: ClientId;
  firings: (Omit<ShimRun, 'why'> & { why: WordedReason[] })[];
  /** Reasons for hooks that aren't installed. */
  why: WordedReason[];
  /** Why the client itself doesn't run the hooks now, though they ran here. */
  stops?: string[];
}

/** An event that is to be fired on one client. */
interface EventToFire {
  record: ServerRecord;
  request: FireRequest & { unknown: boolean };
  context: Context;
}

/** Fires the event on one client, or returns why no hook of it can run there. */
export async function fireOn(toFire: EventToFire): Promise<Fired> {
  const { record, request, context } = toFire;
  const { client, event } = request;
  const none = (...why: WordedReason[]): Fired => ({ client, firings: [], why });
  const numbers = record.declarations.flatMap((d, i) => (d.event === event ? [i + 1] : []));
  if (numbers.length === 0) return none(worded({ code: 'event.undeclared' }, toFire));
  const carried = new Map(numbers.map((n) => [n, nativesOf(record, n, request)]));
  const left = numbers.filter((n) => carried.get(n)?.length === 0);
  const refused = left.length === 0 ? [] : refusals(left, await cellsOf(record, client, context));
  if (left.length === numbers.length)
    return none(...(refused.length > 0 ? refused : [notInstalledReason(toFire)]));
  if (lacksTool(request))
    return none(...refused, worded({ code: 'client.no-tool', detail: request.tool }, toFire));
  const unknown = isToolEvent(event) && request.unknown ? [worded({ code: 'call.unknown' }, toFire)] : [];
  const why = [...refused, ...unknown, ...notAtThese(carried, toFire)];
  const firings = await hookRuns(toFire);
  const stops = stopsAfter(
    firings.map(({ native }) => native),
    toFire,
  );
  return { client, firings, why, ...(stops.length > 0 && { stops }) };
}

/** Returns a reason in words, with what it says of the declaration. */
function worded(
  reason: Omit<Reason, 'code'> & { code: string },
  { record, request }: EventToFire,
): WordedReason {
  const { n } = reason;
  const declaration = n === undefined ? undefined : record.declarations[n - 1];
  const { code, detail } = declaration ? unnarrowed(reason, declaration) : reason;
  const { tool_name, tool_server, input_contains } = ofAlias(declaration?.matcher, record);
  const wants =
    {
      'matcher.tool':
        tool_name === undefined
          ? undefined
          : neededTool(tool_name && tool_server ? fullName(tool_name, tool_server) : tool_name),
      'matcher.server': tool_server,
      'matcher.input': input_contains,
    }[code] ?? wantedText(code, declaration?.when);
  const args = {
    name: record.server,
    scope: record.scope,
    client: clientById(request.client).title,
    id: request.client,
    event: declaration?.event ?? request.event,
    ...(wants !== undefined && { wants }),
    ...(code === 'when.called' && declaration?.when?.unless_called),
    ...(detail !== undefined && { detail: excerpt(detail, 200) }),
  };
  return { code, ...(n !== undefined && { n }), message: silenceText(code, args) };
}

/** Returns the reason where the server has no hooks on the client. */
function notInstalledReason(toFire: EventToFire): WordedReason {
  const { record, request } = toFire;
  const lacksLocal = record.scope === 'local' && clientById(request.client).hooks.local.length === 0;
  return worded({ code: 'client.not-installed', ...(lacksLocal && { detail: 'local' }) }, toFire);
}

/** True where the client has no tool of the requested name, and no payload names another. */
function lacksTool({ client, event, tool, payload }: FireRequest): boolean {
  const { tools, protocol } = clientById(client);
  return (
    isToolEvent(event) &&
    missingTools(tools).includes(tool) &&
    absenceOf(tools, tool).since === undefined &&
    at(payload, protocol.input.toolName) === undefined
  );
}

/** Returns reasons for hooks that are installed at other native events than those that fire. */
function notAtThese(carried: ReadonlyMap<number, readonly string[]>, toFire: EventToFire): WordedReason[] {
  const { record, request } = toFire;
  const client = clientById(request.client);
  const natives = sequence(client, request).map(({ native }) => native);
  return [...carried].flatMap(([n, its]) => {
    if (its.length === 0 || its.some((native) => natives.includes(native))) return [];
    // A native event may imply one outcome; otherwise the payload names an event without this hook.
    const isOutcome =
      record.declarations[n - 1]?.when?.outcome && natives.some((one) => client.conditions.outcome[one]);
    const reason = isOutcome ? { code: 'when.outcome' } : { code: 'event.other', detail: its.join(', ') };
    return [worded({ ...reason, n }, toFire)];
  });
}

/** Runs the hooks, and returns their runs with the reasons in words. */
async function hookRuns(toFire: EventToFire): Promise<Fired['firings']> {
  const { record, request, context } = toFire;
  const ran = fireInstalled(record, request);
  const other = ran.some((one) => one.why.some(({ code }) => code === 'install.other'));
  const silent = other && !(await precedingFires(record, request, context));
  const inWords = (reason: Reason): WordedReason =>
    worded(silent && reason.code === 'install.other' ? { ...reason, detail: 'none' } : reason, toFire);
  return ran.map((firing) => ({
    ...firing,
    // A tool's answer may come after that of a later hook.
    why: firing.why.map(inWords).sort((a, b) => (a.n ?? 0) - (b.n ?? 0)),
  }));
}

/** Returns why the client itself doesn't run hooks at these native events now. */
function stopsAfter(natives: readonly string[], { record, request, context }: EventToFire): string[] {
  if (natives.length === 0) return [];
  const here = { scope: context.scope, reading: openRecord(context) };
  return stopsOn(request.client, natives, record, here, machineView(context));
}

/** Returns the outcomes of declarations on a client, planned from the record. */
async function cellsOf(
  record: ServerRecord,
  client: ClientId,
  context: Context,
): Promise<readonly HookOutcome[]> {
  const { input } = await preparePlan(installedRequest(record.server, 'record', [client]), context);
  return planInstall(input).clients.find((c) => c.client === client)?.cells ?? [];
}

/** Returns answers for declarations that the client doesn't support, or that were left out. */
function refusals(numbers: readonly number[], cells: readonly HookOutcome[]): WordedReason[] {
  return cells
    .filter((cell) => numbers.includes(cell.n) && !isCarried(cell.fidelity))
    .map(({ n, fidelity, notes }) => ({
      code: notes[0]?.code ?? fidelity,
      n,
      message: `${fidelity}: ${notes.map(noteText).join('; ')}`,
    }));
}

/** Returns a matcher with the server's alias in place of its own name, as the names of tools have it here. */
function ofAlias(matcher: Matcher = {}, { server, serverName }: ServerRecord): Matcher {
  if (serverName === undefined) return matcher;
  const { tool_name: tool, tool_server: own } = matcher;
  const [head, alias] = [canonicalHead(serverName), canonicalHead(server)];
  return {
    ...matcher,
    ...(tool?.startsWith(head) && { tool_name: alias + tool.slice(head.length) }),
    ...(own === serverName && { tool_server: server }),
  };
}

/** Returns the name, or glob, of a server's tool with the server in it. */
const fullName = (tool: string, server: string): string =>
  tool.startsWith('mcp__') ? tool : canonicalHead(server) + tool;
