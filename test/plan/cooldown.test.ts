import { expect, it } from 'vitest';
import type { Declaration } from '../../src/declarations/types.ts';
import { clients, planFor } from './golden.ts';

const start = { event: 'session_start', context: 'x', priority: 'suggestion' } as const;

it.each<Declaration>([
  start,
  { ...start, when: { cooldown: 900 } },
  { ...start, when: { cooldown: 'session' } },
])(
  'a cooldown takes no text away that the next start would replace, and the plan says so: %j',
  (declaration) => {
    const without: string[] = [];
    const told: string[] = [];
    for (const { id } of clients) {
      const plan = planFor({ declarations: [declaration], options: { cooldown: 60 } }, id);
      if (!plan.changes.some(({ after }) => after && Buffer.from(after).includes('"cooldownMs"')))
        without.push(id);
      if (plan.clients[0]?.cells[0]?.notes.some(({ code }) => code === 'when.no-cooldown')) told.push(id);
    }
    expect([without, told]).toEqual([['copilot', 'droid', 'qwen-code'], without]);
  },
);

it('the plan says nothing of cooldowns where there is none', () => {
  const { clients: planned } = planFor({ declarations: [start] }, 'copilot');
  expect(planned[0]?.cells[0]?.notes).toEqual([]);
});
