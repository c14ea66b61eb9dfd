import type { RecordReading } from '../apply/record.ts';
import type { ClientId } from '../clients/types.ts';
import type { FaultArgs, FaultCode, FindingCode, Where } from '../messages.ts';
import type { OwnPaths } from '../paths.ts';
import type { Surface } from '../plan/settings.ts';
import type { Site } from '../plan/site.ts';
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

/** A client for which anything is installed, as PATH has it. */
export interface Program {
  client: ClientId;
  /** Absolute path; undefined: not on PATH. */
  path?: string;
  /** undefined: it doesn't say. */
  version?: string;
}

/** What checks look at. */
export interface Scene extends Surface {
  paths: OwnPaths;
  site: Site;
  reading: RecordReading;
  servers: Surveyed[];
  programs: Program[];
}

export type Check = (scene: Scene) => Finding[];
