import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { homeFolder, inside, slashed } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { ANY_SLUG } from '../../clients/hook-files.ts';
import { CLIENTS } from '../../clients/index.ts';
import { inReadingOrder } from '../../declarations/canonical-json.ts';
import { Fault, unlessFault } from '../../messages/fault.ts';
import { serversNamed } from '../../plan/compile/matcher.ts';
import { machineStore } from '../../plan/scopes/machine-form.ts';
import { assertWithin } from '../../plan/scopes/within.ts';
import type { ServerSource } from '../../servers/definitions/entries-in-files.ts';
import { machinePlaces } from '../../servers/definitions/machine-places.ts';
import { allServers, entriesNamed, findServers } from '../../servers/definitions/resolve.ts';
import type { ServerTable } from '../../servers/types.ts';
import { readStore } from '../../store/read-record.ts';
import { emptyRecord } from '../../store/record.ts';
import type { RecordDocument } from '../../store/types.ts';
import { startApprovals } from '../approval/approvals.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import type { Request } from '../request.ts';
import type { ServerReference } from '../server/server-reference.ts';
import type { ScopeInputs } from './machine-inputs.ts';

/** Inputs of a shared project: only the project's files, nothing of this machine. */
export function projectInputs(context: Context): ScopeInputs {
  const { env, cwd, scope } = context;
  const root = scope.root ?? cwd;
  const usedIn = (client: Client): boolean =>
    scope.hookFiles(client, ANY_SLUG).some(({ file }) => existsSync(dirname(file)));
  const table = findServers({ env, cwd: root, clients: CLIENTS.map((client) => ofProject(client, usedIn)) });
  return {
    table,
    approvals: () => startApprovals(machineRecord(context), context),
    defaults: () => ({ options: {} }),
    admit: (request, reference) => admit(request, reference, table, context),
    // Servers may order keys differently on each machine.
    declared: ({ declarations, ...rest }) => ({ declarations: declarations.map(inReadingOrder), ...rest }),
    // The server's own alias, and every other name in matchers; the server's own name becomes its alias.
    aliases: (_client, server, { declarations, serverName }) => [
      server,
      ...serversNamed(declarations).filter((name) => name !== serverName && name !== server),
    ],
    // A project without any client's folder is meant for all clients.
    inUse: (clients) => {
      const found = clients.filter(usedIn);
      return found.length > 0 ? found : clients;
    },
    here: () => ({ tag: '', approvals: {}, now: '' }),
  };
}

/** Reads the machine's record; an unreadable record counts as empty, so nothing is approved. */
const machineRecord = ({ paths, env }: Context): RecordDocument =>
  unlessFault(() => readStore(machineStore(paths, env)).record, emptyRecord());

function ofProject(client: Client, isUsed: (client: Client) => boolean): ServerSource {
  const { id, mcp } = client;
  const files = mcp.files
    .filter((file) => file.scope === 'project' && (!file.ifThere || isUsed(client)))
    .map(({ onlyIf: _trust, ifThere: _user, ...file }) => ({ ...file, in: 'cwd' as const }));
  return { id, mcp: { ...mcp, files, switches: [], plugins: [] } };
}

/** Throws the Fault of a project's file with a merge conflict, since either side may define the server. */
function assertMerged(table: ServerTable): void {
  const broken = table.clients.flatMap((client) => table.of(client).broken);
  const conflict = broken.find(({ code }) => code === 'edit.conflict');
  if (conflict) throw conflict;
}

/**
 * Throws a Fault when others couldn't reach the server: `project.own-machine` (configured on this machine only),
 * `project.subfolder` (in a folder below the project's top), `project.machine-path` (the command line names paths of this
 * machine), `project.outside-file`, `project.backslash`. Also `edit.conflict` of a file that may define the server.
 */
function admit(
  { server, given: givenNow }: Pick<Request, 'server' | 'given'>,
  { given, declarationsFile }: ServerReference,
  table: ServerTable,
  { env, cwd, scope }: Context,
): void {
  const root = scope.root ?? cwd;
  // A recorded command line was approved: builds before 0.1.0 took some that are refused now.
  const places = givenNow ? machinePlaces(givenNow, [homeFolder(env), cwd, root], { inProject: true }) : [];
  if (places.length > 0) throw new Fault('project.machine-path', { places });
  if (declarationsFile !== undefined) assertInProject(declarationsFile, root);
  const inProject = entriesNamed(server, allServers(table)).length > 0;
  if (given || declarationsFile !== undefined || inProject) return;
  assertMerged(table);
  const here = findServers({ env, cwd });
  const own = entriesNamed(server, allServers(here));
  if (own.length === 0) return;
  const files = [...new Set(own.map((entry) => entry.source.file ?? ''))];
  const looked = table.clients.flatMap((id) => table.of(id).looked()).map((file) => relative(root, file));
  const below = own.flatMap(({ source: { scope, file = '' } }) =>
    scope === 'project' ? (inside(root, file) ?? []) : [],
  );
  if (below.length > 0)
    throw new Fault('project.subfolder', { name: server, files: [...new Set(below)], places: looked, root });
  throw new Fault('project.own-machine', { name: server, files, places: looked });
}

function assertInProject(file: string, root: string): void {
  try {
    assertWithin(root, file, disk.real);
  } catch {
    throw new Fault('project.outside-file', {}, { file });
  }
  // The lock file is read on Windows, too.
  if (slashed(relative(root, file)).includes('\\')) throw new Fault('project.backslash', {}, { file });
}
