import { basename } from 'node:path';
import type { ClientRecord, FileChange, InstallOptions } from '../apply/types.ts';
import type { Client } from '../clients/types.ts';
import { hasHooks, reconcile } from '../edit/reconcile.ts';
import type { FileMemory, Reconciled, WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages.ts';
import { utf8 } from '../utf8.ts';
import { ownShim } from './command.ts';
import type { HookPlace, Site } from './site.ts';
import type { Note } from './types.ts';

/**
 * The file of a client that our entries go to: where ours stand already, else what was asked for, else the one that
 * already holds hooks, else the default.
 */
export function chooseHookFile(
  all: readonly HookPlace[],
  read: (path: string) => string | null,
  wish: { previous?: string; format?: 'toml' | 'json' },
): HookPlace | undefined {
  const asked = all.length > 1 ? all.find((f) => f.format === wish.format) : undefined;
  const holding = all.filter((f) => hasHooks({ ...f, text: read(f.file), memory: undefined }));
  return all.find((f) => f.file === wish.previous) ?? asked ?? holding[0] ?? all[0];
}

/** Files that could serve instead of `chosen` without hooks standing in two of them. */
export function otherHookFiles(
  all: readonly HookPlace[],
  chosen: HookPlace,
  read: (path: string) => string | null,
): HookPlace[] {
  if (hasHooks({ ...chosen, text: read(chosen.file), memory: undefined })) return [];
  return all.filter((f) => f.file !== chosen.file);
}

/** What an edit needs to know of the install. */
export interface EditInput {
  slug: string;
  site: Site;
  options: Pick<InstallOptions, 'codexFile'>;
  read: (path: string) => Uint8Array | null;
}

/** A client's file, and how it comes to hold our entries. */
export interface EditedFile {
  chosen: HookPlace;
  before: string | null;
  result: Reconciled;
  change?: FileChange;
  files: Record<string, FileMemory>;
  /** What came of a wish for another file. */
  notes: Note[];
}

/** Brings a client's file to hold exactly `wanted` of this server. */
export function editHookFile(
  client: Client,
  input: EditInput,
  wanted: readonly WantedEntry[],
  previous: ClientRecord | undefined,
  files: Record<string, FileMemory>,
): EditedFile {
  const read = (path: string): string | null => {
    const bytes = input.read(path);
    return bytes === null ? null : decode(bytes, path);
  };
  const { codexFile } = input.options;
  const places = input.site.hookFiles(client);
  const chosen = chooseHookFile(places, read, {
    ...(previous && { previous: previous.file }),
    ...(codexFile && { format: codexFile }),
  });
  if (!chosen) throw new Fault('plan.no-scope', { client: client.title, scope: input.site.scope });
  try {
    return edit(chosen);
  } catch (error) {
    // Hooks written as an inline array can't be added to; another file serves as long as that doubles nothing.
    const other = otherHookFiles(places, chosen, read)[0];
    if (!other || previous || !(error instanceof Fault) || error.code !== 'edit.unsupported-shape')
      throw error;
    return edit(other);
  }

  /** A file that was asked for can't be had, or makes two that hold hooks. */
  function wishNotes(place: HookPlace, format: 'toml' | 'json'): Note[] {
    const args = { client: client.title, file: basename(place.file) };
    if (place.format !== format) return previous ? [{ code: 'file.stays', args }] : [];
    const others = places.filter(
      (f) => f !== place && hasHooks({ ...f, text: read(f.file), memory: undefined }),
    );
    return others.map((f) => ({ code: 'file.second', args: { ...args, other: basename(f.file) } }));
  }

  function edit(place: HookPlace): EditedFile {
    const edited = editPlace(client, input, place, wanted, previous, files);
    return codexFile && places.length > 1 ? { ...edited, notes: wishNotes(place, codexFile) } : edited;
  }
}

/** Brings one file of a client to hold exactly `wanted` of this server. Throws a Fault: `edit.*`, `plan.not-utf8`. */
export function editPlace(
  client: Client,
  { slug, site, read }: Pick<EditInput, 'slug' | 'site' | 'read'>,
  place: HookPlace,
  wanted: readonly WantedEntry[],
  previous: Pick<ClientRecord, 'entries'> | undefined,
  files: Record<string, FileMemory>,
): EditedFile {
  const bytes = read(place.file);
  const before = bytes === null ? null : decode(bytes, place.file);
  const result = reconcile({
    file: place.file,
    text: before,
    format: place.format,
    accepts: place.accepts,
    memory: files[place.file],
    wanted,
    ours: (command) => ownShim(command, slug, client.id, site),
    written: (event, key) => previous?.entries.find((e) => e.event === event && e.key === key)?.group,
    tombstones: client.tombstones,
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
    notes: [],
    ...(result.text !== before && {
      change: { path: place.file, before: bytes, after, mode: place.own ? 0o600 : 0o644 },
    }),
  };
}

/** What is left of a file: of one that is ours, nothing when it has no hooks. */
export function withoutRest(place: HookPlace, text: string | null): string | null {
  return place.own && text !== null && !hasHooks({ ...place, text, memory: undefined }) ? null : text;
}

/** Strict UTF-8, so that what is written back is byte for byte what was read; the BOM is kept as a character. */
export function decode(bytes: Uint8Array, file: string): string {
  const text = utf8(bytes);
  if (text === undefined) throw new Fault('plan.not-utf8', {}, { file });
  return text;
}
