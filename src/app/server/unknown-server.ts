import { nearArg } from '../../base/near.ts';
import { Fault, orFault } from '../../messages/fault.ts';
import { resolveServer } from '../../servers/definitions/resolve.ts';
import type { ServerTable } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { ServerReference } from './server-reference.ts';

/** Returns the fault for a server that must be asked and that no client has configured. */
export function unknownServer(
  server: string,
  { fromClient: from }: ServerReference,
  table: ServerTable,
  installed: readonly ServerRecord[],
): Fault {
  const found = orFault(() => resolveServer(server, table, from ? { from } : {}));
  return found instanceof Fault
    ? withNear(found, installed)
    : new Fault('server.not-found', { name: server });
}

/**
 * Returns the notice that a server isn't asked because its client has it off, if that is the fault. Where its definition
 * stands as approved, the plan shows no reason.
 */
export const offUnasked = ({ code, args, where }: Fault): Fault | undefined =>
  code === 'server.off'
    ? new Fault(
        'server.off-unasked',
        {
          name: String(args.name),
          client: String(args.client),
          ...(Array.isArray(args.unset) && { unset: args.unset }),
        },
        where,
      )
    : undefined;

/** Returns the fault with the name of a similar installed server, or saying that hooks of this one are installed. */
export function withNear(fault: Fault, installed: readonly ServerRecord[]): Fault {
  const names = installed.map((s) => s.server);
  const name = String(fault.args.name);
  const here = installed.find((s) => s.server === name);
  if (here) return fault.with({ installed: 1, ...(here.scope !== 'user' && { scope: here.scope }) });
  if (fault.args.near) return fault;
  return fault.with(nearArg(name, names));
}
