import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { emptyRecord, type RecordReading } from '../apply/record.ts';
import type { Scope, ServerRecord } from '../apply/types.ts';
import { CLIENTS } from '../clients/index.ts';
import type { World } from '../context.ts';
import { Fault } from '../messages.ts';
import { type Site, serversAt, userSite } from './site.ts';
import { isAround } from './with-record.ts';

/** What sites follow from. */
type Here = Pick<World, 'env' | 'paths' | 'cwd'>;

/** The site of a scope, as seen from the session's folder, or for a project that is known. Faults: `project.home`. */
export async function siteFor(scope: Scope, { env, paths, cwd }: Here, root?: string): Promise<Site> {
  if (scope === 'user') return userSite(env, paths);
  const { siteIn } = await import('../project/site.ts');
  const { projectRoot } = await import('../project/root.ts');
  return siteIn[scope](root ?? projectRoot(cwd), env, paths);
}

/** A site, what its record store says, and the servers that are installed there. */
export interface Standing {
  site: Site;
  /** `damaged`: the record or lock file can't be used. */
  reading: RecordReading;
  servers: ServerRecord[];
}

/**
 * Every site that acts in the session's folder: the user's own, what is local to the project, and what the project has.
 * Other projects' aren't among them. `before` is called for each before its record is read. Faults as `readRecord`;
 * those of a lock file are its reading's.
 */
export async function sitesHere(
  here: Here,
  before: (site: Site) => Promise<void> = async () => {},
): Promise<Standing[]> {
  const user = userSite(here.env, here.paths);
  await before(user);
  const reading = user.store.read();
  const standing = [standingAt(user, reading)];
  for (const site of await projectSites(here, reading)) {
    await before(site);
    standing.push(standingAt(site, site.shared ? readShared(site) : reading));
  }
  return standing;
}

const standingAt = (site: Site, reading: RecordReading): Standing => ({
  site,
  reading,
  servers: serversAt(site, reading.record),
});

async function projectSites(here: Here, { record }: RecordReading): Promise<Site[]> {
  const { projectRoot, LOCK } = await import('../project/root.ts');
  const root = projectRoot(here.cwd);
  const files = CLIENTS.flatMap(({ project }) => [...project.files, ...project.local].map((f) => f.path));
  const holds = [LOCK, ...files].some((path) => existsSync(join(root, path)));
  const roots = record.servers.flatMap((s) => (s.scope === 'local' && s.root ? [s.root] : []));
  const local = new Set([...roots.filter((folder) => isAround(folder, here.cwd)), ...(holds ? [root] : [])]);
  const wanted: [Scope, string][] = [...local].map((folder) => ['local', folder]);
  if (holds) wanted.push(['project', root]);
  const sites: Site[] = [];
  for (const [scope, folder] of wanted) {
    try {
      sites.push(await siteFor(scope, here, folder));
    } catch (error) {
      // In the home folder there is nothing but the user's own.
      if (!(error instanceof Fault)) throw error;
    }
  }
  return sites;
}

function readShared({ store }: Site): RecordReading {
  try {
    return store.read();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { record: emptyRecord(), bytes: null, damaged: error };
  }
}
