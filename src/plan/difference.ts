import type { Comparison } from './install.ts';

/**
 * How an install on one client differs from what it should be. `missing`: an entry or a file of ours is gone, or the
 * client rejects the file; `edited`: somebody altered one of them; `changed`: what is declared, how the server is
 * defined, or what its entries follow from is not what was approved.
 */
type Difference = 'missing' | 'edited' | 'changed';

/** The one answer that `diff`, `list`, `doctor` and `install` go by; undefined: nothing differs. */
export function differenceOn(
  client: Comparison['clients'][number],
  comparison: Comparison,
): Difference | undefined {
  const { previous, changed, gone: sources, leftovers } = comparison;
  if (client.covered) return undefined;
  const installed = previous?.clients[client.client];
  const wasThere = (event: string, key: string): boolean =>
    installed?.entries.some((e) => e.event === event && e.key === key) ?? false;
  const { entryChanges, drift, gone, fault } = client;
  const lost = entryChanges.some((e) => e.kind === 'added' && wasThere(e.event, e.key));
  if (fault || gone.length > 0 || lost) return 'missing';
  if (drift.length > 0 || entryChanges.some((e) => e.kind === 'kept-edited')) return 'edited';
  const differs =
    changed.length > 0 ||
    sources.length > 0 ||
    leftovers.length > 0 ||
    (!installed && client.entries.length > 0) ||
    entryChanges.some((e) => e.kind !== 'unchanged') ||
    [client, ...client.movedOut].some((place) => place.before !== place.after);
  return differs ? 'changed' : undefined;
}

/**
 * Whether anything that was approved, or stands in a client's file, changes or has drifted. A newer mcphooks may write
 * its own files anew; that is no difference, and needs no approval.
 */
export function differs(comparison: Comparison): boolean {
  const { previous, changed, gone, leftovers, clients } = comparison;
  if (!previous) return clients.some((client) => !client.covered);
  const some = clients.some((client) => differenceOn(client, comparison) !== undefined);
  return some || changed.length > 0 || gone.length > 0 || leftovers.length > 0;
}
