import { valuesByKey } from '../base/grouped.ts';
import type { HookEvent } from '../declarations/types.ts';
import type { LogLine } from '../fire/log.ts';
import { isFailure } from '../messages/silences.ts';
import { isGiven } from './entries.ts';

/** What the lines of a hook, a client or a day come to. */
export interface Sum {
  /** Times that hooks matched, by their conditions on the event, too: command, path, source, outcome. */
  fired: number;
  /** Texts that they gave. */
  texts: number;
  chars: number;
  tokens: number;
  /** Of fires in which node ran: median and 95th percentile of milliseconds; absent: none. */
  median?: number;
  p95?: number;
  failures: number;
}

interface HookSum extends Sum {
  server: string;
  n: number;
  event: HookEvent;
}

export interface Stats extends Sum {
  /** Earliest time of a line, ISO 8601; absent: no lines. */
  since?: string;
  hooks: HookSum[];
  clients: (Sum & { client: string })[];
  /** `YYYY-MM-DD`, in UTC, without days on which nothing fired. */
  days: (Sum & { day: string })[];
}

/** Incidents beside a text, which are no fire of their own. */
const REMARK = /^(text\.(sanitised|cut)|value\.cut|data\.|payload\.)/;
/** Silences that are no fire: a text that counts later, or an event that the hook's conditions leave out. */
const NO_FIRE = /^(kept|client\.drops|when\.(command|path|source|outcome))$/;

const isFire = ({ incident, silence }: LogLine): boolean =>
  !NO_FIRE.test(silence ?? '') && !REMARK.test(incident ?? '');

/** Sums up lines of the log; tries by `mcphooks fire` don't count. A text that is kept counts where it is given. */
export function statsOf(lines: readonly LogLine[]): Stats {
  const all = lines.filter((line) => !line.try && line.server !== undefined && isFire(line));
  const numbered = all.filter(({ n = 0, event }) => n > 0 && event !== undefined);
  const hooks = by(numbered, ({ server, n, event }) => JSON.stringify([server, n, event])).map(([, own]) => {
    const { server = '', n = 0, event = 'pre_request' } = own[0];
    return { server, n, event, ...sumOf(own) };
  });
  return {
    ...(all[0] && { since: all.reduce((first, { at }) => (at < first ? at : first), all[0].at) }),
    ...sumOf(all),
    hooks: hooks.sort((a, b) => (a.server === b.server ? a.n - b.n : a.server < b.server ? -1 : 1)),
    clients: by(all, ({ client = '' }) => client).map(([client, own]) => ({ client, ...sumOf(own) })),
    days: by(all, ({ at }) => at.slice(0, 10)).map(([day, own]) => ({ day, ...sumOf(own) })),
  };
}

const by = <T>(all: readonly T[], key: (one: T) => string): [string, [T, ...T[]]][] =>
  [...valuesByKey(all.map((one) => [key(one), one]))].sort(([a], [b]) => (a < b ? -1 : 1));

function sumOf(lines: readonly LogLine[]): Sum {
  const given = lines.filter(isGiven);
  const total = (key: 'chars' | 'tokens'): number => given.reduce((sum, line) => sum + (line[key] ?? 0), 0);
  const times = lines.flatMap(({ ms }) => ms ?? []).sort((a, b) => a - b);
  const at = (part: number): number => times[Math.max(0, Math.ceil(part * times.length) - 1)] ?? 0;
  return {
    fired: lines.length,
    texts: given.length,
    chars: total('chars'),
    tokens: total('tokens'),
    ...(times.length > 0 && { median: at(0.5), p95: at(0.95) }),
    failures: lines.filter(({ incident }) => isFailure(incident ?? '')).length,
  };
}

/** Fires of a hook before its numbers suggest anything. */
const ENOUGH = { never: 100, always: 20, slow: 5 };
const SLOW_MS = 1_500;

/**
 * Returns what the numbers of a hook suggest. `calls`: the hook calls a tool of its server. `cold`: each call starts the
 * server, which could keep running (`--keep-warm`).
 */
export function adviceOn(
  { event, fired, texts, median = 0 }: HookSum,
  { calls, cooldown, cold }: { calls: boolean; cooldown: boolean; cold: boolean },
): 'never' | 'always' | 'slow' | undefined {
  if (fired >= ENOUGH.never && texts === 0) return 'never';
  // A cooldown would take away a text that a session should keep, or doesn't count.
  const helps = cold || (!cooldown && event !== 'session_start');
  if (calls && helps && fired >= ENOUGH.slow && median >= SLOW_MS) return 'slow';
  if (event === 'pre_request' && !cooldown && fired >= ENOUGH.always && texts === fired) return 'always';
  return undefined;
}
