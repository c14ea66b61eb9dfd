import type { HookFile, HookGroup, HookHandler } from '../clients/hook-config.ts';
import { isGroup } from './decide.ts';
import type { GroupEdit, HookDocument } from './types.ts';

type Layout = Pick<HookFile, 'layout'>;

/** Returns the document in grouped form: each entry of a flat file becomes a group of one handler. */
export function inGroups(document: HookDocument, { layout }: Layout): HookDocument {
  if (layout !== 'flat') return document;
  const events = [...document.events].map(([event, list]) => [event, list.map(asGroup)] as const);
  return { ...document, events: new Map(events) };
}

/** A client with flat entries may also accept groups in the file; these stay as they are. */
function asGroup(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || isGroup(entry)) return entry;
  const { matcher, ...handler } = entry as HookHandler;
  return { ...(matcher !== undefined && { matcher }), hooks: [handler] };
}

/** Converts the edits to the file's layout. */
export function asLaidOut(edits: readonly GroupEdit[], { layout }: Layout): readonly GroupEdit[] {
  if (layout !== 'flat') return edits;
  return edits.map((edit) =>
    edit.kind === 'append' || edit.kind === 'set' ? { ...edit, group: asEntry(edit.group) } : edit,
  );
}

/** Returns a group of one handler as an entry of a flat file. */
function asEntry({ hooks: [handler], ...group }: HookGroup): HookGroup {
  return { ...handler, ...group } as unknown as HookGroup;
}
