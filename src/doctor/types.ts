import type { RecordReading } from '../apply/record.ts';
import type { ClientId } from '../clients/types.ts';
import type { FaultArgs, FaultCode, FindingCode, Where } from '../messages.ts';
import type { OwnPaths } from '../paths.ts';
import type { Surface } from '../plan/settings.ts';
import type { Surveyed } from '../plan/survey.ts';

/** What stops hooks from firing; as data, worded in messages.ts. */
export interface Finding {
  code: FindingCode | FaultCode;
  args: FaultArgs;
  where: Where;
  server?: string;
  client?: ClientId;
  /** Worth knowing, and stops nothing. */
  remark?: true;
}

/** What checks look at. */
export interface Scene extends Surface {
  paths: OwnPaths;
  reading: RecordReading;
  servers: Surveyed[];
  /** Clients for which anything is installed. */
  clients: ClientId[];
}

export type Check = (scene: Scene) => Finding[] | Promise<Finding[]>;
