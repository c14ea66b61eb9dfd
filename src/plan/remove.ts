import { rmSync } from 'node:fs';
import { readFileState } from '../apply/files.ts';
import { tolerate } from '../apply/fs.ts';
import type { Context } from '../context.ts';
import { settle } from './settle.ts';
import { planUninstall, type Removal, type UninstallInput } from './uninstall.ts';
import { leaveNoFolder, underLock } from './write.ts';

/**
 * Takes out one server's hooks: makes the shims inert first, then takes our entries out of the clients' files.
 * `dryRun`: only plans it; `edited`: entries that were edited by hand leave, too. A file that can't be edited is the `fault` of its client in the result.
 */
export async function removeHooks(
  slug: string,
  { dryRun, edited }: { dryRun: boolean; edited: boolean },
  context: Context,
): Promise<Removal> {
  const input = (): UninstallInput => ({
    slug,
    reading: context.site.store.read(),
    site: context.site,
    cwd: context.cwd,
    now: context.now(),
    edited,
    read: readFileState,
  });
  await settle(context);
  const first = planUninstall(input());
  if (dryRun) return first;
  if (first.own.length + first.changes.length === 0) {
    leaveNoFolder(context, first.around);
    return first;
  }
  await underLock(context, () => {
    const { own } = planUninstall(input());
    return { result: undefined, changes: own };
  });
  await underLock(context, () => {
    const removal = planUninstall(input());
    return { result: undefined, changes: removal.changes, emptied: removal.emptied };
  });
  // Nothing is left that speaks: an empty folder that has to stay is no failure.
  for (const folder of first.folders) tolerate(() => rmSync(folder, { recursive: true, force: true }));
  leaveNoFolder(context, first.around);
  return first;
}
