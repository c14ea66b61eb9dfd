import { near } from '../declarations/near.ts';
import { pathText } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { excerpt } from '../declarations/visible.ts';
import { Fault, Faults } from '../messages.ts';
import type { ServerTool } from './types.ts';

/** Throws `Faults` for every `context_tool` that the server doesn't list. */
export function checkTools(
  declarations: readonly Declaration[],
  tools: readonly ServerTool[] | undefined,
): void {
  const names = (tools ?? []).map(({ name }) => name);
  const faults = declarations.flatMap(({ context_tool: tool }, i) => {
    if (tool === undefined || names.includes(tool)) return [];
    const where = { path: pathText(['declarations', i, 'context_tool']) };
    if (names.length === 0) return [new Fault('tool.none', { tool: excerpt(tool) }, where)];
    const meant = near(tool, names);
    const known = names.map((name) => excerpt(name));
    return [
      new Fault(
        'tool.missing',
        { tool: excerpt(tool), known, ...(meant ? { near: excerpt(meant) } : {}) },
        where,
      ),
    ];
  });
  if (faults.length > 0) throw new Faults(faults);
}
