import type { Declaration } from '../declarations/types.ts';
import { VARIABLE } from '../declarations/variables.ts';
import { refusals } from './tool-arguments.ts';
import type { ServerTool, ToolCall } from './types.ts';

/** What only a session has. */
const TEMPLATE = new RegExp(VARIABLE.source);

/**
 * The calls of hooks that may be made at any time: of tools that the server says are read-only, with arguments that need
 * nothing of a session. Each once.
 */
export function harmlessCalls(
  declarations: readonly Declaration[],
  tools: readonly ServerTool[],
): ToolCall[] {
  const calls = declarations.flatMap(({ context_tool: tool, context_tool_args: args = {} }): ToolCall[] => {
    const listed = tools.find(({ name }) => name === tool);
    const free = listed?.readOnly && !TEMPLATE.test(JSON.stringify(args));
    return free && refusals(args, listed.inputSchema).length === 0 ? [{ tool: listed.name, args }] : [];
  });
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
