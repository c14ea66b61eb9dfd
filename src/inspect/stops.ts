import type { ClientId } from '../clients/client.ts';
import { findingWords } from '../messages/findings.ts';
import type { ServerRecord } from '../store/types.ts';
import { installFindings, passedOver } from './doctor/installs.ts';
import type { ScopeState } from './scopes.ts';
import type { MachineView } from './settings.ts';
import { inspect } from './status.ts';

/** Findings after which the client still runs the hooks. */
const RUNS = [
  'doctor.edited',
  'doctor.repeated',
  'doctor.own-altered',
  'doctor.own-gone',
  'doctor.project-windows',
];

/**
 * Returns, in words, why a client itself doesn't run a server's hooks at these native events now: entries that are gone, a
 * switch, a review.
 */
export function stopsOn(
  client: ClientId,
  natives: readonly string[],
  record: ServerRecord,
  at: Pick<ScopeState, 'scope' | 'reading'>,
  view: MachineView,
): string[] {
  const all = inspect(record, client, at, view);
  const status = { ...all, entries: all.entries.filter(({ event }) => natives.includes(event)) };
  const about = { scope: at.scope, record };
  return [...installFindings(about, status), ...passedOver(about, status)]
    .filter(({ code }) => !RUNS.includes(code))
    .map((finding) => findingWords(finding).what);
}
