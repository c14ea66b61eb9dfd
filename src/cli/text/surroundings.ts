import type { Context } from '../../app/context.ts';
import type { Prepared } from '../../app/prepare.ts';
import { homeFolder, type OwnPaths } from '../../base/paths.ts';
import type { Style } from '../../base/text-style.ts';
import { destination } from '../../servers/mask.ts';
import type { Declared } from '../../servers/types.ts';
import type { CommonFlags } from '../flags.ts';

/** What a plan's reader needs besides the plan itself. */
export interface Surroundings {
  /** How the server is run or reached, in one line, secrets masked. */
  shown?: string;
  /** `stdio` servers are started anew by each shim. */
  startedPerFire?: boolean;
  /** Where tools are called, when not on this machine. */
  host?: string | undefined;
  /** Where the declarations were found. */
  place: string;
  home: string;
  /** Of the project, where it is installed for one. */
  root?: string;
  paths: OwnPaths;
  style: Style;
  /** Width of the terminal, when it is one. */
  columns?: number;
  /** Every hook, changed or not. */
  verbose?: boolean;
  /** Every file and each line that changes; else one can ask for them. */
  lines?: boolean;
}

/** What the text of a plan says besides the plan. */
export function surroundings(gathered: Prepared, flags: CommonFlags, context: Context): Surroundings {
  return {
    ...(gathered.shown !== undefined && { shown: gathered.shown }),
    startedPerFire: gathered.definition?.transport === 'stdio',
    ...(gathered.definition && { host: destination(gathered.definition) }),
    place: placeText(gathered.input.declared, gathered.input.server),
    home: homeFolder(context.env),
    ...(context.scope.root !== undefined && { root: context.scope.root }),
    paths: context.scope.paths,
    style: context.style,
    ...(context.columns !== undefined && { columns: context.columns }),
    verbose: flags.verbose ?? false,
    // Who reads a log can't press a key, or run it again with --verbose.
    lines: flags.verbose || context.columns === undefined,
  };
}

/** e.g. `declared in capabilities.hooks`, `declared by 'notes' in capabilities.hooks`, `from hooks.json` */
function placeText({ from, serverName }: Declared, alias: string): string {
  if (from.kind === 'file')
    return `from ${from.file}${from.unchecked ? ', not checked with the server (--no-check)' : ''}`;
  const by = serverName === undefined || serverName === alias ? '' : ` by '${serverName}'`;
  return `declared${by}${from.place && ` in capabilities.${from.place}`}`;
}
