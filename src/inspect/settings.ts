import { isAbsolute, join } from 'node:path';
import { type Files, namesIn } from '../base/files.ts';
import type { Env } from '../base/paths.ts';
import type { Client } from '../clients/client.ts';
import type { OffSwitch, SettingsFile } from '../clients/gates.ts';
import { clientFolder } from '../clients/index.ts';
import { lookUp, parseConfig } from '../servers/definition.ts';

/** What is looked at: nothing of this machine but through these. */
export interface MachineView extends Files {
  env: Env;
  /** Folder of the session. */
  cwd: string;
}

/** Whether `MCPHOOKS_DISABLE` silences the hooks of a server, or of all. */
export function isSilenced({ MCPHOOKS_DISABLE: value = '' }: Env, server = '1'): boolean {
  const names = value.split(',').map((name) => name.trim());
  return names.includes('1') || names.includes(server);
}

/** Where a settings file is, absolute. */
export function settingsPath(file: SettingsFile, client: Client, { env, cwd }: MachineView): string {
  const moved = file.env === undefined ? undefined : env[file.env];
  if (moved) return moved;
  if (isAbsolute(file.path)) return file.path;
  return join(file.in === 'session' ? cwd : clientFolder(client, env), file.path);
}

/** A settings file as a value; undefined where there is none, or its client can't read it. */
export function settingsValue(path: string, client: Client, { read }: MachineView): unknown {
  try {
    const bytes = read(path);
    const { format } = client.mcp.dialect;
    return bytes === null ? undefined : parseConfig(Buffer.from(bytes).toString('utf8'), path, format);
  } catch {
    return undefined;
  }
}

/** The file in which a switch is thrown, and whether that is an administrator's; undefined: it isn't. */
export function activeSwitch(
  { at, off, files }: OffSwitch,
  client: Client,
  surface: MachineView,
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
function settingsPaths(file: SettingsFile, client: Client, surface: MachineView): string[] {
  const path = settingsPath(file, client, surface);
  const { each } = file;
  if (each === undefined) return [path];
  const names = namesIn(path, surface).filter((name) => name.endsWith(each));
  return names
    .toSorted()
    .reverse()
    .map((name) => join(path, name));
}
