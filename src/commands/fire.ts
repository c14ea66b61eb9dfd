import type { ServerRecord } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import { CLIENT_IDS, type ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { meantOr } from '../declarations/near.ts';
import { EVENTS, type HookEvent } from '../declarations/types.ts';
import { excerpt, visible, visibleJson } from '../declarations/visible.ts';
import { Fault, noteText, silenceText } from '../messages.ts';
import { carries, type FireRequest, type Firing, fireInstalled, type Reason } from '../plan/fire.ts';
import { admitFire } from '../plan/fire-gate.ts';
import { gather, readBytes } from '../plan/gather.ts';
import { installed } from '../plan/installed.ts';
import { planInstall } from '../plan/plan.ts';
import { settle } from '../plan/settle.ts';
import type { Cell } from '../plan/types.ts';
import { barred, wrapped } from '../style.ts';
import type { Exit } from './outcome.ts';

export interface FireFlags {
  client?: ClientId[];
  tool?: string;
  input?: string;
  payload?: string;
  allowStart?: string;
  json?: boolean;
}

/** Why a hook gave no text. */
interface Answer {
  code: string;
  n?: number;
  message: string;
}

/** One run, or none: then only `why`. */
interface Fired {
  client: ClientId;
  firings: (Omit<Firing, 'why'> & { why: Answer[] })[];
  /** Of hooks for which nothing is installed. */
  why: Answer[];
}

/** `mcphooks fire`: runs what is installed as the client would, and prints what the model would read, or why nothing. */
export async function fire(server: string, event: string, flags: FireFlags, context: Context): Promise<Exit> {
  const known = EVENTS.find((e) => e === event);
  if (!known) throw new Fault('usage.bad', { text: `'${event}' is no event. ${meantOr(event, EVENTS)}` });
  await settle(context);
  const record = await installed(context, server);
  const clients = flags.client ?? CLIENT_IDS.filter((id) => record.clients[id]);
  const given = {
    event: known,
    tool: flags.tool ?? 'Bash',
    input: json(flags.input ?? '{"command":"git commit"}', '--input'),
    ...(flags.payload !== undefined && { payload: payloadIn(flags.payload) }),
    env: context.env,
    cwd: context.cwd,
    site: context.site,
  };
  const requests = clients.map((client) => ({ ...given, client }));
  await admitFire(record, requests, flags.allowStart, context);
  const fired: Fired[] = [];
  for (const request of requests) fired.push(await fireOn(record, request, context));
  const document = { version: 1, command: 'fire', status: 'fired', exit: 0, server, event, clients: fired };
  if (flags.json) context.out(visibleJson({ ...document, faults: [] }));
  else for (const one of fired) context.out(firedText(one, record, known, context));
  return 0;
}

function payloadIn(file: string): Record<string, unknown> {
  const bytes = readBytes(file);
  if (bytes === null) throw new Fault('usage.bad', { text: `There is no file '${file}' (--payload).` });
  const value = json(Buffer.from(bytes).toString('utf8'), file);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('usage.bad', { text: `'${file}' holds no JSON object (--payload).` });
  return value as Record<string, unknown>;
}

function json(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('usage.bad', { text: `${where} is not JSON: ${excerpt(text)}` });
  }
}

async function fireOn(record: ServerRecord, request: FireRequest, context: Context): Promise<Fired> {
  const { client, event, tool } = request;
  const { title, tools } = clientById(client);
  const answer = ({ code, n, detail }: Omit<Reason, 'code'> & { code: string }): Answer => {
    const declaration = n === undefined ? undefined : record.declarations[n - 1];
    const { tool_name, tool_server, input_contains } = declaration?.matcher ?? {};
    const wants = {
      'matcher.tool': tool_name,
      'matcher.server': tool_server,
      'matcher.input': input_contains,
    }[code];
    const args = {
      name: record.server,
      client: title,
      id: client,
      event: declaration?.event ?? event,
      ...(wants !== undefined && { wants }),
      ...(detail !== undefined && { detail: excerpt(detail, 200) }),
    };
    return { code, ...(n !== undefined && { n }), message: silenceText(code, args) };
  };
  const numbers = record.declarations.flatMap((d, i) => (d.event === event ? [i + 1] : []));
  const none = (...why: Answer[]): Fired => ({ client, firings: [], why });
  if (numbers.length === 0) return none(answer({ code: 'event.undeclared' }));
  const left = numbers.filter((n) => !carries(record, n, request));
  const why = left.length === 0 ? [] : refusals(left, await cellsOf(record, client, context));
  if (left.length === numbers.length)
    return none(...(why.length > 0 ? why : [answer({ code: 'client.not-installed' })]));
  if (event.endsWith('_tool_use') && tools.missing.includes(tool) && !request.payload?.tool_name)
    return none(...why, answer({ code: 'client.no-tool', detail: tool }));
  const firings = fireInstalled(record, request).map((firing) => ({
    ...firing,
    why: firing.why.map(answer),
  }));
  return { client, firings, why };
}

/** How the declarations come out on a client, as `diff --offline` plans them. */
async function cellsOf(record: ServerRecord, client: ClientId, context: Context): Promise<readonly Cell[]> {
  const wishes = { installedOnly: true, options: {}, reset: false, timeout: 30, offline: true };
  const { input } = await gather({ server: record.server, clients: [client], ...wishes }, context);
  return planInstall(input).clients.find((c) => c.client === client)?.cells ?? [];
}

/** Of the declarations that a client can't carry, or that were left out. */
function refusals(numbers: readonly number[], cells: readonly Cell[]): Answer[] {
  return cells
    .filter((cell) => numbers.includes(cell.n) && ['unsupported', 'skipped'].includes(cell.fidelity))
    .map(({ n, fidelity, notes }) => ({
      code: notes[0]?.code ?? fidelity,
      n,
      message: `${fidelity}: ${notes.map(noteText).join('; ')}`,
    }));
}

function firedText(
  { client, firings, why }: Fired,
  record: ServerRecord,
  event: HookEvent,
  context: Context,
): string {
  const { style, columns } = context;
  const title = style('bold', clientById(client).title);
  const said = ({ n, message }: Answer): string =>
    wrapped(`${n === undefined ? '' : `hook ${n}: `}${message}`, 4, columns).replace(/^ {4}/, '  · ');
  return [
    ...firings.flatMap(({ native, ms, text, why }) => [
      `${title}  ${native}, ${Math.round(ms)} ms${text === undefined ? ': silent' : ''}`,
      ...(text === undefined ? [] : barred(visible(text), style, columns, 2)),
      ...new Set(worthSaying(why, text === undefined, record, event).map(said)),
    ]),
    ...(firings.length === 0 ? [`${title}  nothing fires`] : []),
    ...why.map(said),
  ].join('\n');
}

/**
 * Of the hooks that were asked about; a native event carries those of others too. What only takes notes is worth a
 * word where nothing else is said.
 */
function worthSaying(
  why: readonly Answer[],
  silent: boolean,
  { declarations }: ServerRecord,
  event: HookEvent,
): readonly Answer[] {
  const asked = why.filter(({ n }) => n === undefined || declarations[n - 1]?.event === event);
  const telling = asked.filter(({ code }) => !/^(noted\.|kept\.nothing$)/.test(code));
  return telling.length > 0 || !silent ? telling : asked;
}
