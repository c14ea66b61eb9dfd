import { join } from 'node:path';
import type { Files } from '../base/files.ts';
import { valueAt } from '../base/json-value.ts';
import { type Env, homeFolder, ownPaths } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import type { Client } from '../clients/client.ts';
import { nativeEvent } from '../clients/index.ts';
import { configReader, placeOf } from '../servers/definitions/config-files.ts';
import { findPlugins } from '../servers/definitions/plugins.ts';
import { jointFolder, membersOf } from '../shims/joint-script.ts';
import { EXPORT_MARK } from './exported-plugins.ts';

/**
 * Returns the files of active plugins with hooks at a native event. A plugin of ours doesn't count beside the user's own
 * install of its server: it gives no text there.
 */
export function pluginHookFiles(
  client: Client,
  native: string,
  { env, root }: { env: Env; root?: string | undefined },
  files: Pick<Files, 'list' | 'read'>,
): string[] {
  if (!client.plugin) return [];
  const { dialect, plugins } = client.mcp;
  const { elsewhere, manifest, hooks: usual } = client.plugin;
  const place = placeOf(env, root ?? homeFolder(env));
  const config = configReader();
  const read = (file: string): unknown => config(file, dialect.format);
  const { alias = native } = nativeEvent(client, native);
  const installed = membersOf(join(jointFolder(ownPaths(env), client.id), native), files);
  return plugins.flatMap((kind) =>
    findPlugins(kind, place, read).flatMap((found) => {
      const named = elsewhere && valueAt(read(join(found.root, manifest)), [elsewhere.key]);
      const file = join(found.root, typeof named === 'string' ? named : usual);
      const server = valueAt(read(join(found.root, EXPORT_MARK)), ['server']);
      const isSilent = typeof server === 'string' && installed.includes(slugFor(server));
      const hooks = [native, alias].flatMap((name) => valueAt(read(file), ['hooks', name]) ?? []);
      return hooks.length > 0 && !isSilent ? [file] : [];
    }),
  );
}
