import { basename, dirname, join } from 'node:path';
import { stripComments } from 'jsonc-parser';
import type { Files } from '../../base/files.ts';
import { withoutFinalCommas } from '../../base/final-commas.ts';
import { type Env, ownPaths } from '../../base/paths.ts';
import type { Client } from '../../clients/client.ts';
import { filesAt } from '../../clients/hook-files.ts';
import { clientFolder, nativeEvent } from '../../clients/index.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import { compareVersions } from '../../clients/versions.ts';
import { signatureOf } from '../../edit/decide.ts';
import { eventNames, readHooks } from '../../edit/read.ts';
import type { HookFileState, WantedEntry } from '../../edit/types.ts';
import { unlessFault } from '../../messages/fault.ts';
import type { Note } from '../../messages/notes.ts';
import { shimOf } from '../../shims/entry-owner.ts';
import { jointFolder } from '../../shims/joint-script.ts';
import { mostText } from '../compile/budget.ts';
import type { PlanInput } from '../input.ts';
import { limited } from '../limited.ts';
import { decodedText } from './hook-file.ts';
import { isJoint } from './joint-entry.ts';

/** Whose hook the model reads, at an event where a client uses the text of one hook. */
interface UsedText {
  textsUsed: 'first' | 'last';
  /** True when it is ours. */
  ours: boolean;
  /** File from which the client reads our entry. */
  mine: string;
  /** Files with hooks of others at that event. */
  files: string[];
}

/**
 * Returns whose hook the model reads at a native event where others have hooks, too, beside our entry in the file
 * `mine`; undefined when the texts of all hooks are used, or nobody else has any. `root`: of a project whose hooks
 * count, too; `version`: the client's, taken for the newest where it is unknown; `inPlugins`: files of plugins with hooks
 * at that event, which the client runs last.
 */
export function usedTextAt(
  client: Client,
  { native, mine }: { native: string; mine: string },
  {
    env,
    root,
    version,
    inPlugins = [],
  }: { env: Env; root?: string | undefined; version?: string | undefined; inPlugins?: readonly string[] },
  files: Files,
): UsedText | undefined {
  const { textsUsed, allUsedFrom: limit, alias } = nativeEvent(client, native);
  if (textsUsed !== 'first' && textsUsed !== 'last') return undefined;
  if (limit && compareVersions(version ?? limit.version, limit.version) >= 0) return undefined;
  const all = placesOf(client, env, root, withFile(mine, files));
  const places = client.hooks.shadows ? inForce(all, native, files) : all;
  const searchable = limited(files);
  const found = [
    ...places.flatMap((place) =>
      hooksIn(place, [native, alias], searchable).map((ours) => ({ file: place.file, ours })),
    ),
    ...inPlugins.map((file) => ({ file, ours: false })),
  ];
  const others = found.filter(({ ours }) => !ours);
  if (others.length === 0) return undefined;
  // Before the install, our entry is to be the last one of its file.
  const order = [...all.map(({ file }) => file), ...inPlugins];
  const inOrder = found.some(({ ours }) => ours)
    ? found
    : [...found, { file: mine, ours: true }].sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file));
  const ourFiles = found.filter(({ ours }) => ours).map(({ file }) => file);
  const winner = textsUsed === 'first' ? inOrder[0] : inOrder.at(-1);
  return {
    textsUsed,
    ours: winner?.ours === true,
    mine: ourFiles.includes(mine) ? mine : (ourFiles[0] ?? mine),
    files: [...new Set(others.map(({ file }) => file))],
  };
}

/**
 * Returns the places from which the client reads hooks of an event, where the event in one file turns it off in the
 * files of the same scope after it.
 */
function inForce(places: readonly OrderedFile[], native: string, files: Files): OrderedFile[] {
  const taken = new Set<ScopeName>();
  return places.filter((place, i) => {
    const { scope, ifAbsent } = place;
    if (taken.has(scope) || (ifAbsent && files.read(places[i - 1]?.file ?? '') !== null)) return false;
    const named = unlessFault(() => eventNames(fileState(place, files)), [] as string[]);
    if (named.includes(native)) taken.add(scope);
    return true;
  });
}

/** Returns files in whose folder `file` is listed, whether or not it is there yet. */
function withFile(file: string, files: Files): Files {
  const listed = { name: basename(file), kind: 'file' } as const;
  const list = (folder: string): ReturnType<Files['list']> => {
    const entries = files.list(folder);
    if (folder !== dirname(file) || entries === 'closed') return entries;
    const others = entries === 'gone' ? [] : entries.filter(({ name }) => name !== listed.name);
    return [...others, listed];
  };
  return { ...files, list };
}

/** Returns a note for each of these entries beside which others have hooks whose text may be used in its place. */
export function usedTextNotes(
  client: Client,
  entries: readonly WantedEntry[],
  file: string,
  { env, scope, files, versions }: Pick<PlanInput, 'env' | 'scope' | 'files' | 'versions'>,
): Note[] {
  return entries.filter(isJoint).flatMap(({ event }): Note[] => {
    const half = halfAt(client, event);
    // Which projects have an entry, too, is known only in each of them: doctor says it there.
    const users = join(jointFolder(ownPaths(env), client.id), event);
    if (half !== undefined && scope.name === 'project' && files.read(users) !== null)
      return [{ code: 'heard.halves', args: { native: event, half } }];
    const at = { env, root: scope.root, version: versions()[client.id] };
    const found = usedTextAt(client, { native: event, mine: file }, at, files);
    if (!found) return [];
    const args = { native: event, textsUsed: found.textsUsed, files: found.files };
    return [{ code: found.ours ? 'heard.ours' : 'heard.theirs', args }];
  });
}

/**
 * Returns the room that servers of one scope have where another scope has an entry at the same event, in the client's
 * unit; undefined where texts aren't counted together.
 */
export function halfAt(client: Client, native: string): number | undefined {
  const { textsUsed } = nativeEvent(client, native);
  return typeof textsUsed === 'object'
    ? Math.floor((mostText(client, native) ?? textsUsed.cap) / 2)
    : undefined;
}

type OrderedFile = NonNullable<Client['hooks']['order']>[number] & { file: string };

/** Returns the files that a client reads hooks from, in the order in which it runs them. */
function placesOf(client: Client, env: Env, root: string | undefined, files: Files): OrderedFile[] {
  return (client.hooks.order ?? []).flatMap((place) => {
    const folder = place.scope === 'user' ? clientFolder(client, env) : root;
    return folder === undefined ? [] : filesAt(place, folder, files);
  });
}

/** Returns for each hook of a file at an event whether it is ours. A file that can't be read counts as empty. */
function hooksIn(place: OrderedFile, events: readonly (string | undefined)[], files: Files): boolean[] {
  return unlessFault(
    () =>
      readHooks(fileState(place, files))
        .filter(({ event }) => events.includes(event))
        .flatMap(({ group }) =>
          group.hooks.map((handler) => shimOf(signatureOf(handler) ?? '') !== undefined),
        ),
    [],
  );
}

/** Returns the content of a file in the form that the edit reads. */
function fileState(place: OrderedFile, files: Files): HookFileState {
  const text = decodedText(place.file, files);
  const { format } = place;
  const plain =
    format === 'jsonc,'
      ? ({ format: 'json', text: text && withoutFinalCommas(stripComments(text, ' ')) } as const)
      : { format, text };
  return { ...place, ...plain };
}
