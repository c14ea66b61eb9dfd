import { resolve } from 'node:path';
import type { ClientId } from '../../clients/client.ts';
import { entriesNamed } from '../../servers/definitions/resolve.ts';
import type { Definition, ServerTable } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Request } from '../request.ts';

/** References to the declarations and the definition: from this command, completed from the record. */
export interface ServerReference {
  given?: Definition;
  fromClient?: ClientId;
  /** Absolute path. */
  declarationsFile?: string;
  /** The server isn't asked about the file's tools. */
  skipCheck?: true;
}

/** Returns the references of this command, completed from the record. */
export function serverReference(
  { given, fromClient, declarationsFile, keepsFile, skipCheck, catalogue, reset }: Request,
  previous: ServerRecord | undefined,
  cwd: string,
): ServerReference {
  const said: ServerReference = {
    ...(given && { given }),
    ...(fromClient && { fromClient }),
    ...(declarationsFile !== undefined && { declarationsFile: resolve(cwd, declarationsFile) }),
    ...(skipCheck && { skipCheck }),
  };
  if (reset || !previous) return said;
  const before: ServerReference = {};
  if (previous.from.kind === 'file' && !catalogue && (keepsFile || !given)) {
    before.declarationsFile = previous.from.file;
    // A file that is named again is checked again, and so is any with a server that is reached in a new way.
    if (previous.from.unchecked && declarationsFile === undefined && !given) before.skipCheck = true;
  }
  if (previous.fromClient) before.fromClient = previous.fromClient as ClientId;
  if (previous.given) before.given = previous.given as Definition;
  // A new way to reach the server replaces the recorded way.
  if (given) delete before.fromClient;
  if (fromClient) delete before.given;
  return { ...before, ...said };
}

/** Client that `--from` named, now or earlier; undefined if that client no longer has the server. */
export function clientStillNamed(
  request: Request,
  { fromClient }: ServerReference,
  table: ServerTable,
): ClientId | undefined {
  if (!fromClient || request.fromClient) return fromClient;
  return entriesNamed(request.server, table.of(fromClient).on).length > 0 ? fromClient : undefined;
}
