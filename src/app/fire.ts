import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { absolutePath, type Env } from '../base/paths.ts';
import { readFile, readText } from '../base/read-file.ts';
import type { Client, ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { type Paths, type Step, USUAL_OUTPUT, wiringOf } from '../clients/protocol.ts';
import { mcpToolName, nativeNames } from '../clients/tools.ts';
import type { HookEvent } from '../declarations/types.ts';
import { readShellLine, unmet } from '../fire/conditions.ts';
import { resting } from '../fire/firing.ts';
import type { FireData } from '../fire/format.ts';
import { keptFolder, sessionsFolder } from '../fire/own-folders.ts';
import { at, type Payload, refusal, textAt, toolOf } from '../fire/payload.ts';
import { projectOf } from '../fire/project.ts';
import { put } from '../fire/render.ts';
import { openSession, unheardPrompt } from '../fire/session.ts';
import { factsOf } from '../fire/values.ts';
import { SERVER_FOLDER_VARIABLE, WHY_FILE, WHY_VARIABLE, type Why } from '../fire/why.ts';
import { recordedScope } from '../plan/scopes/plugin-scope.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import { environmentIn } from '../servers/environment.ts';
import { scriptFile } from '../shims/command.ts';
import { shimFolder } from '../shims/own-files.ts';
import type { ServerRecord } from '../store/types.ts';

export interface FireRequest {
  event: HookEvent;
  client: ClientId;
  /** Canonical tool name, for tool events. */
  tool: string;
  input: unknown;
  /** Payload fields that replace fields of the sample. */
  payload?: Record<string, unknown>;
  env: Env;
  cwd: string;
  scope: Scope;
  /** Folder in which servers are started, if not `cwd`. */
  serverFolder?: string;
  /** Session id; a new one when absent. */
  session?: string;
}

/** Why a hook printed nothing. The runtime reports the `Why` codes; the others are observed from outside. */
export type Reason =
  | Why
  | {
      code: 'disabled' | 'shim.gone' | 'shim.failed' | 'shim.output' | 'client.calls';
      n?: number;
      detail?: string;
    };

/** One run of an installed shim. `text`: what the model would read; undefined: nothing. */
export interface ShimRun {
  native: string;
  shim: string;
  ms: number;
  code: number | null;
  text?: string;
  /** Reasons of the hooks that printed no text, as far as the shim reports them. */
  why: Reason[];
}

/**
 * Runs the installed shims of one event as the client would, in the order of a session. A text kept for later appears
 * in the firing that prints it.
 */
export function fireInstalled(record: ServerRecord, request: FireRequest): ShimRun[] {
  const client = clientById(request.client);
  const installed = record.clients[client.id];
  if (!installed) return [];
  const scope = recordedScope(request.scope, client, record.slug, installed);
  const folder = shimFolder(scope.paths, record.slug, installed.digest, client.id);
  const [session, nextSession] = [request.session ?? randomUUID(), randomUUID()];
  const one = (key: string, native: string, next: boolean): ShimRun => {
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
      ...(silent && { why: unsaid(shim, payload, record, { ...request, scope }) }),
    };
  };
  return keepingKept(keptFolder(scope.paths.state, client.id, record.server), () =>
    sequence(client, request).flatMap(({ native, next }) =>
      installed.entries
        .filter((entry) => entry.event === native)
        .map((entry) => one(entry.key, native, next)),
    ),
  );
}

/** Returns the native events at which an install carries a declaration. A shim whose data can't be read counts. */
export function nativesOf(record: ServerRecord, n: number, request: FireRequest): string[] {
  const installed = record.clients[request.client];
  const { digest, entries = [] } = installed ?? {};
  const scope = recordedScope(request.scope, clientById(request.client), record.slug, installed);
  const folder = shimFolder(scope.paths, record.slug, digest ?? '', request.client);
  const isCarried = (key: string): boolean => {
    const called = toolEntry(key);
    if (called !== undefined) return called === n;
    const data = readData(join(folder, key));
    return !data || data.hooks.some((hook) => hook.n === n);
  };
  return entries.filter(({ key }) => isCarried(key)).map(({ event }) => event);
}

/**
 * Returns the number of the declaration behind an entry without a command, for which the client calls the tool itself.
 */
function toolEntry(key: string): number | undefined {
  const n = /\.tool(\d+)$/.exec(key)?.[1];
  return n === undefined ? undefined : Number(n);
}

function readData(shim: string): FireData | undefined {
  try {
    return JSON.parse(readText(`${shim}.json`)) as FireData;
  } catch {
    return undefined;
  }
}

/** Returns why the shell alone ended a shim without text, in the order of its tests (templates/shim.sh). */
function unsaid(
  shim: string,
  payload: Payload,
  record: ServerRecord,
  { env, scope, cwd }: FireRequest,
): Reason[] {
  if (!existsSync(scope.shared ? shim : scriptFile(shim, process)))
    return [{ code: 'shim.gone', detail: shim }];
  if (existsSync(scope.marker(record.slug))) return [{ code: 'disabled' }];
  if (env.MCPHOOKS_DISABLE === '1') return [{ code: 'environment', detail: '1' }];
  const data = readData(shim);
  // Without these files the shell skips no payload: node was started and printed nothing.
  const decides = ['needles', 'also', 'called', 'marks', 'files', 'once'].some((suffix) =>
    existsSync(`${shim}.${suffix}`),
  );
  if (!data || !decides) return [{ code: 'shim.failed', detail: shim }];
  const tool = toolOf(payload, data.payload, readShellLine);
  const project = projectOf(cwd);
  const { input } = factsOf(payload, data.payload, project);
  const id = textAt(payload, data.payload.session);
  const sessions = sessionsFolder(data.state ?? scope.paths.state, data.client, data.server);
  const session = id === undefined ? undefined : openSession(sessions, id);
  const unheard = unheardPrompt(payload, data.payload, session);
  if (unheard) return [{ code: unheard }];
  const here = {
    data,
    payload,
    project: project.root,
    tree: project.tree,
    ...(tool && { tool }),
    ...(session && { session }),
  };
  const reasons = data.hooks.map((hook): Reason | undefined => {
    const { n, does } = hook;
    if (does === 'emit-deferred') return { code: 'kept.nothing', n };
    if (does === 'note-call') return { code: 'noted.call', n };
    const refused = refusal(hook, tool, input);
    if (refused) return { code: refused.code, n, detail: refused.got };
    const reason = unmet(here, hook) ?? (session?.holds(`cooldown.${n}`) ? resting(hook) : undefined);
    return reason && { ...reason, n };
  });
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === reasons.length ? known : [{ code: 'shim.failed', detail: shim }];
}

/** One native event, in the session of the request (`next`: in the session after it). */
interface SampleEvent {
  native: string;
  next: boolean;
}

/**
 * Returns the native events to fire. A payload may name its event. Otherwise: the event that prints the text, after the
 * event that re-arms it; or a turn, the event that keeps the text, and the event that prints kept texts.
 */
export function sequence(client: Client, { event, payload }: FireRequest): SampleEvent[] {
  const given = at(payload, client.protocol.input.event);
  if (typeof given === 'string') return [{ native: given, next: false }];
  const cell = client.events[event];
  const wiring = wiringOf(cell);
  const that = (step: Step): string[] => wiring.filter((w) => w.does === step).map((w) => w.native);
  const now = (natives: string[]): SampleEvent[] => natives.map((native) => ({ native, next: false }));
  const gives = wiring.find((w) => w.does === 'emit');
  if (gives) return now([...(gives.at === 'start' ? that('start-session') : []), gives.native]);
  const keeps = that('defer');
  const turn = that('mark-turn').filter((native) => !keeps.includes(native));
  const next = 'moment' in cell && cell.moment === 'next-session';
  const later = [...(next ? that('start-session') : []), ...that('emit-deferred')];
  return [...now([...turn.slice(-1), ...keeps]), ...later.map((native) => ({ native, next }))];
}

/** Runs `act` and restores kept texts of real sessions that `act` consumed. */
function keepingKept<T>(folder: string, act: () => T): T {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const before = names.map((name) => [join(folder, name), readFile(join(folder, name))] as const);
  try {
    return act();
  } finally {
    for (const [file, text] of before) if (!existsSync(file)) writeFileSync(file, text, { mode: 0o600 });
  }
}

function samplePayload(client: Client, native: string, session: string, request: FireRequest): Payload {
  const { input } = client.protocol;
  const event = client.natives[native];
  const payload: Payload = structuredClone({ cwd: request.cwd, ...input.sample, ...event?.sample });
  const fields: (readonly [Paths | undefined, unknown])[] = [
    [input.session, session],
    ...(event?.matchesTools ? toolFields(client, request) : []),
  ];
  for (const [paths, value] of fields) if (paths !== undefined) put(payload, firstOf(paths), value);
  Object.assign(payload, request.payload);
  if (input.event !== undefined) put(payload, firstOf(input.event), native);
  return payload;
}

const firstOf = (paths: Paths): string => [paths].flat()[0] ?? '';

/** Returns the payload fields for a tool with a canonical name; `mcp__<server>__<tool>` is a tool of an MCP server. */
function toolFields(
  { tools: { names, mcp, payload }, protocol: { input } }: Client,
  request: FireRequest,
): (readonly [Paths | undefined, unknown])[] {
  const [, server, own] = /^mcp__(.+?)__(.+)$/.exec(request.tool) ?? [];
  const call = [input.toolInput, request.input] as const;
  if (server === undefined || own === undefined)
    return [[input.toolName, nativeNames({ names }, request.tool)[0] ?? request.tool], call];
  return [
    [input.toolName, mcpToolName(mcp, server, own)],
    [payload.server, server],
    [payload.tool, own],
    call,
  ];
}

function run(
  shim: string,
  payload: Payload,
  client: Client,
  request: FireRequest,
): Pick<ShimRun, 'ms' | 'code' | 'text' | 'why'> {
  const folder = mkdtempSync(join(tmpdir(), 'mcphooks-'));
  const whyFile = join(folder, WHY_FILE);
  const { startFolderEnv } = client.protocol;
  try {
    writeFileSync(whyFile, '', { mode: 0o600 });
    const began = performance.now();
    const [program, ...words] = request.scope.start(shim, client);
    const { stdout, status } = spawnSync(program, words, {
      cwd: request.cwd,
      env: {
        ...environmentIn(request.cwd, absolutePath(request.env), request.cwd),
        ...(startFolderEnv && { [startFolderEnv]: request.cwd }),
        [WHY_VARIABLE]: whyFile,
        ...(request.serverFolder !== undefined && { [SERVER_FOLDER_VARIABLE]: request.serverFolder }),
      },
      input: JSON.stringify(payload),
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const ms = performance.now() - began;
    const why = readText(whyFile)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Why);
    // Null for a program that can't be started.
    const printed = stdout ?? '';
    const text = contextOf(printed, client);
    const silent = JSON.stringify(readData(shim)?.silent);
    if (text === undefined && printed.trim() && printed.trim() !== silent)
      return { ms, code: status, why: [...why, { code: 'shim.output' }] };
    return { ms, code: status, ...(text !== undefined && { text }), why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the text that a client takes from a hook's output; undefined: none. */
function contextOf(stdout: string, { protocol: { output = USUAL_OUTPUT } }: Client): string | undefined {
  try {
    const text = at(JSON.parse(stdout), output.text);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
