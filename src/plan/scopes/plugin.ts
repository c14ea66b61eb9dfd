import { join } from 'node:path';
import { type Files, namesIn } from '../../base/files.ts';
import type { Env } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { clientFolder } from '../../clients/index.ts';
import { packedText } from '../../messages/hook-words.ts';
import type { HookFilePath } from './scope.ts';

const PREFIX = 'mcphooks-';

/** Returns the name of a server's plugin: letters, digits and hyphens, which all clients accept. */
export const pluginName = (slug: string): string => PREFIX + slug;

interface Described {
  version: string;
  server: string;
  /** Number of declarations. */
  count: number;
  /** Number of declarations that the plugin has hooks for; without it, all. */
  packed?: number;
}

/** Returns the text of a manifest. `fields`: added to the common fields. */
export function manifestText(
  slug: string,
  { version, server, count, packed = count }: Described,
  fields: Readonly<Record<string, unknown>> = {},
): string {
  const description = packedText(server, count, packed);
  return `${JSON.stringify({ name: pluginName(slug), version, description, ...fields }, null, 2)}\n`;
}

/** Returns the hook file of a plugin that the client loads by itself, if any; the plugin's whole folder is ours. */
export function pluginPlace(client: Client, slug: string, env: Env): HookFilePath | undefined {
  const { autoLoad, hooks: path } = client.plugin ?? {};
  if (!autoLoad || path === undefined) return undefined;
  const file = join(clientFolder(client, env), autoLoad.folder, pluginName(slug), path);
  return {
    path,
    format: 'json',
    accepts: { bom: false, emptyFile: false },
    file,
    oursAlone: true,
    inPlugin: true,
  };
}

/** Returns the hook files of all plugins whose folder has a name of ours, whatever the folder contains. */
export function pluginPlaces(client: Client, env: Env, files: Pick<Files, 'list'>): HookFilePath[] {
  const autoLoad = client.plugin?.autoLoad;
  if (!autoLoad) return [];
  return namesIn(join(clientFolder(client, env), autoLoad.folder), files)
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => pluginPlace(client, name.slice(PREFIX.length), env) ?? []);
}
