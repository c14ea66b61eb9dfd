import { expect, it } from 'vitest';
import { planInstall } from '../../src/plan/install.ts';
import { inputFor } from './golden.ts';

const first = inputFor(
  { declarations: [{ event: 'session_start', priority: 'suggestion', context: 'Hello.' }] },
  'claude-code',
);

it.each([
  ['serverName', { declared: { ...first.declared, serverName: undefined } }],
  ['documentTools', { documentTools: [] }],
])('forgets the %s of an earlier install', (field, changed) => {
  const installed = planInstall({ ...first, documentTools: ['recall'] });
  expect(installed.next).toHaveProperty(field);
  const record = { ...first.reading, record: installed.record };
  const { next } = planInstall({ ...first, ...changed, reading: record } as typeof first);
  expect(next).not.toHaveProperty(field);
  expect(next.since).toBe(installed.next.since);
});
