import { expect, it } from 'vitest';
import { lint, parse } from '../../src/api/authoring.ts';

const item = { event: 'post_tool_use', priority: 'suggestion', context: 'A text.' };
const cellsOf = (declaration: object) =>
  lint({ declarations: [declaration] }).clients.map(({ hooks }) => ({
    fidelity: hooks[0]?.fidelity,
    natives: hooks[0]?.natives,
    notes: hooks[0]?.notes.map(({ code }) => code),
  }));

it.each(['', ' \n\t'])('a text that says nothing installs nothing: %j', (context) => {
  for (const cell of cellsOf({ ...item, event: 'session_start', context }))
    expect(cell).toEqual({ fidelity: 'skipped', natives: [], notes: ['skipped.empty-text'] });
});

it.each([{ tool_name: '' }, { tool_name: ' ' }, { tool_server: '' }, { tool_name: 'Bash', tool_server: '' }])(
  'an empty name matches no tool: %j',
  (matcher) => {
    for (const cell of cellsOf({ ...item, matcher }))
      expect(cell).toEqual({ fidelity: 'unsupported', natives: [], notes: ['never.empty-name'] });
  },
);

it('an empty needle and an empty matcher narrow nothing', () => {
  expect(cellsOf({ ...item, matcher: { tool_name: 'Bash', input_contains: '' } })).toEqual(
    cellsOf({ ...item, matcher: { tool_name: 'Bash' } }),
  );
  for (const matcher of [{}, { input_contains: '' }])
    expect(cellsOf({ ...item, matcher })).toEqual(cellsOf(item));
});

it('CRLF in a text is a line end', () => {
  const [crlf, lf] = ['one\r\ntwo', 'one\ntwo'].map((context) =>
    parse({ declarations: [{ ...item, context }] }),
  );
  expect(crlf).toEqual(lf);
});

it('the plan says which clients give angle brackets in another form', () => {
  const told = (context: string): string[] =>
    lint({ declarations: [{ ...item, context }] }).clients.flatMap(({ client, hooks }) =>
      hooks[0]?.notes.some(({ code }) => code === 'text.angles') ? [client] : [],
    );
  expect(told('Use <b> here.')).toEqual(['gemini-cli', 'qwen-code']);
  expect(told('Use a & b.')).toEqual([]);
});
