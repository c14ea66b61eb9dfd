import { canonicalJson } from '../declarations/canonical-json.ts';
import { canonicalHead } from '../declarations/canonical-name.ts';
import type { ServerRecord } from '../store/types.ts';

type Named = Pick<ServerRecord, 'server' | 'serverName' | 'declarations'>;

/**
 * True when hooks name the server as it called itself at the approval, and it calls itself otherwise now: though declared
 * as before, they would be for the tools of another server.
 */
export function leavesItsName(
  { serverName: before }: Pick<Named, 'serverName'>,
  { server, serverName, declarations }: Named,
): boolean {
  if (before === undefined || before === serverName || before === server) return false;
  const head = canonicalHead(before);
  return declarations.some((one) => one.matcher?.tool_server === before || canonicalJson(one).includes(head));
}
