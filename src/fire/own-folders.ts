import { basename, dirname, isAbsolute, join } from 'node:path';
import { type Env, type OwnPaths, ownPaths } from '../base/paths.ts';

/** A folder that can't exist. */
export const NOWHERE = process.platform === 'win32' ? '\\\\.\\NUL' : '/dev/null';

/** Returns `ownPaths` for a hook. A relative home would be a folder of the session's: nothing is stored then. */
export function hookPaths(env: Env): OwnPaths {
  const { data, state, config } = ownPaths(env);
  const stored = (path: string): string => (isAbsolute(path) ? path : join(NOWHERE, path));
  return { data: stored(data), state: stored(state), config: stored(config) };
}

/**
 * Returns a short hash, safe as a file name: two lanes of FNV-1a. Its only purpose is that names differ; loading
 * node:crypto would cost a tenth of a fire.
 */
export function hashOf(...parts: string[]): string {
  const text = JSON.stringify(parts);
  let [a, b] = [0x811c9dc5, 0x050c5d1f];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193) ^ (a >>> 15);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/**
 * Whose state it is, besides the user's own: that of installs for one project, or of shims shared between machines. They
 * may be of another server with the same name, whose hooks have the same numbers.
 */
export type StateOwner = 'local' | 'shared';

const ownedBy = (client: string, server: string, owner: StateOwner | undefined): string =>
  hashOf(client, server, ...(owner ? [owner] : []));

/** Folder with the session state of one server on one client. */
export function sessionsFolder(state: string, client: string, server: string, owner?: StateOwner): string {
  return join(state, 'sessions', ownedBy(client, server, owner));
}

/** Returns the slug of a hook script's server, by the script's path: `…/hooks/<slug>/<digest>/<client>/<event>`. */
export const slugOf = (shim: string): string => basename(dirname(dirname(dirname(shim))));

/**
 * Folder of texts kept for one server on one client. The shell checks whether the folder is empty (templates/shim.sh).
 */
export function keptTextsFolder(state: string, client: string, server: string, owner?: StateOwner): string {
  return join(state, 'kept', ownedBy(client, server, owner));
}

/** Name of the file in the state folder with the tag of this machine, which hooks of projects and exports make. */
export const TAG_FILE = 'tag';

/** Name of the log in the state folder. Earlier lines are in `<name>.<time>-<pid>`. */
export const LOG_FILE = 'hooks.log';

/** Logs of earlier versions, oldest first, which held failures alone. */
export const EARLIER_LOGS = ['log.1', 'log'];

/** Folders in the state folder: what hooks write. */
export const STATE_FOLDERS = ['sessions', 'kept', 'handed', 'calls', 'tools', 'installing', 'warm'];

/** Returns the names of earlier parts of the log among those in its folder, oldest first. */
export const partsOf = (names: readonly string[]): string[] =>
  names.filter((name) => name.startsWith(`${LOG_FILE}.`)).sort();
