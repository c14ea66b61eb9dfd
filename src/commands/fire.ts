import { slugFor } from '../apply/slug.ts';
import { clientById } from '../clients/index.ts';
import { CLIENT_IDS, type ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { EVENTS, type HookEvent } from '../declarations/types.ts';
import { visible, visibleJson } from '../declarations/visible.ts';
import { Fault } from '../messages.ts';
import { type Firing, fireInstalled } from '../plan/fire.ts';
import { readBytes } from '../plan/gather.ts';
import { openRecord, settle } from '../plan/settle.ts';
import type { Exit } from './outcome.ts';

export interface FireFlags {
  client?: ClientId[];
  tool?: string;
  input?: string;
  payload?: string;
  json?: boolean;
}

/** `mcphooks fire`: runs what is installed as the client would, and prints what the model would read. */
export async function fire(server: string, event: string, flags: FireFlags, context: Context): Promise<Exit> {
  const known = EVENTS.find((e) => e === event);
  if (!known) throw new Fault('usage.bad', { text: `'${event}' is no event; known: ${EVENTS.join(', ')}.` });
  await settle(context);
  const record = openRecord(context).record.servers.find((s) => s.slug === slugFor(server));
  if (!record) throw new Fault('plan.not-installed', { name: server });
  const clients = flags.client ?? CLIENT_IDS.filter((id) => record.clients[id]);
  const payload =
    flags.payload === undefined ? undefined : json(readBytes(flags.payload)?.toString(), flags.payload);
  const fired = clients.map((client) => ({
    client,
    firings: fireInstalled(record, {
      event: known as HookEvent,
      client,
      tool: flags.tool ?? 'Bash',
      input: json(flags.input ?? '{"command":"git commit"}', '--input'),
      ...(payload !== undefined && { payload: payload as Record<string, unknown> }),
      env: context.env,
      cwd: context.cwd,
      site: context.site,
    }),
  }));
  const document = { version: 1, command: 'fire', status: 'fired', exit: 0, server, event, clients: fired };
  if (flags.json) context.out(visibleJson({ ...document, faults: [] }));
  else for (const { client, firings } of fired) context.out(firedText(client, firings, context));
  return 0;
}

function json(text: string | undefined, where: string): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw new Fault('usage.bad', { text: `${where} is not JSON.` });
  }
}

function firedText(client: ClientId, firings: readonly Firing[], { style }: Context): string {
  const title = style('bold', clientById(client).title);
  if (firings.length === 0) return `${title}  nothing is installed for this event`;
  const lines = firings.flatMap(({ native, ms, text }) => [
    `${title}  ${native}, ${Math.round(ms)} ms${text === undefined ? ': silent' : ''}`,
    ...(text === undefined
      ? []
      : visible(text)
          .split('\n')
          .map((line) => `  ${style('dim', '│')} ${line}`)),
  ]);
  return lines.join('\n');
}
