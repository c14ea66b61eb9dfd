import type { Client } from '../../clients/client.ts';
import { PRIORITIES } from '../../declarations/types.ts';
import type { FireHook } from '../../fire/format.ts';
import { LEAST } from '../../fire/text/cut.ts';
import { BETWEEN, envelope, measure } from '../../fire/text/render.ts';

/** Budgets per server, in the client's unit. */
export const EVENT_BUDGET = 10_000;
export const SESSION_BUDGET = 50_000;

/** Returns the most text that one server's hooks may add together at a native event, in the client's unit. */
export const eventBudget = (client: Pick<Client, 'limits' | 'natives'>, native: string): number =>
  Math.min(EVENT_BUDGET, mostText(client, native) ?? EVENT_BUDGET);

/** Returns the most text that one entry may print at a native event, in the client's unit; undefined: no limit. */
export function mostText(
  { limits: { perHandler }, natives }: Pick<Client, 'limits' | 'natives'>,
  native: string,
): number | undefined {
  const textsUsed = natives[native]?.textsUsed;
  return typeof textsUsed === 'object' ? Math.min(textsUsed.cap, perHandler ?? textsUsed.cap) : perHandler;
}

/** Placeholder with a tag's length, where each machine has a tag of its own. */
export const LIKE_A_TAG = '00000000';

/** Name and tag of the declaring server in naming lines. */
interface Declarer {
  server: string;
  tag: string;
}

/** Returns the length of a hook's text with its naming lines, in the client's unit. */
export const lengthOf = (
  { event, priority }: Pick<FireHook, 'event' | 'priority'>,
  text: string,
  { limits }: Pick<Client, 'limits'>,
  declarer: Declarer,
): number => measure(envelope({ ...declarer, event, priority }, text), limits.unit);

/** A hook whose text may be cut or dropped. */
interface Squeezed {
  n: number;
  /** Set when the text is longer than the limit even alone. */
  length?: number;
  /** Set when other hooks take room before this one. */
  shared?: true;
}

/**
 * Returns the hooks that are cut or dropped when all hooks of one native event fire together: lowest priority first, and
 * among equal priorities the last declared first. Equal texts of one event are given once (`distinct`). A hook without
 * a text has a tool's answer, which gets what room the texts leave (`assemble`).
 */
export function givingWay(
  hooks: readonly Pick<FireHook, 'n' | 'event' | 'priority' | 'text'>[],
  client: Client,
  declarer: Declarer,
  budget: number,
): Squeezed[] {
  const rank = ({ priority, text }: Pick<FireHook, 'priority' | 'text'>): number =>
    PRIORITIES.indexOf(priority) - (text === undefined ? PRIORITIES.length : 0);
  let left = budget;
  let between = 0;
  const known = new Map<string, Omit<Squeezed, 'n'> | undefined>();
  return [...hooks]
    .sort((a, b) => rank(b) - rank(a) || a.n - b.n)
    .flatMap((hook) => {
      const { n, event, text } = hook;
      if (text === undefined) {
        const room = left - between - lengthOf(hook, '', client, declarer);
        return room < LEAST ? [{ n, shared: true }] : [];
      }
      const key = `${event} ${text}`;
      if (!known.has(key)) {
        const length = lengthOf(hook, text, client, declarer);
        const before = left;
        const fits = length + between <= before;
        left = Math.max(0, left - length - between);
        between = BETWEEN.length;
        known.set(
          key,
          fits ? undefined : { ...(length > budget && { length }), ...(before < budget && { shared: true }) },
        );
      }
      const squeezed = known.get(key);
      return squeezed ? [{ n, ...squeezed }] : [];
    });
}
