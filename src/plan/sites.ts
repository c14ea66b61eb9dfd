import type { Scope } from '../apply/types.ts';
import type { World } from '../context.ts';
import { type Site, userSite } from './site.ts';

/** The site of a scope, as seen from the session's folder. */
export function siteFor(_scope: Scope, { env, paths }: Pick<World, 'env' | 'paths'>): Site {
  return userSite(env, paths);
}
