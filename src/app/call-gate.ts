import type { PlanInput } from '../plan/input.ts';
import type { Context } from './context.ts';
import type { Prepared } from './prepare.ts';
import { passGate } from './start-gate.ts';

/**
 * Hooks that call a tool start its server when they fire. So before they are installed it passes the gate, where it was
 * not asked (`--declarations` with `--no-check`). Gives the input with what came to be approved. Faults as `passGate`.
 */
export async function admitCalls(
  input: PlanInput,
  { definition, named, approvals }: Pick<Prepared, 'definition' | 'named' | 'approvals'>,
  allowed: string | undefined,
  context: Context,
): Promise<PlanInput> {
  const { scope, declared, toolAccess, server: alias } = input;
  const calls = declared.declarations.some((d) => d.context_tool !== undefined);
  // What a project shares fires where its client trusts the project.
  if (scope.shared || !calls || !definition || !('at' in toolAccess)) return input;
  const { source, hash } = toolAccess.at;
  await passGate({ entry: { alias, definition, source, hash }, named, approvals, allowed }, context);
  return { ...input, approvals: approvals.added() };
}
