import type { Context } from '../app/context.ts';
import { disk } from '../app/disk.ts';
import { openRecord } from '../app/open-record.ts';
import { checkoutFaults } from '../inspect/checkout/checkout-faults.ts';
import { nestedFaults } from '../inspect/checkout/nested.ts';
import { scopeState } from '../inspect/scopes.ts';
import { unknownEntries, unlistedFault } from '../inspect/survey.ts';
import type { Fault } from '../messages/fault.ts';
import type { PlanInput } from '../plan/input.ts';

/** Returns Faults for parts of a project's checkout that no install wrote, to show before any approval. */
export function faultsToShowFirst(context: Context): Fault[] {
  const { scope, env, cwd } = context;
  if (!scope.shared) return [];
  const at = scopeState(scope, openRecord(context));
  // The plan rewrites the lock file.
  return checkoutFaults(at, { ...disk, env, cwd }).filter(({ code }) => !code.startsWith('lock.'));
}

/** Returns Faults for subfolders of a project that look like a project with hooks. */
export function foldersWithHooks(context: Context): Fault[] {
  const { scope, env, cwd } = context;
  return scope.shared ? nestedFaults({ scope }, { ...disk, env, cwd }) : [];
}

/** Returns Faults for entries in the project that its lock file doesn't list, and that a plan doesn't adopt. */
export function unlistedFaults(context: Context, plan?: Pick<PlanInput, 'slug' | 'clients'>): Fault[] {
  const { scope, env, cwd } = context;
  if (!scope.shared) return [];
  return unknownEntries(scopeState(scope, openRecord(context)), { ...disk, env, cwd })
    .filter(({ slug, client }) => !(slug === plan?.slug && plan.clients.includes(client)))
    .map(unlistedFault);
}
