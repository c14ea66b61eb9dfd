import type { Declaration } from '../declarations/types.ts';
import { Fault } from '../messages.ts';
import type { Plan } from './types.ts';

/** Numbers of the declarations that send a tool's input or output to the server (contract, `--send-tool-data`). */
export function toolDataSent(declarations: readonly Declaration[]): number[] {
  return declarations.flatMap((d, i) => {
    const text = d.context_tool === undefined ? '' : JSON.stringify(d.context_tool_args ?? {});
    return /\{tool_(input|output)\}/.test(text) ? [i + 1] : [];
  });
}

/** Why a plan may not be applied without a further word, or undefined. */
export function refusal(plan: Plan, approved: { acceptChanged?: boolean }): Fault | undefined {
  const what = plan.changed.filter((c) => c !== 'options');
  const refuse = (code: 'consent.changed' | 'consent.tool-data'): Fault =>
    new Fault(code, { name: plan.server, what }, {}, 3);
  if (toolDataSent(plan.declarations).length > 0 && !plan.options.sendToolData)
    return refuse('consent.tool-data');
  return what.length > 0 && !approved.acceptChanged ? refuse('consent.changed') : undefined;
}
