import type { Env, OwnPaths } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { hookFilePaths } from '../../clients/index.ts';
import type { System } from '../../shims/command.ts';
import { disabledMarker, serverFolder } from '../../shims/own-files.ts';
import { machineForm, machineStore, thisSystem } from './machine-form.ts';
import { assertOwned } from './owned.ts';
import { pluginScope } from './plugin-scope.ts';
import type { PluginScope, Scope } from './scope.ts';

/** Scope of the user's own installs on this machine. */
export function userScope(env: Env, paths: OwnPaths, system: System = thisSystem()): Scope {
  const scope: Scope = {
    name: 'user',
    shared: false,
    yields: false,
    check: (path, real) => assertOwned(path, scope, real),
    paths,
    lockFolder: paths.state,
    store: machineStore(paths.state),
    marker: (slug) => disabledMarker(serverFolder(paths, slug)),
    nextSteps: (client) => client.nextSteps.user,
    hookFiles: (client, slug) => hookFilePaths(client, env, slug),
    ...machineForm(paths, system),
  };
  const plugins = new Map<string, PluginScope | undefined>();
  const asPlugin = (client: Client, slug: string): PluginScope | undefined => {
    const key = `${client.id} ${slug}`;
    if (!plugins.has(key)) plugins.set(key, pluginScope(scope, client, slug, env, system));
    return plugins.get(key);
  };
  return Object.assign(scope, { asPlugin });
}
