import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { absolutePath } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import { isRunning } from '../../base/process.ts';
import { statOf } from '../../fire/files.ts';
import { slugOf } from '../../fire/own-folders.ts';
import { warmFolder } from '../../fire/warm/address.ts';
import { isPrivate, type KeeperFile, keeperFilePath, keeperFiles } from '../../fire/warm/keeper-file.ts';
import type { Surveyed } from '../survey.ts';
import { aboutInstall } from './installs.ts';
import type { Check, DoctorContext, Finding } from './types.ts';

/** Finds the processes of a server that its hooks keep running (`--keep-warm`), with their memory and last call. */
export function keptServers({ scope, record }: Pick<Surveyed, 'scope' | 'record'>): Finding[] {
  const folder = warmFolder(scope.paths.state);
  const own = keeperFiles(folder).filter((kept) => slugOf(kept.shim) === record.slug && isRunning(kept));
  const sizes = own.length > 0 ? memoryByProcess() : undefined;
  return own.map((kept) => {
    const memory = sizes === undefined ? undefined : kilobytesOf(kept, sizes);
    const args = {
      folder: kept.folder,
      since: kept.since,
      pid: kept.pid,
      last: lastCall(folder, kept),
      ...(memory !== undefined && { megabytes: Math.round(memory / 1024) }),
    };
    return aboutInstall('doctor.kept', scope, record, args, { remark: true });
  });
}

/** Finds a folder of running servers that others can open: hooks use no server in it, and each starts one of its own. */
function openFolder({ scopes }: DoctorContext): Finding[] {
  const state = scopes.find(({ scope }) => scope.name === 'user')?.scope.paths.state;
  const folder = state === undefined ? '' : warmFolder(state);
  const stat = folder === '' ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory() || stat.uid !== process.getuid?.() || isPrivate(folder, 'folder')) return [];
  return [{ code: 'doctor.kept-open', args: { folder }, where: { file: folder }, remark: true }];
}

export const kept: Check = (context) => [...openFolder(context), ...context.servers.flatMap(keptServers)];

/** The keeper touches its file at each call. */
const lastCall = (folder: string, { id, since }: KeeperFile): string =>
  statOf(keeperFilePath(folder, id))?.mtime.toISOString() ?? since;

/** By process, its parent and its memory in kB; undefined where the system has no `ps`. */
type Sizes = Map<number, { parent: number; kb: number }>;

function memoryByProcess(): Sizes | undefined {
  // Windows has none, and would look for one in the working folder.
  if (HERE.windows) return undefined;
  const env = absolutePath(process.env) as NodeJS.ProcessEnv;
  const { status, stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8', env });
  if (status !== 0) return undefined;
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return new Map(rows.map(([pid = 0, parent = 0, kb = 0]) => [pid, { parent, kb }]));
}

/** Returns the memory of a keeper and all that it started, in kB; pages that processes share count for each. */
function kilobytesOf({ pid }: KeeperFile, sizes: Sizes): number {
  const tree = new Set([pid]);
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [child, { parent }] of sizes) if (tree.has(parent)) tree.add(child);
  }
  return [...tree].reduce((sum, one) => sum + (sizes.get(one)?.kb ?? 0), 0);
}
