import { dirname } from 'node:path';
import type { Files } from '../base/files.ts';
import { slashed } from '../base/paths.ts';
import { realPath } from '../base/real-path.ts';
import { unlessFault } from '../messages/fault.ts';
import { ownership } from '../plan/scopes/owned.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import { disabledFile } from '../shims/own-files.ts';
import { ownFilesOf } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';

/**
 * Returns the files whose presence disables a server's shims. The folders of recorded shims count as well, since the
 * data folder may have been another folder at install time. Not those of a project: its shims look on the machine alone,
 * and a stranger may have written its record.
 */
export function disabledFilesOf(server: ServerRecord, scope: Scope): string[] {
  if (scope.shared) return [scope.disabledFile(server.slug)];
  const folders = ownFilesOf(server.clients)
    .filter((path) => slashed(path).includes(`/mcphooks/hooks/${server.slug}/`))
    .map((path) => dirname(dirname(dirname(path))));
  const files = [...new Set(folders)].map(disabledFile);
  const owned = files.filter((path) => ownership(path, scope, realPath) === 'own');
  return [...new Set([scope.disabledFile(server.slug), ...owned])];
}

/** True when one of these files is there; one that can't be read isn't. */
export const isDisabledBy = (paths: readonly string[], { read }: Pick<Files, 'read'>): boolean =>
  paths.some((path) => unlessFault(() => read(path), null) !== null);
