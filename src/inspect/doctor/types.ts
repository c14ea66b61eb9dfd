import type { ClientId } from '../../clients/client.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { FaultArgs, Where } from '../../messages/args.ts';
import type { FaultCode } from '../../messages/faults.ts';
import type { FindingCode } from '../../messages/findings.ts';
import type { ScopeState } from '../scopes.ts';
import type { MachineView } from '../settings.ts';
import type { Surveyed } from '../survey.ts';

/** A reason why hooks don't fire, as data; worded in messages/. */
export interface Finding {
  code: FindingCode | FaultCode;
  args: FaultArgs;
  where: Where;
  server?: string;
  /** Scope of the install; absent for the user's own. */
  scope?: ScopeName;
  client?: ClientId;
  /** Set when the finding stops no hook and is only worth knowing. */
  remark?: true;
  /** Set when it is said once for several servers even where their numbers and places differ. */
  isOnce?: true;
}

/** Program on PATH of a client for which anything is installed. */
export interface FoundProgram {
  client: ClientId;
  /** Absolute path; undefined: not on PATH. */
  path?: string;
  /** Version; undefined: unknown. */
  version?: string;
}

/** Node program that runs a server's hook scripts. */
export interface NodeUse extends Pick<Surveyed, 'scope' | 'record'> {
  /** Absolute path that the scripts or entries name; undefined: the first node on PATH. */
  wanted?: string;
  /** Set when entries start that path themselves, as on Windows: then none on PATH takes its place. */
  alone?: true;
  /** Absolute path in use; undefined: no node was found. */
  path?: string;
  /** Version; undefined: unknown. */
  version?: string;
}

export interface DoctorContext extends MachineView {
  /** Scopes, the user's own first. */
  scopes: ScopeState[];
  servers: Surveyed[];
  programs: FoundProgram[];
  nodes: NodeUse[];
  /** Time of the check, ISO 8601. */
  now: string;
}

export type Check = (context: DoctorContext) => Finding[];
