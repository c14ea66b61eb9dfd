import type { ClientRecord, FileChange } from '../apply/types.ts';
import type { Client } from '../clients/types.ts';
import type { FileMemory } from '../edit/types.ts';
import { holdsEntries } from './command.ts';
import { type EditInput, editPlace } from './hook-file.ts';
import { filesBelow, shimFolder } from './own-files.ts';
import { isPlugin, pluginFiles } from './plugin-site.ts';
import type { Site } from './site.ts';
import type { EditedPlace } from './types.ts';

/** What becomes of a site that an install has left for another one. */
export interface Left {
  /** Client's files that entries leave. */
  places: EditedPlace[];
  changes: FileChange[];
  /** Own files that go: what only a write needs. */
  own: () => FileChange[];
  files: Record<string, FileMemory>;
}

/**
 * Takes out what one server has on one client at a site where it is to have nothing. An entry that was edited by hand
 * stays, without its shim. Throws a Fault as `editPlace`.
 */
export function leave(
  client: Client,
  site: Site | undefined,
  { slug, read }: Pick<EditInput, 'slug' | 'read'>,
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): Left {
  const own: string[] = [];
  const left: Left = {
    places: [],
    changes: [],
    own: () => own.flatMap((path) => removal(path, read)),
    files,
  };
  if (!site) return left;
  for (const place of site.hookFiles(client)) {
    const recorded = previous?.file === place.file;
    if (!recorded && !holdsEntries(read(place.file), slug)) continue;
    const known = recorded ? previous : undefined;
    const { before, result, change, files } = editPlace(
      client,
      { slug, site, read },
      place,
      [],
      known,
      left.files,
    );
    left.files = files;
    if (change) left.changes.push(change);
    if (before !== null)
      left.places.push({
        file: place.file,
        before,
        after: result.text,
        entryChanges: result.changes,
        ...(isPlugin(site) && { plugin: site.folder }),
      });
    if (isPlugin(site)) own.push(...pluginFiles(site));
    else if (previous) own.push(...filesBelow(shimFolder(site.paths, slug, previous.digest, client.id)));
  }
  return left;
}

function removal(path: string, read: EditInput['read']): FileChange[] {
  const before = read(path);
  return before === null ? [] : [{ path, before, after: null, mode: 0o600 }];
}
