import { filesBelow } from '../../base/files.ts';
import type { ClientId } from '../../clients/client.ts';
import { isClient } from '../../clients/index.ts';
import { serverFolder } from '../../shims/own-files.ts';
import { ownFilesOf } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import { lostClients } from '../client/shims-in.ts';
import { scriptsOf } from './own-removals.ts';
import type { ClientRemoval, RemovalInput } from './remove-entries.ts';

export interface StayingInput extends RemovalInput {
  /** The clients to remove the hooks from; undefined: all. */
  clients?: readonly ClientId[];
  /**
   * Set when hooks of projects (these roots) or an export are disabled by the same file as the server in this scope.
   */
  disabledFileStays?: readonly string[];
}

export const isChosenClient = (id: string, { clients }: Pick<StayingInput, 'clients'>): boolean =>
  clients?.includes(id as ClientId) ?? true;

/** What stays of the server in this scope. */
export interface Staying {
  /** Its recorded clients that keep their record. */
  clients: string[];
  /** Its record with these clients. */
  server?: ServerRecord;
  /** Scripts of clients that weren't chosen. */
  scripts: string[];
  /** Own files that stay. */
  files: string[];
  hooksStay: boolean;
}

/** Returns what an uninstall leaves of a server. `known`: its record before; `removals`: what goes from the clients' files. */
export function whatStays(
  known: ServerRecord | undefined,
  removals: readonly ClientRemoval[],
  input: StayingInput,
): Staying {
  const { slug, scope, files } = input;
  const untouched = Object.entries(known?.clients ?? {}).filter(
    ([id]) => !isClient(id) || !isChosenClient(id, input),
  );
  // A client whose file couldn't be edited keeps its record, so that the next try finds its entries.
  const failed = removals.flatMap((one) => (one.fault ? [one.client] : []));
  const clients = [...failed, ...untouched.map(([id]) => id)];
  const isRemoved = Object.keys(known?.clients ?? {}).some((id) => !clients.includes(id));
  const chosen = input.clients && isRemoved && { clientsChosen: true as const };
  const kept = Object.entries(known?.clients ?? {}).filter(([id]) => clients.includes(id));
  const server =
    known && clients.length > 0 ? { ...known, clients: Object.fromEntries(kept), ...chosen } : undefined;
  // Without a record, a script's path tells whose it is. Running sessions use superseded scripts.
  const readsPaths = input.clients !== undefined && (known === undefined || server !== undefined);
  // When the last recorded client is removed, scripts of clients that the record has lost stay.
  const lost = input.clients && !readsPaths ? lostClients(slug, [known?.clients], scope, files) : [];
  const stays = (id: string): boolean =>
    !isChosenClient(id, input) && (readsPaths || lost.some((client) => client === id));
  const scripts = scriptsOf(stays, slug, scope, files);
  const hooksStay = server !== undefined || scripts.length > 0;
  return {
    clients,
    ...(server && { server }),
    scripts,
    files: [
      ...ownFilesOf(Object.fromEntries(untouched)),
      ...scripts,
      // What is left of the server stays disabled.
      ...(hooksStay || input.disabledFileStays ? [scope.disabledFile(slug)] : []),
    ],
    hooksStay,
  };
}

/** Returns the server's own files that don't stay, also those that can't be removed. */
export function filesThatGo(
  known: ServerRecord | undefined,
  staying: Staying,
  { slug, scope, files }: StayingInput,
): string[] {
  const going = Object.entries(known?.clients ?? {}).filter(([id]) => !staying.clients.includes(id));
  return [
    ...ownFilesOf(Object.fromEntries(going)),
    ...(staying.hooksStay ? [] : filesBelow(serverFolder(scope.paths, slug), files)),
  ].filter((path) => !staying.files.includes(path));
}
