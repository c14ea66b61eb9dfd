import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerRecord } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import type { Client, ClientId, Step } from '../clients/types.ts';
import type { HookEvent } from '../declarations/types.ts';
import { keptFolder } from '../fire/kept.ts';
import { matched, type Payload, refusal, toolOf } from '../fire/payload.ts';
import type { FireData } from '../fire/types.ts';
import { factsOf } from '../fire/values.ts';
import { WHY_FILE, WHY_VARIABLE, type Why } from '../fire/why.ts';
import type { Env } from '../paths.ts';
import { shimFolder } from './own-files.ts';
import { siteOf } from './plugin-site.ts';
import type { Site } from './site.ts';

export interface FireRequest {
  event: HookEvent;
  client: ClientId;
  /** A canonical tool name, for tool events. */
  tool: string;
  input: unknown;
  /** Fields of a payload, over those of the sample. */
  payload?: Record<string, unknown>;
  env: Env;
  cwd: string;
  site: Site;
}

/** Why nothing was given; what the runtime doesn't say itself is seen from outside. */
export type Reason =
  | Why
  | {
      code: 'disabled' | 'shim.gone' | 'shim.failed' | 'shim.output' | 'client.calls';
      n?: number;
      detail?: string;
    };

/** One run of an installed shim. `text` is what the model would read, undefined: nothing. */
export interface Firing {
  native: string;
  shim: string;
  ms: number;
  code: number | null;
  text?: string;
  /** Of each hook that gave no text, as far as its shim says. */
  why: Reason[];
}

/**
 * Runs the installed shims of one event as the client would, in the order in which a session meets them: a text that
 * is kept for later shows in the firing that gives it.
 */
export function fireInstalled(record: ServerRecord, request: FireRequest): Firing[] {
  const client = clientById(request.client);
  const installed = record.clients[client.id];
  if (!installed) return [];
  const site = siteOf(request.site, client, record.slug, installed);
  const folder = shimFolder(site.paths, record.slug, installed.digest, client.id);
  const [session, nextSession] = [randomUUID(), randomUUID()];
  const one = (key: string, native: string, next: boolean): Firing => {
    const shim = join(folder, key);
    const n = toolEntry(key);
    if (n !== undefined) return { native, shim, ms: 0, code: 0, why: [{ code: 'client.calls', n }] };
    const payload = samplePayload(client, native, next ? nextSession : session, request);
    const ran = run(shim, payload, client, request);
    const silent = ran.text === undefined && ran.why.length === 0;
    return {
      native,
      shim,
      ...ran,
      ...(silent && { why: unsaid(shim, payload, record, { ...request, site }) }),
    };
  };
  return keepingKept(keptFolder(request.site.paths.state, client.id, record.server), () =>
    sequence(client, request).flatMap(({ native, next }) =>
      installed.entries
        .filter((entry) => entry.event === native)
        .map((entry) => one(entry.key, native, next)),
    ),
  );
}

/** Whether an install carries a declaration on a client, in whichever event; what can't be read may. */
export function carries(record: ServerRecord, n: number, request: FireRequest): boolean {
  const installed = record.clients[request.client];
  const { digest, entries = [] } = installed ?? {};
  const site = siteOf(request.site, clientById(request.client), record.slug, installed);
  const folder = shimFolder(site.paths, record.slug, digest ?? '', request.client);
  return entries.some(({ key }) => {
    const called = toolEntry(key);
    if (called !== undefined) return called === n;
    const data = readData(join(folder, key));
    return !data || data.hooks.some((hook) => hook.n === n);
  });
}

/** The declaration of an entry without a command, for which the client calls the tool itself. */
function toolEntry(key: string): number | undefined {
  const n = /\.tool(\d+)$/.exec(key)?.[1];
  return n === undefined ? undefined : Number(n);
}

function readData(shim: string): FireData | undefined {
  try {
    return JSON.parse(readFileSync(`${shim}.json`, 'utf8')) as FireData;
  } catch {
    return undefined;
  }
}

/** Why the shell alone kept a shim silent (templates/shim.sh), in the order in which it looks. */
function unsaid(shim: string, payload: Payload, record: ServerRecord, { env, site }: FireRequest): Reason[] {
  if (!existsSync(shim)) return [{ code: 'shim.gone', detail: shim }];
  if (existsSync(site.marker(record.slug))) return [{ code: 'disabled' }];
  if (env.MCPHOOKS_DISABLE === '1') return [{ code: 'environment', detail: '1' }];
  const data = readData(shim);
  // Without needles no payload is passed over: node was started, and said nothing.
  if (!data || !existsSync(`${shim}.needles`)) return [{ code: 'shim.failed', detail: shim }];
  const tool = toolOf(payload, data.payload);
  const { input } = factsOf(payload, data.payload, '');
  const speaking = data.hooks.filter((hook) => hook.does !== 'give-kept');
  if (speaking.some((hook) => matched(hook, tool, input) !== undefined))
    return [{ code: 'shim.failed', detail: shim }];
  return data.hooks.map((hook): Reason => {
    if (hook.does === 'give-kept') return { code: 'kept.nothing', n: hook.n };
    const { code, got } = refusal(hook, tool, input);
    return { code, n: hook.n, detail: got };
  });
}

/** One native event, in the session that is asked about or in the one after it. */
interface Moment {
  native: string;
  next: boolean;
}

/**
 * A payload says which native event it is of. Else what gives the text, after what arms it; or what keeps it, after a
 * turn, and then what gives it.
 */
export function sequence(client: Client, { event, payload }: FireRequest): Moment[] {
  const given = payload?.hook_event_name;
  if (typeof given === 'string') return [{ native: given, next: false }];
  const { wiring, moment } = client.events[event];
  const that = (step: Step): string[] => wiring.filter((w) => w.does === step).map((w) => w.native);
  const now = (natives: string[]): Moment[] => natives.map((native) => ({ native, next: false }));
  const gives = wiring.find((w) => w.does === 'give');
  if (gives) return now([...(gives.at === 'start' ? that('rearm') : []), gives.native]);
  const keeps = that('keep');
  const turn = that('mark-turn').filter((native) => !keeps.includes(native));
  const next = moment === 'next-session';
  const later = [...(next ? that('rearm') : []), ...that('give-kept')];
  return [...now([...turn.slice(-1), ...keeps]), ...later.map((native) => ({ native, next }))];
}

/** Runs something that may give text which is kept for real sessions, and leaves it kept. */
function keepingKept<T>(folder: string, act: () => T): T {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const before = names.map((name) => [join(folder, name), readFileSync(join(folder, name))] as const);
  try {
    return act();
  } finally {
    for (const [file, text] of before) if (!existsSync(file)) writeFileSync(file, text, { mode: 0o600 });
  }
}

function samplePayload(client: Client, native: string, session: string, request: FireRequest): Payload {
  const event = client.natives[native];
  return {
    session_id: session,
    transcript_path: null,
    cwd: request.cwd,
    ...(event?.matchesTools && {
      ...toolFields(client, request.tool),
      tool_input: request.input,
      tool_use_id: 'fire',
    }),
    ...event?.sample,
    ...request.payload,
    hook_event_name: native,
  };
}

/** A tool by its canonical name, as the client's payloads name it; `mcp__<server>__<tool>` is one of an MCP server. */
function toolFields({ tools: { names, mcp, payload } }: Client, tool: string): Payload {
  const [, server, own] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (server === undefined || own === undefined) return { tool_name: names[tool]?.[0] ?? tool };
  const fields: Payload = {
    tool_name: `${mcp.prefix}${server.replace(mcp.unsafe, '_')}${mcp.separator}${own}`,
  };
  for (const [path, value] of [
    [payload.server, server],
    [payload.tool, own],
  ]) {
    const [top, key] = path?.split('.') ?? [];
    if (top !== undefined && key !== undefined) fields[top] = { ...(fields[top] as Payload), [key]: value };
  }
  return fields;
}

function run(
  shim: string,
  payload: Payload,
  client: Client,
  request: FireRequest,
): Pick<Firing, 'ms' | 'code' | 'text' | 'why'> {
  const folder = mkdtempSync(join(tmpdir(), 'mcphooks-'));
  const told = join(folder, WHY_FILE);
  try {
    writeFileSync(told, '', { mode: 0o600 });
    const began = performance.now();
    const { stdout, status } = spawnSync('/bin/sh', ['-c', request.site.command(shim, client)], {
      cwd: request.cwd,
      env: {
        ...request.env,
        ...(client.startFolderEnv && { [client.startFolderEnv]: request.cwd }),
        [WHY_VARIABLE]: told,
      },
      input: JSON.stringify(payload),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ms = performance.now() - began;
    const why = readFileSync(told, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Why);
    const text = contextOf(stdout);
    if (text === undefined && stdout.trim())
      return { ms, code: status, why: [...why, { code: 'shim.output' }] };
    return { ms, code: status, ...(text !== undefined && { text }), why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a client takes out of a hook's output; undefined: nothing. */
function contextOf(stdout: string): string | undefined {
  try {
    const text: unknown = JSON.parse(stdout).hookSpecificOutput?.additionalContext;
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
