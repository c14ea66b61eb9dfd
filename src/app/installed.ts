import { filesBelow, readOnce } from '../base/files.ts';
import { near } from '../base/near.ts';
import { inside, slashed } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import { clientById } from '../clients/index.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { activeScopes, type ScopeState } from '../inspect/scopes.ts';
import { type Unknown, unknownEntries } from '../inspect/survey.ts';
import { Fault } from '../messages/fault.ts';
import { serversIn } from '../plan/scopes/scope.ts';
import { allServers, findServers } from '../servers/resolve.ts';
import { serverFolder } from '../shims/own-files.ts';
import type { RecordReading } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import type { Context } from './context.ts';
import { disk } from './disk.ts';
import { openRecord } from './recover.ts';
import type { Request } from './request.ts';

/** Returns the server with this name at the command's scope. Throws a Fault, `notInstalled`. */
export async function installedServer(context: Context, name: string): Promise<ServerRecord> {
  const slug = slugFor(name);
  const found = serversIn(context.scope, openRecord(context).record).find((s) => s.slug === slug);
  if (found) return found;
  throw await notInstalled(name, context);
}

/**
 * Returns the servers of this scope that no record lists, because it was lost: those with hook scripts, and with `edited`
 * those of which only entries stayed.
 */
export function unrecorded({ scope, env, cwd }: Context, reading: RecordReading, edited: boolean): string[] {
  const servers = serversIn(scope, reading.record);
  const isOwn = ({ slug, client, file }: Unknown): boolean =>
    filesBelow(serverFolder(scope.paths, slug), disk).length > 0 ||
    (scope.asPlugin?.(clientById(client), slug)?.hookFiles(clientById(client), slug) ?? []).some(
      (place) => place.file === file,
    );
  const found = unknownEntries({ scope, reading, servers }, readOnce({ ...disk, env, cwd }));
  const slugs = found.filter((entry) => edited || isOwn(entry)).map(({ slug }) => slug);
  return [...new Set(slugs)].filter((slug) => !servers.some((server) => server.slug === slug));
}

/**
 * Returns the Fault `plan.not-installed`, with the other scopes at which the server is installed, or a similar name.
 * `command`: the command to suggest for such a scope.
 */
export async function notInstalled(
  name: string,
  context: Context,
  { here, command }: { here?: ScopeState[]; command?: string } = {},
): Promise<Fault> {
  return new Fault('plan.not-installed', {
    name,
    scope: context.scope.name,
    ...(command !== undefined && { command }),
    ...(await elsewhere(name, context, here)),
  });
}

/**
 * Returns the other scopes at which a server is installed here; else a similar name, one of a server that could be
 * installed, and all names that are installed here.
 */
async function elsewhere(
  name: string,
  context: Context,
  here?: ScopeState[],
): Promise<{ elsewhere?: ScopeName[]; near?: string; toInstall?: string; known: string[] }> {
  const slug = slugFor(name);
  const others = (here ?? (await activeScopes(context))).filter(
    ({ scope }) => scope.name !== context.scope.name,
  );
  const having = others.filter(({ servers }) => servers.some((s) => s.slug === slug));
  const own = serversIn(context.scope, openRecord(context).record);
  const known = [...new Set([...own, ...others.flatMap(({ servers }) => servers)].map((s) => s.server))];
  const meant = near(name, known);
  const configured = allServers(findServers(context)).map(({ alias }) => alias);
  const toInstall = configured.includes(name) ? name : near(name, configured);
  return {
    ...(having.length > 0 && { elsewhere: having.map(({ scope }) => scope.name) }),
    ...(meant !== undefined && { near: meant }),
    ...(toInstall !== undefined && { toInstall }),
    known,
  };
}

/**
 * Returns the notice that hooks of a file are installed for this project alone, which a command for authors doesn't use;
 * undefined when the request, or an install for all projects, says which hooks count.
 */
export async function fileElsewhere(
  command: 'lint' | 'export',
  { server, given, declarationsFile, catalogue, reset }: Request,
  context: Context,
): Promise<Fault | undefined> {
  if (given || declarationsFile !== undefined || catalogue || reset) return undefined;
  const slug = slugFor(server);
  const found = (await activeScopes(context)).flatMap(({ scope, servers }) =>
    servers.filter((s) => s.slug === slug).map(({ from }) => ({ scope: scope.name, from })),
  );
  if (found.some(({ scope }) => scope === 'user')) return undefined;
  for (const { scope, from } of found) {
    if (from.kind !== 'file') continue;
    const file = slashed(inside(context.cwd, from.file) || from.file);
    return new Fault('decl-file.elsewhere', { name: server, scope, command, file });
  }
  return undefined;
}
