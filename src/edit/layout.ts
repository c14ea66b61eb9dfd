import type { HookFile, HookGroup, HookHandler } from '../clients/hook-config.ts';
import { isGroup } from './decide.ts';
import type { GroupEdit, HookDocument } from './types.ts';

type Layout = Pick<HookFile, 'layout'>;

/** The document with groups in its arrays: an entry of a flat file is a group of one handler. */
export function inGroups(document: HookDocument, { layout }: Layout): HookDocument {
  if (layout !== 'flat') return document;
  const events = [...document.events].map(([event, list]) => [event, list.map(asGroup)] as const);
  return { ...document, events: new Map(events) };
}

/** A client that takes flat entries may take groups beside them: those stay as they are. */
function asGroup(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || isGroup(entry)) return entry;
  const { matcher, ...handler } = entry as HookHandler;
  return { ...(matcher !== undefined && { matcher }), hooks: [handler] };
}

/** The edits as the file is laid out. */
export function asLaidOut(edits: readonly GroupEdit[], { layout }: Layout): readonly GroupEdit[] {
  if (layout !== 'flat') return edits;
  return edits.map((edit) =>
    edit.kind === 'append' || edit.kind === 'set' ? { ...edit, group: asEntry(edit.group) } : edit,
  );
}

function asEntry({ matcher, hooks: [handler] }: HookGroup): HookGroup {
  return { ...handler, ...(matcher !== undefined && { matcher }) } as unknown as HookGroup;
}
