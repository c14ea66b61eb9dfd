import { join } from 'node:path';
import type { ClientRecord, Target } from '../apply/types.ts';
import type { Client } from '../clients/types.ts';
import type { Env } from '../paths.ts';
import type { System } from './command.ts';
import { disabledMarker, filesBelow, serverFolder } from './own-files.ts';
import { pluginPlace, pluginRoot } from './plugin.ts';
import { machineForm, type Site } from './site.ts';

/** A site that is one server's plugin on one client: hooks, shims and runtime stand in one folder. */
export interface PluginSite extends Site {
  /** The plugin's folder, absolute. */
  folder: string;
  /** Absolute. */
  manifest: string;
}

/** Where the client loads a plugin by itself; undefined: nowhere. The record and all else is the user's. */
export function pluginSite(
  user: Site,
  client: Client,
  slug: string,
  env: Env,
  system: System,
): PluginSite | undefined {
  const { autoLoad, manifest } = client.plugin;
  const folder = pluginRoot(client, slug, env);
  const place = pluginPlace(client, slug, env);
  if (!autoLoad || folder === undefined || !place) return undefined;
  // Ends as a user's data folder does: by that an entry is known as ours.
  const paths = { ...user.paths, data: join(folder, 'mcphooks') };
  return {
    ...user,
    folder,
    manifest: join(folder, manifest),
    paths,
    marker: () => disabledMarker(serverFolder(paths, slug)),
    nextSteps: () => autoLoad.nextSteps,
    hookFiles: () => [place],
    ...machineForm(paths, system),
  };
}

/** Where a server's hooks are to stand on a client. */
export function siteOn(site: Site, client: Client, slug: string, target: Target): Site | PluginSite {
  return (target === 'plugin' && site.asPlugin?.(client, slug)) || site;
}

/** Where they stand by what is remembered. */
export function siteOf(
  site: Site,
  client: Client,
  slug: string,
  record: Pick<ClientRecord, 'file'> | undefined,
): Site | PluginSite {
  const plugin = site.asPlugin?.(client, slug);
  return plugin?.hookFiles(client).some(({ file }) => file === record?.file) ? plugin : site;
}

export const isPlugin = (site: Site): site is PluginSite => 'folder' in site;

/** All of ours in a plugin's folder but for its file of hooks, which others may have written into, too. */
export function pluginFiles({ paths, manifest }: PluginSite): string[] {
  return [...filesBelow(paths.data), manifest];
}
