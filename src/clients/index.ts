import { join } from 'node:path';
import type { Env } from '../base/paths.ts';
import type { Client, ClientId } from './client.ts';
import { folderPath } from './folder.ts';
import type { HookFile } from './hook-config.ts';
import { hookPath } from './hook-files.ts';
import { CLIENTS } from './list.ts';
import type { PluginFormat } from './plugin-format.ts';
import type { NativeEvent } from './protocol.ts';

export { CLIENTS } from './list.ts';

/** A client with a plugin format. */
export type PluginClient = Client & { plugin: PluginFormat };

export const PLUGIN_CLIENTS: readonly PluginClient[] = CLIENTS.filter(
  (client): client is PluginClient => client.plugin !== undefined,
);

/** Names of the formats that `export` can write. */
export const PLUGIN_FORMATS: readonly string[] = PLUGIN_CLIENTS.map(({ plugin }) => plugin.name);

/** True when this version supports a client of that name; a later version's record may name others. */
export const isClient = (id: string): id is ClientId => CLIENTS.some((client) => client.id === id);

export function clientById(id: ClientId): Client {
  const client = CLIENTS.find((c) => c.id === id);
  if (!client) throw new Error(`no client ${id}`);
  return client;
}

export const titlesOf = (ids: readonly ClientId[]): string[] => ids.map((id) => clientById(id).title);

/** Returns the form of a native event. A client whose `events` wire an event that its `natives` lack is a defect. */
export function nativeEvent({ id, natives }: Pick<Client, 'id' | 'natives'>, native: string): NativeEvent {
  const event = natives[native];
  if (!event) throw new Error(`src/clients/${id}: events names ${native}, which natives lacks`);
  return event;
}

/** Absolute path of a client's configuration folder. */
export function clientFolder(client: Client, env: Env): string {
  return folderPath(client.home, env);
}

/**
 * Returns the files, with absolute path `file`, that can contain a server's hooks at user scope (`ANY_SLUG`: any server's).
 */
export function hookFilePaths(client: Client, env: Env, slug: string): (HookFile & { file: string })[] {
  return placedIn(clientFolder(client, env), client.hooks.user, slug);
}

/** Returns `files` with their absolute paths in a folder. */
export function placedIn(
  folder: string,
  files: readonly HookFile[],
  slug: string,
): (HookFile & { file: string })[] {
  return files.map((place) => {
    const path = hookPath(place, slug);
    return { ...place, path, file: join(folder, path) };
  });
}
