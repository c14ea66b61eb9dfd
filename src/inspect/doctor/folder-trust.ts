import { clientById } from '../../clients/index.ts';
import { distrust, folderDistrust } from '../trust.ts';
import type { Check } from './types.ts';

/** Clients that run no hooks in the folder of this session, or none of the project's, since nobody trusted it. */
export const folderTrust: Check = (scene) =>
  scene.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    // What a client loads as a plugin runs in any folder.
    const inSettings = scene.servers.some((s) => s.clients.some((c) => c.client === id && !c.plugin));
    const folder = inSettings ? folderDistrust(client, scene.cwd, scene) : undefined;
    const roots = scene.servers.flatMap(({ scope, record }) => (record.clients[id] && scope.root) || []);
    const projects = [...new Set(roots)].flatMap((root) => distrust(client, root, scene) ?? []);
    // Of the user's own, which are in every folder, nobody asked for this one.
    const said = [...projects, ...(folder ? [{ ...folder, remark: true as const }] : [])];
    const once = new Map(said.toReversed().map((found) => [`${found.code} ${found.args.folder}`, found]));
    return [...once.values()].map((found) => ({ ...found, client: id }));
  });
