import { homedir } from 'node:os';
import { join } from 'node:path';

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
