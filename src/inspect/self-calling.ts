import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import type { ServerRecord } from '../store/types.ts';

/** Returns the clients that call the server's tools themselves (`--grant-control`): nothing of ours silences these. */
export const selfCalling = ({ clients }: Pick<ServerRecord, 'clients'>): ClientId[] =>
  CLIENT_IDS.filter((id) => clients[id]?.entries.some((e) => e.group.hooks[0]?.type !== 'command'));
