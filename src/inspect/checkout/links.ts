import { readlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Files, type FolderEntry, folderEntries } from '../../base/files.ts';
import { foldersAbove, LOCK, PROJECT_FOLDER, slashed } from '../../base/paths.ts';
import { ANY_SLUG, existingFiles } from '../../clients/hook-files.ts';
import { CLIENTS, placedIn } from '../../clients/index.ts';
import { Fault } from '../../messages/fault.ts';
import { tolerate } from '../../store/fs.ts';
import type { ScopeState } from '../scopes.ts';

/**
 * Returns Faults for symbolic links, and for entries that are neither file nor folder, at mcphooks' paths in a project.
 */
export function checkoutLinkFaults(
  { scope: { root = '' } }: Pick<ScopeState, 'scope'>,
  files: Files,
): Fault[] {
  const hookFiles = CLIENTS.flatMap(({ hooks }) =>
    placedIn(root, hooks.project, ANY_SLUG).flatMap((place) =>
      existingFiles(place, files).map(({ path }) => path),
    ),
  );
  const ours = hookFiles.flatMap((path) => [...foldersAbove(path).reverse(), path]);
  const above = [...new Set([PROJECT_FOLDER, LOCK, ...ours])].map((path) => {
    const file = join(root, path);
    return {
      file,
      kind: folderEntries(dirname(file), files).find(({ name }) => name === basename(file))?.kind,
    };
  });
  return [...above, ...entriesBelow(join(root, PROJECT_FOLDER), files)].flatMap(({ file, kind }) => {
    const path = slashed(relative(root, file));
    if (kind === 'other') return [new Fault('project.odd-file', { path }, { file }, 2)];
    if (kind !== 'link') return [];
    const to = tolerate(() => readlinkSync(file)) ?? '';
    return [new Fault('project.link', { path, to }, { file }, 2)];
  });
}

interface FolderFile {
  /** Absolute path. */
  file: string;
  kind: FolderEntry['kind'] | undefined;
}

/** Returns all files in a folder and the folders below; none when the folder itself is a link. */
export function entriesBelow(folder: string, files: Files): FolderFile[] {
  const { kind } = folderEntries(dirname(folder), files).find(({ name }) => name === basename(folder)) ?? {};
  return kind === 'folder' ? inFolder(folder, files) : [];
}

const inFolder = (folder: string, files: Files): FolderFile[] =>
  folderEntries(folder, files).flatMap(({ name, kind }) => {
    const file = join(folder, name);
    return kind === 'folder' ? inFolder(file, files) : [{ file, kind }];
  });
