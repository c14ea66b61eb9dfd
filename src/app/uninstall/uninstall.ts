import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../../base/files.ts';
import { homeFolder } from '../../base/paths.ts';
import { otherCheckouts, repositoryOf } from '../../base/repository.ts';
import type { ClientId } from '../../clients/client.ts';
import { isExported } from '../../inspect/exported-plugins.ts';
import { activeScopes, scopeFor } from '../../inspect/scopes.ts';
import { Fault, orFaultOf, unlessFault } from '../../messages/fault.ts';
import { machineStore } from '../../plan/scopes/machine-form.ts';
import { ownsFolder } from '../../plan/scopes/owned.ts';
import { filesIn } from '../../plan/scopes/within.ts';
import { logsIn } from '../../plan/uninstall/own-removals.ts';
import type { ClientRemoval } from '../../plan/uninstall/remove-entries.ts';
import { planUninstall, type Removal } from '../../plan/uninstall/uninstall.ts';
import { loadRuntime } from '../../shims/runtime.ts';
import { disabledIn } from '../../store/disabled-in.ts';
import { readWritten } from '../../store/files.ts';
import { errno, tolerate } from '../../store/fs.ts';
import { readStore } from '../../store/read-record.ts';
import type { RecordReading } from '../../store/record.ts';
import type { FileChange } from '../../store/types.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import { endWarmServers } from '../end-warm-servers.ts';
import { forgetApprovals, forgetInProject, holdsApprovals } from '../write/machine-record.ts';
import { recoverInterrupted } from '../write/recover.ts';
import { leaveNoFolder, underLock } from '../write/under-lock.ts';

/** Removes a folder that contains only folders. */
function removeEmptyTree(folder: string): void {
  const entries = disk.list(folder);
  if (typeof entries === 'string') return;
  for (const { name, kind } of entries) if (kind === 'folder') removeEmptyTree(join(folder, name));
  tolerate(() => rmdirSync(folder));
}

/**
 * Removes what is left of folders, and returns a fault for each in which another user's files stay, as after a session
 * as root. Only under the lock: an install that waits for the lock writes there next.
 */
function removeLeft(folders: readonly string[]): Fault[] {
  return folders.flatMap((folder) => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (errno(error) === 'EACCES')
        return new Fault('own.stays', { folder, stays: 'state' }, { file: folder });
    }
    return [];
  });
}

/** Returns the root of this project where it has the server's hooks, or where its lock file can't tell. */
async function projectsHere(slug: string, context: Context): Promise<string[]> {
  return (await activeScopes(context)).flatMap(({ scope, servers, reading }) =>
    scope.shared && scope.root && (reading.damaged || servers.some((server) => server.slug === slug))
      ? [scope.root]
      : [],
  );
}

/**
 * Returns the projects whose hooks are disabled by the same file as the user's own install of the server; undefined
 * when neither a project nor an export needs that file. A project may be on a branch without its hooks.
 */
async function disabledFileUsers(slug: string, context: Context): Promise<string[] | undefined> {
  if (!existsSync(context.scope.disabledFile(slug))) return undefined;
  const known = disabledIn(readStore(context.scope.store).record, slug).filter((root) => existsSync(root));
  const roots = [...new Set([...known, ...(await projectsHere(slug, context))])];
  return roots.length > 0 || isExported(slug, context) ? roots : undefined;
}

/** True when another checkout of a folder's repository has the server in its lock file, or where that can't tell. */
async function isInOtherCheckout(slug: string, folder: string, context: Context): Promise<boolean> {
  const hasServer = async (root: string): Promise<boolean> => {
    const { store } = await scopeFor('project', context, root);
    return readStore(store).record.servers.some((server) => server.slug === slug);
  };
  for (const root of otherCheckouts(folder, homeFolder(context.env)))
    if (await orFaultOf(hasServer(root))) return true;
  return false;
}

/**
 * Returns the main folders of the repositories in which other installs of a server act, as far as they are known here;
 * of the user's own, which act everywhere, the repository of this uninstall. That counts, too, where another checkout
 * has the project's hooks.
 */
async function repositoriesOfOthers(slug: string, context: Context): Promise<string[]> {
  const { scope, env, paths, cwd } = context;
  const here = scope.root ?? cwd;
  try {
    const { record } = readStore(machineStore(paths, env));
    const recorded = record.servers
      .filter((one) => one.slug === slug && (one.scope !== scope.name || one.root !== scope.root))
      .map(({ root = here }) => root);
    const roots = [
      ...recorded,
      ...(scope.shared ? [] : await projectsHere(slug, context)),
      ...((await isInOtherCheckout(slug, here, context)) ? [here] : []),
    ];
    return [...new Set(roots.map((root) => repositoryOf(root, homeFolder(env)).main))];
  } catch (error) {
    // A record that can't be read keeps its approvals anyway.
    if (!(error instanceof Fault)) throw error;
    return [];
  }
}

/** Removes the log, which hooks of projects write, too, where the record lists no server any more. */
export function clearLog(context: Context): void {
  const { scope } = context;
  const { state } = scope.paths;
  if (scope.name !== 'user' || readStore(scope.store).record.servers.length > 0) return;
  for (const path of logsIn(state, disk).map((name) => join(state, name)))
    if (ownsFolder(path, scope, disk.real)) tolerate(() => rmSync(path, { force: true }));
  leaveNoFolder(context, []);
}

interface RemovalRequest {
  /** Entries that were edited by hand are removed, too. */
  evenEdited: boolean;
  keepLog?: boolean;
  /** From these alone. */
  clients?: readonly ClientId[];
  /** The server's name, for commands that are advised. Default: its slug. */
  server?: string;
  /** What files hold after planned removals that come first, and that are not written; null: the file is gone. */
  earlier?: ReadonlyMap<string, FileChange['after']>;
  /** An earlier reading of the record, which holds while the file has the same bytes. */
  reading?: RecordReading;
}

/** A plan to remove one server's hooks. */
interface PlannedRemoval {
  first: Removal;
  /** Plans once more, from what the disk holds by then. `made`: folders that were created for the lock. */
  again: (made?: readonly string[]) => Removal;
  /** Repositories in which other installs of the server need its start approvals. */
  approvedFor: readonly string[];
}

/** Returns this machine's files, some of which hold something else or are gone. */
const filesAfter = (earlier: NonNullable<RemovalRequest['earlier']>): Files => ({
  ...disk,
  read: (path) => (earlier.has(path) ? (earlier.get(path) ?? null) : readWritten(path)),
  list: (folder) => {
    const all = disk.list(folder);
    return typeof all === 'string' ? all : all.filter(({ name }) => earlier.get(join(folder, name)) !== null);
  },
});

async function planned(
  slug: string,
  { evenEdited, keepLog = false, clients, earlier = new Map(), reading: known }: RemovalRequest,
  context: Context,
): Promise<PlannedRemoval> {
  const { scope, cwd, env } = context;
  const disabledFileStays = scope.name === 'user' ? await disabledFileUsers(slug, context) : undefined;
  const approvedFor = await repositoriesOfOthers(slug, context);
  const { store } = scope;
  const files = filesAfter(earlier);
  let reading = known;
  const again = (made: readonly string[] = []): Removal => {
    reading = earlier.has(store.file) ? store.parse(files.read(store.file)) : readStore(store, reading);
    return planUninstall({
      approvedFor,
      slug,
      ...(clients && { clients }),
      reading,
      scope,
      cwd,
      ...(scope.root !== undefined && { repository: repositoryOf(scope.root, homeFolder(env)).main }),
      now: context.now(),
      made,
      evenEdited,
      keepLog,
      ...(disabledFileStays && { disabledFileStays }),
      // In a file that is empty for a moment, none of our entries would be found, and the record would go.
      files: filesIn(scope, files),
      runtime: loadRuntime,
    });
  };
  const first = again();
  const isIdle = first.own.length + first.changes.length === 0;
  const isGone = isIdle && !first.isLeft && !clients && !readStore(scope.store).damaged;
  if (isGone && unlessFault(() => holdsApprovals(slug, approvedFor, context), false)) first.forgets = true;
  const faults = first.clients.flatMap(({ fault }) => fault ?? []);
  const unmerged = scope.shared && faults.find(({ code }) => code === 'edit.conflict');
  // A merge is under way, in which a teammate may need what would go from other files and the lock file.
  if (unmerged) throw unmerged;
  return { first, again, approvedFor };
}

/**
 * Plans the removal of one server's hooks, and writes nothing. A file that can't be edited is the `fault` of its client
 * in the result. In a project, throws that of a file with a merge conflict.
 */
export const planRemoval = async (
  slug: string,
  request: RemovalRequest,
  context: Context,
): Promise<Removal> => (await planned(slug, request, context)).first;

/**
 * Removes one server's hooks: first deletes the hook scripts, so that no hook fires if a later step fails, then removes
 * our entries from the clients' files. Faults as `planRemoval`; where that throws, nothing is written.
 */
export async function removeHooks(slug: string, request: RemovalRequest, context: Context): Promise<Removal> {
  await recoverInterrupted(context);
  const { server = slug } = request;
  const { first, again, approvedFor } = await planned(slug, request, context);
  const withFaults = (removal: Removal, faults: readonly Fault[]): Removal => ({
    ...removal,
    notRemoved: [...removal.notRemoved, ...faults],
  });
  if (first.own.length + first.changes.length === 0) {
    const { forgets, ...nothing } = first;
    const fault = forgets && (await forgetApprovals(slug, approvedFor, context));
    leaveNoFolder(context, first.around);
    return fault ? withFaults(nothing, [fault.with({ stays: 'approvals', server })]) : first;
  }
  await underLock(context, () => ({ result: undefined, changes: again().own })).catch((error) => {
    throw error instanceof Fault ? error.with({ act: 'uninstall' }) : error;
  });
  await endWarmServers(slug, context.paths);
  let stay: Fault[] = [];
  // Planned again, because other servers may have been uninstalled meanwhile: the last uninstall also removes shared
  // files.
  const last = await underLock(context, (made) => {
    const removal = again(made);
    const { own, changes, emptied, around, folders, hookFolders } = removal;
    return {
      result: removal,
      changes: [...own, ...changes],
      // The scripts are gone by now, and no lost lock file lists their folders.
      emptied: [...new Set([...first.emptied, ...emptied])],
      // After a kill, the journal lists them for the next command.
      cleared: folders,
      around,
      after: () => {
        for (const folder of new Set([...first.hookFolders, ...hookFolders])) removeEmptyTree(folder);
        stay = removeLeft(folders);
      },
    };
  }).catch((error) => {
    const stay = first.notRemoved.some(({ code }) => ['own.linked', 'plan.unreadable'].includes(code));
    const scriptsGone = first.own.length > 0 && !stay;
    throw error instanceof Fault && scriptsGone ? error.with({ scriptsGone: 1 }) : error;
  });
  // Last: hooks that could not be removed keep their approvals, and a killed uninstall enables none.
  const fault = last.isLeft ? undefined : await forgetInProject(slug, approvedFor, context);
  leaveNoFolder(context, [...first.around, ...last.around]);
  const isLate = ({ client, file, fault }: ClientRemoval): boolean =>
    fault !== undefined && !first.clients.some((c) => c.fault && c.client === client && c.file === file);
  const late = last.clients.filter(isLate);
  const done = first.clients.filter((c) => !late.some((l) => l.client === c.client && l.file === c.file));
  return withFaults({ ...first, clients: [...done, ...late], isLeft: last.isLeft }, [
    ...(fault ? [fault.with({ server })] : []),
    ...stay,
  ]);
}
