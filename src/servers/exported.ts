import { join } from 'node:path';
import type { Env } from '../base/paths.ts';
import type { ClientId } from '../clients/client.ts';
import { CLIENTS } from '../clients/index.ts';
import type { PluginFolders } from '../clients/mcp-config.ts';
import { openFiles, placeOf } from './config-files.ts';
import { lookUp } from './definition.ts';
import { findPlugins } from './plugins.ts';

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
  return CLIENTS.flatMap(({ id, plugin, mcp: { dialect, plugins } }) => {
    const read = (file: string): unknown => files.read(file, dialect.format, () => {});
    return plugins.flatMap((kind) =>
      findPlugins(kind, place, read).flatMap(({ root }): Exported[] => {
        const mark = read(join(root, EXPORT_MARK));
        const [server, formats] = [lookUp(mark, ['server']), lookUp(mark, ['formats'])];
        return typeof server === 'string' && Array.isArray(formats) && formats.includes(plugin?.name)
          ? [{ server, client: id, by: kind.scope, root }]
          : [];
      }),
    );
  });
}
