import type { ServerRecord } from '../apply/types.ts';
import { CLIENTS } from '../clients/index.ts';
import { CLIENT_IDS, type ClientId, type HookFile } from '../clients/types.ts';
import { readKeys } from '../edit/read.ts';
import { Fault } from '../messages.ts';
import { type Departure, departures } from './approval.ts';
import { holdsEntries, shimOf } from './command.ts';
import { decode } from './hook-file.ts';
import { pluginPlaces } from './plugin.ts';
import type { Surface } from './settings.ts';
import type { Site } from './site.ts';
import type { Standing } from './sites.ts';
import { type ClientStatus, inspect } from './status.ts';
import { markerFiles } from './switch.ts';

/** One server that is installed at a site, as the files have it. */
export interface Surveyed {
  site: Site;
  record: ServerRecord;
  clients: ClientStatus[];
  /** Its shims are silenced. */
  disabled: boolean;
  /** What differs from what was approved. */
  departures: Departure[];
}

/** Entries of ours in one file of which no record tells. */
export interface Unknown {
  site: Site;
  slug: string;
  client: ClientId;
  file: string;
}

/** Everything that is installed at some sites. Reads files only. */
export function survey(sites: readonly Standing[], surface: Surface): Surveyed[] {
  return sites.flatMap(({ site, reading, servers }) =>
    servers.map((server) => ({
      site,
      record: server,
      clients: CLIENT_IDS.filter((id) => server.clients[id]).map((id) =>
        inspect(server, id, site, reading.record.files, surface),
      ),
      disabled: markerFiles(server, site).some((path) => stands(path, surface)),
      departures: departures(server),
    })),
  );
}

function stands(path: string, { read }: Surface): boolean {
  try {
    return read(path) !== null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return false;
  }
}

/** Entries that stand in the clients' files of a site though no record tells of them. */
export function unknownEntries({ site, reading, servers }: Standing, surface: Surface): Unknown[] {
  if (site.shared && reading.damaged) return [];
  return CLIENTS.flatMap((client) =>
    [...site.hookFiles(client), ...(site.asPlugin ? pluginPlaces(client, surface.env) : [])].flatMap(
      (place) => {
        const known = servers.filter((s) => s.clients[client.id]).map((s) => s.slug);
        return shimsIn({ ...place, path: place.file }, client.id, surface)
          .filter(({ slug, shared }) => shared === site.shared && !known.includes(slug))
          .map(({ slug }) => ({ site, slug, client: client.id, file: place.file }));
      },
    ),
  );
}

/** Whose entries of ours stand in a file, each server once; `path` is absolute. None in a file that can't be read. */
export function shimsIn(
  { path, format }: HookFile,
  client: ClientId,
  surface: Surface,
): { slug: string; shared: boolean }[] {
  const found = new Map<string, { slug: string; shared: boolean }>();
  const ours = (sign: string): string | undefined => {
    const shim = shimOf(sign);
    if (shim?.client === client) found.set(`${shim.shared} ${shim.slug}`, shim);
    return undefined;
  };
  try {
    const bytes = surface.read(path);
    if (bytes === null || !holdsEntries(bytes)) return [];
    readKeys({ file: path, text: decode(bytes, path), format, memory: undefined }, ours);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  return [...found.values()];
}
