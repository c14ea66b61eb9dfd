import type { Client } from '../../clients/client.ts';
import { PRIORITIES } from '../../declarations/types.ts';
import type { FireHook } from '../../fire/format.ts';
import { BETWEEN, envelope, measure } from '../../fire/render.ts';

/** Contract, "Limits": per server, in the client's unit. */
export const EVENT_BUDGET = 10_000;
export const SESSION_BUDGET = 50_000;

/** What the hooks of one server may give together at one event, in the client's unit. */
export const eventBudget = ({ limits }: Pick<Client, 'limits'>): number =>
  Math.min(EVENT_BUDGET, limits.perHandler ?? EVENT_BUDGET);

/** The declaring server, as naming lines tell of it. */
interface Declarer {
  server: string;
  tag: string;
}

/** What a hook adds to a document, in the client's unit. */
function weight({ event, priority, does, text }: FireHook, client: Client, declarer: Declarer): number {
  if (does !== 'emit' || text === undefined) return 0;
  return measure(envelope({ ...declarer, event, priority }, text), client.limits.unit) + BETWEEN.length;
}

/**
 * Numbers of the hooks of one native event that give way, wholly or in part, when all of them fire together: the lowest
 * priority first, of equal ones the last declared.
 */
export function givingWay(hooks: readonly FireHook[], client: Client, declarer: Declarer): number[] {
  const rank = ({ priority }: FireHook): number => PRIORITIES.indexOf(priority);
  let left = eventBudget(client);
  return [...hooks]
    .sort((a, b) => rank(b) - rank(a) || a.n - b.n)
    .filter((hook) => {
      const own = weight(hook, client, declarer);
      const room = left;
      left = Math.max(0, left - own);
      return own > room;
    })
    .map(({ n }) => n);
}
