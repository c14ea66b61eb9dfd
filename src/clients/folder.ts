import { join } from 'node:path';
import { type Env, homeFolder } from '../base/paths.ts';

/** A folder of the user's: `$<env>` + `envSub`, or `~/<home>` when the variable isn't set. */
export interface Folder {
  env?: string;
  envSub: string;
  home: string;
}

/** Returns the folder's absolute path. */
export function folderPath({ env, envSub, home }: Folder, variables: Env): string {
  const moved = env === undefined ? undefined : variables[env];
  return moved ? join(moved, envSub) : join(homeFolder(variables), home);
}
