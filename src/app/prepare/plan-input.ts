import { once } from '../../base/once.ts';
import { belowHome, type Env, homeFolder } from '../../base/paths.ts';
import { slugFor } from '../../base/slug.ts';
import type { Client, ClientId } from '../../clients/client.ts';
import { clientById, isClient } from '../../clients/index.ts';
import { installedVersion } from '../../clients/installed-version.ts';
import { isDisabledBy } from '../../inspect/disabled-files.ts';
import { hooksOff } from '../../inspect/trust.ts';
import type { Note } from '../../messages/notes.ts';
import type { PlanInput } from '../../plan/input.ts';
import type { InstallOptions } from '../../plan/options.ts';
import type { Renamed } from '../../plan/types.ts';
import type { Absence, Declared, DefinitionSource, ServerEntry, ServerTool } from '../../servers/types.ts';
import { loadRuntime } from '../../shims/runtime.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { StartApprovals } from '../approval/approvals.ts';
import type { Context } from '../context.ts';
import type { ReadDeclarations } from '../declarations/declared.ts';
import { overlayNotes, ownHooksNotes } from '../declarations/overlay.ts';
import { machineView } from '../disk.ts';
import type { Request } from '../request.ts';
import { aliasOn, clientToName } from '../server/find-entry.ts';
import { ownDefinitions } from '../server/own-definitions.ts';
import { definitionWasNotRecorded, recordableDefinition } from '../server/recordable-definition.ts';
import { clientStillNamed, type ServerReference } from '../server/server-reference.ts';
import { accessAsApproved, documentTools, ownToolsFor, toolAccess } from '../server/tool-access.ts';
import { areChosen, chooseClients, unchosenClients, unreadClients } from './choose-clients.ts';
import {
  checkHookNumbers,
  type EffectiveOptions,
  withChoiceAmong,
  withSuggested,
} from './effective-options.ts';
import { renamedNotes } from './renamed.ts';
import type { ScopeSnapshot } from './scope-snapshot.ts';

/** A server as the record and the clients' files have it. */
export interface FoundServer {
  reference: ServerReference;
  entry: ServerEntry | undefined;
  /** By which the gate judges the definition. */
  gateSource: DefinitionSource | undefined;
  /** Why the approved definition is gone. */
  absent: Absence | undefined;
  renamed: Renamed | undefined;
  /** All servers that are installed in the scope. */
  installed: readonly ServerRecord[];
}

/** What a plan's input is made of. */
interface PlanParts {
  request: Request;
  context: Context;
  opened: ScopeSnapshot;
  previous: ServerRecord | undefined;
  approvals: StartApprovals;
  chosen: EffectiveOptions;
  found: FoundServer;
  read: ReadDeclarations;
}

/** Puts a plan's input together; its look-ups read this machine only when a plan calls them. */
export function planInput(parts: PlanParts): PlanInput {
  const { request, context, opened, previous, approvals, chosen, found, read } = parts;
  const { scope, env, cwd } = context;
  const { server } = request;
  const { reading, inputs, files } = opened;
  const { reference, entry, absent, renamed } = found;
  const declared = inputs.declared(read.declared);
  const { declarations } = declared;
  checkHookNumbers(request.options, declarations.length);
  const options = optionsAmong(declared, parts);
  const alias = (client: ClientId): string | undefined => aliasOn(client, server, inputs.table);
  const isKnownTo = (client: ClientId): boolean => alias(client) !== undefined;
  const clients = chooseClients({ request, previous, isKnownTo, byDefault: chosen.clients }, scope, inputs);
  const perClient = <T>(value: (client: ClientId) => T): Partial<Record<ClientId, T>> =>
    Object.fromEntries(clients.map((id) => [id, value(id)]));
  const given = recordableDefinition(reference.given, declarations);
  const oneForAll = scope.shared || reference.given || (!entry && definitionWasNotRecorded(previous));
  const own = oneForAll ? undefined : ownDefinitions(server, entry, previous, inputs.table);
  const from = clientStillNamed(request, reference, inputs.table);
  const tools = toolInputs(clients, read.answers?.tools, previous);
  const notes = notesOn(clients, isKnownTo, parts);
  return {
    ...inputs.here(approvals),
    ...(previous && { tag: previous.tag }),
    server,
    slug: slugFor(server),
    declared,
    options,
    ...(!scope.shared && { defaulted: chosen.defaulted }),
    clients,
    ...(areChosen(request, previous) && { clientsChosen: true as const }),
    aliasOn: perClient(alias),
    aliases: perClient((client) => inputs.aliases(client, server, declared)),
    ...(inputs.aliasesHere && { aliasesHere: perClient(inputs.aliasesHere) }),
    toolAccess: entry ? toolAccess(entry, declarations, previous) : accessAsApproved(previous),
    ...(own && { ownDefinitions: own }),
    gone: [...(absent ? (['definition'] as const) : []), ...(read.gone ?? [])],
    ...(absent && { absent }),
    ...(renamed && { renamed }),
    versions: once(() => versionsHere(clients, env)),
    hooksOff: (client) => offNotes(client, context),
    ...tools,
    ...(given && { given }),
    ...(notes.length > 0 && { notes }),
    ...(from && { fromClient: from }),
    ...(entry &&
      previous && {
        clientToName: () => clientToName(request, entry, { previous, table: inputs.table, cwd }),
      }),
    ...(read.leftOut.length > 0 && { leftOut: read.leftOut }),
    reading,
    scope,
    ...(request.mode === 'lock' && { fromLock: true as const }),
    env,
    runtime: loadRuntime,
    files,
  };
}

/** Returns the options for these declarations, with those that their catalogue suggests. */
function optionsAmong(
  { declarations, from }: Declared,
  { request, opened, previous, chosen }: PlanParts,
): InstallOptions {
  const options = withChoiceAmong(declarations, chosen.options, request, previous);
  const suggested = from.kind === 'catalogue' ? from.options : undefined;
  const { defaults } = opened.inputs;
  return suggested ? withSuggested(options, suggested, chosen.defaulted, defaults(request.server)) : options;
}

/** Returns what a plan needs of the tools that the server listed, or that the record remembers. */
function toolInputs(
  clients: readonly ClientId[],
  tools: readonly ServerTool[] | undefined,
  previous: ServerRecord | undefined,
): Pick<PlanInput, 'documentTools' | 'ownTools' | 'listedTools'> {
  const ownTools = ownToolsFor(clients, tools, previous);
  return {
    documentTools: tools ? documentTools(tools) : (previous?.documentTools ?? []),
    ...(ownTools && { ownTools }),
    ...(tools && { listedTools: tools.map(({ name }) => name) }),
  };
}

/** Returns the remarks on where declarations and definition come from, and on clients that are left out. */
function notesOn(
  clients: readonly ClientId[],
  isKnownTo: (client: ClientId) => boolean,
  { request, context, opened, previous, chosen, found, read }: PlanParts,
): Note[] {
  const { scope } = context;
  const { reference, entry, installed } = found;
  const { table } = opened.inputs;
  const isDisabled = ({ slug }: ServerRecord): boolean =>
    isDisabledBy([scope.disabledFile(slug)], opened.files);
  // A project's hooks are disabled on one machine, and installed for all.
  const active = scope.shared ? installed : installed.filter((one) => !isDisabled(one));
  return [
    ...(read.ownHooks === undefined
      ? overlayNotes(read.declared, { previous, entry, wanted: request.catalogue }, context)
      : ownHooksNotes(read.ownHooks, request, { given: reference.given, previous, scope })),
    ...unknownClientNotes(previous),
    ...renamedNotes({ server: request.server, clients }, entry, table, active),
    ...unchosenClients({ request, previous, isKnownTo }, clients, scope),
    ...(chosen.clients ? [] : unreadClients(request, clients, scope, table)),
  ];
}

/** Paths in notes are short, as in the plan around them. */
function offNotes(client: Client, context: Context): Note[] {
  return hooksOff(client, machineView(context)).map(({ args, where }) => ({
    code: 'client.hooks-off',
    args: { ...args, file: belowHome(where.file ?? '', homeFolder(context.env)) },
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
