import type { Checked, Parsed } from '../../declarations/parse.ts';
import { inCapabilities, type Locate } from '../../declarations/path.ts';
import { type Fault, Faults } from '../../messages/fault.ts';
import type { InstallOptions } from '../../plan/options.ts';
import type { Gone } from '../../plan/types.ts';
import { PLACE_WITH_WHEN } from '../../servers/mcp/announce.ts';
import { toolFaults } from '../../servers/tools/check-tools.ts';
import type { Answers, Declared, ServerReading, ServerTool } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Request } from '../request.ts';
import type { askServer, Question } from '../server/ask-server.ts';

/** The declarations of a server, and what was learned while they were read. */
export interface ReadDeclarations {
  declared: Declared;
  /** Faults of declarations that are left out: beyond our limits, or by `--lenient`. */
  leftOut: Fault[];
  /** Absent when the server was not asked. */
  answers?: Answers;
  /** Number of hooks that the server declares itself, where those of a file are used. */
  ownHooks?: number;
  /** Set when the declarations' file no longer exists and the approved declarations are used. */
  gone?: Gone[];
}

/** The request, completed from an earlier command. */
export type Asked = Request &
  Question & {
    /** The approved definition isn't at its place. */
    isGone: boolean;
    /** This very version checked the approved declarations, and the record is as it wrote it. */
    checked: boolean;
  };

/** Asks the server; `faultsIn` as in `askServer`. */
export type Ask = (faultsIn: (reading: ServerReading) => readonly Fault[]) => ReturnType<typeof askServer>;

/** Returns the declarations of the record. */
export function asApproved({ declarations, from, serverName }: ServerRecord): ReadDeclarations {
  const name = serverName === undefined ? {} : { serverName };
  return { declared: { declarations, from, ...name }, leftOut: [] };
}

/** Returns how a file is parsed: faulty hooks are left out that are beyond our limits, and with `--lenient` all. */
export const parsingFile = (options: InstallOptions, locate: Locate) => ({
  ...options,
  lenient: options.lenient || ('limits' as const),
  locate,
  when: true,
});

/** Returns how what a server declares at one of its places is parsed. */
export const parsingPlace = (options: InstallOptions, place: string) => ({
  ...parsingFile(options, inCapabilities(place)),
  when: place === PLACE_WITH_WHEN,
});

/** Returns what speaks against declarations among the tools of their server. */
export function toolFaultsOf(
  { declarations, indexes }: Pick<Parsed, 'declarations' | 'indexes'>,
  tools: readonly ServerTool[] | undefined,
  locate: Locate,
): Fault[] {
  return declarations.flatMap((d, i) => toolFaults(d, indexes[i] ?? i, tools, locate));
}

/**
 * Returns the declarations without faults. Throws all `Faults` that refuse the document: those of its own, and unless
 * lenient those of its tools.
 */
export function faultlessDeclarations(
  { declarations, indexes, leftOut, refusals }: Checked,
  faults: readonly Fault[],
  { lenient }: Pick<InstallOptions, 'lenient'>,
): Pick<Parsed, 'declarations' | 'leftOut'> {
  const bad = new Set(faults.map((fault) => fault.args.index));
  const valid = declarations.filter((_, i) => !bad.has(indexes[i] ?? i));
  const against = [...refusals, ...(lenient ? [] : faults)];
  if (against.length > 0) throw new Faults(against, valid.length);
  return { declarations: valid, leftOut: [...leftOut, ...faults] };
}
