import { dirname } from 'node:path';
import { type Files, namesIn } from '../../base/files.ts';
import { once } from '../../base/once.ts';
import type { ClientId } from '../../clients/client.ts';
import { memoryOfCreated } from '../../edit/created.ts';
import type { FileMemory } from '../../edit/types.ts';
import { unlessFault } from '../../messages/fault.ts';
import { holdsEntries, holdsJoint, shimOf } from '../../shims/entry-owner.ts';
import type { ClientRecord } from '../../store/types.ts';
import type { PlanInput } from '../input.ts';
import { type HookFilePath, serversIn } from '../scopes/scope.ts';
import { decode } from './hook-file.ts';

/**
 * Returns what is remembered of files. A client's file that the record or a project's lock file doesn't know, as after a
 * merge, counts as created by installs where it has exactly the bytes that they give to a new file. A person may have
 * written the same, such as `{}`, so this holds only for a file of ours alone, or in a git repository, which has what was
 * there before.
 */
export function withAdopted(
  memories: Record<string, FileMemory>,
  recorded: ClientRecord | undefined,
  places: readonly HookFilePath[],
  client: ClientId,
  { scope, files, reading }: Pick<PlanInput, 'scope' | 'files' | 'reading'>,
): Record<string, FileMemory> {
  if (recorded) return memories;
  const mayBeMerged = scope.shared && reading.bytes !== null;
  const inRepository = once(() => isInRepository(scope.root ?? '', files));
  const clients = serversIn(scope, reading.record).flatMap((server) => server.clients[client] ?? []);
  const isKnown = (path: string): boolean =>
    memories[path] !== undefined || clients.some(({ file }) => file === path);
  const isOurs = (signature: string): boolean => {
    const shim = shimOf(signature);
    return shim?.shared === scope.shared && shim.client === client;
  };
  const adopted = places
    .filter(({ file, oursAlone }) => (oursAlone || mayBeMerged) && !isKnown(file))
    .flatMap((place) => {
      const memory = unlessFault(() => {
        const bytes = files.read(place.file);
        if (bytes === null || !(holdsEntries(bytes) || holdsJoint(bytes))) return undefined;
        return memoryOfCreated({ ...place, text: decode(bytes, place.file) }, isOurs);
      }, undefined);
      return memory && (place.oursAlone || inRepository()) ? [[place.file, memory] as const] : [];
    });
  if (adopted.length === 0) return memories;
  return { ...memories, ...Object.fromEntries(adopted) };
}

function isInRepository(folder: string, files: Files): boolean {
  const above = dirname(folder);
  return namesIn(folder, files).includes('.git') || (above !== folder && isInRepository(above, files));
}
