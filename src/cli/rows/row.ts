import type { Context } from '../../app/context.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import type { Exit } from '../exit.ts';
import type { FlagGroup } from '../flags.ts';

/** One command: its name, help page and implementation. */
export interface CommandRow {
  name: string;
  group: string;
  /** For the list of commands: at most 55 characters. */
  summary: string;
  description: string;
  example: string;
  /** Arguments in commander's notation, each with its sentence. */
  arguments?: readonly (readonly [name: string, sentence: string])[];
  /** Options in the order of the help page. */
  options?: readonly FlagGroup[];
  /** Loads the implementation, only when the command runs. */
  load: () => Promise<{
    /** `args`: the arguments in order, with those after `--` as one list. */
    run(args: readonly unknown[], flags: AnyFlags, context: Context): Promise<Exit> | Exit;
  }>;
}

/** Options of all commands. */
export interface AnyFlags {
  json?: boolean;
  scope?: ScopeName;
}

/** Headings of the list of commands. */
export const GROUPS = {
  hooks: 'Install and remove hooks:',
  look: 'Look at what is installed:',
  share: 'Share hooks:',
  authors: 'For server authors:',
  rest: 'Other:',
};

/** Arguments that several commands take. */
export const SERVER = ['<server>', "its name in a client's MCP configuration"] as const;
export const INSTALLED_SERVER = ['<server>', 'the name under which it was installed'] as const;
export const SERVER_COMMAND = ['[command...]', 'start the server with this command instead'] as const;
