import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { payloadsIn, SAMPLES } from './payloads.ts';
import { type Installed, newSession } from './when-world.ts';

type Fields = Record<string, unknown>;
/** A captured payload by its name, or one with other fields. */
export type Shot = string | ((client: ClientId, session: string) => Fields);
/** What happens in one session; the last is what the hook is fired with. */
export type Moment = Shot | readonly Shot[];

/** Moments at which a hook speaks on a client, and at which it must not; or why the client can't carry it. */
export type OnClient = { fires: readonly Moment[]; silent: readonly Moment[] } | { unsupported: string };
export type ByClient = Readonly<Record<ClientId, OnClient>>;

/** The same moments on all clients. */
export function everywhere(on: OnClient): ByClient {
  return Object.fromEntries(CLIENTS.map(({ id }) => [id, on])) as ByClient;
}

export function momentsIn(world: { project: string }) {
  const { payload, own } = payloadsIn(world);
  return {
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
      const session_id = newSession();
      let said: string | undefined;
      for (const shot of Array.isArray(moment) ? moment : [moment]) {
        const sent = typeof shot === 'string' ? payload(client, shot) : shot(client, session_id);
        said = await it.text({ ...sent, session_id });
      }
      return said;
    },
  };
}
