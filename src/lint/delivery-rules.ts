import type { Client } from '../clients/types.ts';
import { canonicalJson } from '../declarations/canonical.ts';
import type { Declaration, HookEvent } from '../declarations/types.ts';
import { globSource } from '../fire/glob.ts';
import { BETWEEN, envelope, measure, UNIT_NAMES } from '../fire/render.ts';
import { isGlob } from '../plan/matcher.ts';
import { EVENT_BUDGET, SESSION_BUDGET } from '../plan/options.ts';
import type { LintClient, Rule, Subject } from './types.ts';

/** A hook of this many firings or fewer a session is used up within an ordinary one. */
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

function perFiring(client: Client, { options }: Subject): number {
  return Math.min(client.perHandler ?? EVENT_BUDGET, Math.max(EVENT_BUDGET, options.maxText));
}

/** Two declarations that one firing can give both of. */
function together(a: Declaration, b: Declaration): boolean {
  const [x = '*', y = '*'] = [a, b].map((d) => d.matcher?.tool_name);
  const fits = (glob: string, name: string): boolean => new RegExp(globSource(glob), 's').test(name);
  return a.event === b.event && ((isGlob(x) && isGlob(y)) || fits(x, y) || fits(y, x));
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
    find: (d, subject) => {
      const over = subject.clients.filter((c) => sent(d, c) > perFiring(c.client, subject));
      const worst = over.map((c) => ({
        length: sent(d, c),
        most: perFiring(c.client, subject),
        unit: UNIT_NAMES[c.client.unit],
      }))[0];
      return worst ? [{ at: ['context'], args: { ...worst, clients: titles(over) } }] : [];
    },
  },
  {
    code: 'lint.event-budget',
    find: (d, subject, i) => {
      const earlier = subject.declarations.slice(0, i).filter((other) => together(other, d));
      const over = subject.clients.filter((c) => {
        const own = sent(d, c);
        const all = [...earlier.map((other) => sent(other, c)), own].filter((n) => n > 0);
        const whole = all.reduce((sum, n) => sum + n, (all.length - 1) * BETWEEN.length);
        const most = Math.max(EVENT_BUDGET, subject.options.maxText);
        return own > 0 && own <= perFiring(c.client, subject) && whole > most;
      });
      return over.length > 0
        ? [{ at: ['context'], args: { event: d.event, budget: EVENT_BUDGET, clients: titles(over) } }]
        : [];
    },
  },
  {
    code: 'lint.session-budget',
    find: (d, { clients }) => {
      const largest = Math.max(0, ...clients.map((c) => sent(d, c)));
      const times = Math.floor(SESSION_BUDGET / largest);
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
