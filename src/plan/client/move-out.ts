import { filesBelow } from '../../base/files.ts';
import type { FileMemory } from '../../edit/types.ts';
import { holdsEntries } from '../../shims/entry-owner.ts';
import { shimFolder } from '../../shims/own-files.ts';
import { writtenToFile } from '../../store/record.ts';
import type { ClientRecord, FileChange } from '../../store/types.ts';
import { ownership } from '../scopes/owned.ts';
import { pluginFiles } from '../scopes/plugin-scope.ts';
import { isPluginScope, type Scope } from '../scopes/scope.ts';
import type { EditedPlace } from '../types.ts';
import { type EditInput, editPlace } from './hook-file.ts';
import { removal } from './removal.ts';

/** Edits that remove an install from a scope that the install has left. */
interface MovedOut {
  /** Client files that lose entries. */
  places: EditedPlace[];
  changes: FileChange[];
  /** Removals of own files, which only a write needs. */
  own: () => FileChange[];
  memories: Record<string, FileMemory>;
}

/**
 * Removes one server's entries and files of one client from a scope that is to hold none. An entry that was edited by
 * hand stays, without its shim. Throws a Fault as `editPlace` does.
 */
export function moveOut(
  scope: Scope | undefined,
  { client, slug, files, kept, ofOthers }: EditInput,
  previous: ClientRecord | undefined,
  memories: Record<string, FileMemory>,
): MovedOut {
  const own: string[] = [];
  const moved: MovedOut = {
    places: [],
    changes: [],
    own: () => own.flatMap((path) => removal(path, files)),
    memories,
  };
  if (!scope) return moved;
  for (const place of scope.hookFiles(client, slug)) {
    if (previous?.file !== place.file && !holdsEntries(files.read(place.file), slug)) continue;
    const written = writtenToFile(place.file, previous);
    const { memories } = moved;
    const done = editPlace({ client, slug, scope, files, kept, ofOthers }, { place, written, memories });
    const { before, result, change } = done;
    moved.memories = done.memories;
    if (change) moved.changes.push(change);
    if (before !== null)
      moved.places.push({
        file: place.file,
        before,
        after: result.text,
        entryChanges: result.changes,
        ...(isPluginScope(scope) && { plugin: scope.folder }),
      });
    const paths = isPluginScope(scope)
      ? pluginFiles(scope, files)
      : previous
        ? filesBelow(shimFolder(scope.paths, { slug, digest: previous.digest, client: client.id }), files)
        : [];
    own.push(...paths.filter((path) => ownership(path, scope, files.real) === 'own'));
  }
  return moved;
}
