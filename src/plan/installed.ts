import { slugFor } from '../apply/slug.ts';
import type { Scope, ServerRecord } from '../apply/types.ts';
import type { Context } from '../context.ts';
import { near } from '../declarations/near.ts';
import { Fault } from '../messages.ts';
import { openRecord } from './settle.ts';
import { serversAt } from './site.ts';
import { type Standing, sitesHere } from './sites.ts';

/** The server of that name at the command's site. Throws a Fault, `notInstalled`. */
export async function installed(context: Context, name: string): Promise<ServerRecord> {
  const slug = slugFor(name);
  const found = serversAt(context.site, openRecord(context).record).find((s) => s.slug === slug);
  if (found) return found;
  throw await notInstalled(name, context);
}

/**
 * `plan.not-installed`, with the scopes at which it is installed instead, or the name that may have been meant.
 * `command`: the one that was meant for it.
 */
export async function notInstalled(
  name: string,
  context: Context,
  { here, command }: { here?: Standing[]; command?: string } = {},
): Promise<Fault> {
  return new Fault('plan.not-installed', {
    name,
    scope: context.site.scope,
    ...(command !== undefined && { command }),
    ...(await elsewhere(name, context, here)),
  });
}

/** Where a server is installed here besides the command's site; else a name like it, and all there are here. */
async function elsewhere(
  name: string,
  context: Context,
  here?: Standing[],
): Promise<{ elsewhere?: Scope[]; near?: string; known: string[] }> {
  const slug = slugFor(name);
  const others = (here ?? (await sitesHere(context))).filter(({ site }) => site.scope !== context.site.scope);
  const having = others.filter(({ servers }) => servers.some((s) => s.slug === slug));
  const own = serversAt(context.site, openRecord(context).record);
  const known = [...new Set([...own, ...others.flatMap(({ servers }) => servers)].map((s) => s.server))];
  const meant = near(name, known);
  return {
    ...(having.length > 0 && { elsewhere: having.map(({ site }) => site.scope) }),
    ...(meant !== undefined && { near: meant }),
    known,
  };
}
