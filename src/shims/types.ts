import type { FireData, JointData } from '../fire/format.ts';

/** One shim and its side files, before paths and the runtime are known. */
export interface ShimPlan {
  /** The client's own event, which is also the file's name. */
  native: string;
  /** Whole seconds after which the script ends node. */
  seconds: number;
  data: FireData;
  /** Set when the client runs the shim by an entry that serves all servers. */
  joint?: JointData;
}
