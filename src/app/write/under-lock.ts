import { existsSync, rmdirSync } from 'node:fs';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { Plan } from '../../plan/types.ts';
import { deepestFirst } from '../../store/folders.ts';
import { tolerate } from '../../store/fs.ts';
import { withLock } from '../../store/process-lock.ts';
import { applyChanges } from '../../store/transaction.ts';
import type { Context } from '../context.ts';
import { foreignFinder } from './foreign-journal.ts';
import { assertOwnFolders } from './own-folders.ts';
import { recoverAloud, waitTeller } from './recover.ts';

/** Most plans to make: files may change while a plan is read, and the plan is then made again. */
const TRIES = 5;

/**
 * Runs `make` under the lock and writes its changes, again when a file changed in between; calls `after` last. `made`:
 * folders that were created for the lock. `around`: folders around the lock that are removed when they are empty
 * afterwards. `cleared`: folders that go with their contents once all changes are written.
 */
export async function underLock<T>(
  context: Context,
  make: (made: readonly string[]) => {
    result: T;
    changes: Plan['changes'];
    emptied?: readonly string[];
    cleared?: readonly string[];
    around?: readonly string[];
    after?: () => void;
  },
): Promise<T> {
  const { shared, lockFolder } = context.scope;
  assertOwnFolders(context);
  return withLock(
    lockFolder,
    ({ made, alsoRemove }) => {
      recoverAloud(context);
      for (let n = 1; ; n++) {
        // A project's lock file lists no folder of this machine.
        const { result, changes, emptied, cleared, around = [], after } = make(shared ? [] : made);
        // Anybody may have written a project's lock file, so no folder is removed because of it.
        if (!shared) alsoRemove(around);
        try {
          for (const r of applyChanges(changes, {
            state: lockFolder,
            ...(emptied && { emptied }),
            ...(cleared && { cleared }),
            findForeign: foreignFinder(context),
          }))
            context.err(faultText(r));
          after?.();
          return result;
        } catch (error) {
          if (!(error instanceof Fault) || error.code !== 'apply.stale' || n === TRIES) throw error;
        }
      }
    },
    { onWait: waitTeller(context) },
  );
}

/** When no record is left, removes the state folder and the folders that mcphooks created above it, if empty. */
export function leaveNoFolder(context: Context, around: readonly string[]): void {
  const { paths, store, shared } = context.scope;
  if (shared || existsSync(store.file)) return;
  for (const folder of deepestFirst([...new Set([paths.state, ...around])]))
    tolerate(() => rmdirSync(folder));
}
