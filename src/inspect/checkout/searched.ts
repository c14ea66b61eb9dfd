import type { Fault } from '../../messages/fault.ts';
import { limited } from '../../plan/limited.ts';
import type { MachineView } from '../settings.ts';

/** Returns what `search` finds in limited files; of the Faults about files beyond the limit, only the first stays. */
export function searched(view: MachineView, search: (files: MachineView) => Fault[]): Fault[] {
  const faults = search(limited(view));
  const isPassedOver = ({ args }: Fault): boolean => args.reason === 'TOO_MUCH';
  const first = faults.find(isPassedOver);
  return faults.filter((fault) => !isPassedOver(fault) || fault === first);
}
