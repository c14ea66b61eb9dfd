import { clientById } from '../../clients/index.ts';
import type { Explained } from '../../inspect/explain.ts';
import { cellJson } from './plan.ts';

export function explainedJson({ hooks, limits }: Explained) {
  return {
    hooks: hooks.map(({ n, declaration, clients }) => ({
      n,
      declaration,
      clients: clients.map(({ client, cell, steps, texts, samples, cooldown }) => {
        const event = clientById(client).events[declaration.event];
        return {
          client,
          ...cellJson(cell),
          ...('moment' in event && { moment: event.moment }),
          steps,
          texts,
          samples,
          ...(cooldown !== undefined && {
            cooldown: cooldown === null ? ('session' as const) : cooldown / 1_000,
          }),
        };
      }),
    })),
    limits,
  };
}
