import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errno, isPrivate } from '../apply/fs.ts';
import type { ClientRecord, FileChange } from '../apply/types.ts';
import { sideFiles } from '../fire/prepare.ts';
import { portableScript, shimScript } from '../fire/shim.ts';
import type { OwnPaths } from '../paths.ts';
import { sha256 } from '../sha256.ts';
import { type System, windowsScript } from './command.ts';
import type { ShimPlan } from './types.ts';

/** The bundled code that shims start, as this version of mcphooks ships it. */
export interface Runtime {
  /** Names its folder, so that several versions live side by side. */
  hash: string;
  files: { name: string; text: string }[];
}

type Read = (path: string) => Uint8Array | null;

export interface OwnFile {
  path: string;
  text: string;
  mode: number;
}

/** Everything of one server: `<data>/hooks/<slug>`. */
export function serverFolder(paths: OwnPaths, slug: string): string {
  return join(paths.data, 'hooks', slug);
}

/** A file in a server's folder that silences all its shims (templates/shim.sh). */
export const disabledMarker = (folder: string): string => join(folder, 'disabled');

export function shimFolder(paths: OwnPaths, slug: string, digest: string, client: string): string {
  return join(serverFolder(paths, slug), digest, client);
}

/** Shims for every machine that has the folder, the files beside them, and the runtime in `runtime/` of `data`. */
export function sharedShims(
  shims: readonly ShimPlan[],
  folder: string,
  slug: string,
  { data }: Pick<OwnPaths, 'data'>,
  runtime: Runtime,
): OwnFile[] {
  const file = (path: string, text: string): OwnFile => ({ path, text, mode: 0o644 });
  return [
    ...portableShims(shims, folder, slug, relative(data, folder).split('/').length),
    ...runtime.files.map(({ name, text }) => file(join(data, 'runtime', name), text)),
    // A script with other line ends runs nowhere.
    file(join(data, '.gitattributes'), '* -text\n'),
  ];
}

/** Shims without a word of this machine, and the files beside them; `runtime/` is `up` folders above `folder`. */
export function portableShims(
  shims: readonly ShimPlan[],
  folder: string,
  slug: string,
  up: number,
): OwnFile[] {
  const file = (name: string, text: string, mode = 0o644): OwnFile => ({
    path: join(folder, name),
    text,
    mode,
  });
  return shims.flatMap(({ name, seconds, data }) => [
    file(`${name}.json`, `${JSON.stringify(data, null, 1)}\n`),
    ...Object.entries(sideFiles(data)).map(([suffix, text]) => file(`${name}.${suffix}`, text)),
    file(name, portableScript({ slug, up, seconds }), 0o755),
  ]);
}

function runtimeFiles(paths: OwnPaths, runtime: Runtime): OwnFile[] {
  return runtime.files.map(({ name, text }) => ({
    path: join(paths.data, 'runtime', runtime.hash, name),
    text,
    mode: 0o600,
  }));
}

/** Shims that run on this machine alone, the files beside them, and the runtime. */
export function machineShims(
  shims: readonly ShimPlan[],
  folder: string,
  paths: OwnPaths,
  runtime: Runtime,
  { platform, node }: System,
): OwnFile[] {
  const fire = join(paths.data, 'runtime', runtime.hash, 'fire.cjs');
  const own = shims.flatMap(({ name, seconds, data }) => {
    const shim = join(folder, name);
    return [
      { path: `${shim}.json`, text: `${JSON.stringify(data, null, 1)}\n`, mode: 0o600 },
      ...Object.entries(sideFiles(data)).map(([suffix, text]) => ({
        path: `${shim}.${suffix}`,
        text,
        mode: 0o600,
      })),
      platform === 'win32'
        ? { path: `${shim}.cjs`, text: windowsScript(fire), mode: 0o600 }
        : { path: shim, text: shimScript({ shim, node, runtime: fire, seconds }), mode: 0o700 },
    ];
  });
  return [...own, ...runtimeFiles(paths, runtime)];
}

/**
 * The changes that bring own files up to date. A folder that isn't there is looked for once, not for each of its files.
 */
export function ownChanges(files: readonly OwnFile[], read: Read): FileChange[] {
  const folders = new Map<string, boolean>();
  const isMissing = (folder: string): boolean => {
    const known = folders.get(folder) ?? isGone(folder);
    folders.set(folder, known);
    return known;
  };
  return files.flatMap((file) => ownChange(file, isMissing(dirname(file.path)) ? () => null : read));
}

function isGone(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** The change that brings an own file up to date; none when it is. */
export function ownChange(file: OwnFile, read: Read): FileChange[] {
  const before = read(file.path);
  const after = Buffer.from(file.text, 'utf8');
  const runs = !(isPrivate(file.mode) && before && isStopped(file.path, before));
  return before && after.equals(before) && runs ? [] : [{ path: file.path, before, after, mode: file.mode }];
}

/** Own files that aren't what was written, or scripts that can't be run; those that are `shared` are run by sh. */
export function driftOf(
  previous: ClientRecord | undefined,
  { shared }: { shared: boolean },
  read: Read,
): string[] {
  return Object.entries(previous?.own ?? {}).flatMap(([path, hash]) => {
    const bytes = read(path);
    const stands = bytes !== null && hashOf(bytes) === hash && (shared || !isStopped(path, bytes));
    return stands ? [] : [path];
  });
}

/** A script without leave to run: a copy or a backup lost it, or nothing may be run there. */
function isStopped(path: string, bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x23 || bytes[1] !== 0x21) return false;
  try {
    accessSync(path, constants.X_OK);
    return false;
  } catch (error) {
    return errno(error) === 'EACCES';
  }
}

/** Of bytes that several ask for, as of the runtime that all shims share. */
const hashes = new WeakMap<Uint8Array, string>();

function hashOf(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? sha256(bytes);
  hashes.set(bytes, known);
  return known;
}

/** All files below a folder; none where there is no folder. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((e) => !e.isDirectory())
      .map((e) => join(e.parentPath, e.name));
  } catch {
    return [];
  }
}
