import { homeFolder } from '../../base/paths.ts';
import { repositoryOf } from '../../base/repository.ts';
import { isExported } from '../../inspect/exported-plugins.ts';
import { Fault, unlessFault } from '../../messages/fault.ts';
import { removal } from '../../plan/client/removal.ts';
import { machineStore } from '../../plan/scopes/machine-form.ts';
import { userScope } from '../../plan/scopes/user-scope.ts';
import { withRecord } from '../../plan/with-record.ts';
import { thisSystem } from '../../shims/command.ts';
import { withApprovals, withoutApprovals } from '../../store/approvals.ts';
import { disabledIn, disabledOnlyIn } from '../../store/disabled-in.ts';
import { readFileState } from '../../store/files.ts';
import { readStore } from '../../store/read-record.ts';
import { findServer } from '../../store/record.ts';
import type { Approvals, RecordDocument } from '../../store/types.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import { openRecord } from '../open-record.ts';
import { leaveNoFolder, underLock } from './under-lock.ts';

/**
 * Records approvals on this machine, for commands that write no record of theirs with them. If the record can't be
 * written, the user will be asked again.
 */
export async function rememberApprovals(added: Approvals, context: Context): Promise<void> {
  if (Object.keys(added).length === 0) return;
  await changeMachineRecord((record) => withApprovals(record, added), context);
}

type RecordChange = (record: RecordDocument) => RecordDocument;

const approvalsGo =
  (slug: string, except: readonly string[], { scope, env, cwd }: Context): RecordChange =>
  (record) =>
    withoutApprovals(record, slug, repositoryOf(scope.root ?? cwd, homeFolder(env)).main, except);

/** True when this machine's record has approvals, other than in `except`, to start a project's server. */
export function holdsApprovals(slug: string, except: readonly string[], context: Context): boolean {
  const { scope, env, paths } = context;
  if (!scope.shared) return false;
  const { record } = readStore(machineStore(paths, env));
  return approvalsGo(slug, except, context)(record) !== record;
}

/**
 * Removes a server's start approvals in the repository of the project from which its hooks were removed. Returns the
 * Fault where they stay.
 */
export const forgetApprovals = (
  slug: string,
  except: readonly string[],
  context: Context,
): Promise<Fault | undefined> => changeMachineRecord(approvalsGo(slug, except, context), context);

/**
 * Forgets what this machine knows of a server in the project from which its hooks were removed: its start approvals, and
 * that it is disabled there. Removes the `disabled` file when nothing else was disabled by it. Returns the Fault where
 * this stays.
 */
export async function forgetInProject(
  slug: string,
  except: readonly string[],
  context: Context,
): Promise<Fault | undefined> {
  const { scope, env, paths } = context;
  const { shared, root } = scope;
  if (!shared || root === undefined) return undefined;
  const { disabledFile, store } = userScope(env, paths, thisSystem());
  const isUnused = (before: RecordDocument, after: RecordDocument): boolean =>
    disabledIn(before, slug).length > 0 &&
    disabledIn(after, slug).length === 0 &&
    !findServer(after, { scope: 'user', slug }) &&
    !isExported(slug, context);
  const withoutApproved = approvalsGo(slug, except, context);
  const change = (record: RecordDocument): RecordDocument => {
    const others = disabledIn(record, slug).filter((one) => one !== root);
    return disabledOnlyIn(withoutApproved(record), slug, others);
  };
  const fault = await changeMachineRecord(change, context, (before, after) =>
    isUnused(before, after) ? [disabledFile(slug)] : [],
  );
  if (!fault) return undefined;
  const stays = unlessFault(() => disabledIn(readStore(store).record, slug).includes(root), false);
  return fault.with({ stays: stays ? 'disabled' : 'approvals' });
}

/**
 * Changes this machine's record, and removes the files that `unneeded` returns. Returns the Fault of a record that can't
 * be read or written; then nothing is changed.
 */
async function changeMachineRecord(
  change: RecordChange,
  context: Context,
  unneeded: (before: RecordDocument, after: RecordDocument) => string[] = () => [],
): Promise<Fault | undefined> {
  const scope = userScope(context.env, context.paths, thisSystem());
  const here = { ...context, scope };
  try {
    const known = readStore(scope.store).record;
    if (change(known) === known) return undefined;
    await underLock(here, (made) => {
      const reading = openRecord(here);
      const input = { reading, scope, now: context.now(), made, files: disk };
      const record = change(reading.record);
      const removed = unneeded(reading.record, record).flatMap((path) =>
        removal(path, { read: readFileState }),
      );
      return { result: undefined, ...withRecord(removed, record, input) };
    });
    leaveNoFolder(here, known.folders);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error;
  }
}
