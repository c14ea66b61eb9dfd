import type { HookGroup } from '../clients/hook-config.ts';
import { isGroup, isTombstone, ourHandlers } from './decide.ts';
import { FORMATS, guarded } from './formats.ts';
import { inGroups } from './layout.ts';
import { withoutBom } from './splice.ts';
import type { HookDocument, HookFileState } from './types.ts';

/** A group as it stands in a file; `index` is its place in `hooks.<event>`, which Codex's trust keys count. */
export interface StandingGroup {
  event: string;
  index: number;
  group: HookGroup;
  /** From 1. */
  line?: number;
  /** Which of its handlers are ours. */
  ours: { key: string; handler: number }[];
}

const read = (state: HookFileState): HookDocument =>
  guarded(state, () => inGroups(FORMATS[state.format].read(state, withoutBom(state.text ?? '')), state));

/**
 * All groups of a file, in file order per event. What is not shaped like a group is passed over, and counted in the
 * indices. No file, or one without any value: none. Faults: `edit.unreadable`, `edit.unsupported-shape`, `edit.too-deep`.
 */
export function readHooks(
  state: HookFileState,
  ours: (command: string) => string | undefined = () => undefined,
): StandingGroup[] {
  const document = read(state);
  return [...document.events].flatMap(([event, groups]) =>
    groups.flatMap((group, index) => {
      if (!isGroup(group)) return [];
      const line = document.lineOf(event, index);
      return [{ event, index, group, ...(line && { line }), ours: ourHandlers(group, ours) }];
    }),
  );
}

/** The keys of our handlers in a file. Other than for `readHooks` no lines are looked up. Faults as there. */
export function readKeys(state: HookFileState, ours: (command: string) => string | undefined): string[] {
  const groups = [...read(state).events.values()].flat().filter(isGroup);
  return groups.flatMap((group) => ourHandlers(group, ours).map(({ key }) => key));
}

/** Whether any event holds a group, tombstones left aside. Faults as `readHooks`. */
export function hasHooks(state: HookFileState): boolean {
  return [...read(state).events.values()].some((groups) =>
    groups.some((g) => typeof g === 'object' && g !== null && !isTombstone(g)),
  );
}
