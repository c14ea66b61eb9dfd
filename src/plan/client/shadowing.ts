import { pointerOf } from '../../edit/json/tree.ts';
import { eventNames, readHooks } from '../../edit/read.ts';
import type { FileMemory, WantedEntry } from '../../edit/types.ts';
import type { HookFilePath } from '../scopes/scope.ts';

/** A file with the entries that it is to hold; `acts`: those that the client reads from this very file. */
export interface Share {
  place: HookFilePath;
  entries: WantedEntry[];
  acts: WantedEntry[];
}

interface HookFileAccess {
  read: (path: string) => string | null;
  ours: (signature: string) => string | undefined;
}

/**
 * Divides entries among a client's files, in each of which an event turns off the same event in later files. Each entry
 * goes where its event is read, and stays where the client has copied it to.
 */
export function sharesOf(
  places: readonly HookFilePath[],
  entries: readonly WantedEntry[],
  access: HookFileAccess,
): Share[] {
  const read = active(places, access).map((place) => ({ place, events: eventsIn(place, access) }));
  const last = read.at(-1);
  const homes = new Map(
    entries.map((entry) => [entry, read.find(({ events }) => events.has(entry.event)) ?? last] as const),
  );
  return read.map((file) => {
    const acts = entries.filter((entry) => homes.get(entry) === file);
    const copies = (entry: WantedEntry): boolean =>
      file.events.get(entry.event)?.ours.includes(entry.key) === true;
    return {
      place: file.place,
      acts,
      entries: entries.filter((entry) => acts.includes(entry) || copies(entry)),
    };
  });
}

/**
 * Returns what to remember of a file that the client may have made by copying another one: an event's list that holds
 * nothing but ours goes with them, as the empty list would turn off the event in later files. Where a later file has
 * hooks of others at that event, the list stays, and these stay off.
 */
export function memoryOfCopies(
  place: HookFilePath,
  places: readonly HookFilePath[],
  access: HookFileAccess,
  memory: FileMemory | undefined,
): FileMemory | undefined {
  const all = active(places, access);
  const later = all.slice(all.findIndex(({ file }) => file === place.file) + 1);
  if (later.length === 0) return memory;
  const others = later.map((file) => eventsIn(file, access));
  const alone = [...eventsIn(place, access)].filter(
    ([event, { ours, foreign }]) =>
      ours.length > 0 && foreign === 0 && !others.some((file) => file.get(event)?.foreign),
  );
  const created = alone.map(([event]) => [pointerOf(place.unwrapped, event), { created: true }] as const);
  if (created.length === 0) return memory;
  return { ...memory, containers: { ...Object.fromEntries(created), ...memory?.containers } };
}

/** Returns the files that the client reads. */
function active(places: readonly HookFilePath[], { read }: HookFileAccess): HookFilePath[] {
  return places.filter(({ ifAbsent }, i) => !ifAbsent || read(places[i - 1]?.file ?? '') === null);
}

interface EventHooks {
  /** Keys of our entries. */
  ours: string[];
  /** Number of handlers and groups of others. */
  foreign: number;
}

/** Returns the events of a file, those with an empty list too. Faults as `readHooks`. */
function eventsIn(place: HookFilePath, { read, ours }: HookFileAccess): Map<string, EventHooks> {
  const state = { ...place, text: read(place.file) };
  const events = new Map(eventNames(state).map((name) => [name, { ours: [] as string[], foreign: 0 }]));
  for (const { event, group, ours: mine } of readHooks(state, ours)) {
    const found = events.get(event);
    found?.ours.push(...mine.map(({ key }) => key));
    if (found) found.foreign += group.hooks.length - mine.length;
  }
  return events;
}
