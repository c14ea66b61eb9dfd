import { holdsUserData } from '../declarations/variables.ts';
import { QUESTIONS } from '../messages/done.ts';
import { Fault } from '../messages/fault.ts';
import type { Plan } from '../plan/types.ts';
import type { Context } from './context.ts';

/**
 * Returns the numbers of the installed hooks that send a tool's input or output, or a prompt, to the server
 * (`--send-tool-data`).
 */
export function toolDataSent({ declarations, clients }: Pick<Plan, 'declarations' | 'clients'>): number[] {
  const installed = new Set(
    clients.flatMap((c) => c.cells.filter((cell) => cell.natives.length > 0).map((cell) => cell.n)),
  );
  return declarations.flatMap((d, i) => {
    const sends = d.context_tool !== undefined && holdsUserData(d.context_tool_args);
    return installed.has(i + 1) && sends ? [i + 1] : [];
  });
}

/** Returns why a plan may not be applied without a further approval, or undefined. */
export function missingApproval(
  plan: Pick<Plan, 'server' | 'changed' | 'declarations' | 'clients' | 'options'>,
  approved: { acceptChanged?: boolean },
): Fault | undefined {
  const what = plan.changed.filter((c) => c !== 'options');
  const refuse = (code: 'consent.changed' | 'consent.tool-data'): Fault =>
    new Fault(code, { name: plan.server, what }, {}, 3);
  if (toolDataSent(plan).length > 0 && !plan.options.sendToolData) return refuse('consent.tool-data');
  return what.length > 0 && !approved.acceptChanged ? refuse('consent.changed') : undefined;
}

/** Returns the fault of a plan that isn't approved. */
export const refused = (
  code: 'consent.none' | 'consent.declined' | 'consent.tool-data',
  { server }: Pick<Plan, 'server'>,
): Fault => new Fault(code, { name: server }, {}, 3);

/** True when the hooks may send the data that they use: they send none, an option allows it, or the user agrees now. */
export async function grantsToolData(
  plan: Pick<Plan, 'declarations' | 'clients' | 'options'>,
  { ask }: Pick<Context, 'ask'>,
): Promise<boolean> {
  return (
    toolDataSent(plan).length === 0 ||
    plan.options.sendToolData ||
    (await ask.confirm(QUESTIONS.toolData)) === true
  );
}
