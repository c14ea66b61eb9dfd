/** Arguments of a Fault without any. */
export type NoArgs = Readonly<Record<never, never>>;

export type FaultArgs = Record<string, string | number | readonly string[]>;

/** Place of a Fault: in a file (line and column from 1), or at a JSON path of a document. */
export interface Where {
  file?: string;
  line?: number;
  column?: number;
  path?: string;
}
