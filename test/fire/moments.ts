import { expect } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { newSession, payloadsIn, SAMPLES, sent, tell } from './payloads.ts';
import type { Installed } from './when-world.ts';
import { captured } from './world.ts';

type Fields = Record<string, unknown>;
/** A captured payload by its name, or one with other fields. */
export type Shot = string | ((client: ClientId, session: string) => Fields);
/** What happens in one session; the last is what the hook is fired with. */
export type Moment = Shot | readonly Shot[];

/** Moments at which a hook speaks on a client, and at which it must not; or why the client can't carry it. */
export type OnClient = { fires: readonly Moment[]; silent: readonly Moment[] } | { unsupported: string };
/** In patterns, a client without moments of its own is told by `isAccountedFor` alone. */
export type ByClient = Readonly<Partial<Record<ClientId, OnClient>>>;

/** By client, its moments; undefined where it has none. */
export const onClients = (on: ByClient): [ClientId, OnClient | undefined][] =>
  CLIENTS.map(({ id }) => [id, on[id]]);

/** What holds on every client: a hook is installed, or a note says why not. */
export function isAccountedFor({ cells, shims }: Installed): void {
  for (const { fidelity, notes } of cells)
    if (fidelity === 'unsupported') expect(notes).not.toEqual([]);
    else expect(shims).not.toEqual([]);
}

/** The same moments on all clients. */
export function everywhere(on: OnClient): ByClient {
  return Object.fromEntries(CLIENTS.map(({ id }) => [id, on]));
}

export function momentsIn(world: { project: string }) {
  const { payload, run, own } = payloadsIn(world);
  return {
    /** A shell command, after it ran well. */
    ran:
      (command: string): Shot =>
      (client) =>
        run(client, command),
    /** An edit of a file of the project. */
    edited:
      (path: string): Shot =>
      (client) => {
        const { files } = clientById(client).conditions;
        const { tool } = sent(client, captured(client, SAMPLES[client].edit));
        const where = files[tool];
        const [field = ''] = where && 'paths' in where ? where.paths : [];
        return payload(client, SAMPLES[client].edit, { input: { [field]: `${world.project}/${path}` } });
      },
    /** What happened to a tool, as if another one had been called. */
    asTool:
      (name: string, tool: string): Shot =>
      (client) =>
        payload(client, name, { tool }),
    /** A start, by the client's own word. */
    startedBy:
      (source: string): Shot =>
      (client) =>
        payload(client, SAMPLES[client].start, { source }),
    /** A prompt as the client sent it, or with another text. */
    prompt:
      (text?: string): Shot =>
      (client) =>
        payload(client, SAMPLES[client].prompt, text === undefined ? {} : { prompt: text }),
    /** A call of one of the server's own tools. */
    call:
      (tool: string): Shot =>
      (client, session) =>
        own(client, tool, session),
    /** What the last payload of a session makes a hook print. */
    heard: async (it: Installed, client: ClientId, moment: Moment): Promise<string | undefined> => {
      const session = newSession();
      let said: string | undefined;
      for (const shot of Array.isArray(moment) ? moment : [moment]) {
        const one = typeof shot === 'string' ? payload(client, shot) : shot(client, session);
        said = await it.text(tell(client, one, { session }));
      }
      return said;
    },
  };
}
