import { relative } from 'node:path';
import type { Context } from '../app/context.ts';
import { LOCK } from '../base/paths.ts';
import { VERSION } from '../base/version.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { Fault } from '../messages/fault.ts';
import { differs, withoutGone } from '../plan/difference.ts';
import { otherVersion } from '../plan/lock-version.ts';
import type { Plan } from '../plan/types.ts';
import type { RecordReading } from '../store/record.ts';

/** True when another version wrote the scripts or entries that the lock file holds, and this one would write others. */
export const isUnverifiable = (plan: Plan, { record }: RecordReading, context: Context): boolean =>
  !differs(plan) &&
  (plan.clients.some(({ unverified }) => unverified) ||
    plan.changes.some(({ path }) => path !== context.scope.store.file)) &&
  otherVersion(record, plan.previous) !== undefined;

/**
 * Returns Faults when the plan differs from the lock file. A newer mcphooks whose plan equals the locked content
 * doesn't rewrite the lock file.
 */
export function notAsLocked(plan: Plan, reading: RecordReading, context: Context): Fault[] {
  if (plan.gone.includes('definition') && plan.changed.length === 0)
    return [
      withoutDefinition(plan),
      ...(differs(withoutGone(plan)) ? [lockDiffers(plan, reading, context, { gone: 1 })] : []),
    ];
  const lock = plan.changes.find((change) => change.path === context.scope.store.file);
  // Compared as values, because a formatter may have changed the layout.
  const value = (bytes: Uint8Array | null): string =>
    canonicalJson(JSON.parse(Buffer.from(bytes ?? []).toString()));
  if (!lock || !differs(plan) || (lock.after && value(lock.before) === value(lock.after))) return [];
  return [lockDiffers(plan, reading, context)];
}

function lockDiffers(
  plan: Plan,
  { record }: RecordReading,
  { scope }: Context,
  more: { gone?: 1 } = {},
): Fault {
  const version = otherVersion(record, plan.previous);
  const drifted = new Set(
    plan.clients.flatMap((c) => c.drift.map((path) => relative(scope.root ?? '', path))),
  );
  const other = version === undefined ? {} : { version, ours: VERSION };
  const isAdded = plan.clients.some(({ client }) => !plan.previous?.clients[client]);
  const changed = [...plan.changed, ...(isAdded ? ['clients'] : [])];
  const known = changed.length > 0 || version !== undefined;
  const args = {
    name: plan.server,
    changed,
    altered: known ? [] : drifted.size > 0 ? [...drifted] : [LOCK],
    ...(plan.clientToName && { from: plan.clientToName }),
    ...other,
    ...more,
  };
  return new Fault('lock.differs', args, { file: scope.store.file });
}

/** Returns the Fault of a server whose definition is no longer where the lock file has it. */
function withoutDefinition({ server, clients }: Plan): Fault {
  const { absent, file } = clients.find(({ definition }) => definition)?.definition ?? {};
  const args = { name: server, ...(absent && { absent }) };
  return new Fault('lock.no-definition', args, file === undefined ? {} : { file });
}
