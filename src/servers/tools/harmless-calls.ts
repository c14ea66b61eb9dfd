import type { Declaration } from '../../declarations/types.ts';
import { hasVariable } from '../../declarations/variables.ts';
import type { ServerTool, ToolCall } from '../types.ts';
import { refusals } from './tool-arguments.ts';

/**
 * Returns the hooks' tool calls that are safe at any time, each once: calls of tools that the server declares
 * read-only, with arguments without template variables.
 */
export function harmlessCalls(
  declarations: readonly Declaration[],
  tools: readonly ServerTool[],
): ToolCall[] {
  const calls = declarations.flatMap(({ context_tool: tool, context_tool_args: args = {} }): ToolCall[] => {
    const listed = tools.find(({ name }) => name === tool);
    const free = listed?.readOnly && !hasVariable(JSON.stringify(args));
    return free && refusals(args, listed.inputSchema).length === 0 ? [{ tool: listed.name, args }] : [];
  });
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
