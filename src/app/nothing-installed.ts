import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK } from '../base/paths.ts';
import { NOTHING_INSTALLED, onlyAtOthers } from '../messages/done.ts';
import type { Context } from './context.ts';

/** Returns the text for a scope without installs, with the other scopes that have some here. `command`: the user's. */
export async function nothingInstalled(command: string, context: Context): Promise<string> {
  const { activeScopes } = await import('../inspect/scopes.ts');
  const { projectRoot } = await import('../inspect/project-root.ts');
  const root = projectRoot(context.cwd);
  const others = (await activeScopes(context))
    .filter(({ scope, servers }) => {
      if (scope.name === context.scope.name) return false;
      if (scope.shared) return existsSync(join(root, LOCK));
      return servers.length > 0 && (scope.root === undefined || scope.root === root);
    })
    .map(({ scope }) => scope.name);
  return others.length > 0 ? onlyAtOthers(context.scope.name, others, command) : NOTHING_INSTALLED;
}
