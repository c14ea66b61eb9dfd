import { dirname, join, resolve } from 'node:path';
import { createWhole } from '../base/create-whole.ts';
import { makeFolder } from '../base/make-folder.ts';
import type { Env } from '../base/paths.ts';
import { quietly } from '../base/quietly.ts';
import { readText } from '../base/read-file.ts';
import { folderPath } from '../clients/folder.ts';
import type { DefinitionSource } from '../servers/types.ts';
import { statOf } from './files.ts';
import type { FireData, ServerDefinedAt } from './format.ts';
import { hookPaths, NOWHERE, TAG_FILE } from './own-folders.ts';

/** Hook data with all fields that depend on the machine filled in. */
export type LocalFireData = FireData & { tag: string; state: string };

/**
 * Fills in the fields that a shim shared between machines lacks: the state folder, the tag, and the paths of the
 * server's definitions.
 */
export function resolveSharedShim(data: FireData, shim: string, env: Env): LocalFireData {
  const state = ownState(data.state ?? hookPaths(env).state, shim);
  const { server_at } = data;
  const at = <T extends Pick<ServerDefinedAt, 'source' | 'base' | 'folder'>>(one: T): T => ({
    ...one,
    source: placed(one, dirname(shim), env),
    ...(one.folder !== undefined && { folder: resolve(dirname(shim), one.folder) }),
  });
  return {
    ...data,
    state,
    ...(data.state === undefined && { owner: 'shared' as const }),
    tag: data.tag ?? machineTag(state),
    ...(server_at && {
      server_at: { ...at(server_at), ...(server_at.others && { others: server_at.others.map(at) }) },
    }),
  };
}

/**
 * Returns the state folder as a fire uses it: none where another user made it first, as may be below a folder for all
 * such as /tmp. That user's texts would reach the model, and that user's approvals count. Root may change every file, and
 * in a container may use the home of another user; whoever owns the hook script can change that, too. So on a network
 * drive or a mount that shows all files as of one other user, hooks use their state.
 */
function ownState(state: string, shim: string): string {
  const user = process.getuid?.();
  const owner = user ? statOf(state)?.uid : user;
  return owner && owner !== user && owner !== statOf(shim)?.uid ? join(NOWHERE, state) : state;
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
  try {
    makeFolder(state);
    createWhole(file, fresh);
    return fresh;
  } catch {
    // All parallel fires use the tag of the first.
    return readTag(file) ?? fresh;
  }
}

const readTag = (file: string): string | undefined =>
  quietly(() => /^[0-9a-f]{8}$/.exec(readText(file))?.[0]);
