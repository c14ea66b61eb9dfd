import { Fault } from '../messages/fault.ts';
import { isChosen } from './chosen-hooks.ts';
import type { InstallOptions } from './options.ts';
import type { ClientPlan, Plan } from './types.ts';

/** Returns a Fault when no hook can be installed; `given`: what this command line chooses. */
export function nothingInstallable(
  {
    server,
    clients,
    declarations,
    options,
    previous,
    scope,
  }: Pick<Plan, 'server' | 'declarations' | 'options'> &
    Partial<Pick<Plan, 'previous' | 'scope'>> & {
      clients: readonly Pick<ClientPlan, 'cells' | 'covered' | 'fault'>[];
    },
  given: Partial<Pick<InstallOptions, 'only' | 'skip'>> = {},
): Fault[] {
  const any = clients.some((c) => c.fault || c.covered || c.cells.some((cell) => cell.natives.length > 0));
  const chosenNow = given.only !== undefined || given.skip !== undefined;
  const noneChosen =
    clients.length === 0 || declarations.every(({ event }, i) => !isChosen(event, i + 1, options));
  // An update removes the hooks of this machine when the server has none left that the user chose before.
  const removed = previous && !chosenNow && scope !== 'project' && noneChosen;
  if (any || removed || declarations.length === 0) return [];
  const earlier = previous && ({ installed: 1, scope } as const);
  return [
    new Fault('plan.nothing-installable', { name: server, ...(noneChosen && { noneChosen: 1 }), ...earlier }),
  ];
}
