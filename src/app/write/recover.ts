import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from '../../base/files.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import { scopeFor } from '../../inspect/scopes.ts';
import { Fault, orFaultOf } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { waitingText } from '../../messages/notes.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { journalDraft, journalFile, PHASES } from '../../store/journal.ts';
import { projectLockFolder } from '../../store/lock-folder.ts';
import { lockFile, withLock } from '../../store/process-lock.ts';
import { recover } from '../../store/recover.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import { reportOnce } from '../open-record.ts';
import { foreignFinder } from './foreign-journal.ts';
import { assertLockFolder } from './own-folders.ts';

/**
 * Finishes an interrupted run before anything is read, and waits for a running one. Without either, nothing is locked
 * or written. Finishes an interrupted run of the other scope that acts here, too, but doesn't wait for a running one
 * there; prints and returns why it can't be finished. In a dry run, prints once on stderr that a run was interrupted.
 * Faults: as `recover` and `withLock`.
 */
export async function recoverInterrupted(context: Context): Promise<Fault[]> {
  const other = otherScope(context);
  const found =
    other && (await orFaultOf(scopeFor(other, context).then((scope) => recoverIn(scope, context, 0))));
  // The home folder can't be a project.
  const isSaid = found instanceof Fault && found.code !== 'apply.locked' && found.code !== 'project.home';
  if (isSaid) reportOnce(found, context);
  await recoverIn(context.scope, context);
  return isSaid ? [found] : [];
}

/** Returns the scope that acts here, too, and has another lock than the command's own scope. */
function otherScope({ scope, paths, cwd }: Context): ScopeName | undefined {
  if (scope.shared) return 'user';
  // The folder is there only while a project is changed, or a change was interrupted.
  return existsSync(dirname(projectLockFolder(paths.state, cwd))) ? 'project' : undefined;
}

async function recoverIn(scope: Scope, context: Context, waitMs?: number): Promise<void> {
  const folder = scope.lockFolder;
  const journals = PHASES.map((phase) => journalFile('', phase));
  const leftovers = [...journals, journalDraft(''), lockFile('')];
  const found = namesIn(folder, disk);
  if (context.dryRun) {
    const journal = journals.find((name) => found.includes(name));
    if (journal !== undefined)
      reportOnce(new Fault('apply.interrupted', {}, { file: join(folder, journal) }), context);
    return;
  }
  if (!leftovers.some((name) => found.includes(name))) return;
  assertLockFolder(scope);
  await withLock(folder, () => recoverAloud({ ...context, scope }), {
    onWait: waitTeller(context),
    ...(waitMs !== undefined && { waitMs }),
  });
}

/** Calls `recover` under the caller's lock and prints its reports on stderr. */
export function recoverAloud(context: Context): void {
  const { scope } = context;
  for (const report of recover(scope.lockFolder, undefined, foreignFinder(context)))
    context.err(faultText(report));
}

/** Returns what prints on stderr that a command waits for another process' lock. */
export function waitTeller(context: Context): (file: string, holder: { pid: number } | undefined) => void {
  return (file, holder) => context.err(waitingText(file, holder?.pid));
}
