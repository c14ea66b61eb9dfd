import { homeFolder } from '../../base/paths.ts';
import { inMainCheckout } from '../../base/repository.ts';
import type { Approvals, RecordDocument } from '../../store/types.ts';
import type { Context } from '../context.ts';

/** Definitions that the user lets start, by hash and folder; an approval holds in all worktrees of a repository. */
export interface StartApprovals {
  has: (hash: string, folder: string) => boolean;
  /** `byPerson`: by a person who was asked; otherwise by the command line. */
  add: (hash: string, server: string, folder: string, byPerson?: true) => void;
  /** Returns the approvals that this command added. */
  added: () => Approvals;
  /** Returns those of them that a person gave who was asked. */
  addedByPerson: () => Approvals;
}

/** Returns the start approvals of a record, to which `add` adds in memory; a command writes `added`. */
export function startApprovals(
  { approvals = {} }: RecordDocument,
  { env, now }: Pick<Context, 'env' | 'now'>,
): StartApprovals {
  const added: Approvals = {};
  const addedByPerson: Approvals = {};
  const place = (folder: string): string => inMainCheckout(folder, homeFolder(env));
  return {
    has: (hash, folder) => [approvals, added].some((all) => Object.hasOwn(all[place(folder)] ?? {}, hash)),
    add: (hash, server, folder, byPerson) => {
      const at = place(folder);
      for (const all of byPerson ? [added, addedByPerson] : [added])
        all[at] = { [hash]: { server, since: now() }, ...all[at] };
    },
    added: () => added,
    addedByPerson: () => addedByPerson,
  };
}
