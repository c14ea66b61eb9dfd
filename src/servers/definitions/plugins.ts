import { isAbsolute, join } from 'node:path';
import { valueAt } from '../../base/json-value.ts';
import { type Env, homeFolder, isAround } from '../../base/paths.ts';
import { folderPath } from '../../clients/folder.ts';
import type { PluginFolders } from '../../clients/mcp-config.ts';
import { matchingFolders, type SessionPlace, valuesAt } from './config-files.ts';

/** A plugin or extension that is installed and switched on. */
interface Plugin {
  name: string;
  root: string;
}

/** Returns the plugins of one kind. `read` returns a file's value. */
export function findPlugins(
  kind: PluginFolders,
  place: SessionPlace,
  read: (file: string) => unknown,
): Plugin[] {
  const switches = kind.enabled ? valuesAt(kind.enabled, place, read) : [];
  const isOn = (id: string): boolean => {
    const setting = switches.map((table) => valueAt(table, [id])).find((value) => value !== undefined);
    const on = setting !== null && typeof setting === 'object' ? valueAt(setting, ['enabled']) : setting;
    return on === undefined ? (kind.enabled?.otherwise ?? true) : on === true;
  };
  return installed(kind, place, read)
    .filter(({ id }) => isOn(id))
    .flatMap(({ root }) => {
      const name = kind.manifests
        .map((path) => valueAt(read(join(root, path)), ['name']))
        .find((v) => typeof v === 'string');
      return typeof name === 'string' ? [{ name, root }] : [];
    });
}

function installed(
  kind: PluginFolders,
  place: SessionPlace,
  read: (file: string) => unknown,
): { id: string; root: string }[] {
  const home = folderPath(kind.in, place.env);
  if (typeof kind.folders === 'object' && 'lists' in kind.folders)
    return inMarkets(place.env, home, kind.folders, read);
  if (typeof kind.folders === 'object') {
    const { at } = kind.folders;
    const keys = 'keys' in kind.folders ? kind.folders.keys : undefined;
    const table =
      'index' in kind.folders
        ? valueAt(read(join(home, kind.folders.index)), at)
        : recorded(home, kind.folders, read);
    return Object.entries(table ?? {}).flatMap(([id, entries]) =>
      [entries].flat().flatMap((entry) => {
        const root = valueAt(entry, [keys?.path ?? 'installPath']);
        const project = valueAt(entry, ['projectPath']);
        const here = project === undefined || project === place.cwd || project === place.top;
        const on = keys === undefined || valueAt(entry, [keys.enabled]) !== false;
        return typeof root === 'string' && here && on ? [{ id, root }] : [];
      }),
    );
  }
  const found = matchingFolders(home, kind.folders).map(({ folder, stars }) => ({
    id: (kind.id ?? '').replace(/\{(\d)\}/g, (_, n: string) => stars[Number(n)] ?? ''),
    root: folder,
  }));
  return kind.versions ? [...new Map(found.map((plugin) => [plugin.id, plugin])).values()] : found;
}

/** Returns the plugins that stay in the folders of marketplaces. */
function inMarkets(
  env: Env,
  home: string,
  { settings, at, lists }: { settings: string; at: readonly string[]; lists: readonly string[] },
  read: (file: string) => unknown,
): { id: string; root: string }[] {
  return Object.entries(valueAt(read(join(home, settings)), at) ?? {}).flatMap(([market, entry]) => {
    const path = valueAt(entry, ['source', 'path']);
    const folder = typeof path === 'string' ? path.replace(/^~(?=[\\/])/, () => homeFolder(env)) : '';
    if (!isAbsolute(folder)) return [];
    const list = lists.map((path) => read(join(folder, path))).find((found) => found !== undefined);
    const base = valueAt(list, ['metadata', 'pluginRoot']) ?? '';
    return [valueAt(list, ['plugins']) ?? []].flat().flatMap((plugin) => {
      const [name, source] = [valueAt(plugin, ['name']), valueAt(plugin, ['source'])];
      if (typeof name !== 'string' || typeof source !== 'string' || typeof base !== 'string') return [];
      const within = join(base, source);
      const root = join(folder, within);
      return !isAbsolute(within) && isAround(folder, root) ? [{ id: `${name}@${market}`, root }] : [];
    });
  });
}

/** Returns the entries of all files with one plugin each, by the plugin's id. */
function recorded(
  home: string,
  { records, id, at }: { records: string; id: readonly string[]; at: readonly string[] },
  read: (file: string) => unknown,
): Record<string, unknown[]> {
  const table: Record<string, unknown[]> = {};
  for (const { folder: file } of matchingFolders(home, records)) {
    const record = read(file);
    const name = valueAt(record, id);
    if (typeof name === 'string') table[name] = [...(table[name] ?? []), valueAt(record, at)];
  }
  return table;
}

/** Returns the client's name for a plugin's server. */
export function pluginAlias({ alias = '{server}' }: PluginFolders, plugin: string, server: string): string {
  return alias.replace('{plugin}', () => plugin).replace('{server}', () => server);
}
