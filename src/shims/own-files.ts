import { basename, dirname, join, relative } from 'node:path';
import type { Files } from '../base/files.ts';
import { remembering } from '../base/once.ts';
import { type OwnPaths, slashed } from '../base/paths.ts';
import { sha256 } from '../base/sha256.ts';
import { programHash } from '../edit/module.ts';
import type { FireData } from '../fire/format.ts';
import { Fault } from '../messages/fault.ts';
import { type ClientRecord, type FileChange, isPrivateMode } from '../store/types.ts';
import type { System } from './command.ts';
import { jointFolder, memberFile } from './joint-script.ts';
import { jointScript, portableScript, shimScript } from './script.ts';
import { sideFiles } from './side-files.ts';
import type { ShimPlan } from './types.ts';
import { windowsJoint, windowsScript } from './windows.ts';

/** What scripts for one machine start, since code caches are for one machine; others start fire.cjs. */
export const START = 'start.cjs';

/** The bundled code that shims start, as shipped with this version of mcphooks. */
export interface Runtime {
  /** Name of its folder, so that several versions can coexist. */
  hash: string;
  files: { name: string; text: string }[];
  /** Text of templates/shim.sh. */
  script: string;
  /** For entries that serve all servers: the text of templates/joint.sh, and the program that it starts. */
  joint: { script: string; program: { name: string; text: string } };
  /** What servers that stay running between fires need. */
  warm: { name: string; text: string }[];
  /** The program `START`. */
  start: { name: string; text: string };
  /** Part of the script that writes the log: for one machine, since prepared documents are. */
  log: { name: string; text: string };
}

/** Hook scripts of one server for one client, and the runtime that they start. */
export interface ShimsToWrite {
  shims: readonly ShimPlan[];
  /** Absolute folder of the scripts (`shimFolder`). */
  folder: string;
  slug: string;
  runtime: Runtime;
}

export interface OwnFile {
  path: string;
  text: string;
  mode: number;
}

/** Folder of everything of one server: `<data>/hooks/<slug>`. */
export function serverFolder(paths: OwnPaths, slug: string): string {
  return join(paths.data, 'hooks', slug);
}

/** A file in a server's folder that silences all its shims (templates/shim.sh). */
export const disabledFile = (folder: string): string => join(folder, 'disabled');

/** Returns the folder of a client's hook scripts for one approved digest. */
export function shimFolder(
  paths: OwnPaths,
  { slug, digest, client }: { slug: string; digest: string; client: string },
): string {
  return join(serverFolder(paths, slug), digest, client);
}

/** Returns the shims for every machine with the folder, their side files, and the runtime in `runtime/` of `data`. */
export function sharedShims(wanted: ShimsToWrite, { data }: Pick<OwnPaths, 'data'>): OwnFile[] {
  const { shims, folder, runtime } = wanted;
  const file = (path: string, text: string): OwnFile => ({ path, text, mode: 0o666 });
  return [
    ...portableShims(wanted, slashed(relative(data, folder)).split('/').length),
    ...jointFiles(wanted, data),
    ...runtimeOf(runtime, shims).map(({ name, text }) => file(join(data, 'runtime', name), text)),
    file(join(data, ATTRIBUTES.name), ATTRIBUTES.text),
  ];
}

/** Returns shims without any value of this machine, and their side files; `runtime/` is `up` folders above `folder`. */
export function portableShims({ shims, folder, slug, runtime }: ShimsToWrite, up: number): OwnFile[] {
  const { script } = runtime;
  return shims.flatMap(({ native, seconds, data }) => {
    const path = join(folder, native);
    const text = portableScript({ template: script, slug, up, seconds, data });
    return [...dataFiles(path, data, 0o666), { path, text, mode: 0o777 }];
  });
}

/** Returns the data of a hook script, and what the shell reads of it. */
function dataFiles(shim: string, data: FireData, mode: number): OwnFile[] {
  const texts = { json: `${JSON.stringify(data, null, 1)}\n`, ...sideFiles(data) };
  return Object.entries(texts).map(([suffix, text]) => ({ path: `${shim}.${suffix}`, text, mode }));
}

/** Returns the files of the runtime that these shims need. */
const runtimeOf = ({ files, joint, warm }: Runtime, shims: readonly ShimPlan[]): Runtime['files'] => [
  ...files,
  ...(shims.some((shim) => shim.joint) ? [joint.program] : []),
  ...(shims.some(({ data }) => data.server_at?.keep) ? warm : []),
];

/** Returns all files that the runtime of a project can have. */
export const sharedRuntime = ({ files, joint, warm }: Runtime): Runtime['files'] => [
  ...files,
  joint.program,
  ...warm,
];

/**
 * For git: a script with other line ends can't run, so none may be converted. These files are generated: `diff` checks
 * them, and reviewers needn't read them.
 */
export const ATTRIBUTES = { name: '.gitattributes', text: '* -text linguist-generated\n' };

/** True for the text of this file, also with other line ends, or of an earlier version. */
export const isAttributes = (bytes: Uint8Array): boolean =>
  /^\* -text(?: linguist-generated)?\r?\n?$/.test(Buffer.from(bytes).toString());

/** Files of a runtime by their paths. All clients of an install share them, so each is encoded and hashed once. */
const runtimes = new WeakMap<Runtime, Map<string, OwnFile>>();

function runtimeFiles(paths: OwnPaths, runtime: Runtime, shims: readonly ShimPlan[]): OwnFile[] {
  const made = runtimes.get(runtime) ?? new Map<string, OwnFile>();
  runtimes.set(runtime, made);
  return [...runtimeOf(runtime, shims), runtime.start, runtime.log].map(({ name, text }) => {
    const path = join(paths.data, 'runtime', runtime.hash, name);
    const file = made.get(path) ?? { path, text, mode: 0o600 };
    made.set(path, file);
    return file;
  });
}

/** Returns shims for this machine only, their side files, and the runtime. */
export function machineShims(wanted: ShimsToWrite, paths: OwnPaths, { platform, node }: System): OwnFile[] {
  const { shims, folder, runtime } = wanted;
  const start = join(paths.data, 'runtime', runtime.hash, START);
  const own = shims.flatMap(({ native, seconds, data }) => {
    const shim = join(folder, native);
    return [
      ...dataFiles(shim, data, 0o600),
      platform === 'win32'
        ? { path: `${shim}.cjs`, text: windowsScript(start), mode: 0o600 }
        : {
            path: shim,
            text: shimScript({ template: runtime.script, shim, node, runtime: start, seconds, data }),
            mode: 0o700,
          },
    ];
  });
  const at = { platform, node, runtime: dirname(start) };
  return [...own, ...jointFiles(wanted, paths.data, at), ...runtimeFiles(paths, runtime, shims)];
}

/**
 * Returns the scripts that serve all servers, and this server's files beside them. `at`: only for this machine;
 * `runtime`: its folder.
 */
function jointFiles(
  { shims, folder, slug, runtime: { joint: shared } }: ShimsToWrite,
  data: string,
  at?: System & { runtime: string },
): OwnFile[] {
  const { script: template, program } = shared;
  const digest = basename(dirname(folder));
  const mode = at ? 0o600 : 0o666;
  return shims.flatMap(({ native, joint }) => {
    if (!joint) return [];
    const shim = join(jointFolder({ data }, joint.client), native);
    const runtime = at && join(at.runtime, program.name);
    return [
      { path: memberFile(shim, slug), text: `${digest}\n`, mode },
      { path: `${shim}.json`, text: `${JSON.stringify(joint, null, 1)}\n`, mode },
      at?.platform === 'win32'
        ? { path: `${shim}.cjs`, text: windowsJoint(runtime ?? ''), mode }
        : {
            path: shim,
            text: jointScript({ template, data: joint, ...(at && { shim, node: at.node, runtime }) }),
            mode: at ? 0o700 : 0o777,
          },
    ];
  });
}

/** Returns the changes that update own files. A missing folder is looked up once, not for each file. */
export function ownChanges(own: readonly OwnFile[], files: Files): FileChange[] {
  const isGone = remembering((folder: string) => files.list(folder) === 'gone');
  return own.flatMap((file) =>
    ownChange(file, isGone(dirname(file.path)) ? { ...files, read: () => null } : files),
  );
}

/** Returns the change that updates an own file; empty when the file is current. */
export function ownChange(file: OwnFile, files: Files): FileChange[] {
  const before = files.read(file.path);
  const after = bytesOf(file);
  const runs = !(isPrivateMode(file.mode) && before && isStopped(file.path, before, files));
  return before && Buffer.compare(after, before) === 0 && runs
    ? []
    : [{ path: file.path, before, after, mode: file.mode }];
}

/**
 * `drift`: own files that changed, that can't be executed any more (not where `shared`: sh runs these), or that are
 * behind a link, and a module whose program changed; `missing`: those of them that aren't there.
 */
export function driftOf(
  previous: ClientRecord | undefined,
  { shared }: { shared: boolean },
  files: Files,
): { drift: string[]; missing: string[] } {
  const drift: string[] = [];
  const missing: string[] = [];
  for (const [path, hash] of Object.entries(previous?.own ?? {})) {
    const bytes = unlessLinked(() => files.read(path));
    if (bytes && bytesHash(bytes) === hash && (shared || !isStopped(path, bytes, files))) continue;
    drift.push(path);
    if (bytes === null) missing.push(path);
  }
  if (previous?.program !== undefined) {
    const bytes = unlessLinked(() => files.read(previous.file));
    // A file that is gone is told by its entries.
    if (bytes && programHash(previous.file, Buffer.from(bytes).toString()) !== previous.program)
      drift.push(previous.file);
  }
  return { drift, missing };
}

/** Returns undefined for a file behind a link, where links aren't followed. */
function unlessLinked<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault && error.code === 'project.linked') return undefined;
    throw error;
  }
}

/** True for a script that can't be executed: a copy or a backup lost the permission, or the file system forbids it. */
function isStopped(path: string, bytes: Uint8Array, files: Files): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21 && !files.isExecutable(path);
}

const encoded = new WeakMap<OwnFile, Uint8Array>();

function bytesOf(file: OwnFile): Uint8Array {
  const known = encoded.get(file) ?? Buffer.from(file.text, 'utf8');
  encoded.set(file, known);
  return known;
}

/** Returns the SHA-256 of an own file's text, for the record. */
export const hashOfOwn = (file: OwnFile): string => bytesHash(bytesOf(file));

/** Cache of hashes by bytes, since all shims share the runtime's bytes. */
const hashes = new WeakMap<Uint8Array, string>();

function bytesHash(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? sha256(bytes);
  hashes.set(bytes, known);
  return known;
}
