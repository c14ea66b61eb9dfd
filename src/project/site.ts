import { join, relative } from 'node:path';
import { CLIENTS, hookFilePaths } from '../clients/index.ts';
import type { Client, HookFile } from '../clients/types.ts';
import { Fault } from '../messages.ts';
import { type Env, homeFolder, type OwnPaths } from '../paths.ts';
import { PROJECT_FOLDER } from '../plan/command.ts';
import { disabledMarker, serverFolder, sharedShims } from '../plan/own-files.ts';
import { type HookPlace, machineForm, machineStore, type Site, thisSystem } from '../plan/site.ts';
import { isAround } from '../plan/with-record.ts';
import { sha256 } from '../sha256.ts';
import { lockStore } from './lock.ts';
import { assertUnlinked, assertWithin, LOCK } from './root.ts';

/** The sites in a project, by scope. */
export const siteIn = { project: projectSite, local: localSite } as const;

/** What a team shares: the project's own files, committed, with shims that run in every clone of it. */
function projectSite(root: string, env: Env, machine: OwnPaths): Site {
  refuseHome(root, env);
  const folder = join(root, PROJECT_FOLDER);
  const paths = { ...machine, data: folder, state: folder };
  return {
    scope: 'project',
    root,
    shared: true,
    yields: true,
    paths,
    store: lockStore(root),
    marker: (slug) => disabledMarker(serverFolder(machine, slug)),
    nextSteps: (client) => client.project.nextSteps,
    hookFiles: (client) => places(root, client.project.files),
    command: (shim, client) => client.project.command(relative(root, shim)),
    source: (source, from) =>
      source.file === undefined ? source : { ...source, file: relative(from, source.file) },
    forbidden: () => undefined,
    shims: (shims, at, slug, runtime) => sharedShims(shims, at, slug, paths, runtime),
    check: (path) => assertOurs(root, path),
  };
}

/** One's own hooks in one project: in files that git ignores, with shims and record on this machine. */
function localSite(root: string, env: Env, machine: OwnPaths): Site {
  refuseHome(root, env);
  const name = sha256(root).slice(0, 16);
  // Ends as a user's data folder does: by that an entry is known as ours.
  const paths = { ...machine, data: join(machine.data, 'local', name, 'mcphooks') };
  return {
    scope: 'local',
    root,
    shared: false,
    yields: true,
    paths,
    store: machineStore(paths.state),
    marker: (slug) => disabledMarker(serverFolder(paths, slug)),
    nextSteps: (client) => [...client.project.nextSteps, 'local.ignored', 'local.others'],
    hookFiles: (client) => places(root, client.project.local),
    ...machineForm(paths, thisSystem()),
    check: (path) =>
      [paths.data, paths.state].some((folder) => isAround(folder, path)) || assertWithin(root, path),
  };
}

const SHARED_FILES = [LOCK, ...CLIENTS.flatMap((client) => client.project.files.map(({ path }) => path))];

/**
 * Throws a Fault for what no install in the project writes, removes, or makes folders for. In our own folder links are
 * followed by nothing: what stands behind them is somebody else's.
 */
function assertOurs(root: string, path: string): void {
  assertWithin(root, path);
  const name = relative(root, path).replaceAll('\\', '/');
  if (isAround(PROJECT_FOLDER, name)) assertUnlinked(root, path);
  else if (!SHARED_FILES.some((file) => isAround(name, file)))
    throw new Fault('project.not-ours', {}, { file: path });
}

function places(root: string, files: readonly HookFile[]): HookPlace[] {
  return files.map((file) => ({ ...file, file: join(root, file.path) }));
}

/** Where a project's file is the user's own, both scopes would write the same file. */
function refuseHome(root: string, env: Env): void {
  const client = CLIENTS.find((c: Client) => {
    const own = hookFilePaths(c, env).map((place) => place.file);
    return places(root, [...c.project.files, ...c.project.local]).some(({ file }) => own.includes(file));
  });
  if (client || root === homeFolder(env))
    throw new Fault('project.home', { root, client: client?.title ?? 'every client' });
}
