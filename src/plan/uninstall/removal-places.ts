import { resolve } from 'node:path';
import type { Files } from '../../base/files.ts';
import { once } from '../../base/once.ts';
import { endsWithSteps } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { filesOfRecord } from '../../store/record.ts';
import type { ClientRecord } from '../../store/types.ts';
import { ownership } from '../scopes/owned.ts';
import type { HookFilePath, Scope } from '../scopes/scope.ts';

/** A file to search; `listOnly`: only for our names in the list of switched-off hooks, not for entries. */
export type RemovalPlace = HookFilePath & { listOnly?: true };

/**
 * Returns all files of a client in which an uninstall searches for entries of a server. `files`: those of its settings and
 * of the server's plugin.
 */
export function removalPlaces(
  client: Client,
  files: readonly HookFilePath[],
  recorded: ClientRecord | undefined,
  { scope, cwd, files: { real } }: { scope: Scope; cwd: string; files: Files },
): RemovalPlace[] {
  const known = once(() => new Set(files.map(({ file }) => real(file))));
  const isNew = (file: string): boolean => !known().has(real(file));
  const mayHold = (file: string): boolean => scope.shared || ownership(file, scope, real) !== undefined;
  const [first] = files;
  if (!first) return [];
  // At install time an environment variable may have pointed the client to another folder.
  const elsewhere = filesOfRecord(recorded)
    .map(({ file }) => file)
    .filter((file) => isNew(file) && mayHold(file))
    .map((file) => ({ ...(files.find(({ path }) => endsWithSteps(file, path)) ?? first), file }));
  const { offList } = client.gates;
  const listing = offList && resolve(scope.root ?? cwd, offList.project);
  return [
    ...files,
    ...elsewhere,
    ...(listing !== undefined && isNew(listing)
      ? [{ ...first, file: listing, listOnly: true as const }]
      : []),
  ];
}
