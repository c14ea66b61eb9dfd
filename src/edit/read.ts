import type { HookGroup, HookHandler } from '../clients/hook-config.ts';
import { isGroup, isTombstone, ourHandlers, signatureOf } from './decide.ts';
import { guarded, hookDocument } from './formats.ts';
import type { HookDocument, HookFileState } from './types.ts';

/** A group in a file; `index` is its position in `hooks.<event>`, which is part of Codex's trust keys. */
export interface StandingGroup {
  event: string;
  index: number;
  group: HookGroup;
  /** Line in the file, from 1. Looked up when it is read, as this takes a reading of the file up to it. */
  readonly line: number | undefined;
  /** Positions and keys of our handlers in the group. */
  ours: { key: string; handler: number }[];
}

const read = (state: HookFileState): HookDocument => guarded(state, () => hookDocument(state));

/**
 * Returns all groups of a file, in file order per event. Elements that aren't groups are skipped but counted in the
 * indices. A missing file, or a file without any value, has no groups. Faults: `edit.unreadable`,
 * `edit.unsupported-shape`, `edit.too-deep`.
 */
export function readHooks(
  state: HookFileState,
  ours: (command: string) => string | undefined = () => undefined,
): StandingGroup[] {
  const document = read(state);
  return [...document.events].flatMap(([event, groups]) =>
    groups.flatMap((group, index) => {
      if (!isGroup(group)) return [];
      const standing: StandingGroup = {
        event,
        index,
        group,
        get line() {
          return document.lineOf(event, index);
        },
        ours: ourHandlers(group, ours),
      };
      return [standing];
    }),
  );
}

/**
 * Returns the keys of our handlers in a file. `evenHidden`: also of those that the client doesn't read. Faults as
 * `readHooks`.
 */
export function readKeys(
  state: HookFileState,
  ours: (command: string) => string | undefined,
  evenHidden = false,
): string[] {
  const { events, hidden } = read(state);
  const groups = [...events.values()].flat().filter(isGroup);
  const unread = evenHidden ? [{ hooks: hidden().map(({ value }) => value as HookHandler) }] : [];
  return [...groups, ...unread].flatMap((group) => ourHandlers(group, ours).map(({ key }) => key));
}

/** Returns the names of a file's events, those with an empty list too. Faults as `readHooks`. */
export const eventNames = (state: HookFileState): string[] => [...read(state).events.keys()];

/** True when any event has a group other than a tombstone. Faults as `readHooks`. */
export function hasHooks(state: HookFileState): boolean {
  return [...read(state).events.values()].some((groups) =>
    groups.some((g) => typeof g === 'object' && g !== null && !isTombstone(g)),
  );
}

/**
 * True when a file has nothing but handlers that `isOurs` accepts by their signature, and what a file needs around them.
 * Faults as `readHooks`.
 */
export function holdsOnly(state: HookFileState, isOurs: (signature: string) => boolean): boolean {
  const { value, events } = read(state);
  const { hooks } = (value ?? {}) as { hooks?: object };
  const members = Object.keys(value ?? {});
  const names = state.unwrapped ? members : Object.keys(hooks ?? {});
  const isFrame = (key: string): boolean => key === 'hooks' || Object.hasOwn(state.frame ?? {}, key);
  return (
    (state.unwrapped || members.every(isFrame)) &&
    names.every((name) => events.has(name)) &&
    [...events.values()]
      .flat()
      .every((group) => isGroup(group) && group.hooks.every((hook) => isOurs(signatureOf(hook) ?? '')))
  );
}

/** True when a file has no hooks, and no member of the user's beside them. Faults as `readHooks`. */
export function isBare(state: HookFileState): boolean {
  const others = Object.keys(read(state).value ?? {}).filter((key) => key !== 'hooks');
  return !hasHooks(state) && others.every((key) => Object.hasOwn(state.frame ?? {}, key));
}
