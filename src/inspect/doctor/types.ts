import type { ClientId } from '../../clients/client.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { FaultArgs, Where } from '../../messages/args.ts';
import type { FaultCode } from '../../messages/faults.ts';
import type { FindingCode } from '../../messages/findings.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import type { Surveyed } from '../survey.ts';

/** What stops hooks from firing; as data, worded in messages.ts. */
export interface Finding {
  code: FindingCode | FaultCode;
  args: FaultArgs;
  where: Where;
  server?: string;
  /** Of an install that is not the user's own. */
  scope?: ScopeName;
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

/** The node that runs hook scripts of a server. */
export interface NodeUse {
  server: string;
  scope: ScopeName;
  /** That they were written for; undefined: the first on PATH. */
  wanted?: string;
  /** That they use; undefined: there is none. */
  path?: string;
  /** undefined: it doesn't say. */
  version?: string;
}

/** What checks look at. */
export interface DoctorContext extends MachineView {
  /** The user's own first. */
  scopes: ScopeState[];
  servers: Surveyed[];
  programs: Program[];
  nodes: NodeUse[];
  /** ISO 8601. */
  now: string;
}

export type Check = (scene: DoctorContext) => Finding[];
