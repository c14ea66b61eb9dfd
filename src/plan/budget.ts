import type { Client } from '../clients/types.ts';
import { PRIORITIES } from '../declarations/types.ts';
import { BETWEEN, envelope, measure } from '../fire/render.ts';
import type { FireHook } from '../fire/types.ts';

/** Contract, "Limits": per server, in the client's unit. Raised where one text alone may be longer. */
export const EVENT_BUDGET = 10_000;
export const SESSION_BUDGET = 50_000;
/** What naming lines take at most. */
const FRAME = 500;

export interface Budgets {
  event: number;
  session: number;
}

export function budgetsFor(maxText: number): Budgets {
  return { event: Math.max(EVENT_BUDGET, maxText + FRAME), session: Math.max(SESSION_BUDGET, 2 * maxText) };
}

/** Who speaks, for naming lines. */
export interface Speaker {
  server: string;
  tag: string;
}

/** A hook's text as the model will read it; '' for one that has no text of its own. */
export function spoken({ event, priority, text, part }: FireHook, { server, tag }: Speaker): string {
  if (text === undefined) return '';
  return envelope({ server, event, priority, tag, ...(part && { note: part }) }, text);
}

/** What a hook adds to a document, in the client's unit. */
function weight(hook: FireHook, client: Client, speaker: Speaker): number {
  if (hook.does !== 'give' || hook.text === undefined) return 0;
  return measure(spoken(hook, speaker), client.unit) + BETWEEN.length;
}

/** The hook in pieces of which each fits one handler; most hooks are one piece. No template is torn apart. */
export function pieces(hook: FireHook, client: Client, speaker: Speaker): FireHook[] {
  const cap = client.perHandler;
  if (cap === undefined || weight(hook, client, speaker) <= cap) return [hook];
  const room = cap - FRAME;
  const texts: string[] = [];
  let piece = '';
  for (const word of hook.text?.match(/\{\w+\}|\s*[^\s{]{1,200}|\s+|\{/gu) ?? []) {
    if (measure(piece + word, client.unit) > room) {
      texts.push(piece);
      piece = '';
    }
    piece += word;
  }
  texts.push(piece);
  return texts.map((text, i) => ({ ...hook, text, part: `part ${i + 1} of ${texts.length}` }));
}

/** Hooks of one shim, and how much they may say together. */
export interface Share<T> {
  parts: T[];
  budget: number;
}

/**
 * The hooks of one native event in as few shims as the client's limit per handler allows, order kept, and what each
 * may say so that all together stay within the event's budget. What gives way: the lowest priority first, of equal
 * ones the last declared. Which of the hooks that wait for a tool fire together is known only then, so that they
 * share a shim, and only pieces of one text are spread.
 */
export function shares<T extends { hook: FireHook }>(
  parts: readonly T[],
  client: Client,
  speaker: Speaker,
  budget: number,
): { shares: Share<T>[]; givesWay: number[] } {
  const cap = client.perHandler ?? Number.POSITIVE_INFINITY;
  const weights = new Map(parts.map((p) => [p, weight(p.hook, client, speaker)]));
  const of = (list: readonly T[]): number => list.reduce((sum, p) => sum + (weights.get(p) ?? 0), 0);
  const rank = (p: T): number => PRIORITIES.indexOf(p.hook.priority);
  const allowed = new Map<T, number>();
  let left = budget;
  for (const part of [...parts].sort((a, b) => rank(b) - rank(a) || a.hook.n - b.hook.n)) {
    allowed.set(part, Math.min(weights.get(part) ?? 0, left));
    left -= allowed.get(part) ?? 0;
  }
  const givesWay = parts.filter((p) => (allowed.get(p) ?? 0) < (weights.get(p) ?? 0)).map((p) => p.hook.n);
  const gives = { givesWay: [...new Set(givesWay)] };
  if (parts.some((p) => p.hook.match !== undefined)) {
    const chunks = byPiece(parts);
    let room = budget;
    let later = of(chunks.flat());
    const budgets = chunks.map((chunk) => {
      later -= of(chunk);
      const own = Math.max(0, Math.min(cap, room - later));
      room -= own;
      return own;
    });
    return { ...gives, shares: chunks.map((chunk, i) => ({ parts: chunk, budget: budgets[i] ?? 0 })) };
  }
  const granted = (chunk: T[]): number => chunk.reduce((sum, p) => sum + (allowed.get(p) ?? 0), left);
  return {
    ...gives,
    shares: bySize(parts, of, cap).map((chunk) => ({ parts: chunk, budget: Math.min(granted(chunk), cap) })),
  };
}

function bySize<T>(parts: readonly T[], of: (list: readonly T[]) => number, cap: number): T[][] {
  const chunks: T[][] = [];
  let size = 0;
  for (const part of parts) {
    const last = chunks.at(-1);
    const own = of([part]);
    const fits = last && (size === 0 || size + own <= cap);
    if (fits) last.push(part);
    else chunks.push([part]);
    size = fits ? size + own : own;
  }
  return chunks;
}

function byPiece<T extends { hook: FireHook }>(parts: readonly T[]): T[][] {
  const chunks: T[][] = [];
  const pieces = new Map<number, number>();
  for (const part of parts) {
    const { n, part: piece } = part.hook;
    const i = piece === undefined ? 0 : (pieces.get(n) ?? 0);
    if (piece !== undefined) pieces.set(n, i + 1);
    chunks[i] ??= [];
    chunks[i]?.push(part);
  }
  return chunks;
}
