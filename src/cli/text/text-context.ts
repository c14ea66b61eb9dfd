import type { Context } from '../../app/context.ts';
import type { Prepared } from '../../app/prepare/prepare.ts';
import { homeFolder, type OwnPaths } from '../../base/paths.ts';
import type { Style } from '../../base/text-style.ts';
import { overlayText } from '../../messages/catalogue.ts';
import { declaredText, fromFile } from '../../messages/plan.ts';
import { destination } from '../../servers/masking/mask.ts';
import type { Declared } from '../../servers/types.ts';
import type { CommonFlags } from '../flags.ts';

/** Data for a plan's text besides the plan itself. */
export interface TextContext {
  /** How the server is run or reached, in one line, with secrets masked. */
  shown?: string;
  /** Set for `stdio` servers, which each shim starts anew. */
  startedPerFire?: boolean;
  /** Host to which tool calls go, when it isn't this machine. */
  host?: string | undefined;
  /** Where the declarations were found. */
  place: string;
  home: string;
  /** Root of the project with the install, if any. */
  root?: string;
  paths: OwnPaths;
  style: Style;
  /** Width of the terminal; absent without a terminal. */
  columns?: number;
  /** Shows every hook, changed or not. */
  verbose?: boolean;
  /** Shows every file and each changed line; otherwise these are shown on request. */
  lines?: boolean;
}

/** Returns the data for a plan's text besides the plan. */
export function textContext(prepared: Prepared, flags: CommonFlags, context: Context): TextContext {
  return {
    ...(prepared.shown !== undefined && { shown: prepared.shown }),
    startedPerFire: prepared.definition?.transport === 'stdio',
    ...(prepared.definition && { host: destination(prepared.definition) }),
    place: placeText(prepared.input.declared, prepared.input.server),
    home: homeFolder(context.env),
    ...(context.scope.root !== undefined && { root: context.scope.root }),
    paths: context.scope.paths,
    style: context.style,
    ...(context.columns !== undefined && { columns: context.columns }),
    verbose: flags.verbose ?? false,
    // A reader of a log can't press a key, or run the command again with --verbose.
    lines: flags.verbose || context.columns === undefined,
  };
}

/** Returns e.g. `declared in capabilities.hooks`, `declared by 'notes' in capabilities.hooks`, `from hooks.json`. */
function placeText({ from, serverName }: Declared, alias: string): string {
  if (from.kind === 'file') return fromFile(from.file, from.unchecked === true);
  if (from.kind !== 'server') return overlayText(from);
  return declaredText(from.place, serverName === alias ? undefined : serverName);
}
