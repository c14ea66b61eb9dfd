import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ServerRecord } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import type { Client, ClientId, Step } from '../clients/types.ts';
import type { HookEvent } from '../declarations/types.ts';
import type { Env } from '../paths.ts';
import { shimFolder } from './own-files.ts';
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

/** One run of an installed shim. `text` is what the model would read, undefined: nothing. */
export interface Firing {
  native: string;
  shim: string;
  ms: number;
  code: number | null;
  text?: string;
}

/**
 * Runs the installed shims of one event as the client would, in the order in which a session meets them: a text that
 * is kept for later shows in the firing that gives it.
 */
export function fireInstalled(record: ServerRecord, request: FireRequest): Firing[] {
  const client = clientById(request.client);
  const installed = record.clients[client.id];
  if (!installed) return [];
  const folder = shimFolder(request.site.paths, record.slug, installed.digest, client.id);
  const session = randomUUID();
  return sequence(client, request).flatMap((native) =>
    installed.entries
      .filter((entry) => entry.event === native)
      .map((entry) => {
        const shim = join(folder, entry.key);
        return {
          native,
          shim,
          ...run(shim, samplePayload(client, native, session, request), client, request),
        };
      }),
  );
}

/** A payload says which native event it is of; else what marks, keeps and arms comes before the first that gives. */
function sequence(client: Client, { event, payload }: FireRequest): string[] {
  const given = payload?.hook_event_name;
  if (typeof given === 'string') return [given];
  const { wiring } = client.events[event];
  const that = (...steps: Step[]): string[] =>
    wiring.filter((w) => steps.includes(w.does)).map((w) => w.native);
  const gives = that('give').slice(0, 1);
  return [
    ...that('mark-turn'),
    ...that('keep'),
    ...that('rearm'),
    ...(gives.length > 0 ? gives : that('give-kept')),
  ];
}

function samplePayload(
  client: Client,
  native: string,
  session: string,
  request: FireRequest,
): Record<string, unknown> {
  const event = client.natives[native];
  const tool = client.tools.names[request.tool]?.[0] ?? request.tool;
  return {
    session_id: session,
    transcript_path: null,
    cwd: request.cwd,
    ...(event?.matchesTools && { tool_name: tool, tool_input: request.input, tool_use_id: 'fire' }),
    ...event?.sample,
    ...request.payload,
    hook_event_name: native,
  };
}

function run(
  shim: string,
  payload: Record<string, unknown>,
  client: Client,
  request: FireRequest,
): Pick<Firing, 'ms' | 'code' | 'text'> {
  const began = performance.now();
  const { stdout, status } = spawnSync('/bin/sh', ['-c', request.site.command(shim, client)], {
    cwd: request.cwd,
    env: { ...request.env, ...(client.startFolderEnv && { [client.startFolderEnv]: request.cwd }) },
    input: JSON.stringify(payload),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ms = performance.now() - began;
  const text: unknown = stdout.trim() ? JSON.parse(stdout).hookSpecificOutput?.additionalContext : undefined;
  return { ms, code: status, ...(typeof text === 'string' && { text }) };
}
