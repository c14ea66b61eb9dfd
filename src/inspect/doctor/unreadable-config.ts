import { findServers } from '../../servers/resolve.ts';
import type { Check, Finding } from './types.ts';

/** Finds files of clients that can't be read: an install leaves these clients out, since none shows whether it has the server. */
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
