import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { homeFolder, isKernelFolder } from '../../base/paths.ts';
import { quietly } from '../../base/quietly.ts';
import { Fault } from '../../messages/fault.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { assertPrivate, assertPrivateTree } from '../../store/private-folder.ts';
import { assertUtf8 } from '../../store/utf8-path.ts';
import type { Context } from '../context.ts';

/**
 * Throws a Fault when an own folder to which a command writes is unusable: others can write to the folder (`own.open`,
 * `own.of-another`), or hooks can't use it (`own.line-break`, `own.kernel`, `own.not-utf8`).
 */
export function assertOwnFolders({ scope, paths }: Pick<Context, 'scope' | 'paths'>): void {
  const { lockFolder, shared } = scope;
  const own = shared ? [lockFolder] : [scope.paths.data, paths.state];
  for (const folder of own) assertUsable(folder);
  for (const folder of [...own, scope.paths.data]) assertUtf8(folder);
  assertPrivate(paths.state);
  assertLockFolder(scope);
  if (!shared) assertPrivateTree(scope.paths.data);
}

/**
 * Throws a Fault, `own.sudo`, where sudo kept HOME (as on macOS): what root makes in a user's home, that user can't
 * change or remove. In a container, root may well use a home of another owner.
 */
export function assertOwnHome({ env }: Pick<Context, 'env'>): void {
  if (process.getuid?.() !== 0 || !Number(env.SUDO_UID)) return;
  const home = homeFolder(env);
  if (quietly(() => statSync(home).uid) === Number(env.SUDO_UID)) throw new Fault('own.sudo', { home });
}

/**
 * Checks the folder of the lock and the journal before either file is trusted. A project's lock folder is two levels
 * below a folder that may be in the temporary folder; whoever owns an outer folder could replace its subfolders.
 */
export function assertLockFolder({ lockFolder, shared }: Pick<Scope, 'lockFolder' | 'shared'>): void {
  const around = shared ? [dirname(dirname(lockFolder)), dirname(lockFolder)] : [];
  for (const folder of [...around, lockFolder]) assertPrivate(folder);
}

/**
 * Throws for paths that a hook's shell, which reads paths line by line, can't read, and for /proc and the like, where
 * no folder can be made.
 */
function assertUsable(folder: string): void {
  if (/[\r\n]/.test(folder)) throw new Fault('own.line-break', { folder });
  if (isKernelFolder(folder)) throw new Fault('own.kernel', { folder });
}
