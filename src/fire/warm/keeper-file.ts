import { lstatSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { slashed, spelling } from '../../base/paths.ts';
import { isRunning } from '../../base/process.ts';
import { quietly } from '../../base/quietly.ts';
import { jsonIn, readNames } from '../../base/read-file.ts';
import { sha256 } from '../../base/sha256.ts';
import type { StdioLaunch } from '../../servers/launch/launch.ts';
import type { ApprovedLaunch, ReachData } from '../approval/approved-launch.ts';
import type { KeepRunning } from '../format.ts';
import { hashOf } from '../own-folders.ts';

/** Most servers that are kept running at a time; the one unused longest gives way. */
export const MOST_KEPT = 8;

/** Variables that a shell sets anew, and our own mark of a server. */
const OF_SHELL = ['_', 'OLDPWD', 'SHLVL', 'MCPHOOKS_SERVER'];

/**
 * A server that is kept running, in `<state>/warm/<id>.json` (mode 0600): written by its keeper (../programs/warm-keeper.ts), the
 * process that started the server and passes on calls.
 */
export interface KeeperFile {
  format: 1;
  id: string;
  /** Alias of the server. */
  server: string;
  /** Folder in which it was started. */
  folder: string;
  /** The keeper's process, see `recordedProcess`. */
  pid: number;
  started?: string;
  /** ISO 8601. */
  since: string;
  /** Path of the socket, or name of the pipe, on which the keeper listens. */
  address: string;
  /** What both sides prove to know (proof.ts); also tells this keeper from a later one with the same id. */
  secret: string;
  /** Hook script of the fire that started it, and folder of the keeper's program. */
  shim: string;
  runtime: string;
}

export const keeperFilePath = (folder: string, id: string): string => join(folder, `${id}.json`);

/** Returns the start of a kept server: without variables that differ between sessions, but for the definition's own. */
export function lasting(
  { to, variables }: Pick<ApprovedLaunch, 'variables'> & { to: StdioLaunch },
  { omit, omitPaths = [] }: KeepRunning,
): StdioLaunch {
  const left = new Set([...OF_SHELL, ...omit].filter((name) => !variables.includes(name)));
  const path = spelling(to.env, 'PATH');
  const entries = Object.entries(to.env).flatMap(([name, value]): [string, string][] => {
    if (left.has(name)) return [];
    const isPath = name === path && !variables.includes(name);
    return [[name, isPath ? withoutPaths(value, omitPaths) : value]];
  });
  return { ...to, env: Object.fromEntries(entries) };
}

/** File that leads to a keeper: contains its id. Only a shortcut: the keeper itself checks who may use it. */
export const hintFile = (folder: string, hint: string): string => join(folder, `${hint}.hint`);

/**
 * Returns the name of a hint: equal for fires that most probably need the same kept server. Takes a hundredth of the
 * time of a kept server's id.
 */
export function hintOf(
  { server, client, server_at }: ReachData,
  startFolder: string,
  env: NodeJS.ProcessEnv,
  { omit, omitPaths = [] }: KeepRunning,
): string {
  const left = new Set([...OF_SHELL, 'PWD', ...omit]);
  const path = spelling(env, 'PATH');
  const parts = [JSON.stringify([server, client, startFolder, server_at])];
  for (const [name, value = ''] of Object.entries(env))
    if (!left.has(name)) parts.push(name, name === path ? withoutPaths(value, omitPaths) : value);
  const text = parts.join('\0');
  const words = new Int32Array(Math.ceil(text.length / 4));
  Buffer.from(words.buffer).write(text, 'latin1');
  let [a, b] = [0, text.length];
  for (let i = 0; i < words.length; i++) {
    a = Math.imul(a ^ (words[i] as number), 0x01000193);
    b = (Math.imul(b, 31) + (words[i] as number)) ^ (a >>> 15);
  }
  return hashOf(`${a}`, `${b}`);
}

/** Returns the value of PATH without the folders that differ between sessions. */
function withoutPaths(path: string, patterns: readonly string[]): string {
  if (patterns.length === 0) return path;
  const forms = patterns.map((one) => new RegExp(one));
  return path
    .split(delimiter)
    .filter((folder) => !forms.some((form) => form.test(slashed(folder))))
    .join(delimiter);
}

/** Returns the id of a kept server: equal for equal programs, folders and environments. */
export function idOf(server: string, { command, args, cwd, env }: StdioLaunch): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([server, command, args, cwd, variables])).slice(0, 16);
}

/** True for a folder or file that only this user can open. Windows closes a user's folders to other users. */
export function isPrivate(path: string, kind: 'folder' | 'file'): boolean {
  const stat = quietly(() => lstatSync(path));
  if (!stat || !(kind === 'folder' ? stat.isDirectory() : stat.isFile())) return false;
  return process.platform === 'win32' || (stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0);
}

/** Returns a keeper's file; undefined when there is none, or others could have written it. */
export function readKeeperFile(folder: string, id: string): KeeperFile | undefined {
  const file = keeperFilePath(folder, id);
  const isOurs = isPrivate(folder, 'folder') && isPrivate(file, 'file');
  const kept = isOurs && (jsonIn(file) as KeeperFile | undefined);
  if (!kept) return undefined;
  const texts = [kept.id, kept.server, kept.folder, kept.since, kept.address, kept.secret];
  texts.push(kept.shim, kept.runtime);
  const whole = kept.format === 1 && kept.pid > 1 && texts.every((text) => typeof text === 'string');
  return whole ? kept : undefined;
}

/** Returns the files of a folder's keepers, also of those that are gone. */
export function keeperFiles(folder: string): KeeperFile[] {
  const ids = readNames(folder).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
  return ids.flatMap((id) => readKeeperFile(folder, id) ?? []);
}

/** Removes a keeper's file, unless it is that of a later keeper. */
export function removeKeeperFile(folder: string, kept: KeeperFile): void {
  if (readKeeperFile(folder, kept.id)?.secret === kept.secret)
    quietly(() => rmSync(keeperFilePath(folder, kept.id), { force: true }));
}

/**
 * Ends a keeper, which ends its server; after SIGKILL the server's watcher does that. Only a process that is known to be
 * the keeper gets a signal: where the system doesn't tell, the keeper ends as soon as it finds its file gone.
 */
export function endKeeper(folder: string, kept: KeeperFile, signal: 'SIGTERM' | 'SIGKILL'): void {
  removeKeeperFile(folder, kept);
  if (kept.started !== undefined && isRunning(kept)) quietly(() => process.kill(kept.pid, signal));
  if (signal === 'SIGKILL' || !isRunning(kept)) dropAddress(folder, kept);
}

/** Removes a keeper's socket; nothing else that the file of a keeper may name. */
export function dropAddress(folder: string, { address }: KeeperFile): void {
  quietly(() => dirname(address) === folder && lstatSync(address).isSocket() && rmSync(address));
}
