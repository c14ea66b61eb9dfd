import { join } from 'node:path';
import { clientFolder } from '../clients/index.ts';
import type { Client, HookFile } from '../clients/types.ts';
import { hasHooks } from '../edit/reconcile.ts';
import type { Env } from '../paths.ts';

export interface ChosenFile extends HookFile {
  /** Absolute. */
  file: string;
}

/**
 * The file of a client that our entries go to: where ours stand already, else what was asked for, else the one that
 * already holds hooks, else the default.
 */
export function chooseHookFile(
  client: Client,
  env: Env,
  read: (path: string) => string | null,
  wish: { previous?: string; format?: 'toml' | 'json' },
): ChosenFile {
  const folder = clientFolder(client, env);
  const all: ChosenFile[] = client.hookFiles.map((f) => ({ ...f, file: join(folder, f.path) }));
  const [first] = all as [ChosenFile];
  const asked = all.length > 1 ? all.find((f) => f.format === wish.format) : undefined;
  const holding = all.filter((f) => hasHooks({ ...f, text: read(f.file), memory: undefined }));
  return all.find((f) => f.file === wish.previous) ?? asked ?? holding[0] ?? first;
}

/** Files that could serve instead of `chosen` without hooks standing in two of them. */
export function otherHookFiles(
  client: Client,
  env: Env,
  chosen: ChosenFile,
  read: (path: string) => string | null,
): ChosenFile[] {
  if (hasHooks({ ...chosen, text: read(chosen.file), memory: undefined })) return [];
  const folder = clientFolder(client, env);
  return client.hookFiles
    .map((f) => ({ ...f, file: join(folder, f.path) }))
    .filter((f) => f.file !== chosen.file);
}
