import { LOCK } from '../../base/paths.ts';
import type { Invocation } from '../hook-config.ts';

/**
 * Returns a command that runs a project's script from any folder of the project, for clients that run hooks in the
 * folder where the session was started, which may be a subfolder, and set no variable with the project's folder. The
 * top level is the nearest folder with a `.git`, else the start folder. No repository can contain a `.git`; a `.git` in
 * a sticky folder is ignored, since everyone can create one there. Only the script at the top level is run, and only
 * beside a lock file.
 */
export const inTopLevel = (path: string): Invocation => ({
  command: `sh -c 'cd -P . && d=$PWD; until [ -e "$d/.git" ] || [ ! "$d" ]; do d=\${d%/*}; done; [ -e "$d/.git" ] && [ ! -k "$d" ] || d=$PWD; [ -f "$d/${LOCK}" ] && exec sh "$d/$0"' ${path} 2>/dev/null || exit 0`,
});
