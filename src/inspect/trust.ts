import { dirname } from 'node:path';
import { readOnce } from '../base/files.ts';
import { valueAt } from '../base/json-value.ts';
import { isAround } from '../base/paths.ts';
import { followed } from '../base/real-path.ts';
import { mainWorktree } from '../base/repository.ts';
import type { Client } from '../clients/client.ts';
import type { FolderTrust } from '../clients/gates.ts';
import type { FaultArgs, Where } from '../messages/args.ts';
import type { FindingCode } from '../messages/findings.ts';
import { isOpen, placeOf } from '../servers/definitions/config-files.ts';
import { activeSwitch, type MachineView, settingsPath, settingsValue } from './settings.ts';

/** Why a client runs no hooks here, and the file in which the user can change that setting. */
export interface Obstacle {
  code: FindingCode;
  args: FaultArgs;
  where: Where;
}

/** Returns settings of a client that stop all hooks, or all user hooks, from firing. */
export function hooksOff(client: Client, uncached: MachineView): Obstacle[] {
  // Several switches stand in the same files.
  const view = readOnce(uncached);
  return client.gates.switches.flatMap((offSwitch): Obstacle[] => {
    const found = activeSwitch(offSwitch, client, view);
    if (!found) return [];
    const args = {
      setting: found.keys.join('.'),
      value: String(offSwitch.off),
      wanted: String(!offSwitch.off),
      system: found.system ? 1 : 0,
    };
    return [{ code: 'doctor.hooks-off', args, where: { file: found.path } }];
  });
}

/** Returns why a client ignores the hooks in a project's files: nobody trusted the folder. Undefined: the hooks run. */
export function distrust(client: Client, root: string, view: MachineView): Obstacle | undefined {
  return projectDistrust(client, root, view) ?? untrusted(client, root, view);
}

function projectDistrust(client: Client, root: string, view: MachineView): Obstacle | undefined {
  const gate = client.gates.projectTrust;
  if (!gate) return undefined;
  const read = (path: string): unknown => settingsValue(path, client, view);
  if (isOpen(gate, placeOf(view.env, root), read)) return undefined;
  const file = settingsPath({ in: 'client', path: gate.path }, client, view);
  return {
    code: 'doctor.project-untrusted',
    args: { folder: root, binary: client.program.binary },
    where: { file },
  };
}

/** Returns why a client runs no hooks from any settings file in a folder: nobody trusted the folder. */
export function folderDistrust(client: Client, folder: string, view: MachineView): Obstacle | undefined {
  return client.gates.folderTrust?.only ? undefined : untrusted(client, folder, view);
}

function untrusted(client: Client, folder: string, view: MachineView): Obstacle | undefined {
  const { folderTrust: trust } = client.gates;
  const there = { ...view, cwd: folder };
  if (!trust) return undefined;
  const { env, off, on, at = [], levels, inWorktrees } = trust;
  if (env?.some((name) => view.env[name] === 'true')) return undefined;
  if (off && activeSwitch(off, client, there)) return undefined;
  if (on && !activeSwitch(on, client, there)) return undefined;
  const file = settingsPath(trust.file, client, view);
  const rules = valueAt(settingsValue(file, client, view), at);
  const { top } = placeOf(view.env, folder);
  const main = inWorktrees && top !== undefined ? mainWorktree(followed(top)) : undefined;
  if (isTrusted(folder, rules, levels) || (main !== undefined && isTrusted(main, rules, levels)))
    return undefined;
  return {
    code: 'doctor.folder-untrusted',
    args: { folder, binary: client.program.binary, screen: trust.screen ?? '', only: trust.only ? 1 : 0 },
    where: { file },
  };
}

/** True when the folder is trusted. The longest matching path decides (Gemini CLI 0.61.0). */
function isTrusted(folder: string, rules: unknown, levels: FolderTrust['levels']): boolean {
  const holds = (path: unknown): boolean => isAround(followed(String(path)), followed(folder));
  if (!levels) return (Array.isArray(rules) ? rules : Object.keys(rules ?? {})).some(holds);
  const holding = Object.entries(rules ?? {}).filter(([path, level]) =>
    holds(level === levels.parent ? dirname(path) : path),
  );
  const [longest] = holding.sort(([a], [b]) => b.length - a.length);
  return longest !== undefined && longest[1] !== levels.never;
}
