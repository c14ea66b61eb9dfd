import { existsSync } from 'node:fs';
import { once } from '../base/once.ts';
import { readDeclarationsFile } from '../declarations/file.ts';
import { type Parsed, parseDeclarations } from '../declarations/parse.ts';
import { inDocument, type Locate } from '../declarations/path.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { Gone } from '../plan/types.ts';
import { toolFaults } from '../servers/check-tools.ts';
import { harmlessCalls } from '../servers/harmless-calls.ts';
import { PLACE_WITH_WHEN } from '../servers/mcp/announce.ts';
import type { CalledTool, Declared, ServerEntry, ServerReading, ServerTool } from '../servers/types.ts';
import type { ServerRecord } from '../store/types.ts';
import type { StartApprovals } from './approvals.ts';
import { askServer, type Question } from './ask-server.ts';
import { isForgotten } from './command-line-definition.ts';
import type { Context } from './context.ts';
import {
  agreedOverlay,
  knownEntry,
  mayNeedTools,
  overlayFaults,
  overlayFor,
  withoutAsking,
} from './overlay.ts';
import type { Request } from './request.ts';
import { offUnasked } from './server-reference.ts';

interface ReadDeclarations {
  declared: Declared;
  /** Faults of declarations that are left out: beyond our limits, or by `--lenient`. */
  leftOut: Fault[];
  /** Tools that the server lists; undefined when the server was not asked. */
  tools?: readonly ServerTool[];
  /** Milliseconds from the start of the server to its first answer; undefined when the server was not asked. */
  firstMs?: number;
  /** Results of calling tools that are read-only and need no arguments, when requested. */
  called?: readonly CalledTool[];
  /** Faults of tools that the server, started in the home folder, doesn't list there. */
  unchecked?: readonly Fault[];
  /** Number of hooks that the server declares itself, where those of a file are used. */
  ownHooks?: number;
  /** Set when the declarations' file no longer exists and the approved declarations are used. */
  gone?: Gone[];
}

/** Fields of the request that matter, completed from an earlier command. */
type Asked = Question &
  Pick<Request, 'mode' | 'declarationsFile' | 'unchecked' | 'callsTools' | 'catalogue' | 'offers'> & {
    /** The approved definition isn't at its place. */
    absent: boolean;
    /** This very version checked the approved declarations, and the record is as it wrote it. */
    checked: boolean;
  };

/** Asks the server; `faultsIn` as in `askServer`. */
type Ask = (faultsIn: (reading: ServerReading) => readonly Fault[]) => ReturnType<typeof askServer>;

/**
 * Returns the declarations: from the record, from a file, or from the server, which is asked through the gate. `found`:
 * the server's entry, or a function that returns why there is none.
 */
export async function readDeclared(
  request: Asked,
  found: ServerEntry | (() => Fault),
  previous: ServerRecord | undefined,
  approvals: StartApprovals,
  options: InstallOptions,
  context: Context,
): Promise<ReadDeclarations> {
  const { mode, declarationsFile: file, unchecked } = request;
  if (previous && (mode === 'record' || mode === 'lock' || (mode === 'files' && !file)))
    return asApproved(previous);
  const unknown = typeof found === 'function';
  const calls = (tools: readonly ServerTool[]) => harmlessCalls(previous?.declarations ?? [], tools);
  const wanted = {
    ...((file !== undefined || mayNeedTools(request, previous)) && { tools: true as const }),
    ...(request.callsTools && { calls }),
  };
  const ask: Ask = async (faultsIn) => {
    if (unknown) throw found();
    return askServer(request, found, approvals, wanted, faultsIn, context);
  };
  // When an installed server's definition no longer exists, the missing definition is reported and no server is asked.
  const gone = unknown && previous !== undefined && (request.installedOnly || isForgotten(previous));
  const off = gone && mode === 'ask' && !unchecked && !request.absent ? offUnasked(found()) : undefined;
  if (off) context.err(faultText(off));
  if (file) {
    const read = fromFile(file, request, options, previous);
    // `doctor --check` checks what an install with `--no-check` left out.
    const asks = mode === 'ask' && (!unchecked || request.callsTools) && !read.gone && !gone;
    return asks ? checkedFile(read, ask, request, options, context) : read;
  }
  if (unchecked) throw new Fault('usage.goes-with', { option: '--no-check', needs: '--declarations' });
  if (unknown && isForgotten(previous))
    context.err(faultText(new Fault('given.forgotten', { name: request.server })));
  return gone
    ? asApproved(previous)
    : fromServer(ask, request, unknown ? undefined : found, options, previous, context);
}

function asApproved({ declarations, from, serverName }: ServerRecord): ReadDeclarations {
  const name = serverName === undefined ? {} : { serverName };
  return { declared: { declarations, from: from as Declared['from'], ...name }, leftOut: [] };
}

/** Declarations of a file, with their positions in the file. */
interface FileDeclarations extends ReadDeclarations, Pick<Parsed, 'indexes'> {
  locate: Locate;
}

function fromFile(
  file: string,
  { server, unchecked, installedOnly, mode, checked }: Asked,
  options: InstallOptions,
  previous: ServerRecord | undefined,
): FileDeclarations {
  const remembered = previous?.from.kind === 'file' && previous.from.file === file;
  if (remembered && !existsSync(file)) {
    if (installedOnly)
      return { ...asApproved(previous), gone: ['declarations'], indexes: [], locate: inDocument };
    const { scope, declarations, since } = previous;
    const args = { name: server, scope, count: declarations.length, since: since.slice(0, 10) };
    throw new Fault('decl-file.gone', args, { file });
  }
  const { document, locate } = readDeclarationsFile(file);
  // Approved declarations aren't checked again by `diff --offline`, where the schema would take most of the time.
  const approved = mode === 'files' && checked && previous ? asApproved(previous).declared : undefined;
  const overrules = remembered && previous.from.kind === 'file' && previous.from.overrules;
  const from = {
    kind: 'file',
    file,
    ...(unchecked && { unchecked }),
    ...(overrules && { overrules }),
  } as const;
  if (approved && JSON.stringify(document) === JSON.stringify({ declarations: approved.declarations }))
    return { declared: { ...approved, from }, leftOut: [], indexes: [], locate };
  const { declarations, indexes, leftOut } = parseDeclarations(document, {
    ...options,
    ...leavingOut(options),
    locate,
    when: true,
  });
  if (declarations.length === 0 && !previous)
    throw leftOut.length > 0 ? new Faults(leftOut) : new Fault('decl.none', {}, { file });
  return { declared: { ...approved, declarations, from }, leftOut, indexes, locate };
}

/**
 * Checks the declarations of a file against the tools of its server. When the server can't be asked, hooks that call
 * tools make that a fault; other hooks get only a message.
 */
async function checkedFile(
  read: FileDeclarations,
  ask: Ask,
  { server, installedOnly }: Asked,
  options: InstallOptions,
  context: Context,
): Promise<ReadDeclarations> {
  const { declarations, from } = read.declared;
  const parsed = { ...read, declarations };
  try {
    const { reading, faults, unchecked } = await ask(({ tools }) => toolFaultsOf(parsed, tools, read.locate));
    const { serverName, tools = [], called, firstMs } = reading;
    const kept = without(parsed, faults, options);
    const name = serverName === undefined ? {} : { serverName };
    const ownHooks = usableHooks(reading, options);
    // Only an install decides against hooks that the server declares itself.
    const decides = ownHooks > 0 && !installedOnly && from.kind === 'file';
    return {
      declared: {
        ...read.declared,
        declarations: kept.declarations,
        ...(decides && { from: { ...from, overrules: true } }),
        ...name,
      },
      ...(ownHooks > 0 && { ownHooks }),
      leftOut: kept.leftOut,
      tools,
      firstMs,
      ...(called && { called }),
      ...(unchecked && { unchecked }),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (declarations.some((d) => d.context_tool !== undefined)) throw error.with({ noCheck: 1 });
    const [reason = ''] = faultText(error).split('\n');
    context.err(faultText(new Fault('server.unasked', { name: server, reason })));
    return read;
  }
}

/** Hooks beyond our limits give way, with --lenient all that have faults. */
export const leavingOut = ({ lenient }: InstallOptions) => ({ lenient: lenient || ('limits' as const) });

/** Returns how many valid declarations a server has. */
function usableHooks({ document, place }: ServerReading, options: InstallOptions): number {
  if (document === undefined) return 0;
  try {
    const lenient = { ...options, lenient: true, when: place === PLACE_WITH_WHEN };
    return parseDeclarations(document, lenient).declarations.length;
  } catch (error) {
    if (error instanceof Faults) return 0;
    throw error;
  }
}

/**
 * Returns the declarations of a server; where it declares none, those of its package or of the catalogue, if these are
 * wanted. Faults: `server.no-hooks` and `server.empty-hooks` (exit 4) when nothing was installed before; as
 * `parseDeclarations`, `toolFaults` and `overlayFor`.
 */
async function fromServer(
  ask: Ask,
  request: Asked,
  entry: ServerEntry | undefined,
  options: InstallOptions,
  previous: ServerRecord | undefined,
  context: Context,
): Promise<ReadDeclarations> {
  const { server } = request;
  const overlay = once(() => overlayFor(request, entry, previous, context));
  const parse = ({ document, place }: ServerReading): Parsed => {
    const nothing = { declarations: [], indexes: [], leftOut: [] };
    const when = place === PLACE_WITH_WHEN;
    // The whole document has no path of its own: it stands at its place in the capabilities.
    const locate: Locate = (path) => (path.length === 0 ? { path: `${place}` } : inDocument(path));
    return document === undefined
      ? nothing
      : parseDeclarations(document, { ...options, ...leavingOut(options), when, locate });
  };
  const faultsIn = (one: ServerReading): Fault[] => {
    const parsed = parse(one);
    const declares = parsed.declarations.length > 0 || parsed.leftOut.length > 0;
    return declares ? toolFaultsOf(parsed, one.tools, inDocument) : overlayFaults(overlay(), one.tools ?? []);
  };
  let asked: Awaited<ReturnType<Ask>>;
  try {
    asked = await ask(faultsIn);
  } catch (error) {
    const unasked =
      error instanceof Fault ? await withoutAsking(error, overlay(), request, context) : undefined;
    if (!unasked) throw error;
    return { declared: unasked, leftOut: [] };
  }
  const { reading, faults, unchecked } = asked;
  const { called, tools = [], serverName, era, place, firstMs } = reading;
  const more = {
    firstMs,
    ...(called && { called }),
    ...(unchecked && { unchecked }),
  };
  const name = serverName === undefined ? {} : { serverName };
  const from = { kind: 'server', era, place: place ?? '' } as const;
  const parsed = parse(reading);
  const declares = parsed.declarations.length > 0 || parsed.leftOut.length > 0;
  const { declarations, leftOut } = without(parsed, declares ? faults : [], options);
  if (declarations.length === 0 && leftOut.length === 0) {
    const used = await agreedOverlay(overlay(), faults, unchecked, request, context);
    const beyond = overlay()?.leftOut ?? [];
    if (used) return { declared: { ...used, ...name }, leftOut: [...beyond], tools, ...more };
  }
  if (declarations.length > 0 || previous)
    return {
      declared: { declarations, from, ...name },
      leftOut,
      ...(place !== undefined && { tools }),
      ...more,
    };
  if (leftOut.length > 0) throw new Faults(leftOut);
  const about = { name: server, ...knownEntry(request, entry, context) };
  if (place === undefined || reading.document === undefined)
    throw new Fault('server.no-hooks', { ...about, server: serverName ?? '' }, {}, 4);
  throw new Fault('server.empty-hooks', { ...about, place }, {}, 4);
}

function toolFaultsOf(
  { declarations, indexes }: Pick<Parsed, 'declarations' | 'indexes'>,
  tools: readonly ServerTool[] | undefined,
  locate: Locate,
): Fault[] {
  return declarations.flatMap((d, i) => toolFaults(d, indexes[i] ?? i, tools, locate));
}

/** Returns the declarations without faults. Throws all `Faults` unless lenient. */
function without(
  { declarations, indexes, leftOut }: Parsed,
  faults: readonly Fault[],
  { lenient }: Pick<InstallOptions, 'lenient'>,
): Pick<Parsed, 'declarations' | 'leftOut'> {
  const bad = new Set(faults.map((fault) => fault.args.index));
  const valid = declarations.filter((_, i) => !bad.has(indexes[i] ?? i));
  if (faults.length > 0 && !lenient) throw Object.assign(new Faults(faults), { valid: valid.length });
  return { declarations: valid, leftOut: [...leftOut, ...faults] };
}
