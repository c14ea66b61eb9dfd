import { clientById } from '../../clients/index.ts';
import { distrust, folderDistrust } from '../trust.ts';
import type { Check } from './types.ts';

/**
 * Finds clients that run no hooks in the working folder, or none of the project's hooks, because nobody trusted the
 * folder.
 */
export const folderTrust: Check = (context) =>
  context.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    // Clients run the hooks of a plugin in any folder.
    const inSettings = context.servers.some((s) => s.clients.some((c) => c.client === id && !c.plugin));
    const folder = inSettings ? folderDistrust(client, context.cwd, context) : undefined;
    const roots = context.servers.flatMap(({ scope, record }) => (record.clients[id] && scope.root) || []);
    const projects = [...new Set(roots)].flatMap((root) => distrust(client, root, context) ?? []);
    // The user's own hooks act in every folder, so missing trust in this folder is only a remark.
    const said = [...projects, ...(folder ? [{ ...folder, remark: true as const }] : [])];
    const once = new Map(said.toReversed().map((found) => [`${found.code} ${found.args.folder}`, found]));
    return [...once.values()].map((found) => ({ ...found, client: id }));
  });
