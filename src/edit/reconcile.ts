import { Fault } from '../messages/fault.ts';
import type { SyntaxCode } from '../messages/syntax.ts';
import { decide, signatureOf } from './decide.ts';
import { FILE_FORMATS, guarded, hookDocument } from './formats.ts';
import { hasComments } from './json/json.ts';
import { pointerOf } from './json/tree.ts';
import { asLaidOut } from './layout.ts';
import { sameValue } from './same.ts';
import { BOM, withoutBom } from './splice.ts';
import type {
  EntryChange,
  FileMemory,
  GroupEdit,
  HookDocument,
  Reconciled,
  ReconcileRequest,
} from './types.ts';
import { isExactly } from './verify.ts';

/**
 * Edits one hook file so that it contains exactly the wanted entries of this server. Every other byte stays, and the
 * last removal restores the bytes of before the first insertion. Faults: `edit.unreadable` (the client refuses the
 * file), `edit.hidden`, `edit.unsupported-shape`, `edit.too-large`, `edit.too-deep`, `edit.verify`.
 */
export function reconcile(request: ReconcileRequest): Reconciled {
  return guarded(request, () => reconciled(request));
}

function reconciled(request: ReconcileRequest): Reconciled {
  const { file, text, accepts } = request;
  const body = withoutBom(text ?? '');
  const mark = text?.startsWith(BOM) ? BOM : '';
  const refuse = (reason: SyntaxCode) =>
    new Fault('edit.unreadable', { reason }, { file, line: 1, column: 1 });
  if (mark && !accepts.bom) throw refuse('bom');
  if (text !== null && body.trim() === '' && !accepts.emptyFile) throw refuse('empty');
  const document = hookDocument(request);
  if (body.trim() !== '') acceptable(request, document.value, body, document);
  const { edits: decided, changes: unsorted } = decide(document, request);
  const changes = inOrder(unsorted, request);
  const edits = asLaidOut(decided, request);
  const renews = document.outdated === true && request.wanted.length > 0;
  // Not where all is as it should be: the search takes 2 % of a `diff`.
  if (edits.length > 0 || renews || request.wanted.length === 0) noneHidden(request, document);
  if (edits.length === 0 && !renews) return { text, memory: stillThere(request, document), changes };

  const edited = document.edit(edits, memoryFor(request, body, document));
  const after = edited.text === null ? null : mark + edited.text;
  const bytes = Buffer.byteLength(after ?? '');
  if (accepts.maxBytes !== undefined && request.wanted.length > 0 && bytes > accepts.maxBytes)
    throw new Fault('edit.too-large', { bytes, most: accepts.maxBytes }, { file });
  const value = verified(request, document.value ?? request.frame, edits, () =>
    FILE_FORMATS[request.format].value(file, edited.text ?? ''),
  );
  if (edited.text !== null) acceptable(request, value, edited.text, document);
  if (isOnlyFrame(value, after ?? '', request, edited.memory))
    return { text: edited.memory.blank ?? null, memory: undefined, changes };
  return {
    text: after,
    memory: holdsGroups(value, request) && saysSomething(edited.memory) ? edited.memory : undefined,
    changes,
  };
}

/**
 * Throws a Fault, `edit.refused`, when the client would refuse the file by a rule of its own, with the place in the
 * document before any edit.
 */
function acceptable(
  { file, accepts }: ReconcileRequest,
  value: unknown,
  text: string,
  { positionOf }: HookDocument,
): void {
  const refused = accepts.refuses?.(value, text);
  if (refused)
    throw new Fault(
      'edit.refused',
      { reason: refused.text },
      { file, ...(refused.at && positionOf(refused.at)) },
    );
}

/** Throws a Fault, `edit.hidden`, when entries of this server are where the client doesn't read them. */
function noneHidden({ file, ours }: ReconcileRequest, { hidden }: HookDocument): void {
  const found = hidden().find(({ value }) => ours(signatureOf(value) ?? '') !== undefined);
  if (found) throw new Fault('edit.hidden', { name: found.name }, { file, ...found.place() });
}

/** True when a document that we created contains only its frame, and no comment of the user's. */
function isOnlyFrame(
  value: unknown,
  text: string,
  { frame, format }: ReconcileRequest,
  memory: FileMemory,
): boolean {
  const made = (memory.created ?? memory.blank) !== undefined;
  return made && frame !== undefined && sameValue(value, frame) && !(format === 'jsonc' && hasComments(text));
}

/** Returns the memory for an edit. Memory of a file without any group is outdated and dropped. */
function memoryFor(request: ReconcileRequest, body: string, document: HookDocument) {
  if (request.text === null) return { created: true, containers: {} } satisfies FileMemory;
  if (body.trim() === '') return { blank: body, containers: {} };
  return holdsGroups(document.value, request) ? stillThere(request, document) : undefined;
}

/** Returns the memory without containers that nobody has or needs any more, if the rest says something. */
function stillThere(
  { memory, unwrapped, ofOthers = [] }: Pick<ReconcileRequest, 'memory' | 'unwrapped' | 'ofOthers'>,
  { events }: HookDocument,
): FileMemory | undefined {
  if (!memory) return undefined;
  const there = new Set([
    '',
    pointerOf(unwrapped),
    ...[...events.keys(), ...ofOthers].map((e) => pointerOf(unwrapped, e)),
  ]);
  const containers = Object.fromEntries(Object.entries(memory.containers).filter(([at]) => there.has(at)));
  const rest = { ...memory, containers };
  return saysSomething(rest) ? rest : undefined;
}

/**
 * Returns the value of the result. Faults: `edit.verify` unless the result parses to the old value plus exactly the
 * edits.
 */
function verified(
  { file, unwrapped }: Pick<ReconcileRequest, 'file' | 'unwrapped'>,
  before: unknown,
  edits: readonly GroupEdit[],
  read: () => unknown,
): unknown {
  try {
    const after = read();
    if (isExactly(before, edits, after, unwrapped)) return after;
  } catch {}
  throw new Fault('edit.verify', {}, { file });
}

/** True when any event has a group. A file without groups holds no entries of any server and needs no memory. */
function holdsGroups(value: unknown, { unwrapped }: Pick<ReconcileRequest, 'unwrapped'>): boolean {
  const hooks = unwrapped ? (value as object | undefined) : (value as { hooks?: object } | undefined)?.hooks;
  return Object.values(hooks ?? {}).some((groups) => Array.isArray(groups) && groups.length > 0);
}

const saysSomething = ({ created, blank, containers }: FileMemory): boolean =>
  created === true || blank !== undefined || Object.keys(containers).length > 0;

/** Sorts changes: wanted entries first, in their order, then removed and kept entries. */
function inOrder(changes: readonly EntryChange[], { wanted }: ReconcileRequest): EntryChange[] {
  const rank = (c: EntryChange) => {
    const i = wanted.findIndex((w) => w.event === c.event && w.key === c.key);
    return i < 0 || c.kind === 'removed' ? wanted.length : i;
  };
  return [...changes].sort((a, b) => rank(a) - rank(b));
}
