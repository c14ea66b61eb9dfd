import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { remembering } from '../base/once.ts';
import { isAround } from '../base/paths.ts';
import { quietly } from '../base/quietly.ts';
import { isForOneProject } from '../servers/source.ts';
import type { ApprovedDefinition, ClientRecord, RecordDocument, ServerRecord } from './types.ts';

type Respell = (path: string) => string;

/**
 * Returns the record with the names that these folders have today: a home has a second name where a link leads to it.
 * A project's paths stay, since no variable names them, and commands of entries, since they stand in the client's file.
 */
export function respelled(record: RecordDocument, today: readonly string[]): RecordDocument {
  const roots = record.servers.flatMap(({ root }) => root ?? []);
  const folderToday = finder(today);
  const respell: Respell = (path) => {
    if (!isAbsolute(path) || [...today, ...roots].some((folder) => isAround(folder, path))) return path;
    const folder = folderToday(dirname(path));
    return folder === undefined ? path : join(folder, basename(path));
  };
  // The first path stands for all, so that nothing is copied where no name has changed.
  const samples = record.servers.flatMap(({ clients }) =>
    Object.values(clients).flatMap(({ file, own }) => [file, ...Object.keys(own).slice(0, 1)]),
  );
  if (samples.every((path) => respell(path) === path)) return record;
  return {
    ...record,
    servers: record.servers.map((server) => serverToday(server, respell)),
    files: keysToday(record.files, respell),
    folders: [...new Set(record.folders.map(respell))],
  };
}

/** Returns a function that finds the name of a folder today; undefined: it is in none of the folders. */
function finder(today: readonly string[]): (folder: string) => string | undefined {
  const inodes = remembering(inodeOf);
  const find = remembering((folder: string): string | undefined => {
    const id = inodes(folder);
    const same = id === undefined ? undefined : today.find((one) => inodes(one) === id);
    const up = dirname(folder);
    if (same !== undefined || up === folder) return same;
    const above = find(up);
    return above === undefined ? undefined : join(above, basename(folder));
  });
  return find;
}

/** Identifies what a path leads to, by any name of it; undefined: nothing that can be reached. */
export const inodeOf = (path: string): string | undefined =>
  quietly(() => {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  });

function serverToday(server: ServerRecord, respell: Respell): ServerRecord {
  const { definition, otherDefinitions, clients } = server;
  return {
    ...server,
    ...(definition && { definition: definitionToday(definition, respell) }),
    ...(otherDefinitions && {
      otherDefinitions: otherDefinitions.map((one) => definitionToday(one, respell)),
    }),
    clients: Object.fromEntries(
      Object.entries(clients).map(([id, client]) => [id, clientToday(client, respell)]),
    ),
  };
}

function definitionToday(approved: ApprovedDefinition, respell: Respell): ApprovedDefinition {
  const { file, root } = approved.source;
  if (isForOneProject(approved.source)) return approved;
  const source = {
    ...approved.source,
    ...(file !== undefined && { file: respell(file) }),
    ...(root !== undefined && { root: respell(root) }),
  };
  return { ...approved, source };
}

function clientToday(client: ClientRecord, respell: Respell): ClientRecord {
  const { file, otherFiles, edited, own } = client;
  return {
    ...client,
    file: respell(file),
    ...(otherFiles && { otherFiles: otherFiles.map((one) => ({ ...one, file: respell(one.file) })) }),
    ...(edited && {
      edited: edited.map((one) => ({ ...one, ...(one.file !== undefined && { file: respell(one.file) }) })),
    }),
    own: keysToday(own, respell),
  };
}

/** What is recorded under today's name counts more. */
const keysToday = <T>(all: Readonly<Record<string, T>>, respell: Respell): Record<string, T> => ({
  ...Object.fromEntries(Object.entries(all).map(([path, value]) => [respell(path), value])),
  ...Object.fromEntries(Object.entries(all).filter(([path]) => respell(path) === path)),
});
