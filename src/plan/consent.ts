import { Fault } from '../messages.ts';
import type { Comparison } from './plan.ts';
import type { Plan } from './types.ts';

/** Numbers of the installed hooks that send a tool's input or output to the server (contract, `--send-tool-data`). */
export function toolDataSent({ declarations, clients }: Pick<Plan, 'declarations' | 'clients'>): number[] {
  const installed = new Set(
    clients.flatMap((c) => c.cells.filter((cell) => cell.natives.length > 0).map((cell) => cell.n)),
  );
  return declarations.flatMap((d, i) => {
    const text = d.context_tool === undefined ? '' : JSON.stringify(d.context_tool_args ?? {});
    return installed.has(i + 1) && /\{tool_(input|output)\}/.test(text) ? [i + 1] : [];
  });
}

/**
 * Whether anything that was approved, or stands in a client's file, changes or has drifted. A newer mcphooks may write
 * its own files anew; that is no difference, and needs no approval.
 */
export function differs(plan: Comparison): boolean {
  return (
    !plan.previous ||
    plan.leftovers.length > 0 ||
    plan.changed.length > 0 ||
    plan.clients.some(
      (c) =>
        c.drift.length > 0 ||
        c.before !== c.after ||
        c.left.some((place) => place.before !== place.after) ||
        c.entryChanges.some((e) => e.kind !== 'unchanged'),
    )
  );
}

/** Why a plan may not be applied without a further word, or undefined. */
export function refusal(
  plan: Pick<Plan, 'server' | 'changed' | 'declarations' | 'clients' | 'options'>,
  approved: { acceptChanged?: boolean },
): Fault | undefined {
  const what = plan.changed.filter((c) => c !== 'options');
  const refuse = (code: 'consent.changed' | 'consent.tool-data'): Fault =>
    new Fault(code, { name: plan.server, what }, {}, 3);
  if (toolDataSent(plan).length > 0 && !plan.options.sendToolData) return refuse('consent.tool-data');
  return what.length > 0 && !approved.acceptChanged ? refuse('consent.changed') : undefined;
}
