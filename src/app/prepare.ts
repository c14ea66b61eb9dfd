import type { Files } from '../base/files.ts';
import { once } from '../base/once.ts';
import type { Env } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { installedVersion } from '../clients/installed-version.ts';
import { sorted } from '../declarations/canonical-json.ts';
import { Fault } from '../messages/fault.ts';
import type { PlanInput } from '../plan/input.ts';
import { keyIn, serversIn } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import { showDefinition } from '../servers/mask.ts';
import type { CalledTool, Definition, ServerTool } from '../servers/types.ts';
import { loadRuntime } from '../shims/runtime.ts';
import { findServer, type RecordReading } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import type { StartApprovals } from './approvals.ts';
import { chooseClients } from './choose-clients.ts';
import { rememberable } from './command-line-definition.ts';
import type { Context } from './context.ts';
import { disk } from './disk.ts';
import { optionsFor } from './effective-options.ts';
import { notInstalled } from './installed.ts';
import { projectInputs } from './project-inputs.ts';
import { readDeclared } from './read-declarations.ts';
import { openRecord, recoverInterrupted } from './recover.ts';
import type { Request } from './request.ts';
import {
  aliasOn,
  findEntry,
  goneDefinition,
  type ServerReference,
  serverReference,
  unknownServer,
} from './server-reference.ts';
import { namesThisFolder } from './start-gate.ts';
import { accessAsApproved, documentTools, toolAccess } from './tool-access.ts';
import { machineInputs, type ScopeInputs } from './user-inputs.ts';

/** A plan's input, and what only its reader needs. */
export interface Prepared {
  input: PlanInput;
  /** How the server is run or reached, in one line, secrets masked. */
  shown?: string;
  definition?: Definition;
  /** Whoever gave this command named how to reach it, and approved that. */
  named: boolean;
  /** What this machine's user lets start here. */
  approvals: StartApprovals;
  /** Faults of declarations that --lenient left out. */
  skipped: Fault[];
  /** What the server lists; undefined when it was not asked. */
  tools?: readonly ServerTool[];
  /** What came of calling tools of its hooks, where that was asked for. */
  called?: readonly CalledTool[];
}

/** What all servers of one command have in common. */
export interface ScopeSnapshot {
  reading: RecordReading;
  inputs: ScopeInputs;
  files: Files;
}

/**
 * Looks at the record and at the clients' servers. First it ends what an interrupted run left half done, which may write
 * files. Faults as `recoverInterrupted` and `openRecord`.
 */
export async function openScope(context: Context): Promise<ScopeSnapshot> {
  await recoverInterrupted(context);
  return snapshotOf(openRecord(context), context);
}

/** The same of a record that was read; writes nothing. */
export function snapshotOf(reading: RecordReading, context: Context): ScopeSnapshot {
  const inputs = context.scope.shared ? projectInputs(context) : machineInputs(context, reading);
  return { reading, inputs, files: filesIn(context.scope, disk) };
}

/**
 * Finds out how to reach the server, asks it (or a file, or the record) for its declarations, and looks at what is
 * installed. Without a `snapshot` it makes one, as `openScope` does.
 */
export async function preparePlan(
  request: Request,
  context: Context,
  snapshot?: ScopeSnapshot,
): Promise<Prepared> {
  const { scope, env, cwd } = context;
  const { server } = request;
  const { reading, inputs, files } = snapshot ?? (await openScope(context));
  const { record } = reading;
  const slug = slugFor(server);
  const previous = findServer(record, keyIn(scope, slug));
  const approvals = inputs.approvals();
  await assertPlannable(request, previous, reading, context);

  const { options, defaulted, clients: byDefault } = optionsFor(request, previous, inputs.defaults(server));
  const reference = ordered(serverReference(request, previous, cwd), scope.shared);
  inputs.admit(server, reference);
  const entry = findEntry(request, reference, previous, inputs.table, serversIn(scope, record));
  // What a lock file says of a command anybody may have written.
  const locked = scope.shared && !request.given && entry?.source.scope === 'command-line';
  const gate = locked ? ({ scope: 'project', file: scope.store.file } as const) : entry?.source;
  const named = request.given !== undefined && (scope.shared || namesThisFolder(request.given, context));
  const asked = { ...request, ...reference, named, ...(gate && { gate }) };
  const unknown = (): Fault => unknownServer(server, reference, inputs.table, serversIn(scope, record));
  const {
    declared: said,
    skipped,
    tools,
    called,
    gone,
  } = await readDeclared(asked, entry ?? unknown, previous, approvals, options, context);

  const declared = inputs.declared(said);
  const { declarations } = declared;
  const alias = (client: ClientId): string | undefined => aliasOn(client, server, entry, inputs.table);
  const isKnownTo = (client: ClientId): boolean => alias(client) !== undefined;
  const clients = chooseClients(request, isKnownTo, previous, byDefault, scope, inputs);
  const perClient = <T>(value: (client: ClientId) => T): Partial<Record<ClientId, T>> =>
    Object.fromEntries(clients.map((id) => [id, value(id)]));
  const given = rememberable(reference.given, declarations);
  return {
    input: {
      ...inputs.here(approvals),
      ...(previous && { tag: previous.tag }),
      server,
      slug,
      declared,
      options,
      ...(!scope.shared && { defaulted }),
      clients,
      aliasOn: perClient(alias),
      aliases: perClient((client) => inputs.aliases(client, server, declared)),
      toolAccess: entry ? toolAccess(entry, declarations, previous) : accessAsApproved(previous),
      gone: [...(reference.given ? [] : goneDefinition(previous)), ...(gone ?? [])],
      versions: once(() => versionsHere(clients, env)),
      documentTools: tools ? documentTools(tools) : (previous?.documentTools ?? []),
      ...(given && { given }),
      ...(reference.from && { fromClient: reference.from }),
      reading,
      scope,
      ...(request.mode === 'lock' && { evenEdited: true as const }),
      env,
      runtime: loadRuntime,
      files,
    },
    ...(entry && { shown: showDefinition(entry.definition, gate), definition: entry.definition }),
    named,
    approvals,
    skipped,
    ...(tools && { tools }),
    ...(called && { called }),
  };
}

/** Throws a Fault for what is not installed where only that can be planned: `lock.not-in`, or as `notInstalled`. */
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
  // A server that is installed nowhere is asked, and compared with nothing.
  if (mode !== 'ask' || fault.args.elsewhere) throw fault;
}

/** As it will be read out of the lock file, so that the next plan comes to the same bytes. */
function ordered(reference: ServerReference, shared: boolean): ServerReference {
  const { given } = reference;
  return shared && given ? { ...reference, given: sorted(given) as Definition } : reference;
}

function versionsHere(clients: readonly ClientId[], env: Env): Partial<Record<ClientId, string>> {
  return Object.fromEntries(clients.map((id) => [id, installedVersion(clientById(id), env)]));
}
