import { join } from 'node:path';
import { type Files, filesBelow } from '../../base/files.ts';
import type { Env } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import type { System } from '../../shims/command.ts';
import { disabledFile, serverFolder } from '../../shims/own-files.ts';
import type { ClientRecord } from '../../store/types.ts';
import type { InstallOptions } from '../options.ts';
import { machineForm } from './machine-form.ts';
import { pluginPlace } from './plugin.ts';
import type { PluginScope, Scope } from './scope.ts';

/**
 * Scope of a plugin that the client loads by itself; undefined: the client loads none. Record and state are the user's.
 */
export function pluginScope(
  user: Scope,
  client: Client,
  slug: string,
  env: Env,
  system: System,
): PluginScope | undefined {
  const place = pluginPlace(client, slug, env);
  if (!client.plugin?.autoLoad || !place) return undefined;
  const { autoLoad, manifest } = client.plugin;
  const folder = place.file.slice(0, -1 - place.path.length);
  // The folder ends like a user's data folder, because entries are recognised by that ending.
  const paths = { ...user.paths, data: join(folder, 'mcphooks') };
  return {
    ...user,
    folder,
    manifest: join(folder, manifest),
    paths,
    disabledFile: () => disabledFile(serverFolder(paths, slug)),
    nextSteps: () => autoLoad.nextSteps,
    hookFiles: () => [place],
    ...machineForm(paths, system),
  };
}

/** Returns the scope in which a server's hooks are to be installed on a client. */
export function targetScope(
  scope: Scope,
  client: Client,
  slug: string,
  target: InstallOptions['target'],
): Scope | PluginScope {
  return (target === 'plugin' && scope.asPlugin?.(client, slug)) || scope;
}

/** Returns the scope in which a server's hooks are installed on a client, according to the record. */
export function recordedScope(
  scope: Scope,
  client: Client,
  slug: string,
  record: Pick<ClientRecord, 'file'> | undefined,
): Scope | PluginScope {
  const plugin = scope.asPlugin?.(client, slug);
  return plugin?.hookFiles(client, slug).some(({ file }) => file === record?.file) ? plugin : scope;
}

/** Returns our files in a plugin's folder, without its hook file, into which others may have written, too. */
export function pluginFiles({ paths, manifest }: PluginScope, files: Files): string[] {
  return [...filesBelow(paths.data, files), manifest];
}
