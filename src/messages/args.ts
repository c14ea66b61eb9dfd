/** Arguments of a Fault without any. */
export type NoArgs = Readonly<Record<never, never>>;

export type FaultArgs = Record<string, string | number | readonly string[]>;

/** Arguments that a caller adds to a Fault of another function. */
export interface AddedArgs {
  /** Title of the client whose file it is about. */
  client?: string;
  /** Command that --allow-start belongs to. */
  command?: 'install';
  /** Hash for --allow-start. */
  hash?: string;
  /** 1: hooks were removed from other clients before, by choice. */
  removed?: 1;
  /** 1: hooks of this server are installed. */
  installed?: 1;
  /** 1: the hook is left out, and the others are used. */
  leftOut?: 1;
  near?: string;
  /** 1: --no-check would use the declarations all the same. */
  noCheck?: 1;
  /** Command whose help page describes the options. */
  page?: string;
  /** Error that a server gave in place of its tools. */
  refusal?: string;
  scope?: string;
  /** Command that could write nothing, other than an install. */
  act?: 'disable' | 'enable' | 'uninstall';
  /** 1: an uninstall had removed the hook scripts before. */
  scriptsGone?: 1;
  /** What stays recorded of a server whose hooks were removed from a project. */
  stays?: 'approvals' | 'disabled';
  /** The name of that server. */
  server?: string;
  /** 1: the server's command was given on the command line. */
  given?: 1;
  /** Request that the server didn't answer. */
  step?: string;
  /** Variables that a server's definition refers to and that aren't set. */
  unset?: readonly string[];
}

/** Place of a Fault: in a file (line and column from 1), or at a JSON path of a document. */
export interface Where {
  file?: string;
  line?: number;
  column?: number;
  path?: string;
}
