import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { mapValues, renamedKeys } from '../base/json-value.ts';
import { once, remembering } from '../base/once.ts';
import { foldersAbove, isAround } from '../base/paths.ts';
import { HERE } from '../base/platform.ts';
import { quietly } from '../base/quietly.ts';
import { asSpelled } from '../base/real-path.ts';
import { isForOneProject } from '../servers/source.ts';
import type { ApprovedDefinition, ClientRecord, RecordDocument, ServerRecord } from './types.ts';

type Respell = (path: string) => string;

/** Folders as they are named today: the home, in which nearly all files are, and those that may be elsewhere. */
export interface Today {
  home: string;
  others: () => readonly string[];
}

/**
 * Returns the record with the names that these folders have today: a home has a second name where a link leads to it.
 * On Windows paths get the spelling of the disk, too: earlier versions recorded one file under two. A project's paths
 * stay, since no variable names them, and commands of entries, since they stand in the client's file.
 */
export function respelled(record: RecordDocument, { home, others }: Today): RecordDocument {
  const folders = once(() => [home, ...others()]);
  const isToday = (path: string): boolean =>
    isAround(home, path) || folders().some((folder) => isAround(folder, path));
  const nameToday = once(() => remembering(finder(folders())));
  const ofRoots = once(() => filesOfRoots(record));
  // mcphooks writes normalized paths. Any other is left alone: behind a link, `..` leads elsewhere.
  const isLeft = (path: string): boolean =>
    !isAbsolute(path) || normalize(path) !== path || ofRoots().has(path);
  const spelled = remembering(asSpelled);
  const respell: Respell = (path) => {
    // A path of today has one spelling, but for Windows.
    if ((!HERE.windows && isToday(path)) || isLeft(path)) return path;
    const folder = dirname(path);
    return join(spelled(isToday(path) ? folder : nameToday()(folder)), basename(path));
  };
  // Nothing is copied where no name has changed. The first file of a folder stands for all.
  const samples = record.servers.flatMap(({ clients, definition }) => [
    ...(definition?.source.file !== undefined && !isForOneProject(definition.source)
      ? [definition.source.file]
      : []),
    ...Object.values(clients).flatMap(({ file, own }) => [file, ...Object.keys(own).slice(0, 1)]),
  ]);
  const ofKept = record.kept?.map(({ file }) => file) ?? [];
  if (
    [...samples, ...ofKept, ...Object.keys(record.files), ...record.folders].every(
      (path) => respell(path) === path,
    )
  )
    return record;
  return {
    ...record,
    servers: record.servers.map((server) => serverToday(server, respell)),
    files: renamedKeys(record.files, respell),
    ...(record.kept && { kept: record.kept.map((one) => ({ ...one, file: respell(one.file) })) }),
    folders: [...new Set(record.folders.map(respell))],
  };
}

/**
 * Returns a function that gives a folder the name of today: below the outermost of today's folders that contains it, since
 * one client's folder may be a link to another's.
 */
function finder(today: readonly string[]): (folder: string) => string {
  const inodes = remembering(inodeOf);
  const find = remembering((folder: string): string | undefined => {
    const up = dirname(folder);
    const above = up === folder ? undefined : find(up);
    if (above !== undefined) return join(above, basename(folder));
    const id = inodes(folder);
    const same = id === undefined ? [] : today.filter((one) => inodes(one) === id);
    return same.find((one) => basename(one) === basename(folder)) ?? same[0];
  });
  return (folder) => find(folder) ?? folder;
}

/**
 * Returns the record with the folders that mcphooks made where they are since the home was renamed: else an uninstall
 * would leave them. `state`: the folder of the record today.
 */
export function withMovedFolders(record: RecordDocument, state: string): RecordDocument {
  const { folders } = record;
  if (folders.includes(state)) return record;
  const moves = folders
    .filter((folder) => basename(folder) === basename(state) && inodeOf(folder) === undefined)
    .map((folder) => move(folder, state))
    .toSorted((a, b) => a.from.length - b.from.length);
  const [moved] = moves;
  if (!moved) return record;
  const { from, to } = moved;
  // A folder that is still there did not move, as where XDG_STATE_HOME names a new place for the state alone.
  const now = (folder: string): string =>
    folder !== from && isAround(from, folder) && inodeOf(folder) === undefined
      ? join(to, relative(from, folder))
      : folder;
  return { ...record, folders: folders.map(now) };
}

/** Returns the outermost folder that must have moved for a folder to be found by another name. */
function move(from: string, to: string): { from: string; to: string } {
  const isSame = basename(from) === basename(to) && dirname(from) !== from && dirname(to) !== to;
  return isSame ? move(dirname(from), dirname(to)) : { from, to };
}

/**
 * Returns the files and folders of clients that installs for oneself in a project have there: those are named by the
 * project's root, also where the project is the home itself or around it.
 */
function filesOfRoots({ servers }: RecordDocument): Set<string> {
  const paths = servers.flatMap(({ root, clients }) =>
    root === undefined
      ? []
      : Object.values(clients)
          .flatMap(({ file, otherFiles = [] }) => [file, ...otherFiles.map((one) => one.file)])
          .filter((file) => isAround(root, file))
          .flatMap((file) => [
            file,
            ...foldersAbove(relative(root, file)).map((folder) => join(root, folder)),
          ]),
  );
  return new Set(paths);
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
    clients: mapValues(clients, (client) => clientToday(client, respell)),
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
    own: renamedKeys(own, respell),
  };
}
