import { homeFolder } from '../base/paths.ts';
import { inMainCheckout } from '../base/repository.ts';
import type { Approvals, RecordDocument } from '../store/types.ts';
import type { Context } from './context.ts';

/** Definitions that the user lets start, by hash and folder; an approval holds in all worktrees of a repository. */
export interface StartApprovals {
  has: (hash: string, folder: string) => boolean;
  add: (hash: string, server: string, folder: string) => void;
  /** Returns the approvals that this command added. */
  added: () => Approvals;
}

export function startApprovals(
  { approvals = {} }: RecordDocument,
  { env, now }: Pick<Context, 'env' | 'now'>,
): StartApprovals {
  const added: Approvals = {};
  const place = (folder: string): string => inMainCheckout(folder, homeFolder(env));
  return {
    has: (hash, folder) => [approvals, added].some((all) => holds(all, place(folder), hash)),
    add: (hash, server, folder) => {
      added[place(folder)] = { [hash]: { server, since: now() }, ...added[place(folder)] };
    },
    added: () => added,
  };
}

const holds = (all: Approvals, place: string, hash: string): boolean =>
  Object.hasOwn(all, place) && Object.hasOwn(all[place] ?? {}, hash);
