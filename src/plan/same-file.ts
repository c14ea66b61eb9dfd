import type { Files } from '../base/files.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById, isClient } from '../clients/index.ts';
import { Fault } from '../messages/fault.ts';
import type { ServerRecord } from '../store/types.ts';

/**
 * Returns a check of clients' hook files: of one that is, through a link, also the file of another client with hooks, it
 * returns `plan.same-file`. `servers`: those that are installed. What the check has accepted counts as well.
 */
export function sameFileCheck(
  servers: readonly ServerRecord[],
  { real }: Pick<Files, 'real'>,
): (client: ClientId, file: string | undefined) => Fault | undefined {
  const held = new Map<string, { id: string; file: string }>();
  for (const { clients } of servers)
    for (const [id, { file }] of Object.entries(clients)) held.set(`${id} ${file}`, { id, file });
  return (client, file) => {
    // What is there already can't be refused any more.
    if (file === undefined || held.has(`${client} ${file}`)) return undefined;
    const path = real(file);
    const other = [...held.values()].find(
      (one) => one.id !== client && isClient(one.id) && real(one.file) === path,
    );
    if (other === undefined) {
      held.set(`${client} ${file}`, { id: client, file });
      return undefined;
    }
    const args = {
      client: clientById(client).title,
      other: clientById(other.id as ClientId).title,
      path: other.file,
    };
    return new Fault('plan.same-file', args, { file });
  };
}
