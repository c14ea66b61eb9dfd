import { filesBelow, readOnce } from '../../base/files.ts';
import { clientById } from '../../clients/index.ts';
import { type Unknown, unknownEntries } from '../../inspect/survey.ts';
import { serversIn } from '../../plan/scopes/scope.ts';
import { serverFolder } from '../../shims/own-files.ts';
import type { RecordReading } from '../../store/record.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';

/**
 * Returns the servers of this scope that no record lists, because it was lost: those with hook scripts, and with `evenEdited`
 * those of which only entries stayed.
 */
export function unrecorded(
  { scope, env, cwd }: Context,
  reading: RecordReading,
  evenEdited: boolean,
): string[] {
  const servers = serversIn(scope, reading.record);
  const isOwn = ({ slug, client, file }: Unknown): boolean =>
    filesBelow(serverFolder(scope.paths, slug), disk).length > 0 ||
    (scope.asPlugin?.(clientById(client), slug)?.hookFiles(clientById(client), slug) ?? []).some(
      (place) => place.file === file,
    );
  const found = unknownEntries({ scope, reading, servers }, readOnce({ ...disk, env, cwd }));
  const slugs = found.filter((entry) => evenEdited || isOwn(entry)).map(({ slug }) => slug);
  return [...new Set(slugs)].filter((slug) => !servers.some((server) => server.slug === slug));
}
