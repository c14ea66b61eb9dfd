import { isAbsolute, join } from 'node:path';
import { type Files, namesIn } from '../base/files.ts';
import { valueAt } from '../base/json-value.ts';
import { type Env, variable } from '../base/paths.ts';
import { HERE } from '../base/platform.ts';
import { quietly } from '../base/quietly.ts';
import type { Client } from '../clients/client.ts';
import type { OffSwitch, SettingsFile } from '../clients/gates.ts';
import { clientFolder } from '../clients/index.ts';
import { parseConfig } from '../servers/definitions/definition.ts';

/** View of the machine: everything that is inspected is read through these functions, environment and folder. */
export interface MachineView extends Files {
  env: Env;
  /** Working folder of the session. */
  cwd: string;
}

/** Returns the absolute path of a settings file. */
export function settingsPath(
  file: SettingsFile,
  client: Client,
  { env, cwd }: MachineView,
  windows = HERE.windows,
): string {
  const moved = file.env === undefined ? undefined : env[file.env];
  if (moved) return moved;
  if (windows && file.windows !== undefined) return onWindows(file.windows, env);
  if (isAbsolute(file.path)) return file.path;
  return join(file.in === 'session' ? cwd : clientFolder(client, env), file.path);
}

/** Places of administrators' files, where the environment doesn't name them. */
const SYSTEM_FOLDERS: Readonly<Record<string, string>> = {
  ProgramData: 'C:\\ProgramData',
  ProgramFiles: 'C:\\Program Files',
};

const onWindows = (path: string, env: Env): string =>
  path.replace(/%(\w+)%/g, (_, name: string) => variable(env, name) || SYSTEM_FOLDERS[name] || '');

/** Values of settings files by their bytes, since parsing takes longer than reading. */
const values = new WeakMap<Uint8Array, unknown>();

/** Returns the parsed value of a settings file; undefined when there is none, or its client can't read the file. */
export function settingsValue(path: string, client: Client, { read }: MachineView): unknown {
  return quietly(() => {
    const bytes = read(path);
    if (bytes === null) return undefined;
    const { format } = client.mcp.dialect;
    if (!values.has(bytes)) values.set(bytes, parseConfig(Buffer.from(bytes).toString('utf8'), path, format));
    return values.get(bytes);
  });
}

/**
 * Returns the file in which an off-switch is set, its keys there, and whether the file is an administrator's; undefined:
 * the switch isn't set.
 */
export function activeSwitch(
  { at, off, files }: OffSwitch,
  client: Client,
  view: MachineView,
): { path: string; keys: readonly string[]; system: boolean } | undefined {
  for (const file of files)
    for (const path of settingsPaths(file, client, view)) {
      const keys = file.at ?? at;
      const value = valueAt(settingsValue(path, client, view), keys);
      if (typeof value === 'boolean')
        return value === off ? { path, keys, system: file.in === 'system' } : undefined;
    }
  return undefined;
}

/** Returns the paths of settings files, strongest first. */
function settingsPaths(file: SettingsFile, client: Client, view: MachineView): string[] {
  const path = settingsPath(file, client, view);
  const { each } = file;
  if (each === undefined) return [path];
  const names = namesIn(path, view).filter((name) => name.endsWith(each));
  return names
    .toSorted()
    .reverse()
    .map((name) => join(path, name));
}
