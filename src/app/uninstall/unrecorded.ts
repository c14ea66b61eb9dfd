import { dirname, join } from 'node:path';
import { filesBelow } from '../../base/files.ts';
import { readNames } from '../../base/read-file.ts';
import { clientById } from '../../clients/index.ts';
import { type Unknown, unknownEntries } from '../../inspect/survey.ts';
import { ownership } from '../../plan/scopes/owned.ts';
import { type Scope, serversIn } from '../../plan/scopes/scope.ts';
import { serverFolder } from '../../shims/own-files.ts';
import type { RecordReading } from '../../store/record.ts';
import type { Context } from '../context.ts';
import { disk, machineView } from '../disk.ts';

/**
 * Returns the servers of this scope that no record lists, because it was lost: those with hook scripts, and with
 * `evenEdited` those of which only entries stayed.
 */
export function unrecorded(context: Context, reading: RecordReading, evenEdited: boolean): string[] {
  const { scope } = context;
  const servers = serversIn(scope, reading.record);
  const isOwn = ({ slug, client, file }: Unknown): boolean =>
    filesBelow(serverFolder(scope.paths, slug), disk).length > 0 ||
    (scope.asPlugin?.(clientById(client), slug)?.hookFiles(clientById(client), slug) ?? []).some(
      (place) => place.file === file,
    );
  const found = unknownEntries({ scope, reading, servers }, machineView(context));
  const slugs = found.filter((entry) => evenEdited || isOwn(entry)).map(({ slug }) => slug);
  return [...new Set([...slugs, ...withScripts(scope)])].filter(
    (slug) => !servers.some((server) => server.slug === slug),
  );
}

/** Returns the names of the folders that have hook scripts. A `disabled` file alone may be a project's. */
function withScripts(scope: Scope): string[] {
  const folders = join(scope.paths.data, 'hooks');
  return readNames(folders).filter((slug) => {
    const folder = serverFolder(scope.paths, slug);
    return filesBelow(folder, disk).some(
      (path) => dirname(path) !== folder && ownership(path, scope, disk.real) === 'own',
    );
  });
}
