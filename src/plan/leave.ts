import { type Files, filesBelow } from '../base/files.ts';
import type { Client } from '../clients/client.ts';
import type { FileMemory } from '../edit/types.ts';
import { holdsEntries } from '../shims/command.ts';
import { shimFolder } from '../shims/own-files.ts';
import type { ClientRecord, FileChange } from '../store/types.ts';
import { type EditInput, editPlace } from './hook-file.ts';
import { ownership } from './scopes/owned.ts';
import { pluginFiles } from './scopes/plugin-scope.ts';
import { isPluginScope, type Scope } from './scopes/scope.ts';
import type { EditedPlace } from './types.ts';

/** What becomes of a scope that an install has left for another one. */
interface MovedOut {
  /** Client's files that entries leave. */
  places: EditedPlace[];
  changes: FileChange[];
  /** Own files that go: what only a write needs. */
  own: () => FileChange[];
  files: Record<string, FileMemory>;
}

/**
 * Takes out what one server has on one client at a scope where it is to have nothing. An entry that was edited by hand
 * stays, without its shim. Throws a Fault as `editPlace`.
 */
export function moveOut(
  client: Client,
  scope: Scope | undefined,
  { slug, files: disk }: Pick<EditInput, 'slug' | 'files'>,
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): MovedOut {
  const own: string[] = [];
  const left: MovedOut = {
    places: [],
    changes: [],
    own: () => own.flatMap((path) => removal(path, disk)),
    files,
  };
  if (!scope) return left;
  for (const place of scope.hookFiles(client, slug)) {
    const recorded = previous?.file === place.file;
    if (!recorded && !holdsEntries(disk.read(place.file), slug)) continue;
    const known = recorded ? previous : undefined;
    const {
      before,
      result,
      change,
      files: memories,
    } = editPlace(client, { slug, scope, files: disk }, place, [], known, left.files);
    left.files = memories;
    if (change) left.changes.push(change);
    if (before !== null)
      left.places.push({
        file: place.file,
        before,
        after: result.text,
        entryChanges: result.changes,
        ...(isPluginScope(scope) && { plugin: scope.folder }),
      });
    const files = isPluginScope(scope)
      ? pluginFiles(scope, disk)
      : previous
        ? filesBelow(shimFolder(scope.paths, slug, previous.digest, client.id), disk)
        : [];
    own.push(...files.filter((path) => ownership(path, scope, disk.real) === 'own'));
  }
  return left;
}

function removal(path: string, { read }: Files): FileChange[] {
  const before = read(path);
  return before === null ? [] : [{ path, before, after: null, mode: 0o600 }];
}
