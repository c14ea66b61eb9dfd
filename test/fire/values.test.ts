import { expect, it } from 'vitest';
import type { FireHook, PayloadShape } from '../../src/fire/format.ts';
import { factsOf, valuesFor } from '../../src/fire/text/values.ts';

it('an input that is nested more deeply than the stack allows has no text, and is no fault', () => {
  const deep = JSON.parse(`${'[['.repeat(100_000)}${']]'.repeat(100_000)}`);
  const shape = { toolInput: 'tool_input', toolOutput: 'tool_response' } as PayloadShape;
  const facts = factsOf({ tool_input: { deep }, tool_response: [{ deep }] }, shape, {
    name: 'shop',
    root: '/shop',
  });
  expect(facts).toEqual({ projectName: 'shop', projectDir: '/shop', fields: { deep } });
  const hook = { n: 1, event: 'pre_tool_use', text: 'Of {tool_input.deep}.' } as FireHook;
  expect(valuesFor(hook, 'Bash', facts, () => {})).not.toHaveProperty('tool_input.deep');
});

it('tells only of values that the hook uses', () => {
  const odd = (hook: object): string[] => {
    const told: string[] = [];
    const facts = {
      projectName: 'shop\u202e',
      projectDir: '/shop',
      fields: { command: 'x'.repeat(9_000), note: 'a\u202eb' },
      input: 'x'.repeat(9_000),
      output: 'y\u202e'.repeat(9_000),
    };
    const of = { n: 1, event: 'post_tool_use', priority: 'suggestion', does: 'emit', ...hook } as FireHook;
    valuesFor(of, 'Bash', facts, (incident, detail) => told.push(`${incident} ${detail}`));
    return told;
  };
  expect(odd({ text: 'In {project_dir}.' })).toEqual([]);
  expect(odd({ text: 'Of {tool_output}: {tool_output}' })).toEqual([
    'text.sanitised tool_output',
    'value.cut tool_output',
  ]);
  const args = { q: [{ deep: '{tool_input.command}' }] };
  expect(odd({ call: { tool: 'x', args } })).toEqual([]);
  expect(odd({ text: 'Of {tool_input.command}.' })).toEqual(['value.cut tool_input.command']);
});

it('gives a tool each value whole and unaltered', () => {
  const input = JSON.stringify({ command: `echo \u202e${'x'.repeat(9_000)}` });
  const facts = { projectName: 'shop\u202e', projectDir: '/shop', fields: JSON.parse(input), input };
  const args = { q: '{tool_input}', of: '{project_name}', deep: ['{tool_input.command}'] };
  const hook = { n: 1, event: 'post_tool_use', call: { tool: 'x', args } } as unknown as FireHook;
  const values = valuesFor(hook, 'Bash', facts, () => {});
  expect(values).toEqual({
    tool_input: input,
    project_name: 'shop\u202e',
    'tool_input.command': JSON.parse(input).command,
  });
});
