import { dirname, join, relative } from 'node:path';
import type { Files } from '../base/files.ts';
import type { OwnPaths } from '../base/paths.ts';
import { sha256 } from '../base/sha256.ts';
import { Fault } from '../messages/fault.ts';
import { type ClientRecord, type FileChange, isPrivate } from '../store/types.ts';
import { type System, windowsScript } from './command.ts';
import { portableScript, shimScript } from './script.ts';
import { sideFiles } from './side-files.ts';
import type { ShimPlan } from './types.ts';

/** The bundled code that shims start, as this version of mcphooks ships it. */
export interface Runtime {
  /** Names its folder, so that several versions live side by side. */
  hash: string;
  files: { name: string; text: string }[];
  /** Text of templates/shim.sh. */
  script: string;
}

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
    ...portableShims(shims, folder, slug, relative(data, folder).split('/').length, runtime),
    ...runtime.files.map(({ name, text }) => file(join(data, 'runtime', name), text)),
    // A script with other line ends runs nowhere. What is made from the lock file is checked by `diff`, and not read.
    file(join(data, '.gitattributes'), '* -text linguist-generated\n'),
  ];
}

/** Shims without a word of this machine, and the files beside them; `runtime/` is `up` folders above `folder`. */
export function portableShims(
  shims: readonly ShimPlan[],
  folder: string,
  slug: string,
  up: number,
  { script }: Pick<Runtime, 'script'>,
): OwnFile[] {
  const file = (name: string, text: string, mode = 0o644): OwnFile => ({
    path: join(folder, name),
    text,
    mode,
  });
  return shims.flatMap(({ native, seconds, data }) => [
    file(`${native}.json`, `${JSON.stringify(data, null, 1)}\n`),
    ...Object.entries(sideFiles(data)).map(([suffix, text]) => file(`${native}.${suffix}`, text)),
    file(native, portableScript({ template: script, slug, up, seconds, data }), 0o755),
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
  const own = shims.flatMap(({ native, seconds, data }) => {
    const shim = join(folder, native);
    return [
      { path: `${shim}.json`, text: `${JSON.stringify(data, null, 1)}\n`, mode: 0o600 },
      ...Object.entries(sideFiles(data)).map(([suffix, text]) => ({
        path: `${shim}.${suffix}`,
        text,
        mode: 0o600,
      })),
      platform === 'win32'
        ? { path: `${shim}.cjs`, text: windowsScript(fire), mode: 0o600 }
        : {
            path: shim,
            text: shimScript({ template: runtime.script, shim, node, runtime: fire, seconds, data }),
            mode: 0o700,
          },
    ];
  });
  return [...own, ...runtimeFiles(paths, runtime)];
}

/**
 * The changes that bring own files up to date. A folder that isn't there is looked for once, not for each of its files.
 */
export function ownChanges(own: readonly OwnFile[], files: Files): FileChange[] {
  const gone = new Map<string, boolean>();
  const isGone = (folder: string): boolean => {
    const known = gone.get(folder) ?? files.list(folder) === 'gone';
    gone.set(folder, known);
    return known;
  };
  return own.flatMap((file) =>
    ownChange(file, isGone(dirname(file.path)) ? { ...files, read: () => null } : files),
  );
}

/** The change that brings an own file up to date; none when it is. */
export function ownChange(file: OwnFile, files: Files): FileChange[] {
  const before = files.read(file.path);
  const after = Buffer.from(file.text, 'utf8');
  const runs = !(isPrivate(file.mode) && before && isStopped(file.path, before, files));
  return before && after.equals(before) && runs ? [] : [{ path: file.path, before, after, mode: file.mode }];
}

/**
 * Own files that aren't what was written, scripts that can't be run (those that are `shared` are run by sh), and files
 * that lie somewhere else than they seem; `gone`: those of them that aren't there.
 */
export function driftOf(
  previous: ClientRecord | undefined,
  { shared }: { shared: boolean },
  files: Files,
): { drift: string[]; gone: string[] } {
  const drift: string[] = [];
  const gone: string[] = [];
  for (const [path, hash] of Object.entries(previous?.own ?? {})) {
    const bytes = unlessLinked(() => files.read(path));
    if (bytes && hashOf(bytes) === hash && (shared || !isStopped(path, bytes, files))) continue;
    drift.push(path);
    if (bytes === null) gone.push(path);
  }
  return { drift, gone };
}

/** undefined for a file that is reached by a link, where none is followed. */
function unlessLinked<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault && error.code === 'project.linked') return undefined;
    throw error;
  }
}

/** A script without leave to run: a copy or a backup lost it, or nothing may be run there. */
function isStopped(path: string, bytes: Uint8Array, files: Files): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21 && !files.isExecutable(path);
}

/** Of bytes that several ask for, as of the runtime that all shims share. */
const hashes = new WeakMap<Uint8Array, string>();

function hashOf(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? sha256(bytes);
  hashes.set(bytes, known);
  return known;
}
