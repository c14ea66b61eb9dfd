import { VERSION } from '../base/version.ts';
import { Fault } from '../messages/fault.ts';
import type { RecordDocument, ServerRecord } from '../store/types.ts';
import type { PlanInput } from './input.ts';

/** Returns the version to record for what an install in a shared scope writes; `--frozen` leaves it as it is. */
export const writer = ({ scope, fromLock }: PlanInput): Pick<RecordDocument, 'mcphooks'> =>
  scope.shared && !fromLock ? { mcphooks: VERSION } : {};

/** Returns the other version of mcphooks that wrote a project's server, or the files that all servers use. */
export const otherVersion = (record: RecordDocument, server?: ServerRecord): string | undefined =>
  [server?.mcphooks, record.mcphooks].find((version) => version !== undefined && version !== VERSION);

/** Returns a Fault when another version wrote the files that all servers use, or those of some of these servers. */
export function versionFault(
  record: RecordDocument,
  servers: readonly ServerRecord[],
  file: string,
  exit: 2 | 3,
): Fault | undefined {
  const version = otherVersion(record);
  if (version !== undefined)
    return new Fault('lock.other-version', { version, ours: VERSION }, { file }, exit);
  const others = servers.filter((server) => otherVersion(record, server) !== undefined);
  if (others.length === 0) return undefined;
  const names = others.map(({ server }) => server);
  const versions = [...new Set(others.map(({ mcphooks = '' }) => mcphooks))];
  return new Fault('lock.other-versions', { names, versions, ours: VERSION }, { file }, exit);
}
