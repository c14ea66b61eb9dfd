import { slugFor } from '../base/slug.ts';
import type { ClientId } from '../clients/client.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { parseDeclarations } from '../declarations/parse.ts';
import { activeScopes, damagedLocks } from '../inspect/scopes.ts';
import { changingTexts, Fault, faultsThrown } from '../messages/fault.ts';
import { DEFAULT_OPTIONS } from '../plan/options.ts';
import { type Offer, offerFor, readingOnce } from '../servers/catalogue/offer.ts';
import { approvalHash, findServers, withHash } from '../servers/definitions/resolve.ts';
import { identityOf, shownIdentity } from '../servers/packages/identity.ts';
import type { ServerEntry, ServerReading } from '../servers/types.ts';
import { approvedDefinitions } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import { startApprovals } from './approval/approvals.ts';
import type { Context } from './context.ts';
import { parsingPlace } from './declarations/declared.ts';
import { offerPlace } from './declarations/overlay.ts';
import { openRecord } from './open-record.ts';
import type { ScanState } from './scan-states.ts';
import { askServer } from './server/ask-server.ts';

/** One server under one name, on the clients that define it alike. */
export interface Scanned {
  alias: string;
  clients: ClientId[];
  /** Identity of the server, independent of its name: `npm:@scope/name`; empty when its command doesn't tell. */
  identity: string[];
  state: ScanState;
  /** Number of its hooks, declared or offered. */
  hooks?: number;
  /** The catalogue's entry for it. */
  entry?: string;
  /** True when hooks of it are installed here. */
  installed: boolean;
  /** Why the scan of this server failed. */
  fault?: Fault;
}

/** Asks a server whether it declares hooks. */
type AskServer = (entry: ServerEntry) => Promise<ServerReading>;

/**
 * Returns all servers of all clients, in `off` those that a client has switched off, and the Faults of the project's lock
 * file and of clients' files that can't be read. Starts nothing, unless `check` is set: then servers are asked through the
 * gate.
 */
export async function scan(
  how: { check: boolean; timeout: number },
  context: Context,
): Promise<{
  servers: Scanned[];
  off: (Pick<Scanned, 'alias' | 'clients'> & { unset: boolean })[];
  broken: Fault[];
}> {
  const { env, cwd } = context;
  const table = findServers({ env, cwd });
  const rows = new Map<string, { entries: ServerEntry[]; clients: ClientId[] }>();
  for (const client of table.clients)
    for (const found of table.of(client).on) {
      const entry = withHash(found);
      const { names } = identityOf(found.definition, env);
      // The hash of a project's definition differs between clients, also where it says the same.
      const said = found.source.scope === 'project' ? canonicalJson(found.definition) : entry.hash;
      const key = JSON.stringify([found.alias, names.length > 0 ? names : said]);
      const row = rows.get(key) ?? { entries: [], clients: [] };
      row.entries.push(entry);
      if (!row.clients.includes(client)) row.clients.push(client);
      rows.set(key, row);
    }
  const scopes = await activeScopes(context);
  const records = scopes.flatMap(({ servers }) => servers);
  const approvals = startApprovals(openRecord(context).record, context);
  const ask: AskServer = async (entry) => {
    const { alias: server } = entry;
    const question = {
      server,
      named: false,
      timeout: how.timeout,
      installedOnly: true,
      quiet: true,
    } as const;
    return (await askServer({ question, entry, approvals }, context)).reading;
  };
  const read = readingOnce();
  const offerOf = ({ alias, definition, source }: ServerEntry): Offer | undefined =>
    offerFor(alias, definition, { ...offerPlace({ source }, context), read });
  const scanned: Scanned[] = [];
  for (const { entries, clients } of rows.values()) {
    const recordsOf = (entry: ServerEntry): ServerRecord[] =>
      records.filter((one) => one.slug === slugFor(entry.alias) && isRecordOf(one, entry));
    const entry = entries.find((one) => recordsOf(one).length > 0) ?? entries[0];
    if (!entry) continue;
    const installed = recordsOf(entry);
    const identity = shownIdentity(identityOf(entry.definition, env));
    const found = await scannedState(entry, installed, offerOf, how.check ? ask : undefined);
    scanned.push({ alias: entry.alias, clients, identity, installed: installed.length > 0, ...found });
  }
  const servers = scanned.sort((a, b) => (a.alias < b.alias ? -1 : 1));
  const off = new Map<string, { alias: string; unset: boolean; clients: ClientId[] }>();
  for (const client of table.clients)
    for (const { alias, unset: variable } of table.of(client).off) {
      const unset = variable !== undefined;
      const key = JSON.stringify([alias, unset]);
      const { clients = [] } = off.get(key) ?? {};
      off.set(key, { alias, unset, clients: [...new Set([...clients, client])] });
    }
  return {
    servers,
    off: [...off.values()],
    broken: [...damagedLocks(scopes), ...table.clients.flatMap((client) => table.of(client).broken)],
  };
}

type Found = Pick<Scanned, 'state' | 'hooks' | 'entry' | 'fault'>;

async function scannedState(
  entry: ServerEntry,
  installed: readonly ServerRecord[],
  offerOf: (entry: ServerEntry) => Offer | undefined,
  ask: AskServer | undefined,
): Promise<Found> {
  const count = await orFirstFault(async () =>
    ask ? declaredBy(await ask(entry)) : declaredBefore(installed),
  );
  if (typeof count === 'number' && count > 0) return { state: 'declares', hooks: count };
  const offer = await orFirstFault(() => offerOf(entry));
  const fault = [count, offer].find((one) => one instanceof Fault);
  const there = offer instanceof Fault || !offer ? undefined : offered(offer);
  if (fault) return { ...there, state: 'failed', fault: fault.with({ command: 'install' }) };
  return there ?? { state: ask ? 'none' : 'not-asked' };
}

/** Returns a value, or the first Fault that stands in its way. */
async function orFirstFault<T>(find: () => T | Promise<T>): Promise<T | Fault> {
  try {
    return await find();
  } catch (error) {
    const [fault] = faultsThrown(error);
    if (!fault) throw error;
    return fault;
  }
}

function offered({ from, declarations }: Offer): Found {
  return {
    state: from.kind,
    hooks: declarations.length,
    ...(from.kind === 'catalogue' && { entry: from.entry }),
  };
}

/** Returns how many hooks a server declares. Throws `Faults` of its declarations. */
function declaredBy({ document, place, redact }: ServerReading): number {
  if (place === undefined) return 0;
  const how = parsingPlace(DEFAULT_OPTIONS, place);
  return changingTexts(redact, () => parseDeclarations(document, how)).declarations.length;
}

/** False for a project's server that only has the name of an installed one: its definition was never approved. */
function isRecordOf(installed: ServerRecord, entry: ServerEntry): boolean {
  const approved = approvedDefinitions(installed);
  return (
    entry.source.scope !== 'project' ||
    approved.length === 0 ||
    approved.some(({ hash }) => hash === approvalHash(entry))
  );
}

/** Returns how many hooks a server declared when they were installed. */
const declaredBefore = (installed: readonly ServerRecord[]): number =>
  installed.find(({ from }) => from.kind === 'server')?.declarations.length ?? 0;
