import { randomUUID } from 'node:crypto';
import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import type { Paths } from '../../src/clients/protocol.ts';
import { at } from '../../src/fire/payload.ts';
import { put } from '../../src/fire/text/render.ts';
import { inJson } from '../platform.ts';
import { captured, capturedAs, nativeOf, type Samples, samplesOf } from './world.ts';

type Fields = Record<string, unknown>;

/** A session id that no other test has. */
export const newSession = (): string => randomUUID();

/** What a test sets in a payload, wherever the client has it. */
export interface Told {
  session?: string;
  tool?: string;
  input?: object;
  /** The server of the tool, and the server's own name of it. */
  server?: string;
  serverTool?: string;
  prompt?: string;
  /** The client's own word. */
  source?: string;
}

/** By client: which of its captured payloads is which. */
export const SAMPLES = Object.fromEntries(CLIENTS.map(({ id }) => [id, samplesOf(id)])) as Record<
  ClientId,
  Samples
>;

/** How a client names the tool of a server. */
export const named = (client: ClientId, server: string, tool: string): string =>
  clientById(client).tools.mcp.name.replace('{alias}', server).replace('{tool}', tool);

/** A call of a server's tool. */
export const callOf = (client: ClientId, server: string, serverTool: string): Told => ({
  tool: named(client, server, serverTool),
  server,
  serverTool,
});

/** The session, the native event and the tool that a payload tells; the event by its file where the client tells none. */
export function sent(client: ClientId, payload: object): { session: string; native: string; tool: string } {
  const { session, event, toolName } = clientById(client).protocol.input;
  return {
    session: String(at(payload, session)),
    native: event === undefined ? String(nativeOf(payload)) : String(at(payload, event)),
    tool: String(at(payload, toolName)),
  };
}

/** The payload with a prompt id of its own, where the client sends one: the user wrote it, and not again. */
export function asNew(client: ClientId, payload: Fields): Fields {
  const { oncePer } = clientById(client).natives[sent(client, payload).native] ?? {};
  const renewed = structuredClone(payload);
  if (oncePer !== undefined) put(renewed, oncePer, randomUUID());
  return renewed;
}

/** Sets in a client's payload what a test tells, in place. Where the client tells no such thing, nothing is set. */
export function tell(client: ClientId, payload: Fields, told: Told): Fields {
  const { protocol, natives, conditions, tools } = clientById(client);
  const { session, toolName, toolInput } = protocol.input;
  const paths: Record<keyof Told, Paths | undefined> = {
    session,
    tool: toolName,
    input: toolInput,
    server: tools.payload.server,
    serverTool: tools.payload.tool,
    prompt: natives[sent(client, payload).native]?.prompt,
    source: 'path' in conditions.source ? conditions.source.path : undefined,
  };
  for (const [what, value] of Object.entries(told)) {
    const several = [paths[what as keyof Told] ?? []].flat();
    const path = several.find((one) => at(payload, one) !== undefined) ?? several[0];
    if (path !== undefined) put(payload, path, value);
  }
  return payload;
}

/** Captured payloads, as the clients would send them in a project. */
export function payloadsIn({ project }: { project: string }) {
  /** A captured payload in a session of its own, with what a test tells, and with other fields of that client. */
  const payload = (client: ClientId, name: string, told: Told = {}, fields: Fields = {}): Fields => {
    const sample = JSON.stringify(captured(client, name));
    const here = JSON.parse(sample.replaceAll('<PROJECT>', inJson(project)));
    const sends = capturedAs(name, { ...here, cwd: project, ...fields });
    return tell(client, sends, { session: newSession(), ...told });
  };
  /** A shell command, after it ran. */
  const run = (client: ClientId, command: string, told: Told = {}, fields: Fields = {}): Fields => {
    const { tool } = sent(client, captured(client, SAMPLES[client].shell));
    const field = clientById(client).conditions.shell[tool] ?? '';
    return payload(client, SAMPLES[client].shell, { input: { [field]: command }, ...told }, fields);
  };
  /** A call of one of the server's own tools. */
  const own = (client: ClientId, tool: string, session: string): Fields =>
    payload(client, SAMPLES[client].own, { ...callOf(client, 'mem', tool), session });
  return { payload, run, own };
}
