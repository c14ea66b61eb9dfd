import { isAbsolute, join } from 'node:path';
import { clientFolder } from '../clients/index.ts';
import type { Client, OffSwitch, SettingsFile } from '../clients/types.ts';
import type { Env } from '../paths.ts';
import { lookUp, parseConfig } from '../server/definition.ts';

/** What is looked at: nothing of this machine but through these. */
export interface Surface {
  env: Env;
  /** Folder of the session. */
  cwd: string;
  read: (path: string) => Uint8Array | null;
}

/** Where a settings file is, absolute. */
export function settingsPath(file: SettingsFile, client: Client, { env, cwd }: Surface): string {
  const moved = file.env === undefined ? undefined : env[file.env];
  if (moved) return moved;
  if (isAbsolute(file.path)) return file.path;
  return join(file.in === 'session' ? cwd : clientFolder(client, env), file.path);
}

/** A settings file as a value; undefined where there is none, or its client can't read it. */
export function settingsValue(path: string, client: Client, { read }: Surface): unknown {
  try {
    const bytes = read(path);
    const [{ format } = { format: 'json' as const }] = client.hookFiles;
    return bytes === null ? undefined : parseConfig(Buffer.from(bytes).toString('utf8'), path, format);
  } catch {
    return undefined;
  }
}

/** The file in which a switch is thrown; undefined: it isn't. */
export function thrown({ at, off, files }: OffSwitch, client: Client, surface: Surface): string | undefined {
  for (const file of files) {
    const path = settingsPath(file, client, surface);
    const value = lookUp(settingsValue(path, client, surface), at);
    if (typeof value === 'boolean') return value === off ? path : undefined;
  }
  return undefined;
}
