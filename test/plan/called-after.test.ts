import { expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import type { Client } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { wiringOf } from '../../src/clients/protocol.ts';

const NOTE = 'late.tool-called-after';
const warned = (declaration: object): string[] =>
  lint({ declarations: [{ priority: 'suggestion', ...declaration }] }).clients.flatMap(({ client, hooks }) =>
    hooks[0]?.notes.some(({ code }) => code === NOTE) ? [client] : [],
  );

it('says of each client that calls a tool after the call that the hook is for', () => {
  // Payloads of an event after a call have a result.
  const isAfter = ({ events, natives }: Client): boolean =>
    wiringOf(events.pre_tool_use).some(
      ({ native, does }) => does === 'emit' && natives[native]?.output !== undefined,
    );
  const late = CLIENTS.filter(isAfter).map(({ id }) => id);
  expect(late).toContain('droid');
  expect(late).not.toContain('claude-code');
  expect(warned({ event: 'pre_tool_use', context_tool: 'note' })).toEqual(late);
});

it('says so of no other hook', () => {
  expect(warned({ event: 'pre_tool_use', context: 'A text.' })).toEqual([]);
  expect(warned({ event: 'post_tool_use', context_tool: 'note' })).toEqual([]);
});
