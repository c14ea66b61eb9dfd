import { relative, resolve } from 'node:path';
import { type Env, homeFolder, isAround } from '../../base/paths.ts';
import { followed } from '../../base/real-path.ts';
import { foldersUp, repositoryOf } from '../../base/repository.ts';
import { isForOneProject } from '../source.ts';
import { dependsOnFolder } from './depends-on-folder.ts';
import type { SourcedDefinition } from './references.ts';

/*
 * Where a definition may be started: decided here for every command and for every hook.
 */

/** Why a definition starts only where that was approved; undefined: it may start in any folder. */
export function boundBy(
  sourced: SourcedDefinition,
  env: Env,
  session: string,
): 'project' | 'local' | 'folder' | undefined {
  const { source } = sourced;
  if (isForOneProject(source)) return source.scope === 'project' ? 'project' : 'local';
  const isHome = followed(session) === followed(homeFolder(env));
  return !isHome && dependsOnFolder(sourced, env, session) ? 'folder' : undefined;
}

/**
 * Returns the folders in which a bound definition may start for a session, if that is approved for the folder. For a
 * definition of the session's own repository: the folder of its project, in the session's working tree. Otherwise: the
 * session's folder and those above, up to the top of the repository; the nearest approved one counts. A stranger's
 * files may lie in any other folder, below too.
 */
export function startFolders(project: string | undefined, session: string, home: string): string[] {
  const here = repositoryOf(session, home);
  const own = project === undefined ? undefined : repositoryOf(project, home);
  if (project !== undefined && own?.main === here.main)
    return [resolve(here.tree, relative(own.tree, followed(project)))];
  return foldersUp(followed(session)).filter((folder) => isAround(here.tree, folder));
}
