import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { Client, FolderTrust } from '../clients/types.ts';
import type { FaultArgs, FindingCode, Where } from '../messages.ts';
import { placeOf, valuesAt } from '../server/files.ts';
import { CLIENT_SERVERS } from '../server/resolve.ts';
import { type Surface, settingsPath, settingsValue, thrown } from './settings.ts';

/** Why a client runs no hooks of a folder, and where a person says otherwise. */
export interface Distrust {
  code: FindingCode;
  args: FaultArgs;
  where: Where;
}

/** Whether a client passes over the hooks in a project's files, since nobody trusted it here. */
export function distrust(client: Client, root: string, surface: Surface): Distrust | undefined {
  return projectDistrust(client, root, surface) ?? folderDistrust(client, root, surface);
}

/** What lets a project's servers count lets its hooks count, too (Codex 0.169.0). */
function projectDistrust(client: Client, root: string, surface: Surface): Distrust | undefined {
  const servers = CLIENT_SERVERS.find((c) => c.client === client.id);
  const gate = servers?.files.find((f) => f.scope === 'project')?.onlyIf;
  if (!gate) return undefined;
  const read = (path: string): unknown => settingsValue(path, client, surface);
  if (valuesAt(gate, placeOf(surface.env, root), read).includes(gate.is)) return undefined;
  const file = settingsPath({ in: 'client', path: gate.path }, client, surface);
  return { code: 'doctor.project-untrusted', args: { folder: root, binary: client.binary }, where: { file } };
}

/** Whether a client runs no hooks of any settings file in a folder, since nobody trusted it. */
export function folderDistrust(client: Client, folder: string, surface: Surface): Distrust | undefined {
  const { folderTrust: trust } = client;
  const there = { ...surface, cwd: folder };
  if (!trust || surface.env[trust.env.name] === trust.env.value || thrown(trust.off, client, there))
    return undefined;
  const file = settingsPath(trust.file, client, surface);
  if (isTrusted(folder, settingsValue(file, client, surface), trust.levels)) return undefined;
  return { code: 'doctor.folder-untrusted', args: { folder, binary: client.binary }, where: { file } };
}

/** The longest path that holds for the folder decides (Gemini CLI 0.61.0). */
function isTrusted(folder: string, rules: unknown, levels: FolderTrust['levels']): boolean {
  const holding = Object.entries(rules ?? {}).filter(([path, level]) => {
    const top = real(level === levels.parent ? dirname(path) : path);
    return `${real(folder)}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`);
  });
  const [longest] = holding.sort(([a], [b]) => b.length - a.length);
  return longest !== undefined && longest[1] !== levels.never;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
