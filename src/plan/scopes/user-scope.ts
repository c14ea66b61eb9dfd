import type { Env, OwnPaths } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { hookFilePaths } from '../../clients/index.ts';
import type { System } from '../../shims/command.ts';
import { disabledFile, serverFolder } from '../../shims/own-files.ts';
import { machineForm, machineStore } from './machine-form.ts';
import { assertOwned } from './owned.ts';
import { pluginScope } from './plugin-scope.ts';
import type { Scope } from './scope.ts';

/** Scope of the user's own installs on this machine. */
export function userScope(env: Env, paths: OwnPaths, system: System): Scope {
  const scope: Scope = {
    name: 'user',
    shared: false,
    check: (path, real) => assertOwned(path, scope, real),
    paths,
    lockFolder: paths.state,
    store: machineStore(paths, env),
    disabledFile: (slug) => disabledFile(serverFolder(paths, slug)),
    nextSteps: (client) => client.nextSteps.user,
    hookFiles: madeOnce((client, slug) => hookFilePaths(client, env, slug)),
    ...machineForm(paths, system),
  };
  const asPlugin = madeOnce((client, slug) => pluginScope(scope, client, slug, env, system));
  return Object.assign(scope, { asPlugin });
}

/** Returns a function that makes the value for a client and a server at its first call, and returns it at every call. */
function madeOnce<T>(make: (client: Client, slug: string) => T): (client: Client, slug: string) => T {
  const made = new Map<string, T>();
  return (client, slug) => {
    const key = `${client.id} ${slug}`;
    const value = made.get(key) ?? make(client, slug);
    made.set(key, value);
    return value;
  };
}
