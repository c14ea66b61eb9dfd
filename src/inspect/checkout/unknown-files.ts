import { join, relative, sep } from 'node:path';
import { inside, isAround, PROJECT_FOLDER, slashed } from '../../base/paths.ts';
import { Fault } from '../../messages/fault.ts';
import { isNamedShared } from '../../plan/scopes/owned.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { PROJECT_CATALOGUE } from '../../servers/catalogue/load.ts';
import { serverFolder } from '../../shims/own-files.ts';
import { ownFilesOf } from '../../store/record.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import { unknownEntries } from '../survey.ts';
import { entriesBelow } from './links.ts';

/** Files of the project's own catalogue, which people write. */
const isEntryFile = (path: string): boolean =>
  /^[^/]+\/(?:entry|hooks)\.json$/.test(path.slice(`${PROJECT_CATALOGUE}/`.length)) &&
  path.startsWith(`${PROJECT_CATALOGUE}/`);

/** Most files that the Fault names. */
const NAMED = 10;

/** Returns the slug of the server in whose folder of hook scripts a path is. */
const serverOfScript = (path: string, { paths }: Pick<Scope, 'paths'>): string | undefined =>
  inside(join(paths.data, 'hooks'), path)?.split(sep)[0];

/**
 * Returns a Fault for files in a project's `.mcphooks` folder that its lock file doesn't list. Unlisted files in a
 * known server's folder are left out: that server's plan names and removes them, or an entry that the lock file
 * doesn't list runs them.
 */
export function unknownFiles({ scope, reading, servers }: ScopeState, view: MachineView): Fault[] {
  if (reading.damaged) return [];
  const { root = '' } = scope;
  const known = new Set(servers.flatMap(({ clients }) => ownFilesOf(clients)));
  const folders = servers.map(({ slug }) => serverFolder(scope.paths, slug));
  const paths = entriesBelow(join(root, PROJECT_FOLDER), view)
    .filter(({ kind }) => kind === 'file')
    .map(({ file }) => file)
    .filter((path) => !isEntryFile(slashed(relative(root, path))))
    .filter((path) => !known.has(path) && !folders.some((folder) => isAround(folder, path)));
  const unknown = paths.map((path) => slashed(relative(root, path))).sort();
  if (unknown.length === 0) return [];
  const isUnlisted = unknownEntries({ scope, reading, servers }, view).length > 0;
  // An uninstall removes the scripts of servers that the lock file has lost, and this version's programs that nothing
  // needs then. The next comparison names what is left.
  const named = paths.filter((path) => isNamedShared(path, scope));
  const lost = named.flatMap((path) => serverOfScript(path, scope) ?? []);
  const args = {
    files: unknown.slice(0, NAMED),
    more: Math.max(0, unknown.length - NAMED),
    ...(isUnlisted && ({ unlisted: 1 } as const)),
    ...(lost.length > 0 && { names: [...new Set(lost)].sort() }),
    ...(named.length < unknown.length && ({ others: 1 } as const)),
  };
  return [new Fault('project.unknown-files', args, { file: join(root, PROJECT_FOLDER) }, 2)];
}
