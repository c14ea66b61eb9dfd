import { resolve } from 'node:path';
import { near } from '../base/near.ts';
import type { ClientId } from '../clients/client.ts';
import { Fault } from '../messages/fault.ts';
import type { Gone } from '../plan/types.ts';
import { readEntry } from '../servers/definition.ts';
import { definitionHash } from '../servers/definition-hash.ts';
import { isOfDefinition } from '../servers/earlier-hash.ts';
import { chosen, dialectOf, resolveServer } from '../servers/resolve.ts';
import type { Definition, ServerEntry, ServerTable } from '../servers/types.ts';
import type { ServerRecord } from '../store/types.ts';
import { isForgotten } from './command-line-definition.ts';
import type { Request } from './request.ts';

/** Where declarations and the definition come from: as this command says, else as it was said before. */
export interface ServerReference {
  given?: Definition;
  from?: ClientId;
  /** Absolute. */
  declarationsFile?: string;
  /** The server isn't asked about the file's tools. */
  unchecked?: true;
}

/** As this command says, else as it was said before. */
export function serverReference(
  { given, from, declarationsFile, unchecked, reset }: Request,
  previous: ServerRecord | undefined,
  cwd: string,
): ServerReference {
  const said: ServerReference = {
    ...(given && { given }),
    ...(from && { from }),
    ...(declarationsFile !== undefined && { declarationsFile: resolve(cwd, declarationsFile) }),
    ...(unchecked && { unchecked }),
  };
  if (reset || !previous) return said;
  const before: ServerReference = {};
  if (previous.from.kind === 'file' && !given) {
    before.declarationsFile = previous.from.file;
    // A file that is named anew is checked anew.
    if (previous.from.unchecked && declarationsFile === undefined) before.unchecked = true;
  }
  if (previous.fromClient) before.from = previous.fromClient as ClientId;
  if (previous.given) before.given = previous.given as Definition;
  // One way to reach it takes the place of the other.
  if (given) delete before.from;
  if (from) delete before.given;
  return { ...before, ...said };
}

/**
 * How to reach the server; undefined where nothing says so and static texts need none. Faults as `resolveServer`; a name
 * that no client knows may be meant for one of the servers that are `installed`.
 */
export function findEntry(
  request: Request,
  { given, from, declarationsFile }: ServerReference,
  previous: ServerRecord | undefined,
  table: ServerTable,
  installed: readonly ServerRecord[],
): ServerEntry | undefined {
  if (given) {
    const source = { scope: 'command-line' } as const;
    return { alias: request.server, definition: given, source, hash: definitionHash(given, source) };
  }
  const asks = request.mode === 'ask';
  // What other files came to say of the name is no matter of what is installed.
  const approved = (): ServerEntry | undefined =>
    asks || request.from ? undefined : approvedEntry(request.server, previous);
  const before = previous?.definition?.hash;
  const isApproved = ({ definition, source }: ServerEntry): boolean =>
    before !== undefined && isOfDefinition(before, definition, source);
  const stands = approved();
  // Then no other client's files are read.
  if (stands && isApproved(stands)) return stands;
  try {
    const found = resolveServer(request.server, table, from ? { from } : {});
    return isApproved(found) ? found : (stands ?? found);
  } catch (error) {
    if (error instanceof Fault && stands) return stands;
    const compared = request.installedOnly && previous !== undefined;
    const notNeeded = declarationsFile || !asks || isForgotten(previous) || compared;
    const unknown = error instanceof Fault && ['server.not-found', 'server.off'].includes(error.code);
    const unclear = error instanceof Fault && error.code === 'server.disagree';
    if ((unknown && notNeeded) || (unclear && !asks && previous)) return undefined;
    throw unknown ? withNear(error, installed) : error;
  }
}

/** Why a server that is to be asked can't be: no client knows it. */
export function unknownServer(
  server: string,
  { from }: ServerReference,
  table: ServerTable,
  installed: readonly ServerRecord[],
): Fault {
  try {
    resolveServer(server, table, from ? { from } : {});
  } catch (error) {
    if (error instanceof Fault) return withNear(error, installed);
    throw error;
  }
  return new Fault('server.not-found', { name: server });
}

/** What stands now where the approved definition stood. */
function approvedEntry(alias: string, previous: ServerRecord | undefined): ServerEntry | undefined {
  const approved = previous?.definition?.source;
  if (approved?.file === undefined) return undefined;
  const { client, scope, file, pointer, root } = approved;
  // In the order in which servers are found: a lock file sorts its keys, and hook scripts hold this.
  const source = {
    ...(client && { client }),
    scope,
    file,
    ...(pointer && { pointer }),
    ...(root !== undefined && { root }),
  };
  const definition = readEntry(source, dialectOf(source));
  return definition && { alias, definition, source, hash: definitionHash(definition, source) };
}

/** A definition that was approved and is no longer where it was, is switched off there, or can't be read. */
export function goneDefinition(previous: ServerRecord | undefined): Gone[] {
  const source = previous?.definition?.source;
  const gone = source?.file !== undefined && readEntry(source, dialectOf(source)) === undefined;
  return gone ? ['definition'] : [];
}

/** The fault with the name of an installed server that may have been meant. */
function withNear(fault: Fault, installed: readonly ServerRecord[]): Fault {
  if (fault.args.near) return fault;
  const meant = near(
    String(fault.args.name),
    installed.map((s) => s.server),
  );
  return meant === undefined ? fault : fault.with({ near: meant });
}

/** The name by which a client knows the server, where it does: a plugin's server has a longer one there. */
export function aliasOn(
  client: ClientId,
  server: string,
  entry: ServerEntry | undefined,
  table: ServerTable,
): string | undefined {
  // One that the command line gives is in no client at all.
  if (entry?.source.scope === 'command-line') return undefined;
  return chosen(server, table.of(client).on)[0]?.alias;
}
