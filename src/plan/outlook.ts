import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { RecordReading } from '../apply/record.ts';
import { clientFolder } from '../clients/index.ts';
import type { Client, ClientId } from '../clients/types.ts';
import { programOnPath } from '../clients/version.ts';
import { type Defaults, readDefaults } from '../config.ts';
import type { Context } from '../context.ts';
import { CLIENT_SERVERS, findServers } from '../server/resolve.ts';
import type { Declared, Definition, ServerTable } from '../server/types.ts';
import type { PlanInput } from './plan.ts';

/** What an install may know of: this machine, or only what everybody has who has the project. */
export interface Outlook {
  /** What the clients' files say of servers. */
  table: ServerTable;
  /** Project definitions that this machine's user lets start: hash -> since when. */
  starts: () => Record<string, string>;
  defaults: (server: string) => Defaults;
  /** Throws a Fault where others than this machine's user would have no use of it. */
  admit: (server: string, reached: Reached) => void;
  /** The declarations of a server, as they are to be written down. */
  declared: (declared: Declared) => Declared;
  /** Aliases that matchers may mean on a client. */
  aliases: (client: ClientId, server: string, declared: Declared) => readonly string[];
  /** Of clients that nobody named, those that are in use. */
  inUse: (clients: readonly Client[]) => readonly Client[];
  /** What is this machine's and this moment's alone. */
  here: (starts: Record<string, string>) => Pick<PlanInput, 'tag' | 'starts' | 'now'>;
}

/** Where declarations and the definition come from: as this command says, else as it was said before. */
export interface Reached {
  given?: Definition;
  from?: ClientId;
  /** Absolute. */
  declarationsFile?: string;
}

export function machineOutlook({ env, cwd, paths, site, now }: Context, { record }: RecordReading): Outlook {
  const table = findServers({ env, cwd: site.root ?? cwd, clients: CLIENT_SERVERS });
  return {
    table,
    starts: () => ({ ...record.starts }),
    defaults: (server) => readDefaults(paths.config, server),
    admit: () => {},
    declared: (declared) => declared,
    aliases: (client) => (table.byClient[client] ?? []).map((entry) => entry.alias),
    inUse: (clients) =>
      clients.filter(
        (client) => existsSync(clientFolder(client, env)) || programOnPath(client.binary, env) !== undefined,
      ),
    here: (starts) => ({ tag: randomBytes(4).toString('hex'), starts, now: now() }),
  };
}
