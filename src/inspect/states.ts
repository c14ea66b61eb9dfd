import { differenceOn } from '../plan/difference.ts';
import type { ClientStatus } from './status.ts';
import type { Surveyed } from './survey.ts';

/** States of an install on one client. */
export const STATES = ['current', 'changed', 'edited', 'missing', 'untrusted', 'disabled'] as const;
export type State = (typeof STATES)[number];

/**
 * Returns the most important state of an install on one client. Differences come first, so that `diff` reports them as
 * well.
 */
export function stateOf({ comparison, disabled, silenced }: Surveyed, status: ClientStatus): State {
  const { client, entries, off, hooksOff, untrusted, readsMain, fault } = status;
  const compared = comparison?.clients.find((c) => c.client === client);
  if (!comparison || !compared) return 'changed';
  const difference = differenceOn(compared, comparison);
  if (difference) return difference;
  if (readsMain && (fault || entries.some((e) => e.standing !== 'as-written'))) return 'missing';
  if (disabled || silenced || off || hooksOff.length > 0 || entries.some((e) => e.offIn !== undefined))
    return 'disabled';
  if (untrusted || entries.some((e) => e.review !== undefined && e.review !== 'trusted')) return 'untrusted';
  return 'current';
}
