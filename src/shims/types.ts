import type { FireData } from '../fire/format.ts';
/** One shim and the files beside it, before paths and the runtime are known. */
export interface ShimPlan {
  /** The client's own event, which is also the file's name. */
  native: string;
  /** When the script gives node up, in whole seconds. */
  seconds: number;
  data: FireData;
}
