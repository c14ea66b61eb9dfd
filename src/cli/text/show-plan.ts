import type { Context } from '../../app/context.ts';
import type { Prepared } from '../../app/prepare/prepare.ts';
import { goneFindings } from '../../inspect/doctor/approvals.ts';
import type { Plan } from '../../plan/types.ts';
import type { CommonFlags } from '../flags.ts';
import { findingTexts } from './findings.ts';
import { planText } from './plan.ts';
import { textContext } from './text-context.ts';

/** Prints a plan. */
export function showPlan(plan: Plan, prepared: Prepared, flags: CommonFlags, context: Context): void {
  context.out(planText(plan, textContext(prepared, flags, context)));
}

/** Returns texts on the approved parts that are gone, which no plan restores. */
export const goneTexts = (plan: Plan, context: Context): string[] =>
  findingTexts(goneFindings(context.scope, plan), context);
