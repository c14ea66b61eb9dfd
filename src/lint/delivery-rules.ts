import { canonicalJson } from '../declarations/canonical.ts';
import type { Declaration, HookEvent } from '../declarations/types.ts';
import { envelope, measure, UNIT_NAMES } from '../fire/render.ts';
import { budgetsFor } from '../plan/budget.ts';
import type { LintClient, Rule } from './types.ts';

/** An ordinary session fires a hook more often than this. */
const FEW_FIRINGS = 20;
const TAG = '00000000';
const OFTEN: readonly HookEvent[] = ['pre_request', 'pre_tool_use', 'post_tool_use', 'post_request'];

const onTools = ({ event }: Declaration): boolean => event === 'pre_tool_use' || event === 'post_tool_use';
const titles = (clients: readonly LintClient[]): string[] => clients.map(({ client }) => client.title);

/** Length of what is sent for a fixed text, naming lines included, in the client's unit; 0 for a tool's answer. */
function sent({ event, priority, context }: Declaration, { client, servers }: LintClient): number {
  if (context === undefined) return 0;
  return measure(envelope({ server: servers.alias, event, priority, tag: TAG }, context), client.unit);
}

/** Rules about when, how often and how much reaches the model. */
export const DELIVERY_RULES: readonly Rule[] = [
  {
    code: 'lint.every-tool',
    find: (d) => {
      const { tool_name = '*', input_contains, tool_server } = d.matcher ?? {};
      const all = /^\*+$/.test(tool_name) && input_contains === undefined && tool_server === undefined;
      return onTools(d) && all ? [{ at: ['event'], args: { event: d.event } }] : [];
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
    find: (d, { clients, options }) => {
      const { event: most } = budgetsFor(options.maxText);
      const over = clients.filter((c) => sent(d, c) > most);
      const [worst] = over;
      if (!worst) return [];
      const args = {
        length: sent(d, worst),
        most,
        unit: UNIT_NAMES[worst.client.unit],
        clients: titles(over),
      };
      return [{ at: ['context'], args }];
    },
  },
  {
    code: 'lint.event-budget',
    find: (d, { clients, options }, i) => {
      const { event: budget } = budgetsFor(options.maxText);
      const over = clients.filter(
        (c) => sent(d, c) <= budget && c.cells[i]?.notes.some((note) => note.code === 'budget.gives-way'),
      );
      return over.length > 0
        ? [{ at: ['context'], args: { event: d.event, budget, clients: titles(over) } }]
        : [];
    },
  },
  {
    code: 'lint.session-budget',
    find: (d, { clients, options }) => {
      const { session: budget } = budgetsFor(options.maxText);
      const times = Math.floor(budget / Math.max(0, ...clients.map((c) => sent(d, c))));
      return OFTEN.includes(d.event) && times < FEW_FIRINGS
        ? [{ at: ['context'], args: { times, budget } }]
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
