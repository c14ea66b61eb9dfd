import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** mcphooks' own folders; all created with mode 0700, files in them 0600 (shims 0700). */
export interface OwnPaths {
  /** Shims, their data and the runtime. */
  data: string;
  /** Record, journal, lock, log, kept text. */
  state: string;
  /** The user's defaults. */
  config: string;
}

/** Folders of PATH in which programs are looked up: what is relative would be looked up in whatever folder one is. */
export function pathFolders({ PATH = '' }: Env): string[] {
  return PATH.split(delimiter).filter((folder) => isAbsolute(folder));
}

/** The environment with those alone in PATH. An empty one would mean the present folder. */
export function absolutePath(env: Env): Env {
  const { PATH, ...rest } = env;
  const folders = pathFolders(env);
  return PATH === undefined || folders.length === 0 ? rest : { ...env, PATH: folders.join(delimiter) };
}

export function homeFolder(env: Env): string {
  return env.HOME || env.USERPROFILE || homedir();
}

/** XDG base directories; on Windows `%LOCALAPPDATA%` stands in for data and state (not proved there). */
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

/** Whether the system keeps no files there: they are its own. */
export const isKernelFolder = (path: string): boolean => /^\/(?:proc|sys|dev)(?:\/(?!shm\/)|$)/.test(path);

/** The name of the lock file at a project's root, which the project commits. */
export const LOCK = 'mcphooks.lock.json';

/** Whether a path is that of a folder, or of something in it. */
export const isAround = (folder: string, path: string): boolean => `${path}/`.startsWith(`${folder}/`);

/** The folders above a relative path, the nearest first. */
export function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
