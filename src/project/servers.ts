import { relative } from 'node:path';
import type { Context } from '../context.ts';
import { machinePlaces } from '../export/server-entry.ts';
import { Fault } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { serversNamed } from '../plan/matcher.ts';
import type { ClientServers } from '../server/clients.ts';
import { CLIENT_SERVERS, chosen, findServers } from '../server/resolve.ts';
import type { Declared, Definition, ServerTable } from '../server/types.ts';
import { assertWithin } from './root.ts';

/** What the files of a project alone say of servers: the same for everybody who has it. */
export function projectServers(root: string, env: Context['env']): ServerTable {
  return findServers({ env, cwd: root, clients: CLIENT_SERVERS.map(ofProject) });
}

function ofProject(client: ClientServers): ClientServers {
  const files = client.files
    .filter((file) => file.scope === 'project')
    .map(({ onlyIf: _trust, ...file }) => ({ ...file, in: 'cwd' as const }));
  return { ...client, files, switches: [], plugins: [] };
}

/**
 * Aliases that matchers may mean, the same on each machine: the server's own, and every other name that they say. A
 * name of the server itself becomes its alias.
 */
export function sharedAliases(server: string, { declarations, serverName }: Declared): string[] {
  return [server, ...serversNamed(declarations).filter((name) => name !== serverName && name !== server)];
}

/**
 * Throws a Fault where others couldn't reach the server: `project.own-machine`, it is configured on this machine only;
 * `project.machine-path`, the command line names places of this machine.
 */
export function assertShareable(
  server: string,
  { given, declarationsFile }: { given?: Definition; declarationsFile?: string },
  table: ServerTable,
  { env, cwd, site }: Context,
): void {
  const places = given ? machinePlaces(given, [homeFolder(env), cwd, site.root ?? cwd]) : [];
  if (places.length > 0) throw new Fault('project.machine-path', { places });
  const inProject = chosen(server, Object.values(table.byClient).flat()).length > 0;
  if (given || declarationsFile !== undefined || inProject) return;
  const here = findServers({ env, cwd, clients: CLIENT_SERVERS });
  const own = chosen(server, Object.values(here.byClient).flat());
  if (own.length === 0) return;
  const files = [...new Set(own.map((entry) => entry.source.file ?? ''))];
  throw new Fault('project.own-machine', {
    name: server,
    files,
    places: table.looked.map((file) => relative(site.root ?? cwd, file)),
  });
}

/** Throws a Fault, `project.outside-file`, for a file that others don't have. */
export function assertInProject(file: string, root: string): void {
  try {
    assertWithin(root, file);
  } catch {
    throw new Fault('project.outside-file', {}, { file });
  }
}
