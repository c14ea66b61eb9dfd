import type { Files } from '../base/files.ts';
import { utf8 } from '../base/utf8.ts';
import type { Client } from '../clients/client.ts';
import { hasHooks, reconcile } from '../edit/reconcile.ts';
import type { FileMemory, Reconciled, WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages/fault.ts';
import { ownShim } from '../shims/command.ts';
import type { ClientRecord, FileChange } from '../store/types.ts';
import type { HookFilePath, Scope } from './scopes/scope.ts';

/**
 * Picks the client's file for our entries: the file that holds them already, else the first file with any hooks, else
 * the first file.
 */
function chooseHookFile(
  all: readonly HookFilePath[],
  read: (path: string) => string | null,
  previous?: string,
): HookFilePath | undefined {
  const holding = (f: HookFilePath): boolean => hasHooks({ ...f, text: read(f.file), memory: undefined });
  return all.find((f) => f.file === previous) ?? all.find(holding) ?? all[0];
}

/** Returns the files that could replace `chosen` without spreading hooks over two files. */
function otherHookFiles(
  all: readonly HookFilePath[],
  chosen: HookFilePath,
  read: (path: string) => string | null,
): HookFilePath[] {
  if (hasHooks({ ...chosen, text: read(chosen.file), memory: undefined })) return [];
  return all.filter((f) => f.file !== chosen.file);
}

export interface EditInput {
  slug: string;
  scope: Scope;
  files: Files;
  /** Entries that were edited by hand are rewritten, too. */
  evenEdited?: true;
}

/** An edited file of a client: its text before and after, and what the record remembers of files. */
export interface EditedFile {
  chosen: HookFilePath;
  before: string | null;
  result: Reconciled;
  change?: FileChange;
  files: Record<string, FileMemory>;
}

/** Edits a client's hook file so that the file holds exactly the entries `wanted` of this server. */
export function editHookFile(
  client: Client,
  input: EditInput,
  wanted: readonly WantedEntry[],
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): EditedFile {
  const read = (path: string): string | null => {
    const bytes = input.files.read(path);
    return bytes === null ? null : decode(bytes, path);
  };
  const places = input.scope.hookFiles(client, input.slug);
  const chosen = chooseHookFile(places, read, previous?.file);
  if (!chosen) throw new Fault('plan.no-scope', { client: client.title, scope: input.scope.name });
  try {
    return edit(chosen);
  } catch (error) {
    // Entries can't be added to an inline array of hooks. Another file serves only where no hook would then run twice.
    const other = otherHookFiles(places, chosen, read)[0];
    if (!other || previous || !(error instanceof Fault) || error.code !== 'edit.unsupported-shape')
      throw error;
    return edit(other);
  }

  function edit(place: HookFilePath): EditedFile {
    return editPlace(client, input, place, wanted, previous, files);
  }
}

/**
 * Edits one file of a client so that the file holds exactly the entries `wanted` of this server. Throws a Fault:
 * `edit.*`, `plan.not-utf8`.
 */
export function editPlace(
  client: Client,
  { slug, scope, files: disk, evenEdited }: Omit<EditInput, 'options'>,
  place: HookFilePath,
  wanted: readonly WantedEntry[],
  previous: Pick<ClientRecord, 'entries'> | undefined,
  files: Record<string, FileMemory>,
): EditedFile {
  const bytes = disk.read(place.file);
  const before = bytes === null ? null : decode(bytes, place.file);
  const result = reconcile({
    ...place,
    text: before,
    memory: files[place.file],
    wanted,
    ours: (command) => ownShim(command, slug, client.id, scope),
    written: (event, key) => previous?.entries.find((e) => e.event === event && e.key === key)?.group,
    ...(evenEdited && { evenEdited }),
    tombstones: client.hooks.tombstones === true,
  });
  const { [place.file]: _old, ...rest } = files;
  const memory = result.memory ? { ...rest, [place.file]: result.memory } : rest;
  result.text = withoutRest(place, result.text);
  const after = result.text === null ? null : Buffer.from(result.text, 'utf8');
  return {
    chosen: place,
    before,
    result,
    files: memory,
    ...(result.text !== before && {
      change: { path: place.file, before: bytes, after, mode: place.own && !scope.shared ? 0o600 : 0o644 },
    }),
  };
}

/** Returns `text`, or null when the file is mcphooks' own and has no hooks left: the file is then removed. */
export function withoutRest(place: HookFilePath, text: string | null): string | null {
  return place.own && text !== null && !hasHooks({ ...place, text, memory: undefined }) ? null : text;
}

/** Decodes strict UTF-8, so that unchanged text is written back byte for byte; a BOM is kept as a character. */
export function decode(bytes: Uint8Array, file: string): string {
  const text = utf8(bytes);
  if (text === undefined) throw new Fault('plan.not-utf8', {}, { file });
  return text;
}
