import { join } from 'node:path';
import { filesBelow } from '../base/files.ts';
import { serverFolder } from '../shims/own-files.ts';
import { ownFilesOf } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import { lostClients } from './client/shims-in.ts';
import type { PlanInput } from './input.ts';
import { serversIn } from './scopes/scope.ts';
import { scriptsOf, spareRuntime } from './uninstall/own-removals.ts';

/**
 * Returns the files in a project's own folder that an install of the server removes, since the folder holds exactly what
 * the lock file lists: files of the server that no client's record lists, but not those of clients that the lock file has
 * lost, perhaps in a merge, while their entries are there; programs that no server needs (`spareRuntime`); and when no
 * server has files any more, those for all servers that the lock file listed.
 */
export function leftoverFiles(
  input: PlanInput,
  previous: ServerRecord | undefined,
  clients: ServerRecord['clients'],
): string[] {
  const { scope, slug, files, reading } = input;
  const folder = serverFolder(scope.paths, slug);
  const others = serversIn(scope, reading.record).filter((server) => server.slug !== slug);
  const wanted = new Set([{ clients }, ...others].flatMap((server) => ownFilesOf(server.clients)));
  const before = ownFilesOf(previous?.clients);
  const lost = lostClients(slug, [previous?.clients, clients], scope, files);
  const ofLost = scriptsOf((id) => lost.some((client) => client === id), slug, scope, files);
  const below = filesBelow(folder, files).filter((path) => !ofLost.includes(path));
  const { data } = scope.paths;
  // Scripts that the lock file has lost need them, too. All scripts are listed only for the last server.
  const scripts = (): string[] => ['hooks', 'joint'].flatMap((name) => filesBelow(join(data, name), files));
  const isLast = wanted.size === 0 && scripts().every((path) => [...below, ...before].includes(path));
  const forAll = isLast ? before.filter((path) => files.read(path) !== null) : [];
  const spare = spareRuntime(wanted, [...below, ...before], input);
  return [...new Set([...below, ...forAll, ...spare])].filter((path) => !wanted.has(path));
}
