import { basename, dirname } from 'node:path';
import { namesIn } from '../../base/files.ts';
import { foldedName } from '../../base/look-alike.ts';
import { once, remembering } from '../../base/once.ts';
import { LARGEST_FILE } from '../../base/read-file.ts';
import { Fault } from '../../messages/fault.ts';
import type { MachineView } from '../settings.ts';

/** Most bytes of all files that one search of a checkout reads; a megabyte of hooks takes 0.1 s and more. */
const MOST = LARGEST_FILE;

/**
 * Returns what `search` finds in a view whose files are read up to `MOST` bytes in all, since a small checkout can hold
 * thousands of links to one large file. Reading another file then throws `plan.unreadable`; of the Faults about such
 * files, only the first stays.
 */
export function searched(view: MachineView, search: (limited: MachineView) => Fault[]): Fault[] {
  let left = MOST;
  const read = remembering((path: string): Uint8Array | null => {
    if (left <= 0 && isListed(path, view))
      throw new Fault('plan.unreadable', { reason: 'TOO_MUCH' }, { file: path });
    const bytes = left <= 0 ? null : view.read(path);
    left -= bytes?.length ?? 0;
    return bytes;
  });
  const faults = search({ ...view, read });
  const isPassedOver = ({ args }: Fault): boolean => args.reason === 'TOO_MUCH';
  const first = once(() => faults.find(isPassedOver));
  return faults.filter((fault) => !isPassedOver(fault) || fault === first());
}

/** True for a file in its folder's list, also where the system ignores upper and lower case. */
const isListed = (path: string, view: MachineView): boolean =>
  namesIn(dirname(path), view).some((name) => foldedName(name) === foldedName(basename(path)));
