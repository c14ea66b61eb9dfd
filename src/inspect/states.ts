import { differenceOn } from '../plan/difference.ts';
import type { ClientStatus } from './status.ts';
import type { Surveyed } from './survey.ts';

/** Contract, "Commands": the states of an install on one client. */
export const STATES = ['current', 'changed', 'edited', 'missing', 'untrusted', 'disabled'] as const;
export type State = (typeof STATES)[number];

/** The one state that says most about an install on a client. Where it differs, that is what `diff` says as well. */
export function stateOf({ comparison, disabled, silenced }: Surveyed, status: ClientStatus): State {
  const { client, entries, off, hooksOff, untrusted } = status;
  const compared = comparison?.clients.find((c) => c.client === client);
  if (!comparison || !compared) return 'changed';
  const difference = differenceOn(compared, comparison);
  if (difference) return difference;
  if (disabled || silenced || off || hooksOff.length > 0 || entries.some((e) => e.offIn !== undefined))
    return 'disabled';
  if (untrusted || entries.some((e) => e.review !== undefined && e.review !== 'trusted')) return 'untrusted';
  return 'current';
}
