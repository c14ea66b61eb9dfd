import { existsSync, linkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { type Env, isAround, ownPaths } from '../base/paths.ts';
import { quietly } from '../base/quietly.ts';
import { readText } from '../base/read-file.ts';
import { folderPath } from '../clients/folder.ts';
import type { DefinitionSource } from '../servers/types.ts';
import type { FireData, ServerDefinedAt } from './format.ts';
import { TAG_FILE } from './own-folders.ts';
import type { DeclaredServer } from './same-server.ts';

/** Hook data with all fields that depend on the machine filled in. */
export type LocalFireData = FireData & { tag: string; state: string };

/**
 * Fills in the fields that a shim shared between machines lacks: the state folder, the tag, and the paths of the
 * server's definitions.
 */
export function resolveSharedShim(data: FireData, shim: string, env: Env): LocalFireData {
  const state = data.state ?? ownPaths(env).state;
  const { server_at } = data;
  const at = <T extends Pick<ServerDefinedAt, 'source' | 'base' | 'folder'>>(one: T): T => ({
    ...one,
    source: placed(one, dirname(shim), env),
    ...(one.folder !== undefined && { folder: resolve(dirname(shim), one.folder) }),
  });
  return {
    ...data,
    state,
    tag: data.tag ?? machineTag(state),
    ...(server_at && {
      server_at: { ...at(server_at), ...(server_at.others && { others: server_at.others.map(at) }) },
    }),
  };
}

/** Returns a definition's source with absolute paths. */
function placed(
  { source, base }: Pick<ServerDefinedAt, 'source' | 'base'>,
  folder: string,
  env: Env,
): DefinitionSource {
  const from = base ? folderPath(base, env) : folder;
  return {
    ...source,
    ...(source.file !== undefined && { file: resolve(from, source.file) }),
    ...(source.root !== undefined && { root: resolve(from, source.root) }),
  };
}

/**
 * Returns the random tag of this machine and user, kept in the state folder (mode 0600); when that folder can't be
 * written, a tag for this fire only. Shims shared between machines contain no tag, since anyone who can read such a
 * shim could imitate our naming lines.
 */
function machineTag(state: string): string {
  const file = join(state, TAG_FILE);
  const known = readTag(file);
  if (known) return known;
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex');
  const draft = `${file}.${process.pid}`;
  try {
    makeFolder(state);
    writeFileSync(draft, fresh, { mode: 0o600 });
    // A link fails when the file exists, unlike a rename, so all parallel fires use the tag of the first.
    linkSync(draft, file);
    return fresh;
  } catch {
    return readTag(file) ?? fresh;
  } finally {
    quietly(() => rmSync(draft, { force: true }));
  }
}

function readTag(file: string): string | undefined {
  try {
    return /^[0-9a-f]{8}$/.exec(readText(file))?.[0];
  } catch {
    return undefined;
  }
}

export interface Installed extends DeclaredServer {
  server: string;
  slug: string;
  scope: string;
  root?: string;
  clients: Record<string, RecordedClient | undefined>;
}

interface RecordedClient {
  file: string;
  otherFiles?: { file: string }[];
  digest: string;
  own: object;
}

/**
 * True when the user has the same server's hooks on this client by an install that takes precedence, so that no text
 * appears twice: an install at user scope, or, when `shim` belongs to a project, a local install in that project. The
 * record alone is not enough: the entries must still be in the client's file, and their shims on disk. `isActive`: the
 * test of what a search in the file can't tell, asked last.
 */
export function coveredByUserInstall(
  data: FireData,
  shim: string,
  state: string,
  isActive: (installed: Installed, marks: readonly string[]) => boolean,
): boolean {
  try {
    const { servers } = JSON.parse(readText(join(state, 'record.json')));
    const inProject = (root: string | undefined): boolean =>
      data.state === undefined && root !== undefined && isAround(root, realpathSync(shim));
    return servers.some((s: Installed) => {
      if (s.server !== data.server || (s.scope !== 'user' && !inProject(s.root))) return false;
      const marks = marksOf(s, data.client);
      return marks.length > 0 && isActive(s, marks);
    });
  } catch {
    return false;
  }
}

const plain = (path: string): string => path.replace(/[\\/]+/g, '/');

/** True when a text contains one of these marks. */
export const isMarked = (text: string, marks: readonly string[]): boolean =>
  marks.some((mark) => plain(text).includes(mark));

/** Returns what the client's file contains of the installed entries' commands; nothing when their scripts are gone. */
function marksOf({ slug, clients }: Installed, client: string): string[] {
  const recorded = clients[client];
  if (!recorded) return [];
  const folder = `/mcphooks/hooks/${slug}/${recorded.digest}/${client}/`;
  const own = Object.keys(recorded.own);
  const shims = own.filter((path) => plain(path).includes(folder));
  const alive = shims.length === 0 || shims.some((path) => existsSync(path));
  // An entry for all servers names its own script, beside which each server has a file.
  const joint = `/mcphooks/joint/${client}/`;
  const joined =
    alive &&
    own.some((path) => plain(path).includes(joint) && plain(path).endsWith(`.d/${slug}`) && existsSync(path));
  try {
    const text = readText(recorded.file);
    return [...(alive ? [folder] : []), ...(joined ? [joint] : [])].filter((mark) => isMarked(text, [mark]));
  } catch {
    return [];
  }
}
