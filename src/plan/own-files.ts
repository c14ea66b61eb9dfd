import { join } from 'node:path';
import { sideFiles } from '../fire/prepare.ts';
import { shimScript } from '../fire/shim.ts';
import type { OwnPaths } from '../paths.ts';
import type { ShimPlan } from './types.ts';

/** The bundled code that shims start, as this version of mcphooks ships it. */
export interface Runtime {
  /** Names its folder, so that several versions live side by side. */
  hash: string;
  files: { name: string; text: string }[];
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

export function runtimeFiles(paths: OwnPaths, runtime: Runtime): OwnFile[] {
  return runtime.files.map(({ name, text }) => ({
    path: join(paths.data, 'runtime', runtime.hash, name),
    text,
    mode: 0o600,
  }));
}

/** A shim and the files beside it. `node` is the absolute path of the node that runs now. */
export function shimFiles(
  shims: readonly ShimPlan[],
  folder: string,
  paths: OwnPaths,
  runtime: Runtime,
  node: string,
): OwnFile[] {
  const fire = join(paths.data, 'runtime', runtime.hash, 'fire.cjs');
  return shims.flatMap(({ name, seconds, data }) => [
    { path: join(folder, `${name}.json`), text: `${JSON.stringify(data, null, 1)}\n`, mode: 0o600 },
    ...Object.entries(sideFiles(data)).map(([suffix, text]) => ({
      path: join(folder, `${name}.${suffix}`),
      text,
      mode: 0o600,
    })),
    { path: join(folder, name), text: shimScript({ node, runtime: fire, seconds }), mode: 0o700 },
  ]);
}

const COMMAND = /^'((?:[^']|'\\'')*)' 2>\/dev\/null \|\| exit 0$/;

/** The command of an entry. A missing or broken shim does no harm in it, on any of the clients. */
export function shimCommand(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}' 2>/dev/null || exit 0`;
}

/** The mark of an entry that has no command to be recognised by: the tail of the path that a shim would have. */
export function entryMark(slug: string, digest: string, client: string, key: string): string {
  return `/mcphooks/hooks/${slug}/${digest}/${client}/${key}`;
}

/** Whose entry a sign (a command or a mark) is, whichever digest it carries; undefined: not one of ours. */
export function shimOf(sign: string): { slug: string; client: string; key: string } | undefined {
  const path = COMMAND.exec(sign)?.[1] ?? (sign.startsWith('/mcphooks/') ? sign : undefined);
  const tail =
    path && /\/mcphooks\/hooks\/([^/]+)\/[0-9a-f]{16}\/([^/]+)\/([A-Za-z]+(?:-\d+|\.tool\d+)?)$/.exec(path);
  return tail ? { slug: tail[1] as string, client: tail[2] as string, key: tail[3] as string } : undefined;
}

/** The key of the entry when `sign` is of this server on this client. */
export function ownShim(sign: string, slug: string, client: string): string | undefined {
  const shim = shimOf(sign);
  return shim?.slug === slug && shim.client === client ? shim.key : undefined;
}
