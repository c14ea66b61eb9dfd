import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { put } from '../../src/fire/render.ts';
import { newSession } from './when-world.ts';
import { captured, type Samples, samplesOf } from './world.ts';

type Fields = Record<string, unknown>;

/** By client: which of its captured payloads is which. */
export const SAMPLES = Object.fromEntries(CLIENTS.map(({ id }) => [id, samplesOf(id)])) as Record<
  ClientId,
  Samples
>;

/** How a client names the tool of a server. */
export const named = (client: ClientId, server: string, tool: string): string =>
  clientById(client).tools.mcp.name.replace('{alias}', server).replace('{tool}', tool);

/** The fields of a payload that tell the server and the tool of a call. */
export function callFields(client: ClientId, server: string, tool: string): Fields {
  const { payload: paths } = clientById(client).tools;
  const fields: Fields = { tool_name: named(client, server, tool) };
  for (const [path, value] of [
    [paths.server, server],
    [paths.tool, tool],
  ] as const)
    if (path !== undefined) put(fields, path, value);
  return fields;
}

/** Captured payloads, as the clients would send them in a project. */
export function payloadsIn({ project }: { project: string }) {
  /** A captured payload in a session of its own, with other fields. */
  const payload = (client: ClientId, name: string, more: Fields = {}): Fields => {
    const here = JSON.stringify(captured(client, name)).replaceAll('<PROJECT>', project);
    return { ...JSON.parse(here), session_id: newSession(), cwd: project, ...more };
  };
  /** A shell command, after it ran. */
  const run = (client: ClientId, command: string, more: Fields = {}): Fields =>
    payload(client, SAMPLES[client].shell, { tool_input: { command }, ...more });
  /** A call of one of the server's own tools. */
  const own = (client: ClientId, tool: string, session_id: string): Fields =>
    payload(client, SAMPLES[client].own, { ...callFields(client, 'mem', tool), session_id });
  return { payload, run, own };
}
