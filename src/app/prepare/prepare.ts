import { slugFor } from '../../base/slug.ts';
import { sorted } from '../../declarations/canonical-json.ts';
import { Fault } from '../../messages/fault.ts';
import type { PlanInput } from '../../plan/input.ts';
import { keyIn, serversIn } from '../../plan/scopes/scope.ts';
import { showDefinition } from '../../servers/masking/mask.ts';
import type { Answers, Definition, DefinitionSource } from '../../servers/types.ts';
import { findServer, type RecordReading } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { StartApprovals } from '../approval/approvals.ts';
import { gateSource, namesThisFolder } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import { beginsToDeclare } from '../declarations/overlay.ts';
import { readDeclared } from '../declarations/read-declarations.ts';
import { notInstalled } from '../not-installed.ts';
import type { Request } from '../request.ts';
import { findEntry, goneDefinition } from '../server/find-entry.ts';
import { type ServerReference, serverReference } from '../server/server-reference.ts';
import { unknownServer } from '../server/unknown-server.ts';
import { optionsFor } from './effective-options.ts';
import { type FoundServer, planInput } from './plan-input.ts';
import { renamedTo } from './renamed.ts';
import { openScope, type ScopeSnapshot } from './scope-snapshot.ts';

/** Input of a plan, with further results for the command that prepares the plan. */
export interface Prepared {
  input: PlanInput;
  /** Definition of the server in one line, secrets masked. */
  shown?: string;
  definition?: Definition;
  /** Where the definition is. */
  source?: DefinitionSource;
  /** True when this command line names the definition in this folder, which approves the definition. */
  named: boolean;
  /** Definitions that the user lets start here. */
  approvals: StartApprovals;
  /** True when the server began to declare hooks itself, and nobody has chosen between those and the file's yet. */
  beginsToDeclare: boolean;
  /** Absent when the server was not asked. */
  answers?: Answers;
}

/**
 * Resolves the server, reads its declarations (from the server, a file, or the record), and collects the input of a
 * plan. Without a `snapshot`, calls `openScope`.
 */
export async function preparePlan(
  request: Request,
  context: Context,
  snapshot?: ScopeSnapshot,
): Promise<Prepared> {
  const { scope } = context;
  const { server } = request;
  const opened = snapshot ?? (await openScope(context));
  const { reading, inputs } = opened;
  const previous = findServer(reading.record, keyIn(scope, slugFor(server)));
  const approvals = inputs.approvals();
  await assertPlannable(request, previous, reading, context);

  const chosen = optionsFor(request, previous, inputs.defaults(server));
  const found = locateServer(request, previous, opened, context);
  const { reference, entry, gateSource: source, installed } = found;
  const named = request.given !== undefined && (scope.shared || namesThisFolder(request.given, context));
  const declaring = {
    ...request,
    ...reference,
    named,
    isGone: found.absent !== undefined,
    checked: reading.untouched === true,
    ...(source && { gateSource: source }),
  };
  const unknown = (): Fault => unknownServer(server, reference, inputs.table, installed);
  const read = await readDeclared(
    { request: declaring, found: entry ?? unknown, previous, approvals, options: chosen.options },
    context,
  );
  return {
    input: planInput({ request, context, opened, previous, approvals, chosen, found, read }),
    ...(entry && {
      shown: showDefinition(entry.definition, source),
      definition: entry.definition,
      source: entry.source,
    }),
    named,
    approvals,
    beginsToDeclare: beginsToDeclare(read.ownHooks, request, previous),
    ...(read.answers && { answers: read.answers }),
  };
}

/** Looks the server up in the record and in the clients' files. */
function locateServer(
  request: Request,
  previous: ServerRecord | undefined,
  { reading, inputs }: ScopeSnapshot,
  { scope, cwd }: Context,
): FoundServer {
  const { table } = inputs;
  const reference = ordered(serverReference(request, previous, cwd), scope.shared);
  inputs.admit(request, reference);
  const installed = serversIn(scope, reading.record);
  const entry = findEntry(request, reference, { previous, table, installed });
  // A command line given now is the user's own.
  const source = entry && (request.given ? entry.source : gateSource(entry.source, scope));
  const { absent } = reference.given ? {} : goneDefinition(previous, table);
  const renamed = absent && renamedTo(previous, table, installed);
  return { reference, entry, gateSource: source, absent, renamed, installed };
}

/**
 * Throws a Fault for a server that isn't installed when the mode plans only installed servers: `lock.not-in`, or as
 * `notInstalled`.
 */
async function assertPlannable(
  { server, mode, declarationsFile, installedOnly }: Request,
  previous: ServerRecord | undefined,
  { record }: RecordReading,
  context: Context,
): Promise<void> {
  if (previous) return;
  if (mode === 'lock')
    throw new Fault('lock.not-in', { name: server, known: record.servers.map((s) => s.server) });
  if (declarationsFile || (mode === 'ask' && !installedOnly)) return;
  const fault = await notInstalled(server, context);
  // `ask` may plan a server that is installed nowhere.
  if (mode !== 'ask' || fault.args.elsewhere || fault.code !== 'plan.not-installed') throw fault;
}

/** Sorts the keys of a shared definition as the lock file stores them, so that the next plan produces equal bytes. */
function ordered(reference: ServerReference, shared: boolean): ServerReference {
  const { given } = reference;
  return shared && given ? { ...reference, given: sorted(given) } : reference;
}
