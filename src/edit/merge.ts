import type { HookGroup, HookHandler } from '../clients/hook-config.ts';
import { type Entries, sameValue } from './same.ts';

/** Members that start a hook: never the user's to change, since an update removes the script that they named. */
const STARTS = ['type', 'command', 'args', 'commandWindows', 'powershell', 'onFailure', 'x-mcphooks'];

/**
 * Returns an edited entry as updated: what the user changed since it was `written` stays, all else is as `wanted`. A
 * matcher stays only while the declared matcher stays. `stays`: names of the members that stay, of group and handler.
 * Without `written` (the record is lost), only members that the wanted entry doesn't have count as the user's. Each
 * group has one handler.
 */
export function merged(
  found: HookGroup,
  written: HookGroup | undefined,
  wanted: HookGroup,
): { group: HookGroup; stays: string[] } {
  const { hooks: foundHooks, ...foundGroup } = found;
  const { hooks: wantedHooks, ...wantedGroup } = wanted;
  const { hooks: writtenHooks = [], ...writtenGroup } = written ?? {};
  const [was = {}, wants = {}] = [foundHooks[0], wantedHooks[0]] as (Entries | undefined)[];
  const keepsMatcher = written !== undefined && written.matcher === wanted.matcher;
  const group = mergedMembers(
    foundGroup,
    written && writtenGroup,
    wantedGroup,
    keepsMatcher ? [] : ['matcher'],
  );
  const handler = mergedMembers(was, writtenHooks[0], wants, STARTS);
  return {
    group: { ...group, hooks: [handler as HookHandler] },
    stays: [...differing(group, wantedGroup), ...differing(handler, wants)],
  };
}

function mergedMembers(
  found: Entries,
  written: Entries | undefined,
  wanted: Entries,
  ours: readonly string[],
): Entries {
  const isUsers = (key: string): boolean =>
    !ours.includes(key) && (written ? !sameMember(key, found, written) : !Object.hasOwn(wanted, key));
  return Object.fromEntries(
    [...new Set([...Object.keys(found), ...Object.keys(wanted)])].flatMap((key): [string, unknown][] => {
      const from = isUsers(key) ? found : wanted;
      return Object.hasOwn(from, key) ? [[key, from[key]]] : [];
    }),
  );
}

const sameMember = (key: string, a: Entries, b: Entries): boolean =>
  Object.hasOwn(a, key) === Object.hasOwn(b, key) && sameValue(a[key], b[key]);

/** Returns the names of members that one of the objects has alone, or with another value. */
const differing = (a: Entries, b: Entries): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !sameMember(key, a, b));
