import type { Files } from '../base/files.ts';
import { renamedKeys } from '../base/json-value.ts';
import { endsWithSteps } from '../base/paths.ts';
import type { FileMemory } from '../edit/types.ts';
import { unlessFault } from '../messages/fault.ts';
import { holdsEntries, holdsJoint } from '../shims/entry-owner.ts';
import type { ClientRecord } from '../store/types.ts';
import type { HookFilePath } from './scopes/scope.ts';

interface Relocated {
  record: ClientRecord | undefined;
  memories: Record<string, FileMemory>;
}

/**
 * Returns a client's record and what is remembered of files by their paths today. They have other paths where the
 * client's whole folder has moved since the install (the recorded file is gone, and one of its name holds our entries), or
 * is reached by another name.
 */
export function relocated(
  record: ClientRecord | undefined,
  memories: Record<string, FileMemory>,
  places: readonly HookFilePath[],
  { slug, files }: { slug: string; files: Pick<Files, 'read' | 'real'> },
): Relocated {
  const same = { record, memories };
  if (!record || places.some(({ file }) => file === record.file)) return same;
  const place = places.find(({ path }) => endsWithSteps(record.file, path));
  if (!place) return same;
  // A folder whose entries are recorded has not taken the place of another.
  const isKnown = (file: string): boolean => record.otherFiles?.some((one) => one.file === file) === true;
  const isMoved =
    !holds(record.file, slug, files) && places.some(({ file }) => !isKnown(file) && holds(file, slug, files));
  if (!isMoved && files.real(record.file) !== files.real(place.file)) return same;
  const root = record.file.slice(0, -place.path.length);
  const today = new Map(places.map(({ path, file }) => [root + path, file]));
  const now = (file: string): string => today.get(file) ?? file;
  const { edited } = record;
  return {
    record: {
      ...record,
      file: now(record.file),
      ...(edited && {
        edited: edited.map((one) => ({ ...one, ...(one.file !== undefined && { file: now(one.file) }) })),
      }),
    },
    memories: renamedKeys(memories, now),
  };
}

/**
 * True when a file may hold entries of this server (without `slug`: of any server), or an entry that serves all servers.
 * A file that can't be read may.
 */
export function holds(path: string, slug: string | undefined, { read }: Pick<Files, 'read'>): boolean {
  return unlessFault(() => {
    const bytes = read(path);
    return holdsEntries(bytes, slug) || holdsJoint(bytes);
  }, true);
}
