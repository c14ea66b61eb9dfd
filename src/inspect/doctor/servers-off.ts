import { clientById } from '../../clients/index.ts';
import { findServers } from '../../servers/definitions/resolve.ts';
import { scopeOf } from './installs.ts';
import type { Check, Finding } from './types.ts';

/** Finds servers that a client has switched off by a list of its own, which turns off no hook of theirs. */
export const serversOff: Check = ({ servers, programs, env, cwd }) => {
  const table = findServers({ env, cwd });
  return servers.flatMap(({ record: { server, clients }, scope, disabled, silenced }) =>
    programs
      .filter(({ client }) => clients[client] && !disabled && !silenced)
      .flatMap(({ client }): Finding[] => {
        const { on, off } = table.of(client);
        const found = off.find(({ alias }) => alias === server);
        if (found?.listedIn === undefined || on.some(({ alias }) => alias === server)) return [];
        const about = { server, client, ...scopeOf(scope) };
        const args = { name: server, client: clientById(client).title, id: client, ...scopeOf(scope) };
        return [{ code: 'doctor.server-off', args, where: { file: found.listedIn }, ...about, remark: true }];
      }),
  );
};
