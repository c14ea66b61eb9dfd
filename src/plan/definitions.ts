import type { ClientId } from '../clients/client.ts';
import type { FireServer } from '../fire/format.ts';
import { isForOneProject, isSamePlace } from '../servers/source.ts';
import type { DefinitionSource } from '../servers/types.ts';
import { approvedDefinitions, findServer } from '../store/record.ts';
import type { ApprovedDefinition, ServerRecord } from '../store/types.ts';
import type { PlanInput } from './input.ts';
import { keyIn } from './scopes/scope.ts';
import type { DefinitionDifference } from './types.ts';

type Input = Pick<
  PlanInput,
  'ownDefinitions' | 'toolAccess' | 'gone' | 'absent' | 'reading' | 'scope' | 'slug'
>;

/** Returns how a client's definition differs from the approved one; undefined when nothing was installed before, too. */
export function definitionOn(client: ClientId, input: Input): DefinitionDifference | undefined {
  const previous = previousOf(input);
  if (!previous) return undefined;
  const one = input.ownDefinitions?.find((other) => other.client === client);
  if (one?.found) return one.found.approved ? undefined : { is: 'changed', file: one.source.file };
  const lost = approvedDefinitions(previous).find(({ source }) => source.client === client);
  const instead = input.ownDefinitions?.find((other) => other.found?.approved)?.client;
  if (input.ownDefinitions && lost)
    return { is: 'gone', absent: one?.absent, file: lost.source.file, instead };
  if (instead) return undefined;
  const { file, client: of } = previous.definition?.source ?? {};
  if (input.gone?.includes('definition'))
    return { is: 'gone', absent: input.absent, file, of: of === client ? undefined : of };
  return mainChanged(input, previous) ? { is: 'changed', file } : undefined;
}

/** Whether a definition has to be approved: of these clients, or the one by which the server is asked. */
export function definitionChanged(clients: readonly ClientId[], input: Input): boolean {
  const previous = previousOf(input);
  if (!previous) return false;
  return mainChanged(input, previous) || clients.some((id) => definitionOn(id, input)?.is === 'changed');
}

/**
 * Returns the definitions in the user's own files to record, except the one of `toolAccess`. A plan that asks for no
 * approval keeps the approved ones and adds none.
 */
export function otherDefinitions(input: PlanInput): ApprovedDefinition[] | undefined {
  const asks = !previousOf(input) || definitionChanged(input.clients, input);
  return input.ownDefinitions?.flatMap(({ source, found }) =>
    found && !isForOneProject(source) && !isMain(source, input) && (asks || found.approved)
      ? [{ source, hash: found.hash, shown: found.shown }]
      : [],
  );
}

/** Places, besides that of `toolAccess`, where a hook may find the server. */
export function otherPlaces(input: PlanInput): FireServer['others'] {
  const approved = new Map(otherDefinitions(input)?.map(({ source, hash }) => [source, hash]));
  return input.ownDefinitions
    ?.filter(({ source }) => !isMain(source, input) && !isForOneProject(source))
    .map(({ source, dialect }) => {
      const hash = approved.get(source);
      return { source, dialect, ...(hash !== undefined && { hash }) };
    });
}

const previousOf = ({ reading, scope, slug }: Input): ServerRecord | undefined =>
  findServer(reading.record, keyIn(scope, slug));

/** Whether the definition by which the server is asked is new. An earlier version recorded another hash for the same. */
function mainChanged({ toolAccess, ownDefinitions }: Input, previous: ServerRecord): boolean {
  const before = approvedDefinitions(previous).map(({ hash }) => hash);
  if (!('at' in toolAccess)) return false;
  const { hash, source } = toolAccess.at;
  const used = ownDefinitions?.find((one) => one.found && isSamePlace(one.source, source));
  if (used) return used.found?.approved === false;
  return !before.includes(hash) && !(toolAccess.earlierHash && before.includes(toolAccess.earlierHash));
}

const isMain = (source: DefinitionSource, { toolAccess }: Input): boolean =>
  'at' in toolAccess && isSamePlace(toolAccess.at.source, source);
