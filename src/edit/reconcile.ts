import { Fault, type SyntaxCode } from '../messages.ts';
import { decide } from './decide.ts';
import { FORMATS, guarded } from './formats.ts';
import { BOM, withoutBom } from './text.ts';
import type {
  EntryChange,
  FileMemory,
  GroupEdit,
  HookDocument,
  Reconciled,
  ReconcileRequest,
} from './types.ts';
import { isExactly } from './verify.ts';

export { hasHooks, readHooks } from './read.ts';

/**
 * Brings one hook file to the state where exactly the wanted entries of this server stand in it. Every other byte
 * stays, and the last removal gives back the bytes of before the first insertion.
 * Faults: `edit.unreadable` (the client refuses the file), `edit.unsupported-shape`, `edit.too-large`,
 * `edit.too-deep`, `edit.verify`.
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
  const document = FORMATS[request.format].read(file, body, accepts);
  const { edits, changes } = decide(document, request);
  if (edits.length === 0) return { text, memory: request.memory, changes: inOrder(changes, request) };

  const edited = document.edit(edits, memoryOf(request, body, document));
  const after = edited.text === null ? null : mark + edited.text;
  const bytes = Buffer.byteLength(after ?? '');
  if (accepts.maxBytes !== undefined && request.wanted.length > 0 && bytes > accepts.maxBytes)
    throw new Fault('edit.too-large', { bytes, most: accepts.maxBytes }, { file });
  const value = verified(file, document.value, edits, () =>
    FORMATS[request.format].value(file, edited.text ?? ''),
  );
  return {
    text: after,
    memory: holdsGroups(value) && saysSomething(edited.memory) ? edited.memory : undefined,
    changes: inOrder(changes, request),
  };
}

/** What was remembered of a file in which no group stands any more is void. */
function memoryOf({ text, memory }: ReconcileRequest, body: string, document: HookDocument) {
  if (text === null) return { created: true, containers: {} } satisfies FileMemory;
  if (body.trim() === '') return { blank: body, containers: {} };
  return holdsGroups(document.value) ? memory : undefined;
}

/** The value of the result. Faults: `edit.verify` unless it reads as the old value plus exactly the edits. */
function verified(file: string, before: unknown, edits: readonly GroupEdit[], read: () => unknown): unknown {
  try {
    const after = read();
    if (isExactly(before, edits, after)) return after;
  } catch {}
  throw new Fault('edit.verify', {}, { file });
}

/** Nothing of any server can stand in a file without groups: there is nothing to remember then. */
function holdsGroups(value: unknown): boolean {
  const hooks = (value as { hooks?: object } | undefined)?.hooks;
  return Object.values(hooks ?? {}).some((groups) => Array.isArray(groups) && groups.length > 0);
}

const saysSomething = ({ created, blank, containers }: FileMemory): boolean =>
  created === true || blank !== undefined || Object.keys(containers).length > 0;

/** Wanted entries first, in their order, then what left or was kept. */
function inOrder(changes: readonly EntryChange[], { wanted }: ReconcileRequest): EntryChange[] {
  const rank = (c: EntryChange) => {
    const i = wanted.findIndex((w) => w.event === c.event && w.key === c.key);
    return i < 0 || c.kind === 'removed' ? wanted.length : i;
  };
  return [...changes].sort((a, b) => rank(a) - rank(b));
}
