import { callsTools } from '../../declarations/types.ts';
import type { PlanInput } from '../../plan/input.ts';
import { passGate } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import type { Prepared } from '../prepare/prepare.ts';

/**
 * Passes the gate for hooks that call a tool, since such hooks start the server when they fire. Needed when the server
 * was not asked during the plan (`--declarations` with `--no-check`). Returns the input with the new approvals. Faults
 * as `passGate`.
 */
export async function admitCalls(
  input: PlanInput,
  { definition, named, approvals }: Pick<Prepared, 'definition' | 'named' | 'approvals'>,
  allowed: readonly string[] | undefined,
  context: Context,
): Promise<PlanInput> {
  const { scope, declared, toolAccess, server: alias } = input;
  const calls = callsTools(declared.declarations);
  // Hooks shared in a project fire only where the client trusts the project.
  if (scope.shared || !calls || !definition || !('at' in toolAccess)) return input;
  const { source, hash } = toolAccess.at;
  await passGate({ entry: { alias, definition, source, hash }, named, approvals, allowed }, context);
  return { ...input, approvals: approvals.added() };
}
