import { near } from '../../base/near.ts';
import { excerpt } from '../../base/visible.ts';
import type { Locate } from '../../declarations/path.ts';
import type { Declaration } from '../../declarations/types.ts';
import { Fault } from '../../messages/fault.ts';
import type { FaultArgsOf } from '../../messages/faults.ts';
import type { ServerTool } from '../types.ts';
import { refusals } from './tool-arguments.ts';

/**
 * Returns Faults for tool calls in declarations: the server doesn't list the tool, or the tool's schema refuses the
 * arguments. `i`: index of the declaration in its document.
 */
export function toolFaults(
  declaration: Declaration,
  i: number,
  tools: readonly ServerTool[] | undefined,
  locate: Locate,
): Fault[] {
  const { context_tool: name, context_tool_args: args } = declaration;
  if (name === undefined) return [];
  const tool = excerpt(name);
  const listed = tools?.find((one) => one.name === name);
  if (listed)
    return refusals(args ?? {}, listed.inputSchema).map((refusal) => {
      const at = args ? ['context_tool_args', ...refusal.at] : ['context_tool'];
      const all = { index: i, tool, ...refusal.args } as FaultArgsOf[typeof refusal.code];
      return new Fault(refusal.code, all, locate(['declarations', i, ...at]));
    });
  const where = locate(['declarations', i, 'context_tool']);
  const names = (tools ?? []).map((one) => one.name);
  if (names.length === 0) return [new Fault('tool.none', { index: i, tool }, where)];
  const meant = near(name, names);
  const known = names.map((one) => excerpt(one));
  return [
    new Fault('tool.missing', { index: i, tool, known, ...(meant ? { near: excerpt(meant) } : {}) }, where),
  ];
}
