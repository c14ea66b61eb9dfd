import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Context } from '../context.ts';
import { inReadingOrder } from '../declarations/canonical.ts';
import { machinePlaces } from '../export/server-entry.ts';
import { Fault } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { serversNamed } from '../plan/matcher.ts';
import type { Outlook, Reached } from '../plan/outlook.ts';
import { machineStore } from '../plan/site.ts';
import type { ClientServers } from '../server/clients.ts';
import { CLIENT_SERVERS, chosen, findServers } from '../server/resolve.ts';
import type { ServerTable } from '../server/types.ts';
import { assertWithin } from './root.ts';

/** What is the same for everybody who has the project: its files, and no word of this machine. */
export function projectOutlook(context: Context): Outlook {
  const { env, cwd, paths, site } = context;
  const root = site.root ?? cwd;
  const table = findServers({ env, cwd: root, clients: CLIENT_SERVERS.map(ofProject) });
  return {
    table,
    starts: () => {
      try {
        return { ...machineStore(paths.state).read().record.starts };
      } catch (error) {
        // Where nothing can be read nothing was approved.
        if (error instanceof Fault) return {};
        throw error;
      }
    },
    defaults: () => ({ options: {} }),
    admit: (server, reached) => admit(server, reached, table, context),
    // The order of keys may differ that somebody's server gives.
    declared: ({ declarations, ...rest }) => ({ declarations: declarations.map(inReadingOrder), ...rest }),
    // The server's own alias, and every other name that matchers say; its own name becomes its alias.
    aliases: (_client, server, { declarations, serverName }) => [
      server,
      ...serversNamed(declarations).filter((name) => name !== serverName && name !== server),
    ],
    // A project without any client's folder is for all of them.
    inUse: (clients) => {
      const found = clients.filter((c) => site.hookFiles(c).some(({ file }) => existsSync(dirname(file))));
      return found.length > 0 ? found : clients;
    },
    here: () => ({ tag: '', starts: {}, now: '' }),
  };
}

function ofProject(client: ClientServers): ClientServers {
  const files = client.files
    .filter((file) => file.scope === 'project')
    .map(({ onlyIf: _trust, ...file }) => ({ ...file, in: 'cwd' as const }));
  return { ...client, files, switches: [], plugins: [] };
}

/**
 * Throws a Fault where others couldn't reach the server: `project.own-machine`, it is configured on this machine only;
 * `project.machine-path`, the command line names places of this machine; `project.outside-file`.
 */
function admit(
  server: string,
  { given, declarationsFile }: Reached,
  table: ServerTable,
  { env, cwd, site }: Context,
): void {
  const root = site.root ?? cwd;
  const places = given ? machinePlaces(given, [homeFolder(env), cwd, root]) : [];
  if (places.length > 0) throw new Fault('project.machine-path', { places });
  if (declarationsFile !== undefined) assertInProject(declarationsFile, root);
  const inProject = chosen(server, Object.values(table.byClient).flat()).length > 0;
  if (given || declarationsFile !== undefined || inProject) return;
  const here = findServers({ env, cwd, clients: CLIENT_SERVERS });
  const own = chosen(server, Object.values(here.byClient).flat());
  if (own.length === 0) return;
  const files = [...new Set(own.map((entry) => entry.source.file ?? ''))];
  throw new Fault('project.own-machine', {
    name: server,
    files,
    places: table.looked.map((file) => relative(root, file)),
  });
}

function assertInProject(file: string, root: string): void {
  try {
    assertWithin(root, file);
  } catch {
    throw new Fault('project.outside-file', {}, { file });
  }
}
