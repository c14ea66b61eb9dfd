import { once } from '../../base/once.ts';
import { type Checked, declarationsAndFaults } from '../../declarations/parse.ts';
import { inCapabilities } from '../../declarations/path.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { InstallOptions } from '../../plan/options.ts';
import { harmlessCalls } from '../../servers/tools/harmless-calls.ts';
import type { ServerEntry, ServerReading, ServerTool } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { StartApprovals } from '../approval/approvals.ts';
import type { Context } from '../context.ts';
import { askServer } from '../server/ask-server.ts';
import { reachedBy } from '../server/reached-by.ts';
import { definitionWasNotRecorded } from '../server/recordable-definition.ts';
import { offUnasked } from '../server/unknown-server.ts';
import {
  type Ask,
  type Asked,
  asApproved,
  faultlessDeclarations,
  parsingPlace,
  type ReadDeclarations,
  toolFaultsOf,
} from './declared.ts';
import { assertNotRefused, checkedDeclarations, declarationsFromFile } from './file-declarations.ts';
import {
  agreedOverlay,
  knownEntry,
  mayNeedTools,
  overlayFaults,
  overlayFor,
  withoutAsking,
} from './overlay.ts';

interface DeclaredWhere {
  request: Asked;
  /** The server's entry, or a function that returns why there is none. */
  found: ServerEntry | (() => Fault);
  previous: ServerRecord | undefined;
  approvals: StartApprovals;
  options: InstallOptions;
}

/**
 * Returns the declarations: from the record, from a file, or from the server, which is asked through the gate. A server
 * that isn't asked keeps the name that it said at the install, unless the command line gives another definition.
 */
export async function readDeclared(where: DeclaredWhere, context: Context): Promise<ReadDeclarations> {
  const read = await readFrom(where, context);
  const serverName = where.previous?.serverName;
  if (read.answers || serverName === undefined || where.request.given) return read;
  return { ...read, declared: { serverName, ...read.declared } };
}

async function readFrom(
  { request, found, previous, approvals, options }: DeclaredWhere,
  context: Context,
): Promise<ReadDeclarations> {
  const { mode, declarationsFile: file, skipCheck } = request;
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
    return askServer({ question: request, entry: found, approvals, wanted, faultsIn }, context);
  };
  // When an installed server's definition no longer exists, the missing definition is reported and no server is asked.
  const gone =
    unknown && previous !== undefined && (request.installedOnly || definitionWasNotRecorded(previous));
  const off = gone && mode === 'ask' && !skipCheck && !request.isGone ? offUnasked(found()) : undefined;
  if (off) context.err(faultText(off));
  if (file) {
    const read = declarationsFromFile(file, request, options, previous);
    // `doctor --check` checks what an install with `--no-check` left out.
    const asks = mode === 'ask' && (!skipCheck || request.callsTools) && !read.gone && !gone;
    if (asks) {
      const checked = await checkedDeclarations(read, ask, request, options, context);
      if (checked.declared.declarations.length === 0 && !previous) throw new Faults(checked.leftOut);
      return checked;
    }
    assertNotRefused(read);
    return read;
  }
  if (skipCheck) throw new Fault('usage.goes-with', { option: '--no-check', needs: '--declarations' });
  if (unknown && definitionWasNotRecorded(previous))
    context.err(faultText(new Fault('given.forgotten', { name: request.server })));
  return gone
    ? asApproved(previous)
    : fromServer(ask, { request, entry: unknown ? undefined : found, options, previous }, context);
}

/**
 * Returns the declarations of a server; where it declares none, those of its package or of the catalogue, if these are
 * wanted. Faults: `server.no-hooks` and `server.empty-hooks` (exit 4) when nothing was installed before, or hooks of the
 * catalogue were asked for; as `declarationsAndFaults`, `toolFaults` and `overlayFor`.
 */
async function fromServer(
  ask: Ask,
  {
    request,
    entry,
    options,
    previous,
  }: Pick<DeclaredWhere, 'request' | 'options' | 'previous'> & { entry: ServerEntry | undefined },
  context: Context,
): Promise<ReadDeclarations> {
  const { server } = request;
  const overlay = once(() => overlayFor(request, entry, previous, context));
  const parse = ({ document, place }: ServerReading): Checked => {
    const nothing = { declarations: [], indexes: [], leftOut: [], refusals: [] };
    if (place === undefined) return nothing;
    return declarationsAndFaults(document, parsingPlace(options, place));
  };
  const faultsIn = (one: ServerReading): Fault[] => {
    const parsed = parse(one);
    return declares(parsed)
      ? toolFaultsOf(parsed, one.tools, inCapabilities(`${one.place}`))
      : overlayFaults(overlay(), one.tools ?? []);
  };
  let answer: Awaited<ReturnType<Ask>>;
  try {
    answer = await ask(faultsIn);
  } catch (error) {
    const unasked =
      error instanceof Fault ? await withoutAsking(error, overlay(), request, context) : undefined;
    if (!unasked) throw error;
    return { declared: unasked, leftOut: [] };
  }
  const { reading, faults, uncheckedFaults } = answer;
  const { called, tools = [], serverName, era, place, firstMs } = reading;
  const answers = { firstMs, ...(called && { called }), ...(uncheckedFaults && { uncheckedFaults }) };
  const name = serverName === undefined ? {} : { serverName };
  const from = { kind: 'server', era, place: place ?? '' } as const;
  const read = parse(reading);
  const redacted = (all: readonly Fault[]) => all.map((fault) => fault.withTexts(reading.redact));
  const parsed = { ...read, leftOut: redacted(read.leftOut), refusals: redacted(read.refusals) };
  const { declarations, leftOut } = faultlessDeclarations(parsed, declares(parsed) ? faults : [], options);
  if (declarations.length === 0 && leftOut.length === 0) {
    const used = await agreedOverlay(overlay(), { faults, uncheckedFaults }, request, context);
    const beyond = overlay()?.leftOut ?? [];
    if (used) return { declared: { ...used, ...name }, leftOut: [...beyond], answers: { tools, ...answers } };
  }
  // One that asked for the catalogue's hooks is told that there are none; the installed ones stay.
  if (declarations.length > 0 || (previous && !request.catalogue))
    return {
      declared: { declarations, from, ...name },
      leftOut,
      answers: { ...(place !== undefined && { tools }), ...answers },
    };
  if (leftOut.length > 0) throw new Faults(leftOut);
  const offered = knownEntry(request, entry, context);
  const about = { name: server, scope: context.scope.name, ...offered, reached: reachedBy(request) };
  if (place === undefined) throw new Fault('server.no-hooks', { ...about, server: serverName ?? '' }, {}, 4);
  throw new Fault('server.empty-hooks', { ...about, place }, {}, 4);
}

const declares = ({ declarations, leftOut, refusals }: Checked): boolean =>
  declarations.length + leftOut.length + refusals.length > 0;
