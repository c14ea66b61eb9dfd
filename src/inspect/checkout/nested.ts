import { dirname, join, relative } from 'node:path';
import type { FolderEntry } from '../../base/files.ts';
import { foldedName } from '../../base/look-alike.ts';
import { foldersAbove, isAround, LOCK, PROJECT_FOLDER, slashed } from '../../base/paths.ts';
import { ANY_SLUG, existingFiles, isHookPath } from '../../clients/hook-files.ts';
import { CLIENTS, placedIn } from '../../clients/index.ts';
import { Fault } from '../../messages/fault.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import { CLIENT_FILES, commandsOfOurs, otherFiles } from './other-commands.ts';
import { searched } from './searched.ts';

/** Most folders to search, nearest to the root first. */
const MOST = 10_000;
/** Large folders that aren't part of the project, and the one whose files are checked one by one. */
const PASSED_OVER = ['.git', 'node_modules', PROJECT_FOLDER];

/** First path segments of mcphooks' and the clients' files, which belong at a project's root and nowhere else. */
const OURS = new Set([PROJECT_FOLDER, LOCK, ...CLIENT_FILES.map(({ path }) => path.split('/')[0] ?? '')]);

/**
 * Returns Faults for folders below a project's root that look like a project with hooks (a `.mcphooks` folder, a lock
 * file, a client's file with our hooks), and for names that equal ours on some machines but not on this one.
 */
export const nestedFaults = (
  { scope: { root = '' } }: Pick<ScopeState, 'scope'>,
  view: MachineView,
): Fault[] => searched(view, (files) => faultsBelow(root, files));

function faultsBelow(root: string, view: MachineView): Fault[] {
  const faults: Fault[] = [];
  const queue = [root];
  for (let n = 0; n < MOST && n < queue.length; n++) {
    const folder = queue[n] as string;
    const entries = view.list(folder);
    const at = pathIn(root, folder);
    if (typeof entries === 'string' || isCheckout(at, entries)) continue;
    const mayHoldOurs = folder === root || isOurPath(at);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const fault =
        (mayHoldOurs ? lookAlike(path, pathIn(root, path)) : undefined) ??
        (folder === root ? undefined : nested(entry, path, root, view));
      if (fault) faults.push(fault);
      if (entry.kind === 'folder' && !PASSED_OVER.includes(entry.name)) queue.push(path);
    }
  }
  return faults;
}

const pathIn = (root: string, file: string): string => slashed(relative(root, file));

/** Names in the top folder of a checkout, by version control systems other than git. */
const OF_CHECKOUT = ['.jj', '.hg', '.svn'];

/**
 * True for a checkout below the root, which is a project of its own: a submodule or a worktree, in which no repository
 * of git can hold `.git`; with another system, one that a client made within its own folder, as Claude Code does.
 */
const isCheckout = (path: string, entries: readonly FolderEntry[]): boolean =>
  path !== '' &&
  entries.some(
    ({ name }) =>
      name === '.git' || (OF_CHECKOUT.includes(name) && path.split('/').some((folder) => OURS.has(folder))),
  );

/** Paths of mcphooks' and the clients' files in a project, and of the folders above them. */
const OUR_PATHS = [
  PROJECT_FOLDER,
  LOCK,
  ...CLIENT_FILES.flatMap(({ path }) => [...foldersAbove(path), path]),
];

const isOurPath = (path: string): boolean => OUR_PATHS.some((ours) => isHookPath(path, { path: ours }));

function lookAlike(file: string, path: string): Fault | undefined {
  const meant = path.split('/').map(foldedName).join('/');
  return meant !== path && isOurPath(meant) && !isOurPath(path)
    ? new Fault('project.look-alike', { meant, path }, { file }, 2)
    : undefined;
}

function nested({ name }: FolderEntry, file: string, root: string, view: MachineView): Fault | undefined {
  const fault = (at: string): Fault =>
    new Fault('project.nested', { path: pathIn(root, at) }, { file: at }, 2);
  const folded = foldedName(name);
  if (folded === PROJECT_FOLDER || folded === LOCK) return fault(file);
  if (!OURS.has(folded)) return undefined;
  const folder = dirname(file);
  // What a link to the root's own file holds is checked there.
  const isRootsOwn = (path: string): boolean =>
    view.real(path) === view.real(join(root, relative(folder, path)));
  const holding = [
    ...placedIn(folder, CLIENT_FILES, ANY_SLUG)
      .filter(({ path }) => path.startsWith(`${folded}/`))
      // Other machines may read a folder whose name differs in case.
      .map((place) => ({ ...place, file: join(file, place.path.slice(folded.length)) }))
      .flatMap((place) => existingFiles(place, view)),
    ...CLIENTS.flatMap((client) => otherFiles(client, folder, view, `${folded}/`)).filter((place) =>
      isAround(file, place.file),
    ),
  ];
  for (const place of holding) {
    if (isRootsOwn(place.file)) continue;
    const commands = commandsOfOurs(place, view);
    if (commands instanceof Fault) return commands;
    if (commands.length > 0) return fault(place.file);
  }
  return undefined;
}
