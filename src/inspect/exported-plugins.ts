import { join } from 'node:path';
import { isObject, listAt, valueAt } from '../base/json-value.ts';
import type { Env } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import type { ClientId } from '../clients/client.ts';
import { CLIENTS } from '../clients/index.ts';
import type { PluginFolders } from '../clients/mcp-config.ts';
import { configReader, placeOf } from '../servers/definitions/config-files.ts';
import { findPlugins } from '../servers/definitions/plugins.ts';

/** File in an exported plugin's folder that names the plugin's server and formats. */
export const EXPORT_MARK = 'mcphooks.json';

/** An active plugin or extension of a client, made by `mcphooks export`, with a server's hooks. */
interface Exported {
  server: string;
  client: ClientId;
  by: PluginFolders['scope'];
  /** Absolute path of the plugin's folder. */
  root: string;
  /** Hash of the declarations from which it was made. */
  declarationsHash?: string;
  /** Options of the export that aren't the default. */
  options: Record<string, unknown>;
}

/** True when an exported plugin with the server's hooks is active. */
export const isExported = (slug: string, place: { env: Env; cwd: string }): boolean =>
  findExported(place).some(({ server }) => slugFor(server) === slug);

/** Returns all exported plugins that are active by the clients' files. */
export function findExported({ env, cwd }: { env: Env; cwd: string }): Exported[] {
  const place = placeOf(env, cwd);
  const config = configReader();
  return CLIENTS.flatMap(({ id, plugin, mcp: { dialect, plugins } }) => {
    const read = (file: string): unknown => config(file, dialect.format);
    return plugins.flatMap((kind) =>
      findPlugins(kind, place, read).flatMap(({ root }): Exported[] => {
        const mark = read(join(root, EXPORT_MARK));
        const [server, formats] = [valueAt(mark, ['server']), valueAt(mark, ['formats'])];
        return typeof server === 'string' && Array.isArray(formats) && formats.includes(plugin?.name)
          ? [{ server, client: id, by: kind.scope, root, ...madeFrom(mark) }]
          : [];
      }),
    );
  });
}

/** Returns from what a plugin was made, as far as its file tells, which anybody may have edited. */
function madeFrom(mark: unknown): Pick<Exported, 'declarationsHash' | 'options'> {
  const [hash, options] = [valueAt(mark, ['declarations']), valueAt(mark, ['options'])];
  const strings = (name: string): string[] =>
    listAt(options, [name]).filter((one) => typeof one === 'string');
  return {
    ...(typeof hash === 'string' && { declarationsHash: hash }),
    options: { ...(isObject(options) && options), only: strings('only'), skip: strings('skip') },
  };
}
