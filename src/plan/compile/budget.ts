import type { Client } from '../../clients/client.ts';
import { PRIORITIES } from '../../declarations/types.ts';
import type { FireHook } from '../../fire/format.ts';
import { BETWEEN, envelope, measure } from '../../fire/render.ts';

/** Budgets per server, in the client's unit. */
export const EVENT_BUDGET = 10_000;
export const SESSION_BUDGET = 50_000;

/**
 * Returns the most text that one server's hooks may add together at a native event, or at each of several, in the
 * client's unit.
 */
export const eventBudget = (
  client: Pick<Client, 'limits' | 'natives'>,
  ...natives: readonly string[]
): number => Math.min(EVENT_BUDGET, ...natives.map((native) => mostText(client, native) ?? EVENT_BUDGET));

/** Returns the most text that one entry may print at a native event, in the client's unit; undefined: no limit. */
export function mostText(
  { limits: { perHandler }, natives }: Pick<Client, 'limits' | 'natives'>,
  native: string,
): number | undefined {
  const heard = natives[native]?.heard;
  return typeof heard === 'object' ? Math.min(heard.cap, perHandler ?? heard.cap) : perHandler;
}

/** Placeholder with a tag's length, where each machine has a tag of its own. */
export const LIKE_A_TAG = '00000000';

/** Name and tag of the declaring server in naming lines. */
interface Declarer {
  server: string;
  tag: string;
}

/** Returns the length that a hook adds to a document, in the client's unit. */
function weight({ event, priority, does, text }: FireHook, client: Client, declarer: Declarer): number {
  if (does !== 'emit' || text === undefined) return 0;
  return measure(envelope({ ...declarer, event, priority }, text), client.limits.unit) + BETWEEN.length;
}

/**
 * Returns the numbers of the hooks that are dropped, wholly or in part, when all hooks of one native event fire
 * together: lowest priority first, and among equal priorities the last declared first. Equal texts of one event are
 * given once (`distinct`).
 */
export function givingWay(
  hooks: readonly FireHook[],
  client: Client,
  declarer: Declarer,
  budget: number,
): number[] {
  const rank = ({ priority }: FireHook): number => PRIORITIES.indexOf(priority);
  let left = budget;
  const known = new Map<string, boolean>();
  return [...hooks]
    .sort((a, b) => rank(b) - rank(a) || a.n - b.n)
    .filter((hook) => {
      const own = weight(hook, client, declarer);
      if (own === 0) return false;
      const key = `${hook.event} ${hook.text}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const room = left;
      left = Math.max(0, left - own);
      known.set(key, own > room);
      return own > room;
    })
    .map(({ n }) => n);
}
