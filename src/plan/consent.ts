import type { Declaration } from '../declarations/types.ts';

/** Numbers of the declarations that send a tool's input or output to the server (contract, `--send-tool-data`). */
export function toolDataSent(declarations: readonly Declaration[]): number[] {
  return declarations.flatMap((d, i) => {
    const text = d.context_tool === undefined ? '' : JSON.stringify(d.context_tool_args ?? {});
    return /\{tool_(input|output)\}/.test(text) ? [i + 1] : [];
  });
}
