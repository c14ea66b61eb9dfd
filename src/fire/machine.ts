import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Env, homeFolder, ownPaths } from '../paths.ts';
import { quietly } from './files.ts';
import type { FireData } from './types.ts';

/** Data with nothing left to find out on the machine where it fires. */
export type SettledData = FireData & { tag: string; state: string };

/** What a shim that other machines share can't know: the state folder, the tag, and where the server's entry stands. */
export function settled(data: FireData, shim: string, env: Env): SettledData {
  const state = data.state ?? ownPaths(env).state;
  const { server_at } = data;
  return {
    ...data,
    state,
    tag: data.tag ?? machineTag(state),
    ...(server_at && { server_at: { ...server_at, source: placed(server_at, dirname(shim), env) } }),
  };
}

type ServerAt = NonNullable<FireData['server_at']>;

/** A definition's source with absolute paths. */
export function placed({ source, base }: ServerAt, folder: string, env: Env): ServerAt['source'] {
  const moved = base && env[base.env];
  const from = base ? (moved ? join(moved, base.envSub) : join(homeFolder(env), base.home)) : folder;
  return {
    ...source,
    ...(source.file !== undefined && { file: resolve(from, source.file) }),
    ...(source.root !== undefined && { root: resolve(from, source.root) }),
  };
}

/**
 * Random, made once per machine and user and kept in the state folder (0600); where that can't be written, made for
 * this fire. Shims that other machines share hold none, since whoever can read them could imitate our naming lines.
 */
export function machineTag(state: string): string {
  const file = join(state, 'tag');
  const known = readTag(file);
  if (known) return known;
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString('hex');
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(draft, fresh, { mode: 0o600 });
    // Linked, not renamed: of parallel fires the first gives all of them their tag.
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
    return /^[0-9a-f]{8}$/.exec(readFileSync(file, 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

interface Installed {
  server: string;
  slug: string;
  scope: string;
  root?: string;
  clients: Record<string, { file: string; digest: string; own: object } | undefined>;
}

/**
 * Whether the user has the same server's hooks on this client by an install that comes first, so that nothing is given
 * twice: for themselves everywhere, or, where `shim` comes with a project, for themselves in that project. A record
 * alone is no install: the entries must still stand in the client's file, and the shims behind them.
 */
export function spokenFor(data: FireData, shim: string, state: string): boolean {
  try {
    const { servers } = JSON.parse(readFileSync(join(state, 'record.json'), 'utf8'));
    const inProject = (root: string | undefined): boolean =>
      data.state === undefined && realpathSync(shim).startsWith(`${root}/`);
    return servers.some(
      (s: Installed) =>
        s.server === data.server && (s.scope === 'user' || inProject(s.root)) && stands(s, data.client),
    );
  } catch {
    return false;
  }
}

function stands({ slug, clients }: Installed, client: string): boolean {
  const recorded = clients[client];
  if (!recorded) return false;
  const plain = (path: string): string => path.replace(/[\\/]+/g, '/');
  const folder = `/mcphooks/hooks/${slug}/${recorded.digest}/${client}/`;
  const shims = Object.keys(recorded.own).filter((path) => plain(path).includes(folder));
  const alive = shims.length === 0 || shims.some((path) => existsSync(path));
  try {
    return alive && plain(readFileSync(recorded.file, 'utf8')).includes(folder);
  } catch {
    return false;
  }
}
