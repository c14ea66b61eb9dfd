import type { Fault } from '../../messages/fault.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import { linkFaults } from './links.ts';
import { lockFaults } from './lock.ts';
import { otherCommands } from './other-commands.ts';
import { unknownFiles } from './unknown-files.ts';

/**
 * What in a project's checkout no install of this version can have written, or what this version can't tell: each a
 * Fault with exit 2. What differs within an install is the plan's to say, what stands in other folders `nestedFaults`.
 * Reads files only.
 */
export function checkoutFaults(at: ScopeState, view: MachineView): Fault[] {
  return [...linkFaults(at, view), ...lockFaults(at), ...unknownFiles(at, view), ...otherCommands(at, view)];
}
