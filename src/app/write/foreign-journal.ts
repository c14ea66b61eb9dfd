import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isAround, slashed } from '../../base/paths.ts';
import { endsInHookPath } from '../../clients/hook-files.ts';
import { CLIENTS } from '../../clients/index.ts';
import { holdsOnly } from '../../edit/read.ts';
import { isExportPath } from '../../export/export-path.ts';
import { EXPORT_MARK } from '../../inspect/exported-plugins.ts';
import { unlessFault } from '../../messages/fault.ts';
import { decode } from '../../plan/client/hook-file.ts';
import { ownership, ownsFolder, ownsStored } from '../../plan/scopes/owned.ts';
import { userScope } from '../../plan/scopes/user-scope.ts';
import { thisSystem } from '../../shims/command.ts';
import { shimOf } from '../../shims/entry-owner.ts';
import { digest } from '../../store/files.ts';
import type { Journal, Op, Phase } from '../../store/journal.ts';
import type { Context } from '../context.ts';
import { disk, readIfAble } from '../disk.ts';

/**
 * Returns a function that finds the first path in a journal which no run of mcphooks can have planned to change. Such a
 * journal is refused, whoever wrote the file.
 */
export function foreignFinder({ scope, env, paths }: Pick<Context, 'scope' | 'env' | 'paths'>) {
  // Installs at user scope, installs at local scope of any project, and exports share one journal.
  const machine = userScope(env, paths, thisSystem());
  return ({ ops, made, emptied, cleared = [] }: Journal, phase: Phase): string | undefined => {
    const known = scope.shared
      ? (op: Op) => passes(() => scope.check(op.path, disk.real))
      : (op: Op) => isKnownTarget(op, phase, machine, ops);
    const path = ops.find((op) => !known(op))?.path;
    const isFolder = (folder: string): boolean =>
      ops.some((op) => isAround(folder, op.path)) ||
      (scope.shared ? passes(() => scope.check(folder, disk.real)) : ownsFolder(folder, machine, disk.real));
    const isCleared = (folder: string): boolean => !scope.shared && ownsStored(folder, machine, disk.real);
    return (
      path ??
      [...made, ...emptied].find((folder) => !isFolder(folder)) ??
      cleared.find((folder) => !isCleared(folder))
    );
  };
}

function isKnownTarget(
  op: Op,
  phase: Phase,
  machine: ReturnType<typeof userScope>,
  ops: readonly Op[],
): boolean {
  const kind = ownership(op.path, machine, disk.real);
  // An exported file may have the name of a client's hook file.
  if (kind === 'client' && !isInExport(op.path, ops, true))
    return !replaces(op, phase) || (isOfOurs(op) && mayRemove(op, phase));
  return kind !== undefined || isInExport(op.path, ops);
}

/**
 * True when finishing the transaction replaces the target itself. In `preparing` and `done` only our temporary files
 * are removed; in `undo`, a target with its old content stays.
 */
function replaces({ target, before }: Op, phase: Phase): boolean {
  if (phase === 'preparing' || phase === 'done') return false;
  return phase === 'commit' || digest(readIfAble(target)) !== before;
}

/**
 * True when a client's file holds our entries before or after the operation. A file that somebody has changed since is
 * left alone by the transaction anyway.
 */
function isOfOurs({ target, fresh, old, before, after }: Op): boolean {
  const now = readIfAble(target);
  const ours = [now, readIfAble(fresh), readIfAble(old)].some(
    (bytes) => bytes && Buffer.from(bytes).includes('mcphooks'),
  );
  return ours || now === null || ![before, after].includes(digest(now));
}

/** True unless finishing the transaction removes a client's file that holds more than entries of ours. */
function mayRemove({ path, target, before, after }: Op, phase: Phase): boolean {
  const [now, then] = phase === 'commit' ? [before, after] : [after, before];
  const bytes = readIfAble(target);
  if (then !== null || bytes === null || digest(bytes) !== now) return true;
  const places = CLIENTS.flatMap(({ hooks }) => [...hooks.user, ...hooks.project, ...hooks.local]);
  return places
    .filter((place) => endsInHookPath(path, place))
    .some((place) =>
      passes(() =>
        holdsOnly(
          { ...place, file: path, text: decode(bytes, path) },
          (signature) => shimOf(signature) !== undefined,
        ),
      ),
    );
}

/** `surely`: by a file on the disk, not by the word of the journal alone. */
function isInExport(path: string, ops: readonly Op[], surely = false): boolean {
  for (let out = dirname(path); out !== dirname(out); out = dirname(out)) {
    const mark = join(out, EXPORT_MARK);
    if (!isExportPath(slashed(relative(out, path)))) continue;
    if (existsSync(mark) || ops.some((op) => op.path === mark && (!surely || existsSync(op.fresh))))
      return true;
  }
  return false;
}

/** False when a check says no, or throws a Fault. */
const passes = (check: () => unknown): boolean => unlessFault(check, false) !== false;
