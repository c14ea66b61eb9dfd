import { slugFor } from '../apply/slug.ts';
import type { Scope } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import { CLIENT_IDS, type ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { Fault } from '../messages.ts';
import { type Exported, findExported } from '../server/exported.ts';
import { siteOf } from './plugin-site.ts';
import type { Surface } from './settings.ts';
import type { HookPlace } from './site.ts';
import { type Standing, sitesHere } from './sites.ts';
import { shimsIn } from './survey.ts';
import type { Cover, Note } from './types.ts';

/** What gives a server's hooks to a client: an install whose entries stand, or a plugin or extension that is on. */
export interface Speaker extends Cover {
  server: string;
  slug: string;
  client: ClientId;
}

/** Everything that gives hooks to a client in the session's folder. Reads files only. */
export function speakersHere(
  sites: readonly Standing[],
  surface: Surface,
  exported: readonly Exported[] = findExported(surface),
): Speaker[] {
  const found = new Map<string, ReturnType<typeof shimsIn>>();
  const shimsOf = (place: HookPlace, client: ClientId) => {
    const key = `${client} ${place.file}`;
    const shims = found.get(key) ?? shimsIn({ ...place, path: place.file }, client, surface);
    found.set(key, shims);
    return shims;
  };
  const installs = sites.flatMap(({ site, servers }) =>
    servers.flatMap(({ server, slug, clients }) =>
      CLIENT_IDS.flatMap((client): Speaker[] => {
        const where = clients[client]?.file;
        const at = siteOf(site, clientById(client), slug, clients[client]);
        const place = at.hookFiles(clientById(client)).find(({ file }) => file === where);
        const stands =
          place !== undefined &&
          shimsOf(place, client).some((shim) => shim.slug === slug && shim.shared === site.shared);
        return stands ? [{ by: site.scope, server, slug, client, where: place.file }] : [];
      }),
    ),
  );
  const plugins = exported.map(({ server, client, by, root }) => ({
    by,
    server,
    slug: slugFor(server),
    client,
    where: root,
  }));
  return [...installs, ...plugins];
}

/**
 * What an install at each scope is covered by: it would give the same hooks a second time. Whatever a project shares
 * is silent where the user's own install speaks, and is the same for everybody, whatever stands on one's machine.
 */
const COVERED_BY: Readonly<Record<Scope, readonly Speaker['by'][]>> = {
  user: ['plugin', 'extension'],
  local: ['user', 'project', 'plugin', 'extension'],
  project: [],
};

/** What else an install at each scope meets, and what comes of it. */
const MEETS: Readonly<Record<Scope, Partial<Record<Speaker['by'], Note['code']>>>> = {
  user: { project: 'across.project-silent', local: 'across.local-silent' },
  local: {},
  project: {
    user: 'across.user-speaks',
    local: 'across.user-speaks',
    plugin: 'across.twice',
    extension: 'across.twice',
  },
};

export interface Across {
  /** Clients that have the hooks already. */
  covered: Partial<Record<ClientId, Cover>>;
  /** What to know of the others. */
  notes: Partial<Record<ClientId, Note[]>>;
}

/** The same for what acts in the session's folder. Other places that can't be read hold nothing. */
export async function acrossHere(
  slug: string,
  { env, cwd, paths, site }: Pick<Context, 'env' | 'cwd' | 'paths' | 'site'>,
  read: Surface['read'],
): Promise<Across> {
  try {
    const sites = await sitesHere({ env, cwd, paths });
    const same = sites.map((s) => ({ ...s, servers: s.servers.filter((server) => server.slug === slug) }));
    return across(slug, site.scope, speakersHere(same, { env, cwd, read }));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { covered: {}, notes: {} };
  }
}

/** How an install of a server at a scope stands to what gives its hooks to clients already. */
export function across(slug: string, scope: Scope, speakers: readonly Speaker[]): Across {
  const found: Across = { covered: {}, notes: {} };
  for (const client of CLIENT_IDS) {
    const others = speakers.filter((s) => s.slug === slug && s.client === client);
    const cover = others.find(({ by }) => COVERED_BY[scope].includes(by));
    if (cover) found.covered[client] = { by: cover.by, where: cover.where };
    const notes = others.flatMap(({ by, where }): Note[] => {
      const code = MEETS[scope][by];
      return code ? [{ code, args: { by, where } }] : [];
    });
    if (notes.length > 0) found.notes[client] = notes;
  }
  return found;
}

/** Those of one server on one client that are not silent beside another (`spokenFor`). */
function heard(all: readonly Speaker[]): Speaker[] {
  const has = (by: Speaker['by']): boolean => all.some((s) => s.by === by);
  if (has('user')) return all.filter(({ by }) => by === 'user');
  return all.filter(({ by }) => by !== 'project' || !has('local'));
}

/** Speakers of one server on one client of which more than one is heard. */
export function twice(speakers: readonly Speaker[]): Speaker[][] {
  const groups = new Map<string, Speaker[]>();
  for (const speaker of speakers) {
    const key = `${speaker.client} ${speaker.slug}`;
    groups.set(key, [...(groups.get(key) ?? []), speaker]);
  }
  return [...groups.values()].map(heard).filter((all) => all.length > 1);
}
