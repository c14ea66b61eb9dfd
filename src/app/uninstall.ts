import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder, LOCK } from '../base/paths.ts';
import { repositoryOf } from '../base/repository.ts';
import type { ClientId } from '../clients/client.ts';
import { activeScopes } from '../inspect/scopes.ts';
import { Fault } from '../messages/fault.ts';
import { keyIn } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import { planUninstall, type Removal, type UninstallInput } from '../plan/uninstall.ts';
import { isExported } from '../servers/exported.ts';
import { disabledIn } from '../store/disabled-in.ts';
import { readFileState } from '../store/files.ts';
import { tolerate } from '../store/fs.ts';
import { readStore } from '../store/read-record.ts';
import { findServer } from '../store/record.ts';
import type { Context } from './context.ts';
import { disk } from './disk.ts';
import { endKeptServers } from './end-kept.ts';
import { recoverInterrupted } from './recover.ts';
import { forgetInProject, leaveNoFolder, underLock } from './write.ts';

/** Removes a folder that contains only folders. */
function removeEmptyTree(folder: string): void {
  const entries = disk.list(folder);
  if (typeof entries === 'string') return;
  for (const { name, kind } of entries) if (kind === 'folder') removeEmptyTree(join(folder, name));
  tolerate(() => rmdirSync(folder));
}

/** True when a project's hooks or an export are disabled by the same marker as the user's own install of the server. */
async function needsMarker(slug: string, context: Context): Promise<boolean> {
  if (!existsSync(context.scope.marker(slug))) return false;
  const here = await activeScopes(context);
  const { record } = readStore(context.scope.store);
  return (
    here.some(
      ({ scope, servers, reading }) =>
        scope.shared && (reading.damaged || servers.some((server) => server.slug === slug)),
    ) ||
    disabledIn(record, slug).some((root) => existsSync(join(root, LOCK))) ||
    isExported(slug, context)
  );
}

/**
 * Removes one server's hooks: first makes the shims inert, then removes our entries from the clients' files. `dryRun`:
 * only plans; `edited`: entries that were edited by hand are removed, too; `clients`: from these alone. A file that can't be edited is the `fault`
 * of its client in the result.
 */
export async function removeHooks(
  slug: string,
  {
    dryRun,
    edited,
    keepLog = false,
    clients,
  }: { dryRun: boolean; edited: boolean; keepLog?: boolean; clients?: readonly ClientId[] },
  context: Context,
): Promise<Removal> {
  const { root } = context.scope;
  const input = (): UninstallInput => ({
    slug,
    ...(clients && { clients }),
    reading: readStore(context.scope.store),
    scope: context.scope,
    cwd: context.cwd,
    ...(root !== undefined && { repository: repositoryOf(root, homeFolder(context.env)).main }),
    now: context.now(),
    edited,
    keepLog,
    markerStays,
    files: filesIn(context.scope, { ...disk, read: readFileState }),
  });
  await recoverInterrupted(context);
  const markerStays = context.scope.name === 'user' && (await needsMarker(slug, context));
  const first = planUninstall(input());
  if (dryRun) return first;
  if (!clients || !findServer(first.record, keyIn(context.scope, slug))) await forgetInProject(slug, context);
  if (first.own.length + first.changes.length === 0) {
    leaveNoFolder(context, first.around);
    return first;
  }
  await underLock(context, () => {
    const { own } = planUninstall(input());
    return { result: undefined, changes: own };
  });
  // Planned again, because other servers may have been uninstalled meanwhile: the last uninstall also removes shared
  // files.
  const last = await underLock(context, () => {
    const removal = planUninstall(input());
    const changes = [...removal.own, ...removal.changes];
    return { result: removal, changes, emptied: removal.emptied };
  }).catch((error) => {
    throw error instanceof Fault && first.own.length > 0 ? error.with({ scriptsGone: 1 }) : error;
  });
  await endKeptServers(slug, context.paths);
  // All hooks are gone by now, so a folder that can't be removed is no failure.
  for (const folder of new Set([...first.folders, ...last.folders]))
    tolerate(() => rmSync(folder, { recursive: true, force: true }));
  for (const folder of new Set([...first.hookFolders, ...last.hookFolders])) removeEmptyTree(folder);
  leaveNoFolder(context, [...first.around, ...last.around]);
  return first;
}
