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
  /** Names of what is in a folder; none where there is no folder. */
  names?: (folder: string) => readonly string[];
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

/** The file in which a switch is thrown, and whether that is an administrator's; undefined: it isn't. */
export function thrown(
  { at, off, files }: OffSwitch,
  client: Client,
  surface: Surface,
): { path: string; system: boolean } | undefined {
  for (const file of files)
    for (const path of settingsPaths(file, client, surface)) {
      const value = lookUp(settingsValue(path, client, surface), at);
      if (typeof value === 'boolean')
        return value === off ? { path, system: file.in === 'system' } : undefined;
    }
  return undefined;
}

/** Strongest first. */
function settingsPaths(file: SettingsFile, client: Client, surface: Surface): string[] {
  const path = settingsPath(file, client, surface);
  const { each } = file;
  if (each === undefined) return [path];
  const names = surface.names?.(path).filter((name) => name.endsWith(each)) ?? [];
  return names
    .toSorted()
    .reverse()
    .map((name) => join(path, name));
}
