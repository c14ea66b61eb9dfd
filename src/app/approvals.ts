import { homeFolder } from '../base/paths.ts';
import { repositoryOf } from '../base/repository.ts';
import type { Approvals, RecordDocument } from '../store/types.ts';
import type { Context } from './context.ts';

/** Definitions that the user lets start in the repository of a command's folder, by hash. */
export interface StartApprovals {
  has: (hash: string) => boolean;
  add: (hash: string, server: string) => void;
  /** Returns the approvals that this command added. */
  added: () => Approvals;
}

export function startApprovals(
  { approvals = {} }: RecordDocument,
  { cwd, env, now }: Pick<Context, 'cwd' | 'env' | 'now'>,
): StartApprovals {
  const repository = repositoryOf(cwd, homeFolder(env)).main;
  const known = Object.hasOwn(approvals, repository) ? approvals[repository] : {};
  const added: Approvals[string] = {};
  return {
    has: (hash) => Object.hasOwn({ ...known, ...added }, hash),
    add: (hash, server) => {
      added[hash] ??= { server, since: now() };
    },
    added: () => (Object.keys(added).length > 0 ? { [repository]: added } : {}),
  };
}
