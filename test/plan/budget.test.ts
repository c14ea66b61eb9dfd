import { describe, expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { ClientId } from '../../src/clients/types.ts';
import type { Declaration, Priority } from '../../src/declarations/types.ts';
import type { FireData } from '../../src/fire/types.ts';
import { pieces } from '../../src/plan/budget.ts';
import { compiledFiles, planFor } from './golden.ts';

const text = (length: number, priority: Priority = 'suggestion'): Declaration => ({
  event: 'session_start',
  context: 'x'.repeat(length),
  priority,
});

/** The data of the shims of one native event, and the numbers of the declarations that may give way. */
function compiled(id: ClientId, native: string, declarations: Declaration[], maxText = 8000) {
  const plan = planFor({ declarations, options: { maxText } }, id);
  const files = [...compiledFiles(plan)].filter(([path]) =>
    new RegExp(`/${native}(-\\d+)?\\.json$`).test(path),
  );
  const shims = files.map(([, json]) => JSON.parse(json) as FireData);
  const yields = plan.clients[0]?.cells
    .filter((c) => c.notes.some((n) => n.code === 'budget.gives-way'))
    .map((c) => c.n);
  return { shims, yields };
}

describe('limits', () => {
  it('one shim as long as all fits', () => {
    const { shims, yields } = compiled('claude-code', 'SessionStart', [text(4000), text(4000)]);
    expect(shims.map((s) => s.hooks.length)).toEqual([2]);
    expect(yields).toEqual([]);
  });

  it('several where one handler is too small, and together never more than the budget', () => {
    const { shims, yields } = compiled('claude-code', 'SessionStart', [text(8000), text(8000, 'important')]);
    expect(shims.map((s) => s.hooks.map((h) => h.n))).toEqual([[1], [2]]);
    expect(shims.reduce((sum, s) => sum + s.eventBudget, 0)).toBeLessThanOrEqual(10_000);
    expect(shims[1]?.eventBudget).toBeGreaterThan(8000);
    expect(yields).toEqual([1]);
  });

  it('hooks that wait for tools never say more together than the budget, and each alone says all', () => {
    const waiting = (tool_name: string): Declaration => ({
      event: 'post_tool_use',
      matcher: { tool_name },
      context: 'x'.repeat(6000),
      priority: 'suggestion',
    });
    const declared = [waiting('Bash'), waiting('Bash'), waiting('Read')];
    const { shims } = compiled('claude-code', 'PostToolUse', declared);
    expect(shims.map((s) => [s.hooks.length, s.eventBudget])).toEqual([[3, 10_000]]);
    const long = { ...waiting('Bash'), context: 'x'.repeat(12_000) };
    const spread = compiled('claude-code', 'PostToolUse', [long, waiting('Bash')], 12_000).shims;
    expect(spread.map((s) => s.hooks.map((h) => h.n))).toEqual([[1, 2], [1]]);
    expect(spread.reduce((sum, s) => sum + s.eventBudget, 0)).toBeLessThanOrEqual(12_500);
    for (const { hooks, eventBudget } of spread)
      expect(eventBudget).toBeGreaterThan(hooks[0]?.text?.length ?? 0);
  });

  it('a text that is longer than a handler comes in pieces, each named', () => {
    const { shims, yields } = compiled('claude-code', 'SessionStart', [text(25_000)], 30_000);
    const all = shims.flatMap((s) => s.hooks);
    expect(all.map((h) => h.part)).toEqual(['part 1 of 3', 'part 2 of 3', 'part 3 of 3']);
    expect(all.map((h) => h.text).join('')).toBe('x'.repeat(25_000));
    expect(yields).toEqual([]);
    for (const shim of shims) expect(shim.eventBudget).toBeLessThanOrEqual(10_000);
  });

  it("is counted in the client's own unit", () => {
    const umlauts = { ...text(0), context: 'ä'.repeat(6000) };
    expect(compiled('claude-code', 'SessionStart', [umlauts]).yields).toEqual([]);
    expect(compiled('codex', 'SessionStart', [umlauts]).yields).toEqual([1]);
  });

  it('tears no template and no character apart', () => {
    const context = `${'word '.repeat(1990)}{project_name} ${'😀'.repeat(6000)} {tool_name}`;
    const hook = {
      n: 1,
      event: 'session_start',
      priority: 'suggestion',
      does: 'give',
      text: context,
    } as const;
    const parts = pieces(hook, clientById('claude-code'), { server: 's', tag: 't' });
    expect(parts.map((p) => p.text).join('')).toBe(context);
    expect(parts.length).toBeGreaterThan(2);
    for (const { text: piece = '' } of parts) {
      expect(piece).not.toMatch(/\p{Surrogate}/u);
      expect(piece.length).toBeLessThanOrEqual(9_500);
      expect(piece).not.toMatch(/\{\w*$|^\w*\}/);
    }
  });
});
