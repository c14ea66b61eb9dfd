import { ranges } from '../base/ranges.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { firesOnEveryCall, NARROWING, takesAllTools } from '../declarations/every-call.ts';
import type { Declaration, HookEvent } from '../declarations/types.ts';
import { conditionsOf } from '../declarations/when.ts';
import type { FaultArgs } from '../messages/args.ts';
import { LIKE_A_TAG, lengthOf, SESSION_BUDGET } from '../plan/compile/budget.ts';
import type { LintClient, LintRule } from './types.ts';

/** Firings of a hook that an ordinary session exceeds. */
const FEW_FIRINGS = 20;
const OFTEN: readonly HookEvent[] = ['pre_request', 'pre_tool_use', 'post_tool_use', 'post_request'];

const titles = (clients: readonly LintClient[]): string[] => clients.map(({ client }) => client.title);

/** Returns the length of a fixed text, naming lines included, in the client's unit; 0 for a tool's answer. */
function sent(d: Declaration, { client, servers }: LintClient): number {
  return d.context === undefined
    ? 0
    : lengthOf(d, d.context, client, { server: servers.alias, tag: LIKE_A_TAG });
}

/** Returns the arguments of the plan's remark that a client may cut or drop a hook's text (`givingWay`). */
function squeezed({ cells }: LintClient, i: number): FaultArgs | undefined {
  const remark = cells[i]?.notes.find(({ code }) => code === 'budget.gives-way');
  return remark && 'args' in remark ? remark.args : undefined;
}

/** Rules about when, how often and how much text reaches the model. */
export const DELIVERY_RULES: readonly LintRule[] = [
  {
    code: 'lint.empty-text',
    find: ({ context }) => (context?.trim() === '' ? [{ at: ['context'] }] : []),
  },
  {
    code: 'lint.every-tool',
    find: (d) => {
      const args = { event: d.event, conditions: conditionsOf(d.when ?? {}) };
      return firesOnEveryCall(d) ? [{ at: ['event'], args }] : [];
    },
  },
  {
    code: 'lint.needs-drop',
    find: (d) => {
      const held = [...NARROWING, 'outcome' as const].some((key) => d.when?.[key] !== undefined);
      return takesAllTools(d) && held && !d.when?.otherwise ? [{ at: ['when'] }] : [];
    },
  },
  {
    code: 'lint.required',
    find: ({ priority }, { options }) =>
      priority === 'required' && options.maxPriority !== 'required'
        ? [{ at: ['priority'], args: { to: options.maxPriority } }]
        : [],
  },
  {
    code: 'lint.never-in-time',
    find: ({ event }, { clients }) => {
      const kinds = clients.map(({ client }) => client.events[event].fidelity);
      const always = kinds.length > 0 && kinds.every((k) => k === 'deferred' || k === 'unsupported');
      return always ? [{ at: ['event'], args: { event } }] : [];
    },
  },
  {
    code: 'lint.cut',
    find: (_, { clients }, i) => {
      const over = clients.flatMap((one) => {
        const { length, budget, unit } = squeezed(one, i) ?? {};
        return length === undefined ? [] : [{ one, length: `${length} ${unit}`, most: `${budget}` }];
      });
      const args = {
        clients: titles(over.map(({ one }) => one)),
        lengths: over.map(({ length }) => length),
        most: over.map(({ most }) => most),
      };
      return over.length > 0 ? [{ at: ['context'], args }] : [];
    },
  },
  {
    code: 'lint.event-budget',
    find: ({ event, context }, { declarations, clients }, i) => {
      const over = clients.flatMap((one) => {
        const hooks = declarations.flatMap((d, j) => {
          const remark = d.event === event ? squeezed(one, j) : undefined;
          return remark?.shared ? [{ n: j + 1, remark }] : [];
        });
        return hooks[0] ? [{ one, ...hooks[0], hooks: hooks.map(({ n }) => n) }] : [];
      });
      // One warning, at the first of the hooks.
      if (Math.min(...over.map(({ n }) => n)) !== i + 1) return [];
      const args = {
        event,
        clients: titles(over.map(({ one }) => one)),
        most: over.map(({ remark }) => `${remark.budget} ${remark.unit}`),
        others: over.map(({ remark }) => (Array.isArray(remark.others) ? remark.others.join(', ') : '')),
        hooks: over.map(({ hooks }) => ranges(hooks)),
      };
      return [{ at: [context === undefined ? 'context_tool' : 'context'], args }];
    },
  },
  {
    code: 'lint.session-budget',
    find: (d, { clients }) => {
      const times = Math.floor(SESSION_BUDGET / Math.max(0, ...clients.map((c) => sent(d, c))));
      return OFTEN.includes(d.event) && times < FEW_FIRINGS
        ? [{ at: ['context'], args: { times, budget: SESSION_BUDGET } }]
        : [];
    },
  },
  {
    code: 'lint.duplicate',
    find: (d, { declarations }, i) => {
      const first = declarations.findIndex((other) => canonicalJson(other) === canonicalJson(d));
      return first < i ? [{ at: [], args: { first: first + 1 } }] : [];
    },
  },
];
