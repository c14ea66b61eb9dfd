import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isAround } from '../../base/paths.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import type { FireData } from '../format.ts';
import type { DeclaredServer } from './same-server.ts';

export interface Installed extends DeclaredServer {
  server: string;
  slug: string;
  scope: string;
  root?: string;
  clients: Record<string, RecordedClient | undefined>;
}

interface RecordedClient {
  file: string;
  otherFiles?: { file: string }[];
  digest: string;
  own: object;
}

/**
 * True when the user has the same server's hooks on this client by an install that takes precedence, so that no text
 * appears twice: an install at user scope; for shims shared between machines, a local install in the project of `shim`, or
 * in the folder `start`, since a client has its local file there. The record alone is not enough: the entries must still be
 * in the client's file, and their shims on disk. `isActive`: the test of what a search in the file can't tell, asked last;
 * `folders`: as of `foldersNamed`.
 */
export function coveredByUserInstall(
  data: FireData,
  shim: string,
  state: string,
  start: () => string,
  isActive: (installed: Installed, folders: readonly string[]) => boolean,
): boolean {
  try {
    const { servers } = JSON.parse(readText(join(state, 'record.json')));
    const inProject = (root: string | undefined): boolean =>
      data.state === undefined &&
      root !== undefined &&
      (isAround(root, realpathSync(shim)) || realpathSync(start()) === root);
    return servers.some((s: Installed) => {
      if (s.server !== data.server || (s.scope !== 'user' && !inProject(s.root))) return false;
      const folders = foldersNamed(s, data.client);
      return folders.length > 0 && isActive(s, folders);
    });
  } catch {
    return false;
  }
}

const plain = (path: string): string => path.replace(/[\\/]+/g, '/');

/** True when a text contains a path in one of these folders, given with slashes. */
export const namesFolder = (text: string, folders: readonly string[]): boolean =>
  folders.some((folder) => plain(text).includes(folder));

/**
 * Returns the folders of installed scripts that the client's file names, from `/mcphooks/` on and with slashes; none when
 * the scripts are gone.
 */
function foldersNamed({ slug, clients }: Installed, client: string): string[] {
  const recorded = clients[client];
  if (!recorded) return [];
  const folder = `/mcphooks/hooks/${slug}/${recorded.digest}/${client}/`;
  const own = Object.keys(recorded.own);
  const shims = own.filter((path) => plain(path).includes(folder));
  const alive = shims.length === 0 || shims.some((path) => existsSync(path));
  // An entry for all servers names its own script, beside which each server has a file.
  const joint = `/mcphooks/joint/${client}/`;
  const joined =
    alive &&
    own.some((path) => plain(path).includes(joint) && plain(path).endsWith(`.d/${slug}`) && existsSync(path));
  const text = quietly(() => readText(recorded.file)) ?? '';
  return [...(alive ? [folder] : []), ...(joined ? [joint] : [])].filter((one) => namesFolder(text, [one]));
}
