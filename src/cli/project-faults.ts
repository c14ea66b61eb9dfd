import type { Context } from '../app/context.ts';
import { machineView } from '../app/disk.ts';
import { openRecord } from '../app/open-record.ts';
import { checkoutFaults } from '../inspect/checkout/checkout-faults.ts';
import { nestedFaults } from '../inspect/checkout/nested.ts';
import { scopeState } from '../inspect/scopes.ts';
import { unknownEntries, unlistedFault } from '../inspect/survey.ts';
import type { Fault } from '../messages/fault.ts';
import type { PlanInput } from '../plan/input.ts';

/** Returns Faults for parts of a project's checkout that no install wrote, to show before any approval. */
export function faultsToShowFirst(context: Context): Fault[] {
  const { scope } = context;
  if (!scope.shared) return [];
  const at = scopeState(scope, openRecord(context));
  // The plan rewrites the lock file.
  return checkoutFaults(at, machineView(context)).filter(({ code }) => !code.startsWith('lock.'));
}

/** Returns Faults for subfolders of a project that look like a project with hooks. */
export function foldersWithHooks(context: Context): Fault[] {
  return context.scope.shared ? nestedFaults(context, machineView(context)) : [];
}

/** Returns Faults for entries in the project that its lock file doesn't list, and that a plan doesn't adopt. */
export function unlistedFaults(context: Context, plan?: Pick<PlanInput, 'slug' | 'clients'>): Fault[] {
  const { scope } = context;
  if (!scope.shared) return [];
  return unknownEntries(scopeState(scope, openRecord(context)), machineView(context))
    .filter(({ slug, client }) => !(slug === plan?.slug && plan.clients.includes(client)))
    .map(unlistedFault);
}
