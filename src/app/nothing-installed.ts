import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isAround, LOCK } from '../base/paths.ts';
import { foldersUp } from '../base/repository.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { projectRoot } from '../inspect/project-root.ts';
import { activeScopes, type ScopeState } from '../inspect/scopes.ts';
import { unknownEntries } from '../inspect/survey.ts';
import { ENTRIES_UNKNOWN, NOTHING_INSTALLED, onlyAtOthers } from '../messages/done.ts';
import type { RecordDocument } from '../store/types.ts';
import type { Context } from './context.ts';
import { machineView } from './disk.ts';

/**
 * Returns the text for a scope without installs: the other scopes that have some here, else that entries are left which no
 * record lists. `command`: the user's.
 */
export async function nothingInstalled(command: string, context: Context): Promise<string> {
  const states = await activeScopes(context);
  const others = scopesAmong(states, context);
  if (others.length > 0) return onlyAtOthers(context.scope.name, others, command);
  const view = machineView(context);
  return states.some((state) => unknownEntries(state, view).length > 0) ? ENTRIES_UNKNOWN : NOTHING_INSTALLED;
}

/** Returns the other scopes that have hooks here. `record`: of the user's own machine. */
export async function scopesBeside(record: RecordDocument, context: Context): Promise<ScopeName[]> {
  const hasLocal = record.servers.some(({ root }) => root !== undefined && isAround(root, context.cwd));
  if (!hasLocal && !foldersUp(context.cwd).some((folder) => existsSync(join(folder, LOCK)))) return [];
  return scopesAmong(await activeScopes(context), context);
}

function scopesAmong(states: readonly ScopeState[], context: Context): ScopeName[] {
  const root = projectRoot(context.cwd);
  return states
    .filter(({ scope, servers }) => {
      if (scope.name === context.scope.name) return false;
      if (scope.shared) return existsSync(join(root, LOCK));
      return servers.length > 0 && (scope.root === undefined || scope.root === root);
    })
    .map(({ scope }) => scope.name);
}
