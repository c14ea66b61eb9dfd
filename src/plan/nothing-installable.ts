import { Fault } from '../messages/fault.ts';
import { isCarried } from './carried.ts';
import { isChosen } from './chosen-hooks.ts';
import type { InstallOptions } from './options.ts';
import type { ClientPlan, EditedPlace, Plan } from './types.ts';

/** Returns a Fault when no hook can be installed; `given`: what this command line chooses. */
export function nothingInstallable(
  plan: Pick<Plan, 'server' | 'declarations' | 'options'> &
    Partial<Pick<Plan, 'previous' | 'scope'>> & {
      clients: readonly Pick<ClientPlan, 'cells' | 'covered' | 'fault'>[];
    },
  given: Partial<Pick<InstallOptions, 'only' | 'skip'>> = {},
): Fault[] {
  const { server, clients, declarations, options, previous, scope } = plan;
  const any = clients.some(
    (c) => c.fault || c.covered || c.cells.some(({ fidelity }) => isCarried(fidelity)),
  );
  const chosenNow = given.only !== undefined || given.skip !== undefined;
  const noneChosen =
    clients.length === 0 || declarations.every(({ event }, i) => !isChosen(event, i + 1, options));
  // An update removes the hooks of this machine when the server has none left that the user chose before.
  const removed = previous && !chosenNow && scope !== 'project' && noneChosen;
  if (any || removed || declarations.length === 0) return [];
  const earlier = previous && ({ installed: 1, scope } as const);
  const why = noneChosen
    ? ({ noneChosen: 1 } as const)
    : { ...(areEmpty(clients) && { allEmpty: 1 as const }) };
  return [new Fault('plan.nothing-installable', { name: server, ...why, ...earlier })];
}

/** True when no other client and no option helps: the hooks that were chosen have empty texts. */
const areEmpty = (clients: readonly Pick<ClientPlan, 'cells'>[]): boolean =>
  clients.every(({ cells }) =>
    cells.every(({ notes }) =>
      notes.some(({ code }) => code === 'skipped.empty-text' || code === 'skipped.by-choice'),
    ),
  );

/** Returns a plan of which nothing will be written, as it is shown. */
export function writingNothing(plan: Plan): Plan {
  const unwritten = <T extends Pick<EditedPlace, 'before' | 'after' | 'entryChanges'>>(place: T): T => ({
    ...place,
    after: place.before,
    entryChanges: place.entryChanges.filter(({ kind }) => kind === 'unchanged' || kind === 'kept-edited'),
  });
  return {
    ...plan,
    changes: [],
    emptied: [],
    clients: plan.clients.map((client) => ({
      ...unwritten(client),
      beside: client.beside.map(unwritten),
      movedOut: [],
      nextSteps: [],
    })),
  };
}
