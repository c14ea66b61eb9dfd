import { basename, dirname, join, sep } from 'node:path';
import { type Files, filesBelow, folderEntries, namesIn } from '../../base/files.ts';
import { inside, slashed } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { LOG_FILE, partsOf } from '../../fire/own-folders.ts';
import { unlessFault } from '../../messages/fault.ts';
import { leavingFiles } from '../../shims/joint-script.ts';
import {
  ATTRIBUTES,
  disabledFile,
  isAttributes,
  START,
  serverFolder,
  sharedRuntime,
} from '../../shims/own-files.ts';
import { ownFilesOf } from '../../store/record.ts';
import type { FileChange, ServerRecord } from '../../store/types.ts';
import { removal } from '../client/removal.ts';
import type { PlanInput } from '../input.ts';
import { isNamedOwn, isNamedShared, ownership } from '../scopes/owned.ts';
import { pluginName } from '../scopes/plugin.ts';
import { pluginFiles } from '../scopes/plugin-scope.ts';
import type { PluginScope, Scope } from '../scopes/scope.ts';

interface Leaving {
  slug: string;
  scope: Scope;
  files: Files;
  /** Own files that the record lists for this server. */
  recorded: readonly string[];
  /** Own files of servers that stay, this one's own where a client of it stays. */
  needed: ReadonlySet<string>;
  /** Own files of clients that this version doesn't know. */
  theirs: ReadonlySet<string>;
  plugins: readonly PluginScope[];
  /** Folders of plugins, also in other folders of their clients; `isRecorded`: the record names one of its files. */
  pluginFolders: readonly { client: Client; folder: string; isRecorded: boolean }[];
  /** Hooks of the server stay in this scope. */
  isLeft: boolean;
  /** No other server stays in this scope. */
  last: boolean;
  runtime: PlanInput['runtime'];
}

/** Returns the removals of a server's own files. */
export function ownRemovals(leaving: Leaving): FileChange[] {
  const { slug, scope, files, recorded, needed, theirs, plugins, pluginFolders } = leaving;
  const { isLeft, last, runtime } = leaving;
  const { data } = scope.paths;
  const { real } = files;
  // In a project, a file that can't be read may be a link that leads out: that stops the uninstall.
  const isThere = (path: string): boolean =>
    (scope.shared ? files.read(path) : unlessFault(() => files.read(path), null)) !== null;
  // At project scope the caller's `scope.check` decides about links. What a stranger's lock file lists may be another's.
  const isOwn = (path: string): boolean =>
    scope.shared ? isNamedShared(path, scope) : ownership(path, scope, real) === 'own';
  // Recorded files may be in the data folder of install time, which can differ from today's.
  const listed = recorded.filter(
    (path) =>
      (!needed.has(path) ||
        slashed(path).includes(`mcphooks/hooks/${slug}/`) ||
        pluginFolders.some(({ folder }) => path.startsWith(`${folder}${sep}`))) &&
      isOwn(path) &&
      isThere(path),
  );
  // Beside it are code caches, and in the folder above runtimes of earlier versions; no record lists either.
  const runtimes = listed.filter((path) => basename(path) === START).map((path) => dirname(path));
  const all = [
    ...filesBelow(serverFolder(scope.paths, slug), files),
    ...(isLeft ? [] : besideRecorded(recorded, slug, scope, files)),
    ...leavingFiles([...filesBelow(join(data, 'joint'), files), ...recorded], slug, files),
    ...listed,
    ...runtimes.flatMap((folder) => filesBelow(last ? dirname(folder) : folder, files)),
    ...plugins.flatMap((plugin) => pluginFiles(plugin, files)),
    // What else is in their hook files is the user's.
    ...pluginFolders.flatMap(({ client: { plugin }, folder, isRecorded }) =>
      plugin && isRecorded
        ? [...filesBelow(join(folder, 'mcphooks'), files), join(folder, plugin.manifest)]
        : [],
    ),
    ...(last ? [...filesBelow(join(data, 'runtime'), files), ...attributesIn(data, files)] : []),
  ];
  // The record may know a file by another name.
  const going = [...new Map(all.map((path) => [real(path), path])).values()].filter(
    (path) => !theirs.has(path) && isOwn(path) && isThere(path),
  );
  const spare = spareRuntime(needed, going, { scope, files, runtime });
  return [...new Set([...going, ...spare])].flatMap((path) => removal(path, files));
}

/**
 * Returns the files in a server's folders around recorded files, in which superseded scripts are, too. The
 * `disabled` file in another data folder may also be a project's.
 */
function besideRecorded(recorded: readonly string[], slug: string, scope: Scope, files: Files): string[] {
  const folders = new Set(recorded.flatMap((path) => folderOfServer(path, slug) ?? []));
  const keptFile = (folder: string): string | undefined =>
    scope.name === 'user' && folder !== serverFolder(scope.paths, slug) ? disabledFile(folder) : undefined;
  return [...folders].flatMap((folder) =>
    filesBelow(folder, files).filter((path) => path !== keptFile(folder)),
  );
}

/** Returns the folder of one server around a path, in any data folder. */
export function folderOfServer(path: string, slug: string): string | undefined {
  const folder = `/mcphooks/hooks/${slug}/`;
  const at = slashed(path).indexOf(folder);
  return at < 0 ? undefined : path.slice(0, at + folder.length - 1);
}

/**
 * Returns the removals of a server's own files that an earlier install left in another data folder, before a variable
 * named a new one. Those that `needed` lists stay.
 */
export function removalsElsewhere(
  previous: ServerRecord | undefined,
  needed: ReadonlySet<string>,
  { scope, files }: Pick<Leaving, 'scope' | 'files'>,
): FileChange[] {
  const { real } = files;
  const data = real(scope.paths.data);
  const isNeeded = new Set([...needed].map(real));
  const isStray = (path: string): boolean =>
    !isNeeded.has(real(path)) &&
    inside(data, real(path)) === undefined &&
    !slashed(path).includes(`/${pluginName(previous?.slug ?? '')}/`) &&
    ownership(path, scope, real) === 'own';
  const stray = ownFilesOf(previous?.clients).filter(isStray);
  const runtimes = stray.filter((path) => basename(path) === START).map((path) => dirname(path));
  const caches = runtimes.flatMap((folder) => filesBelow(folder, files));
  const superseded = besideRecorded(stray, previous?.slug ?? '', scope, files);
  return [...new Set([...stray, ...[...caches, ...superseded].filter(isStray)])].flatMap((path) =>
    removal(path, files),
  );
}

/**
 * Returns the files of a project's runtime that no server needs: those that are listed as `going`, and this version's
 * own. A lock file doesn't list those of clients that it has lost. Scripts that nothing lists need them.
 */
export function spareRuntime(
  needed: ReadonlySet<string>,
  going: readonly string[],
  { scope, files, runtime }: Pick<PlanInput, 'scope' | 'files' | 'runtime'>,
): string[] {
  if (!scope.shared) return [];
  const folder = (name: string): string => join(scope.paths.data, name);
  const spare = filesBelow(folder('runtime'), files).filter((path) => !needed.has(path));
  if (spare.length === 0) return [];
  const isListed = (path: string): boolean => needed.has(path) || going.includes(path);
  const scripts = ['hooks', 'joint']
    .flatMap((name) => filesBelow(folder(name), files))
    .filter((path) => isNamedShared(path, scope));
  if (!scripts.every(isListed)) return [];
  const texts = new Map(
    sharedRuntime(runtime()).map(({ name, text }) => [join(folder('runtime'), name), text]),
  );
  return spare.filter((path) => {
    const bytes = unlessFault(() => files.read(path), null);
    return bytes && (going.includes(path) || Buffer.from(bytes).toString() === texts.get(path));
  });
}

/** Returns a server's scripts, and its parts of joint scripts, for these clients. */
export function scriptsOf(
  isOne: (client: string) => boolean,
  slug: string,
  { paths }: Scope,
  files: Files,
): string[] {
  const below = (folder: string, step: number): string[] =>
    filesBelow(folder, files).filter((path) => {
      const client = slashed(path.slice(folder.length + 1)).split('/')[step];
      // `disabled` and `failed` are no client's.
      return client !== undefined && isOne(client);
    });
  return [...below(serverFolder(paths, slug), 1), ...below(join(paths.data, 'joint'), 0)];
}

/** True when a server's hook scripts for a client are there. */
export function hasScripts(slug: string, client: string, { paths }: Scope, files: Files): boolean {
  const folder = serverFolder(paths, slug);
  return filesBelow(folder, files).some(
    (path) => slashed(path.slice(folder.length + 1)).split('/')[1] === client,
  );
}

/** True when hook scripts of other servers are there, which a lost record doesn't list. */
export function holdsOthers(slug: string, scope: Scope, files: Files): boolean {
  const hooks = join(scope.paths.data, 'hooks');
  // Those behind a link count, too: hooks may use them.
  const isOwn = (path: string): boolean => scope.shared || isNamedOwn(path, scope);
  return namesIn(hooks, files).some(
    (name) => name !== slug && filesBelow(join(hooks, name), files).some(isOwn),
  );
}

/** Returns the names of the log and its earlier parts. A link or a pipe in its place isn't ours. */
export function logsIn(state: string, files: Pick<Files, 'list'>): string[] {
  const names = folderEntries(state, files).flatMap(({ name, kind }) => (kind === 'file' ? [name] : []));
  return [...names.filter((name) => name === LOG_FILE), ...partsOf(names)];
}

/** Returns our file for git, which a lost lock file doesn't list; empty when it is another's. */
function attributesIn(data: string, files: Files): string[] {
  const path = join(data, ATTRIBUTES.name);
  const bytes = files.read(path);
  return bytes && isAttributes(bytes) ? [path] : [];
}
