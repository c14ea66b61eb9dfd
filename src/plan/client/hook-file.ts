import { dirname, join } from 'node:path';
import type { Files } from '../../base/files.ts';
import { utf8 } from '../../base/utf8.ts';
import type { Client } from '../../clients/client.ts';
import { invalidPosition } from '../../declarations/json-text.ts';
import { programHash } from '../../edit/module.ts';
import { hasHooks, isBare, readHooks } from '../../edit/read.ts';
import { reconcile } from '../../edit/reconcile.ts';
import type { FileMemory, Reconciled, WantedEntry } from '../../edit/types.ts';
import { Fault, orFault, unlessFault } from '../../messages/fault.ts';
import { ownShim } from '../../shims/entry-owner.ts';
import { isAlone, jointFolder } from '../../shims/joint-script.ts';
import { type WrittenEntries, writtenEntries, writtenToFile } from '../../store/record.ts';
import type { ClientRecord, FileChange, KeptEntry } from '../../store/types.ts';
import { assertUtf8 } from '../../store/utf8-path.ts';
import { type HookFilePath, isPluginScope, type Scope } from '../scopes/scope.ts';
import { isJoint } from './joint-entry.ts';
import { memoryOfCopies, type Share, sharesOf } from './shadowing.ts';

export interface EditInput {
  client: Client;
  slug: string;
  scope: Scope;
  files: Files;
  /** Entries that were edited by hand are rewritten, too. */
  evenEdited?: true;
  /** Records of other servers whose entries serve this one, too. */
  jointly?: readonly ClientRecord[];
  /** Edited entries that earlier uninstalls of the server left. */
  kept: readonly KeptEntry[];
  /** As in `ReconcileRequest`. */
  ofOthers: readonly string[];
}

type FileView = Pick<EditInput, 'client' | 'scope' | 'slug' | 'files'>;

/** An edited file of a client: its text before and after, and what the record remembers of files. */
export interface EditedFile {
  chosen: HookFilePath;
  before: string | null;
  /** The server's entries as last written. */
  written: WantedEntry[];
  result: Reconciled;
  change?: FileChange;
  memories: Record<string, FileMemory>;
}

/**
 * Edits a client's hook files so that they hold exactly the entries `wanted` of this server; first the file that the
 * record is to name.
 */
export function editHookFiles(
  input: EditInput,
  wanted: readonly WantedEntry[],
  previous: ClientRecord | undefined,
  memories: Record<string, FileMemory>,
): [EditedFile, ...EditedFile[]] {
  const { client } = input;
  if (!client.hooks.shadows || isPluginScope(input.scope)) {
    const main = editHookFile(input, wanted, previous, memories);
    return withoutDoubles(input, main, previous);
  }
  const shares = sharesIn(input, wanted);
  if (shares.length === 0)
    throw new Fault('plan.no-scope', { client: client.title, scope: input.scope.name });
  let latest = memories;
  const all = shares.map(({ place, entries }) => {
    const written = writtenForPlace(client, place.file, previous);
    const file = editPlace(input, { place, wanted: entries, written, memories: latest });
    latest = file.memories;
    return file;
  });
  const known = shares.findIndex(({ place, entries }) => place.file === previous?.file && entries.length > 0);
  const acting = known < 0 ? shares.findIndex(({ acts }) => acts.length > 0) : known;
  const mainAt = acting < 0 ? shares.length - 1 : acting;
  const touched = all.filter(
    ({ change, result }, i) => i !== mainAt && (change || result.changes.length > 0),
  );
  return [{ ...(all[mainAt] as EditedFile), memories: latest }, ...touched];
}

/** Removes a server's entries from the other files that the client reads: it would run their hooks, too. */
function withoutDoubles(
  input: EditInput,
  main: EditedFile,
  previous: ClientRecord | undefined,
): [EditedFile, ...EditedFile[]] {
  let { memories } = main;
  const beside = placesBeside(input, main.chosen.file).flatMap((place) => {
    const written = writtenForPlace(input.client, place.file, previous);
    const file = orFault(() => editPlace(input, { place, written, memories }));
    // The client refuses this file, too, or an install refuses to touch it, as it did before the entries were there.
    if (file instanceof Fault) return [];
    memories = file.memories;
    return [file];
  });
  return [{ ...main, memories }, ...beside];
}

/** Returns the file with a server's entries: the recorded one, unless the user moved all to another. */
export function fileOfEntries(input: FileView, recorded: string): string {
  const [other] = placesBeside(input, recorded);
  const known = other && placesOf(input).find(({ file }) => file === recorded);
  return other && !(known && holdsEntriesOf(input, known)) ? other.file : recorded;
}

/** Returns the files with entries of a server beside `file`, of those that the client reads at a scope. */
const placesBeside = (input: FileView, file: string): HookFilePath[] =>
  placesOf(input).filter((place) => place.file !== file && holdsEntriesOf(input, place));

const placesOf = ({ client, scope, slug }: FileView): HookFilePath[] => scope.hookFiles(client, slug);

/** True when a file has entries of a server; of a file that can't be read nothing is known. */
function holdsEntriesOf(input: FileView, place: HookFilePath): boolean {
  const { read, ours } = viewOf(input);
  return unlessFault(() => {
    const text = read(place.file);
    if (!text?.includes('mcphooks')) return false;
    return readHooks({ ...place, text }, ours).some((group) => group.ours.length > 0);
  }, false);
}

/** Returns the shares of a client's files in entries of a server. */
export const sharesIn = (input: FileView, wanted: readonly WantedEntry[]): Share[] =>
  sharesOf(placesOf(input), wanted, viewOf(input));

const viewOf = ({ client, scope, slug, files }: FileView): Parameters<typeof sharesOf>[2] => ({
  read: (path) => decodedText(path, files),
  ours: (signature) => ownShim(signature, { slug, client: client.id, scope }, () => true),
});

/** Returns the text of a file; null: there is none. Throws a Fault as `decode`. */
export function decodedText(path: string, files: Files): string | null {
  const bytes = files.read(path);
  return bytes === null ? null : decode(bytes, path);
}

/** Returns what is remembered of a file, with what follows from the client's copying of entries. */
export const memoryOf = (
  input: FileView,
  place: HookFilePath,
  memory: FileMemory | undefined,
): FileMemory | undefined =>
  input.client.hooks.shadows ? memoryOfCopies(place, placesOf(input), viewOf(input), memory) : memory;

/**
 * Edits the file that is to hold all entries of a client: the one that holds them already, else the first with any hooks,
 * else the first.
 */
function editHookFile(
  input: EditInput,
  wanted: readonly WantedEntry[],
  previous: ClientRecord | undefined,
  memories: Record<string, FileMemory>,
): EditedFile {
  const { client } = input;
  const places = placesOf(input);
  const holdsAny = (place: HookFilePath): boolean =>
    hasHooks({ ...place, text: decodedText(place.file, input.files) });
  const recorded = previous ? fileOfEntries(input, previous.file) : input.jointly?.[0]?.file;
  const chosen = places.find(({ file }) => file === recorded) ?? places.find(holdsAny) ?? places[0];
  if (!chosen) throw new Fault('plan.no-scope', { client: client.title, scope: input.scope.name });
  try {
    return edit(chosen);
  } catch (error) {
    // Entries can't be added to an inline array of hooks. Another file serves only where no hook would then run twice.
    const other = holdsAny(chosen) ? undefined : places.find((place) => place !== chosen);
    if (!other || previous || !(error instanceof Fault) || error.code !== 'edit.unsupported-shape')
      throw error;
    return edit(other);
  }

  function edit(place: HookFilePath): EditedFile {
    const written = writtenForPlace(client, place.file, previous);
    return editPlace(input, { place, wanted, written, memories });
  }
}

/** Returns what was last written into a file; of a client that reads several files, into any of its folder. */
export function writtenForPlace(
  client: Client,
  file: string,
  record: ClientRecord | undefined,
): WrittenEntries | undefined {
  if (client.hooks.user.length < 2 || record?.file === file) return writtenToFile(file, record);
  const isBeside = (other: string): boolean =>
    other === file || client.hooks.user.some(({ path }) => join(dirname(other), path) === file);
  const other = record?.otherFiles?.find((one) => isBeside(one.file));
  return other ? writtenToFile(other.file, record) : record;
}

/** What is to become of one file. */
interface PlaceEdit {
  place: HookFilePath;
  /** Absent: no entry of the server. */
  wanted?: readonly WantedEntry[];
  /** What the record says of this file. */
  written: WrittenEntries | undefined;
  memories: Record<string, FileMemory>;
}

/**
 * Edits one file of a client so that the file holds exactly the entries `wanted` of this server. Throws a Fault:
 * `edit.*`, `plan.not-utf8`, `own.not-utf8`.
 */
export function editPlace(
  { client, slug, scope, files, evenEdited, jointly = [], kept, ofOthers }: EditInput,
  { place, wanted = [], written, memories }: PlaceEdit,
): EditedFile {
  assertUtf8(place.file);
  const bytes = files.read(place.file);
  const before = bytes === null ? null : decode(bytes, place.file);
  const wants = (native: string): boolean => wanted.some(({ key }) => key === native);
  const others = jointly.flatMap(({ entries }) => entries.filter(isJoint));
  const alone = isAlone(slug, jointFolder(scope.paths, client.id), others, files);
  const known = [...writtenEntries(written, place.file), ...kept.filter(({ file }) => file === place.file)];
  const result = reconcile({
    ...place,
    text: before,
    memory: memoryOf({ client, slug, scope, files }, place, memories[place.file]),
    wanted,
    ours: (command) =>
      ownShim(command, { slug, client: client.id, scope }, (native) => wants(native) || alone(native)),
    written: [...known, ...others],
    ...(evenEdited && { evenEdited }),
    tombstones: client.hooks.tombstones === true,
    ofOthers,
  });
  const { [place.file]: old, ...rest } = memories;
  // What memoryOf adds is not remembered of an unchanged file.
  const remembered = result.text === before ? inBoth(old, result.memory) : result.memory;
  if (result.text !== before) result.text = withoutRest(place, result.text, memories[place.file]);
  const after = result.text === null ? null : Buffer.from(result.text, 'utf8');
  return {
    chosen: place,
    before,
    written: known,
    result,
    memories: remembered ? { ...memories, [place.file]: remembered } : rest,
    ...(result.text !== before && {
      change: {
        path: place.file,
        before: bytes,
        after,
        mode: scope.shared ? 0o666 : place.oursAlone && bytes === null ? 0o600 : 0o644,
      },
    }),
  };
}

/** Returns the memory `old` with only those containers that `now` has, too. */
function inBoth(old: FileMemory | undefined, now: FileMemory | undefined): FileMemory | undefined {
  if (!old || !now) return undefined;
  const containers = Object.entries(old.containers).filter(([at]) => Object.hasOwn(now.containers, at));
  return { ...old, containers: Object.fromEntries(containers) };
}

/**
 * Returns the text after an edit, or null when the file is mcphooks' own and has nothing left: the file is then removed.
 * What is remembered of the file says so itself, and keeps a file that was there before the first install.
 */
export function withoutRest(
  place: HookFilePath,
  text: string | null,
  memory: FileMemory | undefined,
): string | null {
  const gone = place.oursAlone && !memory && text !== null && isBare({ ...place, text });
  return gone ? null : text;
}

/** Returns what the record holds of a module: the hash of its program. */
export function programIn({ chosen, result: { text } }: EditedFile): Pick<ClientRecord, 'program'> {
  return chosen.format === 'module' && text !== null ? { program: programHash(chosen.file, text) } : {};
}

/** Decodes strict UTF-8, so that unchanged text is written back byte for byte; a BOM is kept as a character. */
export function decode(bytes: Uint8Array, file: string): string {
  const text = utf8(bytes);
  if (text === undefined) throw new Fault('plan.not-utf8', {}, { file, ...invalidPosition(bytes) });
  return text;
}
