import type { Context } from '../../app/context.ts';
import type { Prepared } from '../../app/prepare.ts';
import type { Plan } from '../../plan/types.ts';
import { reportFaults } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { planText } from './plan.ts';
import { textContext } from './text-context.ts';

/** Prints a plan, and before it the faults of declarations that are left out. */
export function showPlan(plan: Plan, prepared: Prepared, flags: CommonFlags, context: Context): void {
  reportFaults(plan.leftOut ?? [], context);
  context.out(planText(plan, textContext(prepared, flags, context)));
}
