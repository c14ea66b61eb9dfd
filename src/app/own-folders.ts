import { dirname } from 'node:path';
import { isKernelFolder } from '../base/paths.ts';
import { Fault } from '../messages/fault.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import { assertPrivate, assertPrivateTree } from '../store/private-folder.ts';
import type { Context } from './context.ts';

/**
 * Throws a Fault where the folders of ours that a command writes to can't serve: others can write to them
 * (`own.open`, `own.of-another`), or hooks couldn't use them (`own.line-break`, `own.kernel`).
 */
export function assertOwnFolders({ scope, paths }: Pick<Context, 'scope' | 'paths'>): void {
  const { lockFolder, shared } = scope;
  const own = shared ? [lockFolder] : [scope.paths.data, paths.state];
  for (const folder of own) assertUsable(folder);
  assertPrivate(paths.state);
  assertLockFolder(scope);
  if (!shared) assertPrivateTree(scope.paths.data);
}

/**
 * The same of the folder with the lock and the journal, before either is believed. A project's is two folders below one
 * that may be among the temporary ones: whoever owns that one can put anything into it.
 */
export function assertLockFolder({ lockFolder, shared }: Pick<Scope, 'lockFolder' | 'shared'>): void {
  const around = shared ? [dirname(dirname(lockFolder)), dirname(lockFolder)] : [];
  for (const folder of [...around, lockFolder]) assertPrivate(folder);
}

/** A hook's shell reads paths of these folders line by line; below /proc and the like no folder can be made. */
function assertUsable(folder: string): void {
  if (/[\r\n]/.test(folder)) throw new Fault('own.line-break', { folder });
  if (isKernelFolder(folder)) throw new Fault('own.kernel', { folder });
}
