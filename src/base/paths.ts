import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, posix, relative, sep, win32 } from 'node:path';

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

/**
 * Returns the absolute folders of PATH; a relative one would depend on the working folder. Windows takes them in quotes,
 * too, as installers write folders with spaces.
 */
export function pathFolders(env: Env, windows = sep === '\\'): string[] {
  const { delimiter, isAbsolute } = windows ? win32 : posix;
  const path = variable(env, 'PATH') ?? '';
  return (windows ? path.replaceAll('"', '') : path).split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Returns the name of a variable as an environment spells it: Windows doesn't tell the case of letters apart. */
export const spelling = (env: Env, name: string, windows = sep === '\\'): string =>
  (windows && Object.keys(env).find((other) => other.toUpperCase() === name.toUpperCase())) || name;

/** Returns the value of a variable. A file may name one that every object seems to have, such as `constructor`. */
export function variable(env: Env, name: string): string | undefined {
  const key = spelling(env, name);
  return Object.hasOwn(env, key) ? env[key] : undefined;
}

/** Returns all variables of several environments; a later one replaces that of an earlier one. */
export function mergedEnv(
  environments: readonly Readonly<Record<string, string>>[],
  windows?: boolean,
): Record<string, string> {
  const all: Record<string, string> = {};
  for (const [name, value] of environments.flatMap((one) => Object.entries(one)))
    all[spelling(all, name, windows)] = value;
  return all;
}

/** Returns the environment with only absolute folders in PATH. An empty PATH would mean the working folder. */
export function absolutePath<Value extends string | undefined>(
  env: Readonly<Record<string, Value>>,
): Record<string, Value | string> {
  const key = spelling(env, 'PATH');
  const { [key]: path, ...rest } = env;
  const folders = pathFolders(env);
  return path === undefined || folders.length === 0 ? rest : { ...rest, [key]: folders.join(delimiter) };
}

/**
 * Returns the user's home folder. On Windows the clients read USERPROFILE alone: HOME is set there by offices and by
 * Git, and names another folder.
 */
export function homeFolder(env: Env, platform: string = process.platform): string {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME || env.USERPROFILE) || homedir();
}

/**
 * Returns the XDG base directories. On Windows the folders are below `%LOCALAPPDATA%`, where they need different names,
 * unless an XDG variable names another folder.
 */
export function ownPaths(env: Env, platform: string = process.platform): OwnPaths {
  const home = homeFolder(env, platform);
  const local = platform === 'win32' ? env.LOCALAPPDATA || join(home, 'AppData', 'Local') : undefined;
  const folder = (variable: string, fallback: string, suffix: string): string => {
    const value = env[variable];
    if (value && isAbsolute(value)) return join(value, 'mcphooks');
    return local ? join(local, `mcphooks${suffix}`) : join(home, fallback, 'mcphooks');
  };
  return {
    data: folder('XDG_DATA_HOME', '.local/share', ''),
    state: folder('XDG_STATE_HOME', '.local/state', '-state'),
    config: folder('XDG_CONFIG_HOME', '.config', '-config'),
  };
}

/** Returns the path of an entry of a folder; as `join` for a plain name and a normalized folder, in less time. */
export const entryPath = (folder: string, name: string): string =>
  folder.endsWith(sep) ? folder + name : folder + sep + name;

/** Returns a path with `/` between its steps, as in hook files and in records of projects. */
export const slashed = (path: string, separator: string = sep): string =>
  separator === '/' ? path : path.replaceAll(separator, '/');

/** True when a path ends with these steps, given with `/`. */
export const endsWithSteps = (path: string, steps: string, separator?: string): boolean =>
  `/${slashed(path, separator)}`.endsWith(`/${steps}`);

/** Returns the part of a path inside the folder, '' for the folder itself; undefined: the path is elsewhere. */
export function inside(folder: string, path: string, separator: string = sep): string | undefined {
  // Windows doesn't tell the case of letters apart, takes both slashes, and ends a drive's root with one.
  const windows = separator !== '/';
  const plain = (p: string): string => (windows ? p.replaceAll('/', separator).replace(/(?<=:)\\$/, '') : p);
  // The small letter of İ is two characters, and a name with these two is another one.
  const isSame = (a: string, b: string): boolean =>
    a === b || (windows && a.length === b.length && a.toLowerCase() === b.toLowerCase());
  const [outer, inner] = [plain(folder), plain(path)];
  if (isSame(inner, outer)) return '';
  const start = outer.endsWith(separator) ? outer : outer + separator;
  return isSame(inner.slice(0, start.length), start) ? path.slice(start.length) : undefined;
}

/**
 * True for a Windows path on another computer's share or of a device, but for the share of the folder. To ask for
 * anything there, Windows signs in at that computer. All paths are absolute.
 */
export function isOnOtherShare(path: string, folder: string): boolean {
  const [share] = /^[\\/]{2}(?:[?.][\\/]UNC[\\/])?[^\\/]+[\\/][^\\/]+/i.exec(folder) ?? [];
  return path.startsWith('\\\\') && (share === undefined || inside(share, path, '\\') === undefined);
}

/** True for folders of the system itself, without stored files. */
export const isKernelFolder = (path: string): boolean => /^\/(?:proc|sys|dev)(?:\/(?!shm\/)|$)/.test(path);

/** File name of the lock file at a project's root, which the project commits. */
export const LOCK = 'mcphooks.lock.json';
/** Folder for all our files in a project. */
export const PROJECT_FOLDER = '.mcphooks';

/** True when a path is the folder, or inside it. */
export const isAround = (folder: string, path: string): boolean => inside(folder, path) !== undefined;

/** Returns the folders above a relative path, nearest first. */
export function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** Returns a path for display: with `~` for the home folder. */
export function belowHome(path: string, home: string): string {
  const below = inside(home, path);
  return below ? join('~', below) : path;
}

/**
 * True when no link leads from a folder to a path in it (absolute), also where nothing is there. `real`: returns a path
 * with all links resolved.
 */
export const hasNoLinks = (folder: string, path: string, real: (path: string) => string): boolean =>
  real(path) === join(real(folder), relative(folder, path));
