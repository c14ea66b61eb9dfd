import { clientById } from '../../clients/index.ts';
import { findServers } from '../../servers/definitions/resolve.ts';
import { aboutInstall } from './installs.ts';
import type { Check, Finding } from './types.ts';

/** Finds servers that a client has switched off by a list of its own, which turns off no hook of theirs. */
export const serversOff: Check = ({ servers, programs, env, cwd }) => {
  const table = findServers({ env, cwd });
  return servers.flatMap(({ record, scope, disabled, silenced }) =>
    programs
      .filter(({ client }) => record.clients[client] && !disabled && !silenced)
      .flatMap(({ client }): Finding[] => {
        const { on, off } = table.of(client);
        const found = off.find(({ alias }) => alias === record.server);
        if (found?.listedIn === undefined || on.some(({ alias }) => alias === record.server)) return [];
        const args = { client: clientById(client).title, id: client };
        const more = { where: { file: found.listedIn }, client, remark: true as const };
        return [aboutInstall('doctor.server-off', scope, record, args, more)];
      }),
  );
};
