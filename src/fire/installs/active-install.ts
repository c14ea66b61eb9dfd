import { dirname, join, resolve } from 'node:path';
import { valueAt } from '../../base/json-value.ts';
import { type Env, isAround } from '../../base/paths.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import { followed } from '../../base/real-path.ts';
import { folderPath } from '../../clients/folder.ts';
import { parseConfig } from '../../servers/definitions/definition.ts';
import type { FireData, UserHooks } from '../format.ts';
import { type Installed, namesFolder } from './covered.ts';
import { shareSign, signsOf, signsOfData } from './same-server.ts';

/**
 * True when the user's own install is of the same server, and its entries are in the client's folder and not switched
 * off; whether they were reviewed isn't looked at. Where the client's file can't be read, they count as not run: a text
 * given twice does less harm than one that is never given. `scriptFolders`: of the scripts that the entries start, as in
 * `namesFolder`.
 */
export function isActive(
  installed: Installed,
  data: FireData & { userHooks: UserHooks },
  scriptFolders: readonly string[],
  start: string,
  env: Env,
): boolean {
  if (!shareSign(signsOf(installed), signsOfData(data))) return false;
  const { native, userHooks } = data;
  const recorded = installed.clients[data.client];
  const folder = folderPath(userHooks.home, env);
  const { plugin, review } = userHooks;
  const reviews = review && valueAt(read(join(folder, review.path)), review.at);
  const { enabled = 'enabled' } = review ?? {};
  const isOff = (file: string, at: readonly (string | number)[]): boolean => {
    const [group, handler] = at.filter((key) => typeof key === 'number');
    return [file, followed(file)].some((path) => {
      const key = review?.key
        .replace('{group}', String(group))
        .replace('{handler}', String(handler))
        .replace('{file}', () => path);
      return key !== undefined && valueAt(reviews, [key, enabled]) === false;
    });
  };
  const files = [recorded, ...(recorded?.otherFiles ?? [])].flatMap((one) => one?.file ?? []);
  return files.some((file) => {
    try {
      if (installed.scope === 'user' && !isBelow(folder, file)) return false;
      if (plugin && isBelow(join(folder, plugin.folder), file) && isPluginOff(plugin, folder, start))
        return false;
      const found = /\.(?:json|toml)$/.test(file)
        ? entriesIn(read(file), scriptFolders)
        : entriesIn(readText(file).replace(/^\s*\/\/.*$/gm, ''), scriptFolders);
      const here = found.filter((at) => at.includes(native));
      return (here.length > 0 ? here : found).some((at) => !isOff(file, at));
    } catch {
      return false;
    }
  });
}

/** True when a path is below a folder, as both are written or as they are on the disk. */
const isBelow = (folder: string, path: string): boolean =>
  [resolve, followed].some((real) => isAround(real(folder), real(dirname(path))));

const read = (file: string): unknown => quietly(() => parseConfig(readText(file), file, 'jsonc,'));

/** Returns the keys to each text in a file's value that names one of these folders. */
function entriesIn(value: unknown, folders: readonly string[]): (string | number)[][] {
  if (typeof value === 'string') return namesFolder(value, folders) ? [[]] : [];
  if (value === null || typeof value !== 'object') return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, i) => [i, item])
    : Object.entries(value);
  return members.flatMap(([key, inner]) => entriesIn(inner, folders).map((at) => [key, ...at]));
}

/** True when the strongest settings file that says whether the plugin runs says no. */
function isPluginOff({ at, files }: NonNullable<UserHooks['plugin']>, home: string, start: string): boolean {
  const said = files.map((one) => valueAt(read(join(one.in === 'client' ? home : start, one.path)), at));
  return said.find((value) => typeof value === 'boolean') === false;
}
