import type { Files } from '../base/files.ts';
import { once } from '../base/once.ts';
import { belowHome, type Env, homeFolder } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import type { Client, ClientId } from '../clients/client.ts';
import { clientById, isClient } from '../clients/index.ts';
import { installedVersion } from '../clients/installed-version.ts';
import { sorted } from '../declarations/canonical-json.ts';
import { hooksOff } from '../inspect/trust.ts';
import { Fault } from '../messages/fault.ts';
import type { Note } from '../messages/notes.ts';
import type { PlanInput } from '../plan/input.ts';
import { keyIn, serversIn } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import { showDefinition } from '../servers/mask.ts';
import type { CalledTool, Definition, ServerTool } from '../servers/types.ts';
import { loadRuntime } from '../shims/runtime.ts';
import { findServer, type RecordReading } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import type { StartApprovals } from './approvals.ts';
import { chooseClients, unreadClients } from './choose-clients.ts';
import { isForgotten, rememberable } from './command-line-definition.ts';
import type { Context } from './context.ts';
import { disk } from './disk.ts';
import { checkHookNumbers, optionsFor, withChoiceAmong, withSuggested } from './effective-options.ts';
import { notInstalled } from './not-installed.ts';
import { overlayNotes, ownHooksNotes } from './overlay.ts';
import { ownDefinitions } from './own-definitions.ts';
import { projectInputs } from './project-inputs.ts';
import { readDeclared } from './read-declarations.ts';
import { openRecord, recoverInterrupted } from './recover.ts';
import { renamedNotes, renamedTo } from './renamed.ts';
import type { Request } from './request.ts';
import {
  aliasOn,
  clientToName,
  findEntry,
  fromStill,
  goneDefinition,
  type ServerReference,
  serverReference,
  unknownServer,
} from './server-reference.ts';
import { namesThisFolder } from './start-gate.ts';
import { accessAsApproved, documentTools, ownToolsFor, toolAccess } from './tool-access.ts';
import { machineInputs, type ScopeInputs } from './user-inputs.ts';

/** Input of a plan, with further results for the command that prepares the plan. */
export interface Prepared {
  input: PlanInput;
  /** Definition of the server in one line, secrets masked. */
  shown?: string;
  definition?: Definition;
  /** True when this command line names the definition in this folder, which approves the definition. */
  named: boolean;
  /** Definitions that the user lets start here. */
  approvals: StartApprovals;
  /** Tools that the server lists; undefined when the server was not asked. */
  tools?: readonly ServerTool[];
  /** Milliseconds from the start of the server to its first answer; undefined when the server was not asked. */
  firstMs?: number;
  /** Faults of tools that the server, started in the home folder, doesn't list there. */
  uncheckedFaults?: readonly Fault[];
  /** Results of test calls of the hooks' tools, when requested. */
  called?: readonly CalledTool[];
}

/** Values that all servers of one command share. */
export interface ScopeSnapshot {
  reading: RecordReading;
  inputs: ScopeInputs;
  files: Files;
}

/**
 * Reads the record and the clients' servers. Finishes an interrupted run first, which may write files. Faults as
 * `recoverInterrupted` and `openRecord`.
 */
export async function openScope(context: Context): Promise<ScopeSnapshot> {
  await recoverInterrupted(context);
  return snapshotOf(openRecord(context), context);
}

/** Builds the snapshot for a record that was read before; writes nothing. */
export function snapshotOf(reading: RecordReading, context: Context): ScopeSnapshot {
  const inputs = context.scope.shared ? projectInputs(context) : machineInputs(context, reading);
  return { reading, inputs, files: filesIn(context.scope, disk) };
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
  const { scope, env, cwd } = context;
  const { server } = request;
  const { reading, inputs, files } = snapshot ?? (await openScope(context));
  const { record } = reading;
  const slug = slugFor(server);
  const previous = findServer(record, keyIn(scope, slug));
  const approvals = inputs.approvals();
  await assertPlannable(request, previous, reading, context);

  const {
    options: known,
    defaulted,
    clients: byDefault,
  } = optionsFor(request, previous, inputs.defaults(server));
  const reference = ordered(serverReference(request, previous, cwd), scope.shared);
  inputs.admit(server, reference);
  const installed = serversIn(scope, record);
  const entry = findEntry(request, reference, previous, inputs.table, installed);
  // A command in a lock file may be anybody's, so the gate treats the lock file as a project file.
  const locked = scope.shared && !request.given && entry?.source.scope === 'command-line';
  const gate = locked ? ({ scope: 'project', file: scope.store.file } as const) : entry?.source;
  const named = request.given !== undefined && (scope.shared || namesThisFolder(request.given, context));
  const { absent } = reference.given ? {} : goneDefinition(previous, inputs.table);
  const renamed = absent && renamedTo(previous, inputs.table, installed);
  const asked = {
    ...request,
    ...reference,
    named,
    absent: absent !== undefined,
    checked: reading.untouched === true,
    ...(gate && { gate }),
  };
  const unknown = (): Fault => unknownServer(server, reference, inputs.table, installed);
  const {
    declared: said,
    leftOut,
    tools,
    called,
    uncheckedFaults,
    firstMs,
    gone,
    ownHooks,
  } = await readDeclared(asked, entry ?? unknown, previous, approvals, known, context);

  const declared = inputs.declared(said);
  const { from: source } = declared;
  const suggested = source.kind === 'catalogue' ? source.options : undefined;
  const { declarations } = declared;
  checkHookNumbers(request.options, declarations.length);
  const options = withChoiceAmong(declarations, known, request, previous);
  const alias = (client: ClientId): string | undefined => aliasOn(client, server, entry, inputs.table);
  const isKnownTo = (client: ClientId): boolean => alias(client) !== undefined;
  const clients = chooseClients(request, isKnownTo, previous, byDefault, scope, inputs);
  const perClient = <T>(value: (client: ClientId) => T): Partial<Record<ClientId, T>> =>
    Object.fromEntries(clients.map((id) => [id, value(id)]));
  const given = rememberable(reference.given, declarations);
  const oneForAll = scope.shared || reference.given || (!entry && isForgotten(previous));
  const own = oneForAll ? undefined : ownDefinitions(server, entry, previous, inputs.table);
  const from = fromStill(request, reference, inputs.table);
  const ownTools = ownToolsFor(clients, tools, previous);
  const notes = [
    ...(ownHooks === undefined
      ? overlayNotes(declared.from, previous, entry, request.catalogue, context)
      : ownHooksNotes(ownHooks, request, reference.given, previous, scope)),
    ...unknownClientNotes(previous),
    ...renamedNotes(server, entry, inputs.table, installed),
    ...(byDefault ? [] : unreadClients(request, clients, scope, inputs.table)),
  ];
  return {
    input: {
      ...inputs.here(approvals),
      ...(previous && { tag: previous.tag }),
      server,
      slug,
      declared,
      options: suggested ? withSuggested(options, suggested, defaulted, inputs.defaults(server)) : options,
      ...(!scope.shared && { defaulted }),
      clients,
      aliasOn: perClient(alias),
      aliases: perClient((client) => inputs.aliases(client, server, declared)),
      ...(inputs.aliasesHere && { aliasesHere: perClient(inputs.aliasesHere) }),
      toolAccess: entry ? toolAccess(entry, declarations, previous) : accessAsApproved(previous),
      ...(own && { ownDefinitions: own }),
      gone: [...(absent ? (['definition'] as const) : []), ...(gone ?? [])],
      ...(absent && { absent }),
      ...(renamed && { renamed }),
      versions: once(() => versionsHere(clients, env)),
      hooksOff: (client) => offNotes(client, context),
      documentTools: tools ? documentTools(tools) : (previous?.documentTools ?? []),
      ...(ownTools && { ownTools }),
      ...(tools && { listedTools: tools.map(({ name }) => name) }),
      ...(given && { given }),
      ...(notes.length > 0 && { notes }),
      ...(from && { fromClient: from }),
      ...(entry && previous && { mustName: () => clientToName(request, entry, previous, inputs.table, cwd) }),
      ...(leftOut.length > 0 && { leftOut }),
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
    ...(tools && { tools }),
    ...(called && { called }),
    ...(firstMs !== undefined && { firstMs }),
    ...(uncheckedFaults && { uncheckedFaults }),
  };
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
  if (mode !== 'ask' || fault.args.elsewhere) throw fault;
}

/** Sorts the keys of a shared definition as the lock file stores them, so that the next plan produces equal bytes. */
function ordered(reference: ServerReference, shared: boolean): ServerReference {
  const { given } = reference;
  return shared && given ? { ...reference, given: sorted(given) as Definition } : reference;
}

/** Paths in notes are short, as in the plan around them. */
function offNotes(client: Client, { env, cwd }: Context): Note[] {
  return hooksOff(client, { ...disk, env, cwd }).map(({ args, where }) => ({
    code: 'client.hooks-off',
    args: { ...args, file: belowHome(where.file ?? '', homeFolder(env)) },
  }));
}

/** Returns the remark on clients of an install that this version doesn't know. */
function unknownClientNotes(previous: ServerRecord | undefined): Note[] {
  const unknown = Object.keys(previous?.clients ?? {}).filter((id) => !isClient(id));
  return unknown.length === 0 ? [] : [{ code: 'client.unknown', args: { clients: unknown } }];
}

function versionsHere(clients: readonly ClientId[], env: Env): Partial<Record<ClientId, string>> {
  return Object.fromEntries(clients.map((id) => [id, installedVersion(clientById(id), env)]));
}
