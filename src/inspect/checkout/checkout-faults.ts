import type { Fault } from '../../messages/fault.ts';
import { journalsIn } from '../../store/journal.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import { checkoutLinkFaults } from './links.ts';
import { lockFaults } from './lock.ts';
import { nestedFaults } from './nested.ts';
import { otherCommands } from './other-commands.ts';
import { unknownFiles } from './unknown-files.ts';

/**
 * Returns Faults, each with exit 2, for anything in a project's checkout that no install of this version can have
 * written or that this version can't judge. Differences within an install are found by the plan, other folders by
 * `nestedFaults`. Reads files only.
 */
export function checkoutFaults(at: ScopeState, view: MachineView): Fault[] {
  return [
    ...checkoutLinkFaults(at, view),
    ...lockFaults(at),
    // What an interrupted run left is needed to complete it.
    ...(journalsIn(at.scope.lockFolder).length > 0 ? [] : unknownFiles(at, view)),
    ...otherCommands(at, view),
  ];
}

/** Returns the Faults of `checkoutFaults` and `nestedFaults` at a project's own scope; none at any other. */
export const wholeCheckoutFaults = (at: ScopeState, view: MachineView): Fault[] =>
  at.scope.shared ? [...checkoutFaults(at, view), ...nestedFaults(at, view)] : [];
