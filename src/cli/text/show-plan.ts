import type { Context } from '../../app/context.ts';
import type { Prepared } from '../../app/prepare/prepare.ts';
import type { Plan } from '../../plan/types.ts';
import type { CommonFlags } from '../flags.ts';
import { planText } from './plan.ts';
import { textContext } from './text-context.ts';

/** Prints a plan. */
export function showPlan(plan: Plan, prepared: Prepared, flags: CommonFlags, context: Context): void {
  context.out(planText(plan, textContext(prepared, flags, context)));
}
