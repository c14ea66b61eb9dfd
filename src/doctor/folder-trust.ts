import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { clientById } from '../clients/index.ts';
import type { FolderTrust } from '../clients/types.ts';
import { settingsPath, settingsValue, thrown } from '../plan/settings.ts';
import type { Check } from './types.ts';

/** Clients that run no hooks in the folder of this session, since nobody trusted it. */
export const folderTrust: Check = (scene) =>
  scene.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    const { folderTrust: trust } = client;
    if (!trust || scene.env[trust.env.name] === trust.env.value || thrown(trust.off, client, scene))
      return [];
    const file = settingsPath(trust.file, client, scene);
    if (isTrusted(scene.cwd, settingsValue(file, client, scene), trust.levels)) return [];
    const args = { folder: scene.cwd, binary: client.binary };
    return [{ code: 'doctor.folder-untrusted', args, where: { file }, client: id }];
  });

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
