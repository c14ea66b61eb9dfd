import type { Scope } from '../apply/types.ts';
import type { ClientId } from '../clients/types.ts';
import type { FaultArgs, FaultCode, FindingCode, Where } from '../messages.ts';
import type { Surface } from '../plan/settings.ts';
import type { Standing } from '../plan/sites.ts';
import type { Surveyed } from '../plan/survey.ts';

/** What stops hooks from firing; as data, worded in messages.ts. */
export interface Finding {
  code: FindingCode | FaultCode;
  args: FaultArgs;
  where: Where;
  server?: string;
  /** Of an install that is not the user's own. */
  scope?: Scope;
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
  /** The user's own first. */
  sites: Standing[];
  servers: Surveyed[];
  programs: Program[];
}

export type Check = (scene: Scene) => Finding[];
