import { type NextStep, type Note, noteText } from '../../messages/notes.ts';
import { differenceOn } from '../../plan/difference.ts';
import type { HookOutcome, Plan } from '../../plan/types.ts';
import { changedFile } from '../../store/changed-file.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ApprovedDefinition, ServerRecord } from '../../store/types.ts';
import { faultJson } from '../exit.ts';
import { clientDiff } from '../text/file-diff.ts';
import type { HookOutcomeDocument, RemarkDocument } from './schemas/parts.ts';
import type { PlanDocument } from './schemas/plan.ts';

/** Returns a plan as the `plan` of a --json document. Texts are complete; values that aren't ours are masked. */
export function planJson(plan: Plan): PlanDocument {
  return {
    server: plan.server,
    scope: plan.scope,
    ...(plan.root !== undefined && { root: plan.root }),
    declarations: plan.declarations,
    from: plan.next.from,
    ...(plan.next.definition && { definitions: approvedDefinitions(plan.next).map(definitionJson) }),
    changed: plan.changed,
    ...(plan.notes && { notes: plan.notes.map(remarkJson) }),
    ...(plan.leftOut && { leftOut: plan.leftOut.map(faultJson) }),
    ...(plan.gone.length > 0 && { gone: plan.gone }),
    ...(plan.disabled && { disabled: true }),
    ...(plan.previous && plan.changed.length > 0 && { approved: approved(plan.previous) }),
    clients: plan.clients.map((c) => ({
      client: c.client,
      ...(!c.covered && { state: differenceOn(c, plan) ?? 'current' }),
      ...(c.covered && { covered: c.covered }),
      ...(c.definition && { definition: c.definition }),
      hooks: c.cells.map(cellJson),
      ...(c.file !== undefined && { file: c.file }),
      ...(c.plugin !== undefined && { plugin: c.plugin }),
      entries: c.entryChanges,
      ...(c.beside.length > 0 && {
        beside: c.beside.map(({ file, entryChanges }) => ({ file, entries: entryChanges })),
      }),
      ...(c.movedOut.length > 0 && {
        left: c.movedOut.map(({ file, entryChanges }) => ({ file, entries: entryChanges })),
      }),
      drift: c.drift,
      ...(c.before !== c.after && {
        diff: clientDiff(plan, c).map((l) => `${l.sign}${l.text}`),
      }),
      notes: c.notes.map(remarkJson),
      nextSteps: c.nextSteps.map(stepJson),
      ...(c.fault && { fault: faultJson(c.fault) }),
    })),
    ...(plan.leftovers.length > 0 && { leftovers: plan.leftovers }),
    files: plan.changes.map(changedFile),
  };
}

/** Returns what was approved, for comparison with the current state. */
function approved({ declarations, options, definition }: ServerRecord): PlanDocument['approved'] {
  return { declarations, options, ...(definition && { server: definition.shown }) };
}

const definitionJson = ({ source, shown }: ApprovedDefinition) => ({
  ...(source.client && { client: source.client }),
  ...(source.file !== undefined && { file: source.file }),
  shown,
});

/** Returns the outcome of one declaration on one client. */
export function cellJson({ n, fidelity, natives, matcher, notes }: HookOutcome): HookOutcomeDocument {
  return {
    n,
    fidelity,
    natives,
    ...(matcher !== undefined && { matcher }),
    notes: notes.map(remarkJson),
  };
}

export const stepJson = ({ code, text }: NextStep): RemarkDocument => ({ code, message: text });

export function remarkJson(note: Note): RemarkDocument {
  return { code: note.code, message: noteText(note) };
}
