import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Env, homeFolder, isAround, LOCK, type OwnPaths } from '../base/paths.ts';
import { followed } from '../base/real-path.ts';
import { ANY_SLUG } from '../clients/hook-files.ts';
import { CLIENTS } from '../clients/index.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { Fault, orFault, orFaultOf } from '../messages/fault.ts';
import { type Scope, serversIn } from '../plan/scopes/scope.ts';
import { userScope } from '../plan/scopes/user-scope.ts';
import { thisSystem } from '../shims/command.ts';
import { readStore } from '../store/read-record.ts';
import { emptyRecord, type RecordReading } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';

/** Environment, own folders and working folder, from which scopes are made. */
export interface Here {
  env: Env;
  paths: OwnPaths;
  cwd: string;
}

/**
 * Makes the scope with a name, for the project of the working folder or for the project at `root`. Faults:
 * `project.home`.
 */
export async function scopeFor(scope: ScopeName, { env, paths, cwd }: Here, root?: string): Promise<Scope> {
  if (scope === 'user') return userScope(env, paths, thisSystem());
  const { scopeIn } = await import('../plan/scopes/project-scope.ts');
  const { projectRoot } = await import('./project-root.ts');
  const { projectLockFolder } = await import('../store/lock-folder.ts');
  const named = root ?? projectRoot(cwd);
  // By a link, the home may have two names, and the system tells only one of them as working folder. An install for
  // oneself keeps the name that its record has.
  const home = homeFolder(env);
  const isHome = scope === 'project' && followed(named) === followed(home);
  const folder = isHome ? home : named;
  return scopeIn[scope](folder, env, paths, thisSystem(), projectLockFolder(paths.state, folder));
}

/** A scope, the reading of its record, and the servers installed there. */
export interface ScopeState {
  scope: Scope;
  /** `damaged` is set when the record or lock file can't be used. */
  reading: RecordReading;
  servers: ServerRecord[];
}

/**
 * Returns every scope whose hooks act in the working folder: the user's, this project's local scopes, and the project's
 * own. Other projects are left out. `known`: a scope whose record was read before. Faults as `parseRecord`; faults of a
 * lock file are in its reading.
 */
export async function activeScopes(
  here: Here,
  known?: Pick<ScopeState, 'scope' | 'reading'>,
): Promise<ScopeState[]> {
  const read = ({ store }: Scope): RecordReading =>
    readStore(store, known?.scope.store.file === store.file ? known.reading : undefined);
  const user = userScope(here.env, here.paths, thisSystem());
  const reading = read(user);
  const states = [scopeState(user, reading)];
  for (const scope of await projectScopes(here, reading))
    states.push(scopeState(scope, scope.shared ? orEmpty(() => read(scope)) : reading));
  return states;
}

/** Returns the Fault of the project's lock file, when it can't be used. */
export const damagedLocks = (states: readonly ScopeState[]): Fault[] =>
  states.flatMap(({ scope, reading }) => (scope.shared && reading.damaged ? [reading.damaged] : []));

export const scopeState = (scope: Scope, reading: RecordReading): ScopeState => ({
  scope,
  reading,
  servers: serversIn(scope, reading.record),
});

async function projectScopes(here: Here, { record }: RecordReading): Promise<Scope[]> {
  const { projectRoot } = await import('./project-root.ts');
  const root = projectRoot(here.cwd);
  const files = CLIENTS.flatMap(({ hooks }) => [...hooks.project, ...hooks.local]).map(({ path }) =>
    path.includes(ANY_SLUG) ? dirname(path) : path,
  );
  // A change that was interrupted early has left none of the files, but its lock.
  const { projectLockFolder } = await import('../store/lock-folder.ts');
  const holds =
    [LOCK, ...files].some((path) => existsSync(join(root, path))) ||
    existsSync(projectLockFolder(here.paths.state, root));
  const roots = record.servers.flatMap((s) => (s.scope === 'local' && s.root ? [s.root] : []));
  const local = new Set([...roots.filter((folder) => isAround(folder, here.cwd)), ...(holds ? [root] : [])]);
  const wanted: [ScopeName, string][] = [...local].map((folder) => ['local', folder]);
  if (holds) wanted.push(['project', root]);
  const scopes: Scope[] = [];
  for (const [name, folder] of wanted) {
    const scope = await orFaultOf(scopeFor(name, here, folder));
    // The home folder can't be a project: only the user's scope acts there.
    if (!(scope instanceof Fault)) scopes.push(scope);
  }
  return scopes;
}

function orEmpty(read: () => RecordReading): RecordReading {
  const reading = orFault(read);
  return reading instanceof Fault ? { record: emptyRecord(), bytes: null, damaged: reading } : reading;
}
