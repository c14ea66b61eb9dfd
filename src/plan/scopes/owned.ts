import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { Files } from '../../base/files.ts';
import { inside, isAround, slashed } from '../../base/paths.ts';
import { ANY_SLUG, endsInHookPath } from '../../clients/hook-files.ts';
import { CLIENTS } from '../../clients/index.ts';
import { CLIENT_NAME, NATIVE_NAME } from '../../clients/names.ts';
import { EARLIER_LOGS, LOG_FILE, STATE_FOLDERS } from '../../fire/own-folders.ts';
import { Fault } from '../../messages/fault.ts';
import { ATTRIBUTES } from '../../shims/own-files.ts';
import type { Scope } from './scope.ts';

const DIGEST = '[0-9a-f]{16}';
const SLUG = '[a-z0-9-]+';
const JOINT = `joint/${CLIENT_NAME}/${NATIVE_NAME}`;
const SCRIPTS = [
  `hooks/${SLUG}/(?:disabled|failed|${DIGEST}/${CLIENT_NAME}/[^/]+)`,
  `${JOINT}(?:\\.json|\\.cjs|\\.d/${SLUG})?`,
  `runtime/${DIGEST}/[^/]+`,
].join('|');
const FOLDERS = [
  `(?:hooks(?:/${SLUG}(?:/${DIGEST}(?:/${CLIENT_NAME})?)?)?`,
  `joint(?:/${CLIENT_NAME})?|${JOINT}\\.d`,
  `runtime(?:/${DIGEST})?)?`,
].join('|');
const LOCAL = `local/${DIGEST}/mcphooks/`;
const PLUGIN_FILES = CLIENTS.flatMap(({ plugin }) =>
  plugin?.autoLoad ? [plugin.manifest, plugin.hooks] : [],
);
const PLUGIN_FOLDERS = PLUGIN_FILES.map((path) => dirname(path)).filter((folder) => folder !== '.');
const anyOf = (paths: readonly string[]): string =>
  paths.map((path) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');

/** Own files in a project's folder, whose runtime has no folder of its own for each version. */
const SHARED_FILE = new RegExp(`^(?:${SCRIPTS}|runtime/[a-z-]+\\.(?:cjs|sh)|${anyOf([ATTRIBUTES.name])})$`);
/** Own files in a data folder or in a plugin of ours; the first group is the enclosing folder, which may be a link. */
const OWN_FILES = [
  new RegExp(`^(.*?)/mcphooks-${SLUG}/(?:${anyOf(PLUGIN_FILES)}|mcphooks/(?:${SCRIPTS}))$`, 's'),
  new RegExp(`^(.*?/mcphooks)/(?:${LOCAL})?(?:${SCRIPTS})$`, 's'),
];
const OWN_FOLDERS = [
  new RegExp(`^(.*?)/mcphooks-${SLUG}(?:/(?:${anyOf(PLUGIN_FOLDERS)}|mcphooks(?:/${FOLDERS})?))?$`, 's'),
  new RegExp(`^(.*?/mcphooks)(?:/local(?:/${DIGEST}(?:/mcphooks)?)?)?$`, 's'),
  new RegExp(`^(.*?/mcphooks)/(?:${LOCAL})?${FOLDERS}$`, 's'),
];
/** Own files and folders in this run's state folder, by name. */
const STATE_FILE = /^record(?:\.damaged-[\dTZ.-]+)?\.json$/;
const STATE_FOLDER = new RegExp(
  `^(?:${anyOf([...STATE_FOLDERS, ...EARLIER_LOGS])}|(?:sessions|kept)/[0-9a-f]+|${anyOf([LOG_FILE])}(?:\\.[\\dTZ]+-\\d+)?)$`,
);

const HOOK_FILES = CLIENTS.flatMap(({ hooks, gates }) => [
  ...hooks.user,
  ...hooks.project,
  ...hooks.local,
  ...(gates.offList ? [{ path: gates.offList.project }] : []),
]);

/**
 * Returns whose file a path can be, whatever a record or a journal claims. `own`: hook scripts with their data, the
 * runtime, the record; `client`: a client's file, in which only our entries are ever changed. Data folders and clients'
 * folders may have been others at install time, so only their names are compared; an own file must not be reached
 * through a link below them.
 */
export function ownership(
  path: string,
  { paths: { state } }: Pick<Scope, 'paths'>,
  real: Files['real'],
): 'own' | 'client' | undefined {
  if (!isPlain(path)) return undefined;
  if (isUnlinked(path, OWN_FILES, real)) return 'own';
  if (dirname(path) === state && STATE_FILE.test(path.slice(state.length + 1)))
    return isUnlinkedIn(state, path, real) ? 'own' : undefined;
  return HOOK_FILES.some((place) => endsInHookPath(path, place)) ? 'client' : undefined;
}

/** True when an install on this machine can have made the folder, or its hooks use the folder; removed when empty. */
export function ownsFolder(path: string, scope: Scope, real: Files['real']): boolean {
  if (!isPlain(path)) return false;
  const { data, state } = scope.paths;
  if (isUnlinked(path, OWN_FOLDERS, real)) return true;
  if (isStored(path, scope)) return isUnlinkedIn(state, path, real);
  const files = CLIENTS.flatMap((client) => [
    ...scope.hookFiles(client, ANY_SLUG),
    ...(scope.asPlugin?.(client, ANY_SLUG)?.hookFiles(client, ANY_SLUG) ?? []),
  ]);
  return [data, state, ...files.map(({ file }) => dirname(file))].some((folder) => isAround(path, folder));
}

/** True for what hooks have stored on this machine, and no link leads there: removed with its contents. */
export const ownsStored = (path: string, scope: Scope, real: Files['real']): boolean =>
  isPlain(path) && isStored(path, scope) && isUnlinkedIn(scope.paths.state, path, real);

const isStored = (path: string, { paths: { state } }: Scope): boolean =>
  STATE_FOLDER.test(slashed(inside(state, path) ?? ''));

/** Throws a Fault, `own.foreign` or `own.relative`, for a path that no install on this machine writes or removes. */
export function assertOwned(path: string, scope: Scope, real: Files['real']): void {
  if (!isAbsolute(path)) throw new Fault('own.relative', {}, { file: path });
  if (ownership(path, scope, real) === undefined && !ownsFolder(path, scope, real))
    throw new Fault('own.foreign', { path }, { file: path });
}

/** True for the path of a file that this or another version writes into a project's folder. */
export const isNamedShared = (path: string, { paths: { data } }: Pick<Scope, 'paths'>): boolean =>
  SHARED_FILE.test(slashed(inside(data, path) ?? ''));

/** True for the path of an own file, whether or not a link leads there. */
export const isNamedOwn = (path: string, scope: Pick<Scope, 'paths'>): boolean =>
  ownership(path, scope, (as) => as) === 'own';

/** Returns the innermost link to a file that would be an own one without links; undefined where there is no link. */
export function linkTo(path: string, scope: Pick<Scope, 'paths'>, real: Files['real']): string | undefined {
  if (!isNamedOwn(path, scope) || ownership(path, scope, real) === 'own') return undefined;
  let link = path;
  while (dirname(link) !== link && real(link) === join(real(dirname(link)), basename(link)))
    link = dirname(link);
  return link;
}

/** Steps that `normalize` would change, which takes longer than all else here. */
const UNPLAIN = /\/(?:\.{1,2})?(?:\/|$)/;

const isPlain = (path: string): boolean =>
  isAbsolute(path) && (sep === '/' ? !UNPLAIN.test(path) : normalize(path) === path && !path.endsWith(sep));

function isUnlinked(path: string, forms: readonly RegExp[], real: Files['real']): boolean {
  const around = forms.map((form) => form.exec(slashed(path))?.[1]).find((folder) => folder !== undefined);
  return around !== undefined && isUnlinkedIn(path.slice(0, around.length), path, real);
}

/** As `hasNoLinks`, for paths without `..`, in less time. */
const isUnlinkedIn = (folder: string, path: string, real: Files['real']): boolean =>
  real(path) === `${real(folder)}${path.slice(folder.length)}`;
