import { join } from 'node:path';
import { type Env, homeFolder } from '../paths.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import type { Client, ClientId, HookFile } from './types.ts';

export const CLIENTS: readonly Client[] = [claudeCode, codex, geminiCli];

export function clientById(id: ClientId): Client {
  const client = CLIENTS.find((c) => c.id === id);
  if (!client) throw new Error(`no client ${id}`);
  return client;
}

/** The user's configuration folder of a client, absolute. */
export function clientFolder(client: Client, env: Env): string {
  const moved = env[client.folder.env];
  return moved ? join(moved, client.folder.envSub) : join(homeFolder(env), client.folder.home);
}

/** The files that can hold a user's hooks; `file` is absolute. */
export function hookFilePaths(client: Client, env: Env): (HookFile & { file: string })[] {
  const folder = clientFolder(client, env);
  return client.hookFiles.map((place) => ({ ...place, file: join(folder, place.path) }));
}
