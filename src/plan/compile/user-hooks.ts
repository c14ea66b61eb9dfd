import type { UserHooks } from '../../fire/format.ts';
import { pluginName } from '../scopes/plugin.ts';
import type { CompileContext } from './types.ts';

/** Returns how a shim of this server and native event tells whether the client runs the user's own hooks. */
export function userHooksOf(
  native: string,
  { client, slug, servers: { serverName } }: Pick<CompileContext, 'client' | 'slug' | 'servers'>,
): UserHooks {
  const { home, gates, plugin } = client;
  const { autoLoad } = plugin ?? {};
  const off = autoLoad?.off?.(pluginName(slug)).switch;
  const { review } = gates;
  return {
    ...(serverName !== undefined && { serverName }),
    home,
    ...(autoLoad &&
      off && {
        plugin: {
          folder: autoLoad.folder,
          at: off.at,
          // An administrator's files differ in place between systems, and the shim is for all of them.
          files: off.files.flatMap(({ in: where, path }) =>
            where === 'system' ? [] : [{ in: where, path }],
          ),
        },
      }),
    ...(review && {
      review: {
        path: review.path,
        at: review.at,
        key: review.key('{file}', native, '{group}', '{handler}'),
        // Left out, the data equal those of earlier versions.
        ...(review.fields.enabled !== 'enabled' && { enabled: review.fields.enabled }),
      },
    }),
  };
}
