import { clientById } from '../../clients/index.ts';
import { halfAt, heardAt } from '../../plan/heard.ts';
import { isJoint } from '../../plan/joint.ts';
import { projectRoot } from '../project-root.ts';
import type { Check, Finding } from './types.ts';

/** Finds events at which the user's servers and those of this project have half of a client's room each. */
export const halves: Check = ({ servers, programs }) => {
  const scopes = new Map<string, Set<string>>();
  const found = new Map<string, Finding>();
  for (const { scope, record } of servers)
    for (const { client } of programs)
      for (const { event } of (record.clients[client]?.entries ?? []).filter(isJoint)) {
        const half = halfAt(clientById(client), event);
        const key = `${client} ${event}`;
        const all = (scopes.get(key) ?? new Set()).add(scope.name);
        scopes.set(key, all);
        if (half === undefined || all.size < 2) continue;
        const args = { native: event, half, client: clientById(client).title };
        found.set(key, { code: 'doctor.heard-halves', args, where: {}, client, remark: true });
      }
  return [...found.values()];
};

/** Finds hooks of others at events where a client uses the text of one hook, and says which one that is. */
export const heard: Check = (context) => {
  const root = projectRoot(context.cwd);
  const found = new Map<string, Finding>();
  for (const { record } of context.servers)
    for (const id of context.programs.map(({ client }) => client)) {
      const { entries = [], file = '' } = record.clients[id] ?? {};
      for (const { event } of entries.filter(isJoint)) {
        const one = heardAt(clientById(id), event, file, { env: context.env, root }, context);
        if (!one) continue;
        const { native, files } = one;
        const code = one.ours ? 'doctor.heard-ours' : 'doctor.heard-theirs';
        const args = { native, heard: one.heard, client: clientById(id).title, files };
        found.set(`${id} ${native}`, { code, args, where: { file }, client: id, remark: true });
      }
    }
  return [...found.values()];
};
