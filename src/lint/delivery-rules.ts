import { ranges } from '../base/ranges.ts';
import { wiringOf } from '../clients/protocol.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { type Declaration, type HookEvent, isToolEvent } from '../declarations/types.ts';
import { conditionsOf } from '../declarations/when.ts';
import { envelope, measure, UNIT_NAMES } from '../fire/render.ts';
import type { FaultArgs } from '../messages/args.ts';
import { eventBudget, LIKE_A_TAG, SESSION_BUDGET } from '../plan/compile/budget.ts';
import type { LintClient, LintRule } from './types.ts';

/** Firings of a hook that an ordinary session exceeds. */
const FEW_FIRINGS = 20;
const OFTEN: readonly HookEvent[] = ['pre_request', 'pre_tool_use', 'post_tool_use', 'post_request'];

/** True when a declaration's matcher lets every tool call through, or is missing. */
const takesAllTools = ({ matcher }: Declaration): boolean => {
  const { tool_name = '*', input_contains, tool_server } = matcher ?? {};
  return /^\*+$/.test(tool_name) && !input_contains && tool_server === undefined;
};
const titles = (clients: readonly LintClient[]): string[] => clients.map(({ client }) => client.title);

/**
 * Length of the document's text for a fixed text, naming lines included, in the client's unit; 0 for a tool's answer.
 */
function sent({ event, priority, context }: Declaration, { client, servers }: LintClient): number {
  if (context === undefined) return 0;
  return measure(
    envelope({ server: servers.alias, event, priority, tag: LIKE_A_TAG }, context),
    client.limits.unit,
  );
}

/** Returns the most text that one declaration may add at its event, in the client's unit. */
function roomFor({ event }: Declaration, { client }: LintClient): number {
  return eventBudget(client, ...wiringOf(client.events[event]).map(({ native }) => native));
}

/** Returns the limit that hooks of an event exceed together, and the clients on which this one then gives way. */
function givenWay(d: Declaration, clients: readonly LintClient[], i: number): FaultArgs | undefined {
  const over = clients.filter(
    (c) => c.cells[i]?.notes.some(({ code }) => code === 'budget.gives-way') && sent(d, c) <= roomFor(d, c),
  );
  const [first] = over;
  return first && { event: d.event, budget: roomFor(d, first), clients: titles(over) };
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
      // Any of these conditions prevents firing on every call.
      const { tools, command, path, cooldown, unless_called } = d.when ?? {};
      const held = [tools, command, path, cooldown, unless_called].some((one) => one !== undefined);
      const args = { event: d.event, conditions: conditionsOf(d.when ?? {}) };
      return isToolEvent(d.event) && takesAllTools(d) && !held ? [{ at: ['event'], args }] : [];
    },
  },
  {
    code: 'lint.needs-drop',
    find: (d) => {
      const { tools, command, path, outcome, cooldown, unless_called, otherwise } = d.when ?? {};
      const held = [tools, command, path, outcome, cooldown, unless_called].some((one) => one !== undefined);
      return isToolEvent(d.event) && takesAllTools(d) && held && !otherwise ? [{ at: ['when'] }] : [];
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
    find: (d, { clients }) => {
      const over = clients.filter((c) => sent(d, c) > roomFor(d, c));
      const [worst] = over;
      if (!worst) return [];
      const args = {
        length: sent(d, worst),
        most: roomFor(d, worst),
        unit: UNIT_NAMES[worst.client.limits.unit],
        clients: titles(over),
      };
      return [{ at: ['context'], args }];
    },
  },
  {
    code: 'lint.event-budget',
    find: (d, { declarations, clients }, i) => {
      const args = givenWay(d, clients, i);
      if (!args) return [];
      // One warning, at the first of the hooks with which it is alike.
      const key = JSON.stringify(args);
      const alike = declarations.flatMap((other, j) =>
        JSON.stringify(givenWay(other, clients, j)) === key ? [j + 1] : [],
      );
      const hooks = { hooks: ranges(alike), count: alike.length };
      return alike[0] === i + 1 ? [{ at: ['context'], args: { ...args, ...hooks } }] : [];
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
