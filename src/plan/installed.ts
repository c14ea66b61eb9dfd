import { slugFor } from '../apply/slug.ts';
import type { ServerRecord } from '../apply/types.ts';
import { near } from '../declarations/near.ts';
import { Fault } from '../messages.ts';

/** The server of that name. Faults: `plan.not-installed`, with the name that may have been meant. */
export function installed(servers: readonly ServerRecord[], name: string): ServerRecord {
  const found = servers.find((s) => s.slug === slugFor(name));
  if (found) return found;
  throw new Fault('plan.not-installed', { name, ...nearby(name, servers) });
}

/** The installed server that a name was probably meant to be, and all there are. */
export function nearby(
  name: string,
  servers: readonly Pick<ServerRecord, 'server'>[],
): { near?: string; known: string[] } {
  const known = servers.map((s) => s.server);
  const meant = near(name, known);
  return { ...(meant !== undefined && { near: meant }), known };
}
