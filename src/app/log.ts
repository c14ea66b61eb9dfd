import { completing, type LogEntry, type LogFilter, matchesFilter } from '../inspect/entries.ts';
import { logReader, readLog } from '../inspect/log.ts';
import { activeScopes } from '../inspect/scopes.ts';
import { Fault } from '../messages/fault.ts';
import type { ServerRecord } from '../store/types.ts';
import type { Context } from './context.ts';
import { disk, readBytes } from './disk.ts';
import { notInstalled } from './not-installed.ts';
import { openRecord } from './open-record.ts';

/** Returns the installs here, those of the user first. */
export async function recordsHere(context: Context): Promise<ServerRecord[]> {
  openRecord(context);
  return (await activeScopes(context)).flatMap(({ servers }) => servers);
}

/** Reads a file of the log. What can't hold lines has none; lines that this user may not read are a fault. */
function readLines(path: string): Uint8Array | null {
  try {
    return readBytes(path);
  } catch (error) {
    if (error instanceof Fault && error.args.reason === 'EACCES') throw error;
    return null;
  }
}

const files = { ...disk, read: readLines };

/** Returns a function that returns the lines since its last call that are asked for, completed; first all of them. */
export function loggedLinesReader(
  { paths }: Context,
  records: readonly ServerRecord[],
  wanted: LogFilter,
): () => LogEntry[] {
  const read = logReader(paths.state, files);
  return () => read().filter(matchesFilter(wanted)).map(completing(records));
}

/** Throws the Fault of a server that isn't installed when the log doesn't know the server either. */
export async function assertKnown(
  server: string | undefined,
  lines: readonly LogEntry[],
  records: readonly ServerRecord[],
  context: Context,
): Promise<void> {
  if (server === undefined || lines.length > 0 || records.some((record) => record.server === server)) return;
  if (readLog(context.paths.state, files).some((line) => line.server === server)) return;
  throw await notInstalled(server, context);
}
