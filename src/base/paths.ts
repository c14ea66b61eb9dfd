import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** mcphooks' own folders; all created with mode 0700, files in them 0600 (shims 0700). */
export interface OwnPaths {
  /** Folder of shims, their data and the runtime. */
  data: string;
  /** Folder of record, journal, lock, log and kept texts. */
  state: string;
  /** Folder of the user's defaults. */
  config: string;
}

/** Returns the absolute folders of PATH; a relative one would depend on the working folder. */
export function pathFolders({ PATH = '' }: Env): string[] {
  return PATH.split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Returns the environment with only absolute folders in PATH. An empty PATH would mean the working folder. */
export function absolutePath(env: Env): Env {
  const { PATH, ...rest } = env;
  const folders = pathFolders(env);
  return PATH === undefined || folders.length === 0 ? rest : { ...env, PATH: folders.join(delimiter) };
}

export function homeFolder(env: Env): string {
  return env.HOME || env.USERPROFILE || homedir();
}

/** Returns the XDG base directories; on Windows `%LOCALAPPDATA%` replaces data and state (untested there). */
export function ownPaths(env: Env, platform: string = process.platform): OwnPaths {
  const home = homeFolder(env);
  const local = platform === 'win32' ? env.LOCALAPPDATA || join(home, 'AppData', 'Local') : undefined;
  const base = (variable: string, fallback: string): string => {
    const value = env[variable];
    return value?.startsWith('/') || (local && value) ? value : (local ?? join(home, fallback));
  };
  return {
    data: join(base('XDG_DATA_HOME', '.local/share'), 'mcphooks'),
    state: join(base('XDG_STATE_HOME', '.local/state'), local ? 'mcphooks-state' : 'mcphooks'),
    config: join(base('XDG_CONFIG_HOME', '.config'), local ? 'mcphooks-config' : 'mcphooks'),
  };
}

/** True for folders of the system itself, without stored files. */
export const isKernelFolder = (path: string): boolean => /^\/(?:proc|sys|dev)(?:\/(?!shm\/)|$)/.test(path);

/** File name of the lock file at a project's root, which the project commits. */
export const LOCK = 'mcphooks.lock.json';

/** True when a path is the folder, or inside it. */
export const isAround = (folder: string, path: string): boolean => `${path}/`.startsWith(`${folder}/`);

/** Returns the folders above a relative path, nearest first. */
export function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
