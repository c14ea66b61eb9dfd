import { expect, it } from 'vitest';
import type { FireHook, PayloadShape } from '../../src/fire/format.ts';
import { factsOf, valuesFor } from '../../src/fire/values.ts';

it('an input that is nested more deeply than the stack allows has no text, and is no fault', () => {
  const deep = JSON.parse(`${'[['.repeat(100_000)}${']]'.repeat(100_000)}`);
  const shape = { toolInput: 'tool_input', toolOutput: 'tool_response' } as PayloadShape;
  const facts = factsOf({ tool_input: { deep }, tool_response: [{ deep }] }, shape, {
    name: 'shop',
    root: '/shop',
  });
  expect(facts).toEqual({ project: 'shop', projectDir: '/shop', fields: { deep } });
  const hook = { n: 1, event: 'pre_tool_use', text: 'Of {tool_input.deep}.' } as FireHook;
  expect(valuesFor(hook, 'Bash', facts, () => {})).not.toHaveProperty('tool_input.deep');
});
