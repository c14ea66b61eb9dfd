import { describe, expect, it } from 'vitest';
import { remarkLines } from '../../src/cli/text/plan.ts';
import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById, nativeEvent } from '../../src/clients/index.ts';
import { type Declaration, EVENTS, type Priority } from '../../src/declarations/types.ts';
import type { FireData, FireHook } from '../../src/fire/format.ts';
import { LEAST } from '../../src/fire/text/cut.ts';
import { BETWEEN, envelope } from '../../src/fire/text/render.ts';
import { eventBudget, givingWay, LIKE_A_TAG, mostText } from '../../src/plan/compile/budget.ts';
import { timeoutOf } from '../../src/plan/compile/shim-data.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { LONG } from '../effort.ts';
import { slashed } from '../platform.ts';
import { compiledFiles, planFor } from './golden.ts';

const text = (length: number, priority: Priority = 'suggestion', character = 'x'): Declaration => ({
  event: 'session_start',
  context: character.repeat(length),
  priority,
});

/** The data of the shims of one native event, and the numbers of the declarations that may give way. */
function compiled(id: ClientId, native: string, declarations: Declaration[]) {
  const plan = planFor({ declarations }, id);
  const files = [...compiledFiles(plan)].filter(([path]) => slashed(path).endsWith(`/${native}.json`));
  const shims = files.map(([, json]) => JSON.parse(json) as FireData);
  const yields = plan.clients[0]?.cells
    .filter((c) => c.notes.some((n) => n.code === 'budget.gives-way'))
    .map((c) => c.n);
  return { shims, yields };
}

/** In seconds: short ones differ most. */
const TIMEOUTS = LONG ? Array.from({ length: 29 }, (_, i) => i + 2) : [2, 3, 4, 5, 7, 8, 12, 30];

it.each(CLIENTS.map(({ id }) => id))('deadlines are nested: node, the shell, the client (%s)', (id) => {
  const declarations = EVENTS.map((event): object => ({ ...text(10), event })) as Declaration[];
  for (const hookTimeout of [undefined, ...TIMEOUTS]) {
    const options = hookTimeout === undefined ? {} : { hookTimeout };
    const { clients } = planFor({ declarations, options }, id);
    const shims = clients.flatMap((client) => client.shims);
    expect(shims.length).toBeGreaterThan(1);
    for (const { native, seconds, data } of shims) {
      const granted = timeoutOf(data.hooks, nativeEvent(clientById(id), native), {
        ...DEFAULT_OPTIONS,
        ...options,
      });
      // Time for a slow `sleep`, too, of which the shell starts one each second.
      expect(seconds + 0.5, native).toBeLessThanOrEqual(granted - (granted > 7 ? 1 : 0.5));
      // As fire/programs/fire.ts has it.
      const callsEnd = (data.deadlineMs - Math.min(700, data.deadlineMs * 0.2)) / 1000;
      // Node takes a while to start. Of less than 4 s, as much is left as whole seconds allow.
      const spare = granted < 3 ? 0.3 : granted < 4 ? 0.6 : 0.7;
      expect(seconds - callsEnd, `${native} ${hookTimeout}`).toBeGreaterThanOrEqual(spare);
    }
  }
});

it('leaves all servers of Copilot CLI what it reads at a prompt, and each its budget', () => {
  const copilot = clientById('copilot');
  for (const native of ['sessionStart', 'userPromptSubmitted'])
    expect([mostText(copilot, native), eventBudget(copilot, native)]).toEqual([60_000, 10_000]);
  expect(mostText(copilot, 'postToolUse')).toBe(10_000);
});

describe('limits', () => {
  it('one shim as long as all fits', () => {
    const { shims, yields } = compiled('claude-code', 'SessionStart', [
      text(4000),
      text(4000, 'suggestion', 'y'),
    ]);
    expect(shims.map((s) => s.hooks.length)).toEqual([2]);
    expect(yields).toEqual([]);
  });

  it('one shim, too, where not all fits: the lowest priority gives way', () => {
    const { shims, yields } = compiled('claude-code', 'SessionStart', [
      text(8000),
      text(8000, 'important', 'y'),
    ]);
    expect(shims.map((s) => s.hooks.map((h) => h.n))).toEqual([[1, 2]]);
    expect(shims[0]?.eventBudget).toBe(10_000);
    expect(yields).toEqual([1]);
  });

  it('takes room for equal texts once, as they are given once', () => {
    const equal = [text(8000), text(8000, 'important'), text(1000)];
    expect(compiled('claude-code', 'SessionStart', equal).yields).toEqual([]);
    expect(compiled('claude-code', 'SessionStart', [...equal, text(2000)]).yields).toEqual([4]);
    const later = [text(8000, 'important', 'y'), text(8000), text(8000)];
    expect(compiled('claude-code', 'SessionStart', later).yields).toEqual([2, 3]);
  });

  it('hooks that wait for tools never say more together than the budget', () => {
    const waiting = (tool_name: string, character = 'x'): Declaration => ({
      event: 'post_tool_use',
      matcher: { tool_name },
      context: character.repeat(6000),
      priority: 'suggestion',
    });
    const declared = [waiting('Bash'), waiting('Bash', 'y'), waiting('Read')];
    const { shims } = compiled('claude-code', 'PostToolUse', declared);
    expect(shims.map((s) => [s.hooks.length, s.eventBudget])).toEqual([[3, 10_000]]);
  });

  it("is counted in the client's own unit", () => {
    const umlauts = { ...text(0), context: 'ä'.repeat(6000) };
    expect(compiled('claude-code', 'SessionStart', [umlauts]).yields).toEqual([]);
    expect(compiled('codex', 'SessionStart', [umlauts]).yields).toEqual([1]);
  });

  it('takes a text that fits with its naming lines, to the last unit', () => {
    const declarer = { server: 'notebook', tag: LIKE_A_TAG };
    const hook = (n: number): FireHook => ({
      n,
      event: 'session_start',
      priority: 'suggestion',
      does: 'emit',
      text: `${n}${'x'.repeat(999)}`,
    });
    const one = envelope({ ...declarer, event: 'session_start', priority: 'suggestion' }, 'x'.repeat(1000));
    const two = one.length * 2 + BETWEEN.length;
    const yielding = (hooks: FireHook[], budget: number) =>
      givingWay(hooks, clientById('claude-code'), declarer, budget);
    expect(yielding([hook(1)], one.length)).toEqual([]);
    expect(yielding([hook(1)], one.length - 1)).toEqual([{ n: 1, length: one.length }]);
    expect(yielding([hook(1), hook(2)], two)).toEqual([]);
    expect(yielding([hook(1), hook(2)], two - 1)).toEqual([{ n: 2, shared: true }]);
    expect(yielding([hook(1), hook(2)], one.length - 1)).toEqual([
      { n: 1, length: one.length },
      { n: 2, length: one.length, shared: true },
    ]);
    const { text: _, ...answer } = hook(2);
    const room = two - 1000 + LEAST;
    expect(yielding([hook(1), answer], room)).toEqual([]);
    expect(yielding([hook(1), answer], room - 1)).toEqual([{ n: 2, shared: true }]);
  });

  it("names a tool's hook where the texts leave no room for an answer, whatever its priority", () => {
    const tool: Declaration = { event: 'session_start', context_tool: 'memories', priority: 'required' };
    const yields = (...declared: Declaration[]) =>
      compiled('claude-code', 'SessionStart', [tool, ...declared]).yields;
    expect(yields(text(6000), text(6000, 'suggestion', 'y'))).toEqual([1, 3]);
    expect(yields(text(8000), text(1200, 'suggestion', 'y'))).toEqual([]);
    expect(yields(text(8000), text(1700, 'suggestion', 'y'))).toEqual([1]);
    // A kept answer takes its room where it is printed.
    const kept: Declaration = { ...tool, event: 'post_request' };
    const prompts = ['x', 'y'].map((c) => ({
      ...text(6000, 'suggestion', c),
      event: 'pre_request' as const,
    }));
    expect(compiled('codex', 'UserPromptSubmit', [kept, ...prompts]).yields).toEqual([1, 3]);
  });

  it('counts a text that is kept for the next prompt', () => {
    const kept: Declaration = { event: 'post_request', context: 'ä'.repeat(6000), priority: 'suggestion' };
    expect(compiled('codex', 'UserPromptSubmit', [kept]).yields).toEqual([1]);
    const prompt: Declaration = { ...kept, event: 'pre_request', context: 'x'.repeat(4000) };
    const short = { ...kept, context: 'x'.repeat(7000) };
    expect(compiled('codex', 'UserPromptSubmit', [short]).yields).toEqual([]);
    expect(compiled('codex', 'UserPromptSubmit', [prompt, short]).yields).toEqual([2]);
  });
});

it('says of one hook and of several in the same words that they give way', () => {
  const several = planFor(
    { declarations: [...'abcde'].map((c) => text(4000, 'suggestion', c)) },
    'claude-code',
  );
  const shown = remarkLines(several).join('\n');
  expect(shown).toMatch(/^ {2}3–5 {2}cut or dropped when all texts for the event fire at once/m);
  const long = planFor({ declarations: [text(9990)] }, 'claude-code');
  expect(remarkLines(long).join('\n')).toMatch(/^ {2}1 {2}cut: text and naming lines have \d+ /m);
});
