import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LOCK } from '../base/paths.ts';
import { NOTHING_INSTALLED, onlyHere } from '../messages/done.ts';
import type { RecordDocument } from '../store/types.ts';
import type { Context } from './context.ts';

/** Returns the text for a user without installs, who may be in a project with installs. `command`: that of the user. */
export async function nothingInstalled(
  command: string,
  { servers }: RecordDocument,
  { scope, cwd }: Context,
): Promise<string> {
  const { projectRoot } = await import('../inspect/project-root.ts');
  if (scope.shared) return NOTHING_INSTALLED;
  const root = projectRoot(cwd);
  if (servers.some((one) => one.scope === 'local' && one.root === root)) return onlyHere('local', command);
  return existsSync(join(root, LOCK)) ? onlyHere('project', command) : NOTHING_INSTALLED;
}
