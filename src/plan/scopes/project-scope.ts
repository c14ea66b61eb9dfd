import { dirname, join, relative } from 'node:path';
import type { Files } from '../../base/files.ts';
import {
  type Env,
  homeFolder,
  isAround,
  LOCK,
  type OwnPaths,
  PROJECT_FOLDER,
  slashed,
} from '../../base/paths.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Client } from '../../clients/client.ts';
import { ANY_SLUG, isHookPath } from '../../clients/hook-files.ts';
import { CLIENTS, hookFilePaths, placedIn } from '../../clients/index.ts';
import { Fault } from '../../messages/fault.ts';
import { commonStep, projectOnWindows } from '../../messages/notes.ts';
import { invocationWords, type System } from '../../shims/command.ts';
import { disabledFile, serverFolder, sharedShims } from '../../shims/own-files.ts';
import { lockStore } from './lock-file.ts';
import { machineForm, machineStore } from './machine-form.ts';
import { assertOwned, ownership } from './owned.ts';
import type { Scope } from './scope.ts';
import { assertUnlinked, assertWithin } from './within.ts';

/** Scopes inside a project, by name. */
export const scopeIn = { project: projectScope, local: localScope } as const;

/**
 * Scope of a team: the project's own committed files, with shims that run in every clone. `lockFolder`: folder of the
 * process lock, on this machine.
 */
function projectScope(root: string, env: Env, machine: OwnPaths, system: System, lockFolder: string): Scope {
  refuseHome(root, env);
  const folder = join(root, PROJECT_FOLDER);
  const paths = { ...machine, data: folder };
  return {
    name: 'project',
    root,
    shared: true,
    paths,
    lockFolder,
    store: lockStore(root),
    disabledFile: (slug) => disabledFile(serverFolder(machine, slug)),
    nextSteps: ({ title, nextSteps, hooks }) => {
      const { project } = hooks.windows;
      const onWindows = system.platform === 'win32' && project !== 'fires';
      return [...nextSteps.project, ...(onWindows ? [projectOnWindows(title, project)] : [])];
    },
    hookFiles: (client, slug) => placedIn(root, client.hooks.project, slug),
    invoke: (shim, client) => client.hooks.inProject(slashed(relative(root, shim))),
    start: (shim, client) =>
      system.platform === 'win32'
        ? [system.node, join(folder, 'runtime', 'fire.cjs'), shim]
        : invocationWords(client.hooks.inProject(relative(root, shim))),
    from: (path, from) => slashed(relative(from, path)),
    forbidden: () => undefined,
    shims: (wanted) => sharedShims(wanted, paths),
    check: (path, real) => assertOurs(root, path, real),
  };
}

/** Scope of the user's own hooks in one project: files that git ignores, with shims and record on this machine. */
function localScope(root: string, env: Env, machine: OwnPaths, system: System): Scope {
  refuseHome(root, env);
  const name = sha256(root).slice(0, 16);
  // The folder ends like a user's data folder, because entries are recognised by that ending.
  const paths = { ...machine, data: join(machine.data, 'local', name, 'mcphooks') };
  const scope: Scope = {
    name: 'local',
    root,
    shared: false,
    paths,
    lockFolder: paths.state,
    store: machineStore(machine, env),
    disabledFile: (slug) => disabledFile(serverFolder(paths, slug)),
    nextSteps: (client) => [
      ...client.nextSteps.project,
      commonStep('local.ignored'),
      commonStep('local.others'),
    ],
    hookFiles: (client, slug) => placedIn(root, client.hooks.local, slug),
    ...machineForm(paths, system),
    check: (path, real) => {
      assertOwned(path, scope, real);
      if ([paths.data, paths.state].some((folder) => isAround(folder, path))) return;
      // A record may list scripts in the data folder of install time, which a variable named.
      if (ownership(path, scope, real) !== 'own') assertWithin(root, path, real);
    },
  };
  return scope;
}

const SHARED_FILES = [{ path: LOCK }, ...CLIENTS.flatMap(({ hooks }) => hooks.project)];

/**
 * Throws a Fault for a path that no install in the project writes, removes or makes folders for. Links are never
 * followed: the target may be somebody else's file, or another file on another machine.
 */
function assertOurs(root: string, path: string, real: Files['real']): void {
  assertWithin(root, path, real);
  const name = slashed(relative(root, path));
  const shared = SHARED_FILES.some((file) => isHookPath(name, file) || isAround(name, dirname(file.path)));
  if (!isAround(PROJECT_FOLDER, name) && !shared) throw new Fault('project.not-ours', {}, { file: path });
  assertUnlinked(root, path, real);
}

/**
 * Throws a Fault, `project.home`, when a file of the project is the user's own file: both scopes would write that file.
 */
function refuseHome(root: string, env: Env): void {
  const client = CLIENTS.find((c: Client) => {
    const users = hookFilePaths(c, env, ANY_SLUG).map((place) => place.file);
    return placedIn(root, [...c.hooks.project, ...c.hooks.local], ANY_SLUG).some(({ file }) =>
      users.includes(file),
    );
  });
  if (client || root === homeFolder(env))
    throw new Fault('project.home', { root, ...(client && { client: client.title }) });
}
