import { isObject } from '../base/json-value.ts';
import type { HookGroup, HookHandler } from '../clients/hook-config.ts';
import { merged } from './merge.ts';
import { sameValue } from './same.ts';
import type { EntryChange, GroupEdit, HookDocument, ReconcileRequest, WantedEntry } from './types.ts';

/** Placeholder for a removed group that was not the last of its array; the next install reuses its place. */
const TOMBSTONE: HookGroup = { hooks: [], 'x-mcphooks': 'removed' };

type EntryRequest = Pick<ReconcileRequest, 'wanted' | 'ours' | 'written' | 'evenEdited' | 'tombstones'>;

/** One of our entries in a file. */
interface OwnEntry {
  event: string;
  key: string;
  index: number;
  handler: number;
  group: HookGroup;
  value: HookHandler;
  /** True when the group contains no other handler. */
  alone: boolean;
}

export function isGroup(value: unknown): value is HookGroup {
  return typeof value === 'object' && value !== null && Array.isArray((value as HookGroup).hooks);
}

/** True for a group, or an entry of a flat file. */
export function isEntry(value: unknown): boolean {
  return isGroup(value) || typeof (value as HookHandler | null)?.command === 'string';
}

/** True for what stands in place of a removed group, so that the positions of later groups stay. */
export function isTombstone(value: unknown): boolean {
  return sameValue(value, TOMBSTONE);
}

/** Returns the positions and keys of our handlers in a group. */
export function ourHandlers(
  group: HookGroup,
  ours: EntryRequest['ours'],
): { key: string; handler: number }[] {
  return group.hooks.flatMap((h: unknown, handler) => {
    const signature = signatureOf(h);
    const key = signature === undefined ? undefined : ours(signature);
    return key === undefined ? [] : [{ key, handler }];
  });
}

interface Signed {
  command?: unknown;
  args?: unknown;
  'x-mcphooks'?: unknown;
}

/**
 * Returns the signature by which a handler is recognised as ours: its command with arguments, or the mark of a handler
 * without a command. A file may have anything in the place of a handler.
 */
export function signatureOf(handler: unknown): string | undefined {
  const { command, args, 'x-mcphooks': mark }: Signed = isObject(handler) ? handler : {};
  const words = [command, ...(Array.isArray(args) ? args : [])];
  if (words.every((word) => typeof word === 'string')) return words.join('\0');
  return typeof mark === 'string' ? mark : undefined;
}

function foundEntries(event: string, groups: readonly unknown[], ours: EntryRequest['ours']): OwnEntry[] {
  return groups.flatMap((group, index) =>
    !isGroup(group)
      ? []
      : ourHandlers(group, ours).map(({ key, handler }) => ({
          event,
          key,
          index,
          handler,
          group,
          value: group.hooks[handler] as HookHandler,
          alone: group.hooks.length === 1,
        })),
  );
}

const plainKeys = (group: HookGroup): boolean =>
  Object.keys(group).every((k) => k === 'matcher' || k === 'hooks');

function isEditedEntry(entry: OwnEntry, written: HookGroup | undefined, document: HookDocument): boolean {
  if (entry.alone && document.commented(entry.event, entry.index)) return true;
  if (!written) return entry.alone && !plainKeys(entry.group);
  return entry.alone ? !sameValue(entry.group, written) : !sameValue(entry.value, written.hooks[0]);
}

/**
 * Decides which edits leave exactly the wanted entries of ours in a file. Works on values, not on text. What the user
 * edited in an entry stays; when the entry's command has to change, the rest of the entry is updated with it.
 */
export function decide(
  document: HookDocument,
  request: EntryRequest,
): { edits: GroupEdit[]; changes: EntryChange[] } {
  const events = new Set([...request.wanted.map((w) => w.event), ...document.events.keys()]);
  const perEvent = [...events].map((event) => decideEvent(event, document, request));
  return { edits: perEvent.flatMap((d) => d.edits), changes: perEvent.flatMap((d) => d.changes) };
}

function decideEvent(event: string, document: HookDocument, request: EntryRequest) {
  const groups = document.events.get(event) ?? [];
  const remaining = foundEntries(event, groups, request.ours);
  const edits: GroupEdit[] = [];
  const changes: EntryChange[] = [];
  const fresh: WantedEntry[] = [];
  const leaving: OwnEntry[] = [];
  const note = (key: string, kind: EntryChange['kind'], stays: readonly string[] = []) =>
    changes.push({ event, key, kind, ...(stays.length > 0 && { stays }) });
  const written = ({ key }: OwnEntry) =>
    request.written.find((w) => w.event === event && w.key === key)?.group;
  const keepsEdits = (entry: OwnEntry) =>
    !request.evenEdited && isEditedEntry(entry, written(entry), document);

  for (const wanted of request.wanted.filter((w) => w.event === event)) {
    const twins = remaining.filter((entry) => entry.key === wanted.key);
    const entry =
      twins.find((t) => isAsWanted(t, wanted.group)) ?? twins.find((t) => !keepsEdits(t)) ?? twins[0];
    if (!entry) {
      fresh.push(wanted);
      note(wanted.key, 'added');
      continue;
    }
    remaining.splice(remaining.indexOf(entry), 1);
    // Whether it was edited is asked last: to find comments, the file is parsed with offsets.
    if (isAsWanted(entry, wanted.group)) note(wanted.key, 'unchanged');
    else if (hasSignatureOf(entry.value, wanted.group) && keepsEdits(entry)) note(wanted.key, 'kept-edited');
    else {
      const { group, stays, from } = keepsEdits(entry)
        ? mergedEntry(entry, written(entry), wanted.group)
        : { group: wanted.group, stays: [], from: undefined };
      note(wanted.key, 'replaced', stays);
      const { index, handler } = entry;
      const [value = entry.value, was] = [group.hooks[0], from?.hooks[0]];
      if (entry.alone) edits.push({ kind: 'set', event, index, group, ...(from && { from }) });
      else if (entry.group.matcher === group.matcher)
        edits.push({ kind: 'set-handler', event, index, handler, value, ...(was && { from: was }) });
      else {
        // The user's handler in this group keeps the matcher; ours moves to a group of its own.
        leaving.push(entry);
        fresh.push({ ...wanted, group });
      }
    }
  }
  for (const entry of remaining) {
    if (keepsEdits(entry)) note(entry.key, 'kept-edited');
    else {
      note(entry.key, 'removed');
      leaving.push(entry);
    }
  }

  const { drops, freed } = takeOut(event, leaving);
  edits.push(...drops);
  const isFree = (index: number): boolean =>
    freed.has(index) ||
    (request.tombstones && isTombstone(groups[index]) && !document.commented(event, index));
  const free = [...groups.keys()].filter(isFree);
  edits.push(...place(event, fresh, { free, freed, length: groups.length }, request.tombstones));
  return { edits, changes };
}

/**
 * Returns the edits that drop entries from groups where something of the user's stays, and the places of groups that go.
 */
function takeOut(
  event: string,
  leaving: readonly OwnEntry[],
): { drops: GroupEdit[]; freed: ReadonlySet<number> } {
  const drops: GroupEdit[] = [];
  const freed = new Set<number>();
  for (const { index, handler, group, alone } of leaving) {
    const all = group.hooks.length === leaving.filter((t) => t.index === index).length;
    if (all && (alone || plainKeys(group))) freed.add(index);
    else drops.push({ kind: 'drop-handler', event, index, handler });
  }
  return { drops, freed };
}

/** Returns an edited entry as updated, and the value that is updated; without a command, as wanted. */
function mergedEntry(
  { alone, group, value }: OwnEntry,
  written: HookGroup | undefined,
  wanted: HookGroup,
): { group: HookGroup; stays: string[]; from?: HookGroup } {
  // The members of an entry without a script are all that was approved.
  if (value.command === undefined || wanted.hooks[0]?.command === undefined)
    return { group: wanted, stays: [] };
  const { matcher } = group;
  const from = alone ? group : { ...(matcher !== undefined && { matcher }), hooks: [value] };
  return { ...merged(from, written, wanted), from };
}

const hasSignatureOf = (value: HookHandler, { hooks: [handler] }: HookGroup): boolean =>
  signatureOf(value) === signatureOf(handler ?? {});

/** True when the entry is already as wanted; in a group with a user's handler, only matcher and handler count. */
function isAsWanted(entry: OwnEntry, wanted: HookGroup): boolean {
  return entry.alone
    ? sameValue(entry.group, wanted)
    : entry.group.matcher === wanted.matcher && sameValue(entry.value, wanted.hooks[0]);
}

/**
 * Returns the edits that place new groups: in freed places first, so that no other group's position changes, then at
 * the end.
 */
function place(
  event: string,
  fresh: readonly WantedEntry[],
  { free, freed, length }: { free: readonly number[]; freed: ReadonlySet<number>; length: number },
  tombstones: boolean,
): GroupEdit[] {
  const empty = [...free];
  const edits: GroupEdit[] = fresh.map(({ group }) => {
    const index = empty.shift();
    return index === undefined ? { kind: 'append', event, group } : { kind: 'set', event, index, group };
  });
  let last = length - 1;
  for (const index of empty.reverse()) {
    if (!tombstones || index === last) edits.push({ kind: 'drop', event, index });
    else if (freed.has(index)) edits.push({ kind: 'set', event, index, group: TOMBSTONE });
    if (index === last) last--;
  }
  return edits;
}
