import { describe, expect, it } from 'vitest';
import { quietly } from '../../src/base/quietly.ts';
import type { FireHook, PayloadShape } from '../../src/fire/format.ts';
import { factsOf, valuesFor } from '../../src/fire/text/values.ts';

it('an input that is nested more deeply than the stack allows is no fault', () => {
  const deep = JSON.parse(`${'[['.repeat(100_000)}${']]'.repeat(100_000)}`);
  const shape = { toolInput: 'tool_input', toolOutput: 'tool_response' } as PayloadShape;
  const facts = factsOf({ tool_input: { deep }, tool_response: [{ deep }] }, shape, {
    name: 'shop',
    root: '/shop',
  });
  const hook = { n: 1, event: 'pre_tool_use', text: 'Of {tool_input.deep}.' } as FireHook;
  // A text comes from Node 25 on, whose JSON.stringify takes any depth.
  const whole = quietly(() => JSON.stringify(deep));
  expect(facts.input).toBe(whole && `{"deep":${whole}}`);
  expect(valuesFor(hook, 'Bash', facts, () => {})['tool_input.deep']).toBe(
    whole && `${whole.slice(0, 8_000)} [cut by mcphooks: 8000 of 400000 UTF-16 units]`,
  );
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

describe('the variables of a text', () => {
  const shape = {
    toolInput: 'tool_input',
    toolOutput: 'tool_response',
    session: 'session_id',
    prompt: 'prompt',
  } as PayloadShape;
  const payload = {
    session_id: 's1',
    prompt: 'Do it.',
    tool_input: { command: 'ls', n: 1 },
    tool_response: { text: 'done' },
  };
  const project = { name: 'shop', root: '/shop' };
  const valuesAt = (
    event: string,
    tool: string,
    given: Record<string, unknown> = payload,
    own = shape,
  ): object => {
    const text =
      '{project_name}{project_dir}{session_id}{tool_name}{tool_input}{tool_input.n}{tool_output}{prompt}';
    return valuesFor({ n: 1, event, text } as FireHook, tool, factsOf(given, own, project), () => {});
  };
  const always = { project_name: 'shop', project_dir: '/shop', session_id: 's1' };
  const called = { ...always, tool_input: '{"command":"ls","n":1}', 'tool_input.n': '1' };

  it.each<[string, string, object]>([
    ['session_start', 'Bash', always],
    ['pre_request', 'Bash', { ...always, prompt: 'Do it.' }],
    ['pre_tool_use', 'Bash', { ...called, tool_name: 'Bash' }],
    ['pre_tool_use', '', called],
    ['post_tool_use', 'Bash', { ...called, tool_name: 'Bash', tool_output: '{"text":"done"}' }],
  ])('are those of its event: %s of %j', (event, tool, values) => {
    expect(valuesAt(event, tool)).toEqual(values);
  });

  it.each<[unknown, string]>([
    ['done', 'done'],
    [{ text: 'done' }, 'done'],
    [[{ text: 'one' }, { text: 'two' }, { image: 1 }], 'one\ntwo\n{"image":1}'],
  ])('give a result of parts as its texts: %j', (tool_response, tool_output) => {
    const values = valuesAt('post_tool_use', '', { tool_response }, { ...shape, outputIsText: true });
    expect(values).toMatchObject({ tool_output });
  });

  it('are cut between characters', () => {
    const tool_response = `${'x'.repeat(7_999)}\u{1f642}z`;
    expect(valuesAt('post_tool_use', '', { tool_response })).toMatchObject({
      tool_output: `${'x'.repeat(7_999)} [cut by mcphooks: 7999 of 8002 UTF-16 units]`,
    });
  });
});
