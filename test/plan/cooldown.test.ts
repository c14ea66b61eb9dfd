import { expect, it } from 'vitest';
import type { Declaration } from '../../src/declarations/types.ts';
import { clients, planFor } from './golden.ts';

const start = { event: 'session_start', context: 'x', priority: 'suggestion' } as const;

it.each<Declaration>([
  start,
  { ...start, when: { cooldown: 900 } },
  { ...start, when: { cooldown: 'session' } },
])('a cooldown takes no text away that the next start would replace: %j', (declaration) => {
  const without = clients.filter(({ id }) => {
    const { changes } = planFor({ declarations: [declaration], options: { cooldown: 60 } }, id);
    return !changes.some(({ after }) => after && Buffer.from(after).includes('"cooldownMs"'));
  });
  expect(without.map(({ id }) => id)).toEqual(['copilot', 'qwen-code']);
});
