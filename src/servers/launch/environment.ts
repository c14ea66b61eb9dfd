import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Env, homeFolder, isAround, spelling } from '../../base/paths.ts';
import { followed } from '../../base/real-path.ts';
import { foldersUp } from '../../base/repository.ts';

/** Variables that name the folder of the program that set them. */
const OF_FOLDER = /^(?:PWD|INIT_CWD|PROJECT_CWD|npm_config_local_prefix|npm_package_json)$/i;

/**
 * Returns the environment for a server that a command running in `cwd` starts in `folder`. `PWD` names `folder`.
 * Variables that name the shell's previous folder are removed, and, unless the server starts in `cwd`, variables that
 * name `cwd`, or its project if `folder` is outside. `PATH` stays unchanged.
 */
export function environmentIn(folder: string, env: Env, cwd: string): Env {
  const around = folder === cwd ? undefined : nearestProject(followed(cwd), followed(homeFolder(env)));
  const project = around !== undefined && isAround(around, followed(folder)) ? undefined : around;
  const path = spelling(env, 'PATH');
  const isForeign = (name: string, value: string): boolean =>
    name === 'OLDPWD' ||
    (folder !== cwd && OF_FOLDER.test(name)) ||
    (project !== undefined && name !== path && value.split(delimiter).some((part) => isIn(project, part)));
  const kept = Object.entries(env).filter(([name, value]) => value === undefined || !isForeign(name, value));
  return { ...Object.fromEntries(kept), PWD: folder };
}

/**
 * Returns the nearest git repository around a folder, or the folder itself outside of git; undefined when the folder
 * contains the home folder. A repository that contains the home folder doesn't count.
 */
function nearestProject(cwd: string, home: string): string | undefined {
  const below = foldersUp(cwd).filter((folder) => folder !== dirname(folder) && !isAround(folder, home));
  return below.find((folder) => existsSync(join(folder, '.git'))) ?? below[0];
}

const isIn = (project: string, path: string): boolean =>
  isAbsolute(path) && (isAround(project, path) || isAround(project, followed(path)));
