import type { Context } from '../../app/context.ts';
import { admitFire } from '../../app/fire/fire-gate.ts';
import { givenPayload, parsedJson } from '../../app/fire/read-payload.ts';
import { callFor } from '../../app/fire/sample-request.ts';
import { installedServer, notInstalled, notOnClients } from '../../app/not-installed.ts';
import { recoverInterrupted } from '../../app/write/recover.ts';
import { valueAt } from '../../base/json-value.ts';
import { barred, wrapped } from '../../base/text-style.ts';
import { visible } from '../../base/visible.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { EVENTS, type HookEvent, isToolEvent } from '../../declarations/types.ts';
import type { TriedCall } from '../../inspect/sample-call.ts';
import { Fault } from '../../messages/fault.ts';
import { isFailure, NO_HOOK_FIRES, stopsText } from '../../messages/silences.ts';
import { homeText } from '../../messages/start.ts';
import type { ServerRecord } from '../../store/types.ts';
import { type Exit, knownWord } from '../exit.ts';
import { type Fired, fireOn, type WordedReason } from '../fire-on.ts';
import { printJson } from '../json/print.ts';

interface FireFlags {
  client?: ClientId[];
  tool?: string;
  input?: string;
  payload?: string;
  session?: string;
  allowStart?: string[];
  json?: boolean;
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
  const known = knownWord(event, 'event', EVENTS);
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
  const elsewhere = await admitFire(record, requests, flags.allowStart, context);
  const fired: Fired[] = [];
  for (const one of requests) {
    const request = { ...one, ...(elsewhere && { serversStartIn: elsewhere.folder }) };
    fired.push(await fireOn({ record, request, context }));
  }
  if (fired.every((one) => hasNone(one, record))) {
    const isAnywhere = CLIENT_IDS.some((id) => record.clients[id]);
    throw isAnywhere
      ? notOnClients(clients, record)
      : await notInstalled(record.server, context, { emptied: true });
  }
  const all = fired.flatMap(({ firings, why }) => [...firings.flatMap((one) => one.why), ...why]);
  const failed = all.some(({ code, n }) => isFailure(code) && isAskedFor(record, n, known));
  const exit: Exit = failed ? 1 : 0;
  const status = failed ? 'failed' : 'fired';
  if (flags.json) printJson('fire', { status, exit, server, event, clients: fired, faults: [] }, context);
  else for (const one of fired) context.out(firedText(one, record, known, context));
  if (failed && elsewhere?.hash !== undefined) context.err(homeText({ server, hash: elsewhere.hash }));
  return exit;
}

/** True where nothing is installed for a client, and no hook was left out there for a reason that is worth saying. */
const hasNone = ({ client, why }: Fired, { clients }: ServerRecord): boolean =>
  !clients[client] && why.every(({ code }) => ['client.not-installed', 'event.undeclared'].includes(code));

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
  const ofEvent = why.filter(({ n }) => isAskedFor(record, n, event));
  const telling = ofEvent.filter(({ code }) => !/^(noted\.|kept\.nothing$)/.test(code));
  return telling.length > 0 || !silent ? telling : ofEvent;
}
