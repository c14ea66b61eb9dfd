import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { isJoint } from '../../plan/client/joint-entry.ts';
import { halfAt, usedTextAt } from '../../plan/client/used-texts.ts';
import type { ServerRecord } from '../../store/types.ts';
import { pluginHookFiles } from '../plugin-hooks.ts';
import { projectRoot } from '../project-root.ts';
import type { Check, Finding } from './types.ts';

/**
 * Finds events of the examined servers at which the user's servers and those of this project, examined or not, have
 * half of a client's room each.
 */
export const halves: Check = ({ scopes, servers, programs }) => {
  const jointOn = (record: ServerRecord, client: ClientId) =>
    (record.clients[client]?.entries ?? []).filter(isJoint);
  const found = new Map<string, Finding>();
  for (const { record } of servers)
    for (const { client } of programs)
      for (const { event } of jointOn(record, client)) {
        const half = halfAt(clientById(client), event);
        const key = `${client} ${event}`;
        const having = scopes.filter((at) =>
          at.servers.some((one) => jointOn(one, client).some((entry) => entry.event === event)),
        );
        if (half === undefined || new Set(having.map(({ scope }) => scope.name)).size < 2) continue;
        const args = { native: event, half, client: clientById(client).title };
        found.set(key, { code: 'doctor.heard-halves', args, where: {}, client, remark: true });
      }
  return [...found.values()];
};

/** Finds hooks of others at events where a client uses the text of one hook, and says which one that is. */
export const usedText: Check = (context) => {
  const root = projectRoot(context.cwd);
  const found = new Map<string, Finding>();
  for (const { record } of context.servers)
    for (const { client: id, version } of context.programs) {
      const { entries = [], file = '' } = record.clients[id] ?? {};
      for (const { event } of entries.filter(isJoint)) {
        const client = clientById(id);
        const inPlugins = pluginHookFiles(client, event, { env: context.env, root }, context);
        const at = { env: context.env, root, version, inPlugins };
        const one = usedTextAt(client, { native: event, mine: file }, at, context);
        if (!one) continue;
        const code = one.ours ? 'doctor.heard-ours' : 'doctor.heard-theirs';
        const args = { native: event, textsUsed: one.textsUsed, client: client.title, files: one.files };
        found.set(`${id} ${event}`, { code, args, where: { file: one.mine }, client: id, remark: true });
      }
    }
  return [...found.values()];
};
