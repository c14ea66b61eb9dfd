import type { ServerRecord } from '../apply/types.ts';
import { noteText, stepText } from '../messages.ts';
import { clientDiff } from '../plan/file-diff.ts';
import type { Cell, Note, Plan } from '../plan/types.ts';
import { faultJson } from './outcome.ts';

/** A plan as the `plan` of a --json document. Texts are whole; other people's values are masked. */
export function planJson(plan: Plan): Record<string, unknown> {
  return {
    server: plan.server,
    scope: plan.scope,
    ...(plan.root !== undefined && { root: plan.root }),
    declarations: plan.declarations,
    changed: plan.changed,
    ...(plan.disabled && { disabled: true }),
    ...(plan.previous && plan.changed.length > 0 && { approved: approved(plan.previous) }),
    clients: plan.clients.map((c) => ({
      client: c.client,
      ...(c.covered && { covered: c.covered }),
      hooks: cellsJson(c.cells),
      ...(c.file !== undefined && { file: c.file }),
      ...(c.plugin !== undefined && { plugin: c.plugin }),
      entries: c.entryChanges,
      ...(c.left.length > 0 && {
        left: c.left.map(({ file, entryChanges }) => ({ file, entries: entryChanges })),
      }),
      drift: c.drift,
      ...(c.before !== c.after && {
        diff: clientDiff(plan, c).map((l) => `${l.sign}${l.text}`),
      }),
      notes: c.notes.map(remarkJson),
      nextSteps: c.nextSteps.map((step) => ({ code: step, message: stepText(step) })),
      ...(c.fault && { fault: faultJson(c.fault) }),
    })),
    ...(plan.leftovers.length > 0 && { leftovers: plan.leftovers }),
    files: plan.changes.map((f) => ({
      path: f.path,
      change: f.before === null ? 'create' : f.after === null ? 'remove' : 'update',
    })),
  };
}

/** What was approved, to be compared with what there is now. */
function approved({ declarations, options, definition }: ServerRecord): Record<string, unknown> {
  return { declarations, options, ...(definition && { server: definition.shown }) };
}

/** How declarations come out on one client, in a --json document. */
export function cellsJson(cells: readonly Cell[]): Record<string, unknown>[] {
  return cells.map(({ n, fidelity, natives, matcher, notes }) => ({
    n,
    fidelity,
    natives,
    ...(matcher !== undefined && { matcher }),
    notes: notes.map(remarkJson),
  }));
}

export function remarkJson(note: Note): Record<string, unknown> {
  return { code: note.code, message: noteText(note) };
}
