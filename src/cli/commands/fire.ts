import type { Context } from '../../app/context.ts';
import { disk } from '../../app/disk.ts';
import { fireInstalled, nativesOf, precedingFires } from '../../app/fire/fire.ts';
import { admitFire } from '../../app/fire/fire-gate.ts';
import { givenPayload, parsedJson } from '../../app/fire/read-payload.ts';
import { sequence } from '../../app/fire/sample-payload.ts';
import { callFor } from '../../app/fire/sample-request.ts';
import type { FireRequest, Reason, ShimRun } from '../../app/fire/shim-run.ts';
import { installedServer, notInstalled, notOnClients } from '../../app/not-installed.ts';
import { openRecord } from '../../app/open-record.ts';
import { preparePlan } from '../../app/prepare/prepare.ts';
import { installedRequest } from '../../app/request.ts';
import { recoverInterrupted } from '../../app/write/recover.ts';
import { valueAt } from '../../base/json-value.ts';
import { barred, wrapped } from '../../base/text-style.ts';
import { excerpt, visible } from '../../base/visible.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { absenceOf, missingTools } from '../../clients/tools.ts';
import { canonicalHead } from '../../declarations/canonical-name.ts';
import { EVENTS, type HookEvent, isToolEvent, type Matcher } from '../../declarations/types.ts';
import { at } from '../../fire/payload.ts';
import type { TriedCall } from '../../inspect/sample-call.ts';
import { stopsOn } from '../../inspect/stops.ts';
import { Fault } from '../../messages/fault.ts';
import { noteText } from '../../messages/notes.ts';
import { NO_HOOK_FIRES, silenceText, stopsText } from '../../messages/silences.ts';
import { isCarried } from '../../plan/carried.ts';
import { planInstall } from '../../plan/install.ts';
import type { HookOutcome } from '../../plan/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import { type Exit, unknownWord } from '../exit.ts';
import { printJson } from '../json/print.ts';
import { unnarrowed, wantedText } from '../text/conditions.ts';

interface FireFlags {
  client?: ClientId[];
  tool?: string;
  input?: string;
  payload?: string;
  session?: string;
  allowStart?: string[];
  json?: boolean;
}

/** Reason why a hook gave no text. */
interface WordedReason {
  code: string;
  n?: number;
  message: string;
}

/** The runs on one client; when there are none, only `why`. */
interface Fired {
  client: ClientId;
  firings: (Omit<ShimRun, 'why'> & { why: WordedReason[] })[];
  /** Reasons for hooks that aren't installed. */
  why: WordedReason[];
  /** Why the client itself doesn't run the hooks now, though they ran here. */
  stops?: string[];
}

/**
 * `mcphooks fire`: runs the installed hooks as the client would, and prints the text that the model would read, or the
 * reason why there is none.
 */
export async function run(
  [server, event]: [server: string, event: string],
  flags: FireFlags,
  context: Context,
): Promise<Exit> {
  const known = EVENTS.find((e) => e === event);
  if (!known) throw unknownWord(event, 'event', EVENTS);
  const ofTool = (['tool', 'input'] as const).find((flag) => flags[flag] !== undefined);
  const needs = EVENTS.filter(isToolEvent).join(' or ');
  if (ofTool && !isToolEvent(known)) throw new Fault('usage.goes-with', { option: `--${ofTool}`, needs });
  await recoverInterrupted(context);
  const record = await installedServer(context, server);
  const clients = flags.client ?? CLIENT_IDS.filter((id) => record.clients[id]);
  if (clients.length === 0) throw await notInstalled(server, context, { emptied: true });
  const given = {
    event: known,
    ...(flags.payload !== undefined && { payload: await givenPayload(flags.payload, context) }),
    ...(flags.session !== undefined && { session: flags.session }),
    env: context.env,
    cwd: context.cwd,
    scope: context.scope,
  };
  const call = givenCall(flags);
  const requests = clients.map((client) => ({
    ...given,
    client,
    ...callFor(record, { ...given, client }, call),
  }));
  const serverFolder = await admitFire(record, requests, flags.allowStart, context);
  const fired: Fired[] = [];
  for (const request of requests)
    fired.push(
      await fireOn(record, { ...request, ...(serverFolder !== undefined && { serverFolder }) }, context),
    );
  if (fired.every((one) => hasNone(one, record))) {
    const isAnywhere = CLIENT_IDS.some((id) => record.clients[id]);
    throw isAnywhere
      ? notOnClients(clients, record)
      : await notInstalled(record.server, context, { emptied: true });
  }
  const all = fired.flatMap(({ firings, why }) => [...firings.flatMap((one) => one.why), ...why]);
  const failed = all.some(({ code, n }) => isToolFailure(code) && isAskedFor(record, n, known));
  const exit: Exit = failed ? 1 : 0;
  const status = failed ? 'failed' : 'fired';
  if (flags.json) printJson('fire', { status, exit, server, event, clients: fired, faults: [] }, context);
  else for (const one of fired) context.out(firedText(one, record, known, context));
  return exit;
}

/** True where nothing is installed for a client, and no hook was left out there for a reason that is worth saying. */
const hasNone = ({ client, why }: Fired, { clients }: ServerRecord): boolean =>
  !clients[client] && why.every(({ code }) => ['client.not-installed', 'event.undeclared'].includes(code));

/** True when a hook has no text because its tool couldn't be called, or answered with an error. */
const isToolFailure = (code: string): boolean =>
  /^(tool\.(failed|slow|installing|paused|resting)|definition\.\w+|url\.refused)$/.test(code);

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

/** True for a hook of the requested event; a native event also runs hooks of other events. */
const isAskedFor = (record: ServerRecord, n: number | undefined, event: HookEvent): boolean =>
  n === undefined || record.declarations[n - 1]?.event === event;

/** Returns what the options say of a call. Input that isn't JSON, or has a command, is for Bash unless a tool is named. */
function givenCall({ tool, input: text }: FireFlags): Partial<TriedCall> {
  if (text === undefined) return tool === undefined ? {} : { tool };
  const isCommand = (tool ?? 'Bash') === 'Bash' && !/^\s*[{["]/.test(text);
  const input = isCommand ? { command: text } : parsedJson(text, '--input');
  if (tool !== undefined) return { tool, input };
  return valueAt(input, ['command']) === undefined ? { input } : { tool: 'Bash', input };
}

async function fireOn(
  record: ServerRecord,
  request: FireRequest & { unknown: boolean },
  context: Context,
): Promise<Fired> {
  const { client, event, tool } = request;
  const { title, hooks, tools, protocol, conditions } = clientById(client);
  const answer = (reason: Omit<Reason, 'code'> & { code: string }): WordedReason => {
    const { n } = reason;
    const declaration = n === undefined ? undefined : record.declarations[n - 1];
    const { code, detail } = declaration ? unnarrowed(reason, declaration) : reason;
    const { tool_name, tool_server, input_contains } = ofAlias(declaration?.matcher, record);
    const wants =
      {
        'matcher.tool': tool_name && tool_server ? fullName(tool_name, tool_server) : tool_name,
        'matcher.server': tool_server,
        'matcher.input': input_contains,
      }[code] ?? wantedText(code, declaration?.when);
    const args = {
      name: record.server,
      scope: record.scope,
      client: title,
      id: client,
      event: declaration?.event ?? event,
      ...(wants !== undefined && { wants }),
      ...(code === 'when.called' && declaration?.when?.unless_called),
      ...(detail !== undefined && { detail: excerpt(detail, 200) }),
    };
    return { code, ...(n !== undefined && { n }), message: silenceText(code, args) };
  };
  const numbers = record.declarations.flatMap((d, i) => (d.event === event ? [i + 1] : []));
  const none = (...why: WordedReason[]): Fired => ({ client, firings: [], why });
  if (numbers.length === 0) return none(answer({ code: 'event.undeclared' }));
  const carried = new Map(numbers.map((n) => [n, nativesOf(record, n, request)]));
  const left = numbers.filter((n) => carried.get(n)?.length === 0);
  const why = left.length === 0 ? [] : refusals(left, await cellsOf(record, client, context));
  const lacksLocal = record.scope === 'local' && hooks.local.length === 0 && { detail: 'local' };
  if (left.length === numbers.length)
    return none(...(why.length > 0 ? why : [answer({ code: 'client.not-installed', ...lacksLocal })]));
  if (
    isToolEvent(event) &&
    missingTools(tools).includes(tool) &&
    absenceOf(tools, tool).since === undefined &&
    at(request.payload, protocol.input.toolName) === undefined
  )
    return none(...why, answer({ code: 'client.no-tool', detail: tool }));
  if (isToolEvent(event) && request.unknown) why.push(answer({ code: 'call.unknown' }));
  const natives = sequence(clientById(client), request).map(({ native }) => native);
  for (const [n, its] of carried) {
    if (its.length === 0 || its.some((native) => natives.includes(native))) continue;
    // A native event may imply one outcome; otherwise the payload names an event without this hook.
    const isOutcome =
      record.declarations[n - 1]?.when?.outcome && natives.some((one) => conditions.outcome[one]);
    why.push(
      answer(isOutcome ? { code: 'when.outcome', n } : { code: 'event.other', n, detail: its.join(', ') }),
    );
  }
  const ran = fireInstalled(record, request);
  const other = ran.some((one) => one.why.some(({ code }) => code === 'install.other'));
  const silent = other && !(await precedingFires(record, request, context));
  const worded = (reason: Reason): WordedReason =>
    answer(silent && reason.code === 'install.other' ? { ...reason, detail: 'none' } : reason);
  const firings = ran.map((firing) => ({
    ...firing,
    // A tool's answer may come after that of a later hook.
    why: firing.why.map(worded).sort((a, b) => (a.n ?? 0) - (b.n ?? 0)),
  }));
  const fired = firings.map(({ native }) => native);
  const view = { ...disk, env: context.env, cwd: context.cwd };
  const stops =
    fired.length > 0
      ? stopsOn(client, fired, record, { scope: context.scope, reading: openRecord(context) }, view)
      : [];
  return { client, firings, why, ...(stops.length > 0 && { stops }) };
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

function firedText(
  { client, firings, why, stops = [] }: Fired,
  record: ServerRecord,
  event: HookEvent,
  context: Context,
): string {
  const { style, columns } = context;
  const title = style('bold', clientById(client).title);
  const lineOf = ({ n, message }: WordedReason): string =>
    wrapped(`${n === undefined ? '' : `hook ${n}: `}${message}`, 4, columns).replace(/^ {4}/, '  · ');
  return [
    ...firings.flatMap(({ native, ms, text, why }) => [
      `${title}  ${native}, ${Math.round(ms)} ms${text === undefined ? ': no text' : ''}`,
      ...(text === undefined ? [] : barred(visible(text), style, columns, 2)),
      ...new Set(worthSaying(why, text === undefined, record, event).map(lineOf)),
    ]),
    ...(firings.length === 0 ? [`${title}  ${NO_HOOK_FIRES}`] : []),
    ...why.map(lineOf),
    ...stops.map((text) =>
      lineOf({ code: 'client.stops', message: stopsText(clientById(client).title, text) }),
    ),
  ].join('\n');
}

/**
 * Returns reasons for hooks of the requested event only, since a native event also runs hooks of other events. Steps
 * that only keep state are mentioned when nothing else is.
 */
function worthSaying(
  why: readonly WordedReason[],
  silent: boolean,
  record: ServerRecord,
  event: HookEvent,
): readonly WordedReason[] {
  const asked = why.filter(({ n }) => isAskedFor(record, n, event));
  const telling = asked.filter(({ code }) => !/^(noted\.|kept\.nothing$)/.test(code));
  return telling.length > 0 || !silent ? telling : asked;
}
