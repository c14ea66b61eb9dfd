import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Env, homeFolder, isAround } from '../base/paths.ts';
import { followed } from '../base/real-path.ts';

/** Variables that name the folder of who set them, whatever folder that is. */
const OF_FOLDER = /^(?:PWD|INIT_CWD|PROJECT_CWD|npm_config_local_prefix|npm_package_json)$/i;

/**
 * The environment for a server that a command started in `cwd` starts in `folder`. `PWD` names `folder`. Nothing names
 * the folder in which a shell was before. Nothing names `cwd` or its project, unless the server starts in `cwd`; `PATH`
 * stays as it is.
 */
export function environmentIn(folder: string, env: Env, cwd: string): Env {
  const project = folder === cwd ? undefined : projectAround(followed(cwd), followed(homeFolder(env)));
  const isForeign = (name: string, value: string): boolean =>
    name === 'OLDPWD' ||
    (folder !== cwd && OF_FOLDER.test(name)) ||
    (project !== undefined && name !== 'PATH' && value.split(delimiter).some((path) => isIn(project, path)));
  const kept = Object.entries(env).filter(([name, value]) => value === undefined || !isForeign(name, value));
  return { ...Object.fromEntries(kept), PWD: folder };
}

/**
 * The nearest git repository around a folder that doesn't hold the home folder, or the folder itself; undefined: the
 * folder holds the home folder.
 */
function projectAround(cwd: string, home: string): string | undefined {
  const folders = [cwd, ...parents(cwd)];
  const below = folders.filter((folder) => folder !== dirname(folder) && !isAround(folder, home));
  return below.find((folder) => existsSync(join(folder, '.git'))) ?? below[0];
}

function parents(folder: string): string[] {
  const up = dirname(folder);
  return up === folder ? [] : [up, ...parents(up)];
}

const isIn = (project: string, path: string): boolean =>
  isAbsolute(path) && (isAround(project, path) || isAround(project, followed(path)));
