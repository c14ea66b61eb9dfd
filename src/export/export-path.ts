import { CLIENTS } from '../clients/index.ts';
import { CLIENT_NAME, NATIVE_NAME } from '../clients/names.ts';
import { EXPORT_MARK } from '../inspect/exported-plugins.ts';

const escaped = (path: string): string => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const NAMED = CLIENTS.flatMap(({ plugin, mcp }) =>
  plugin
    ? [plugin.manifest, plugin.hooks, plugin.elsewhere?.hooks, mcp.plugins[0]?.servers[0]?.path].filter(
        (path) => path !== undefined,
      )
    : [],
);
/** Describes an exported plugin to people; a person may write it anew. */
export const README = 'README.md';

const FILES = [EXPORT_MARK, README, ...NAMED].map(escaped).join('|');
const EXPORTED = new RegExp(
  `^(?:${FILES}|(?:runtime|shims)/\\.gitattributes|runtime/[a-z-]+\\.cjs|shims/${CLIENT_NAME}-[0-9a-f]{16}(?:-known)?/${NATIVE_NAME}(?:-\\d+)?(?:\\.[a-z-]+)?)$`,
);

/** True when an export can have written a file; `path` is relative to the exported folder, with `/`. */
export const isExportPath = (path: string): boolean => EXPORTED.test(path);
