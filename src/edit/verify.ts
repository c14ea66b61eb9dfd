import { isObject } from '../base/json-value.ts';
import type { HookGroup } from '../clients/hook-config.ts';
import { type Entries, sameValue } from './same.ts';
import type { GroupEdit } from './types.ts';

const asEntries = (value: unknown): Entries => (isObject(value) ? (value as Entries) : {});

function editGroups(groups: readonly unknown[], edits: readonly GroupEdit[]): unknown[] {
  const kept = groups.flatMap((group, index) => {
    const mine = edits.filter((e) => e.kind !== 'append' && e.index === index);
    const whole = mine.find((e) => e.kind === 'set' || e.kind === 'drop');
    if (whole) return whole.kind === 'set' ? [whole.group] : [];
    if (mine.length === 0) return [group];
    const hooks = (group as HookGroup).hooks.flatMap((value, handler) => {
      const edit = mine.find((e) => 'handler' in e && e.handler === handler);
      if (!edit) return [value];
      return edit.kind === 'set-handler' ? [edit.value] : [];
    });
    return [{ ...(group as HookGroup), hooks }];
  });
  return [...kept, ...edits.flatMap((e) => (e.kind === 'append' ? [e.group] : []))];
}

/**
 * True when `after` is `before` plus exactly these edits. An array without a last group, or a `hooks` object without a
 * last event, may have been removed.
 */
export function isExactly(
  before: unknown,
  edits: readonly GroupEdit[],
  after: unknown,
  unwrapped?: true,
): boolean {
  if (unwrapped)
    return isExactly({ hooks: before ?? {} }, edits, after === undefined ? {} : { hooks: after });
  const root: Entries = { ...asEntries(before) };
  const got = asEntries(after);
  const gotHooks = asEntries(got.hooks);
  if (edits.length > 0) {
    const hooks: Entries = { ...asEntries(root.hooks) };
    for (const event of new Set(edits.map((e) => e.event))) {
      const old = hooks[event];
      const groups = editGroups(
        Array.isArray(old) ? old : [],
        edits.filter((e) => e.event === event),
      );
      if (groups.length > 0 || Object.hasOwn(gotHooks, event)) hooks[event] = groups;
      else delete hooks[event];
    }
    if (Object.keys(hooks).length > 0 || Object.hasOwn(got, 'hooks')) root.hooks = hooks;
    else delete root.hooks;
  }
  return sameValue(root, got);
}
