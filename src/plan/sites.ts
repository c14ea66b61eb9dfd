import type { Scope } from '../apply/types.ts';
import type { World } from '../context.ts';
import { type Site, userSite } from './site.ts';

/** The site of a scope, as seen from the session's folder, or for a project that is known. Faults: `project.home`. */
export async function siteFor(
  scope: Scope,
  { env, paths, cwd }: Pick<World, 'env' | 'paths' | 'cwd'>,
  root?: string,
): Promise<Site> {
  if (scope === 'user') return userSite(env, paths);
  const { siteIn } = await import('../project/site.ts');
  const { projectRoot } = await import('../project/root.ts');
  return siteIn[scope](root ?? projectRoot(cwd), env, paths);
}
