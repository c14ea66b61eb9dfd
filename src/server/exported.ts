import { join } from 'node:path';
import { clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import type { Env } from '../paths.ts';
import type { PluginFolders } from './clients.ts';
import { lookUp } from './definition.ts';
import { openFiles, placeOf } from './files.ts';
import { findPlugins } from './plugins.ts';
import { CLIENT_SERVERS } from './resolve.ts';

/** In an exported plugin's folder: what it was made from, and what belongs to it. */
export const EXPORT_MARK = 'mcphooks.json';

/** Hooks of a server in a plugin or extension that `mcphooks export` made, and that is switched on in a client. */
export interface Exported {
  server: string;
  client: ClientId;
  by: PluginFolders['scope'];
  /** The plugin's folder, absolute. */
  root: string;
}

/** All of them, as the clients' files have it. */
export function findExported({ env, cwd }: { env: Env; cwd: string }): Exported[] {
  const place = placeOf(env, cwd);
  const files = openFiles();
  return CLIENT_SERVERS.flatMap(({ client, dialect, plugins }) => {
    const read = (file: string): unknown => files.read(file, dialect.format, () => {});
    const { name } = clientById(client).plugin;
    return plugins.flatMap((kind) =>
      findPlugins(kind, place, read).flatMap(({ root }): Exported[] => {
        const mark = read(join(root, EXPORT_MARK));
        const [server, formats] = [lookUp(mark, ['server']), lookUp(mark, ['formats'])];
        return typeof server === 'string' && Array.isArray(formats) && formats.includes(name)
          ? [{ server, client, by: kind.scope, root }]
          : [];
      }),
    );
  });
}
