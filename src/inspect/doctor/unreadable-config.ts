import { findServers } from '../../servers/definitions/resolve.ts';
import type { Check, Finding } from './types.ts';

/**
 * Finds clients' files that can't be read. An install leaves such a client out, since its file doesn't show whether it has
 * the server.
 */
export const unreadableConfig: Check = ({ servers, env, cwd }) => {
  if (servers.length === 0) return [];
  // Other checks report the files in which hooks are installed.
  const seen = new Set(
    servers.flatMap(({ faults, clients }) => [
      ...faults.map(({ where }) => where.file),
      ...clients.map(({ file }) => file),
    ]),
  );
  const table = findServers({ env, cwd });
  return table.clients.flatMap((client) =>
    table.of(client).broken.flatMap(({ code, args, where }): Finding[] => {
      if (seen.has(where.file)) return [];
      seen.add(where.file);
      return [{ code, args, where, client, remark: true }];
    }),
  );
};
