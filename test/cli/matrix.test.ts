import { describe, expect, it } from 'vitest';
import { grouped } from '../../src/base/grouped.ts';
import { type Style, widthOf } from '../../src/base/text-style.ts';
import { type HookMatrix, matrixLines } from '../../src/cli/text/matrix.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { PROVED } from '../../src/messages/notes.ts';

const plain: Style = (_format, text) => text;
const FIDELITIES = ['native', 'late', 'deferred', 'unsupported', 'skipped'] as const;

/** The six events on the first `n` clients, each client another one at each event. */
function outcome(n: number): HookMatrix {
  const declarations = EVENTS.map((event) => ({ event, context: 'x', priority: 'suggestion' as const }));
  const cells = (c: number) =>
    EVENTS.map((_, e) => ({
      n: e + 1,
      client: CLIENTS[c]?.id ?? 'codex',
      fidelity: FIDELITIES[c < 2 || e === 0 ? 0 : (c + e) % FIDELITIES.length] ?? 'native',
      notes: [],
      natives: [],
    }));
  return { declarations, clients: CLIENTS.slice(0, n).map(({ id }, c) => ({ client: id, cells: cells(c) })) };
}

describe.each([40, 60, 80, 120])('the matrix at %d columns', (columns) => {
  it.each(CLIENTS.map((_, i) => i + 1))('fits with %d clients, and says all of it', (n) => {
    const of = outcome(n);
    const lines = matrixLines(of, plain, columns).flatMap((line) => line.split('\n'));
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
    const text = lines.join(' ').replace(/ +/g, ' ');
    const titles = CLIENTS.slice(0, n).map(({ title }) => title);
    const isTable = lines[0]?.trim().startsWith('Claude Code');
    for (const [e, event] of EVENTS.entries()) {
      const told = titles.map((title, c) => [title, of.clients[c]?.cells[e]?.fidelity ?? ''] as const);
      const shown = isTable
        ? told.map(([, what]) => what)
        : grouped(told).map((g) => `${g.text} on ${g.whom}`);
      expect(text.replace(/[●◑◔✕–] /g, '')).toContain(`${e + 1} ${event} ${shown.join(' ')}`);
    }
  });
});

it('a table stays one where there is room for it', () => {
  const [first = ''] = matrixLines(outcome(3), plain, 80);
  expect(first.trim().split(/ {2,}/)).toEqual(CLIENTS.slice(0, 3).map(({ title }) => title));
  expect(matrixLines(outcome(3), plain, 60)[0]).toMatch(/^ +1 {2}session_start +● native +on all$/);
});

it('says how it is known', () => {
  const [last = ''] = matrixLines(outcome(2), plain, 80).slice(-1);
  expect(last.trim().split(/ {2,}/)).toEqual([
    'tested',
    ...CLIENTS.slice(0, 2).map(({ proved }) => PROVED[proved.how]),
  ]);
});

describe('names with the same text', () => {
  const told = (texts: string) => [...texts].map((text, i) => [`N${i}`, text] as const);
  it.each([
    ['a', [['a', 'N0']]],
    ['aaa', [['a', 'all']]],
    [
      'aba',
      [
        ['a', 'N0, N2'],
        ['b', 'N1'],
      ],
    ],
    [
      'aaba',
      [
        ['a', 'all but N2'],
        ['b', 'N2'],
      ],
    ],
    [
      'bacaa',
      [
        ['a', 'all but N0, N2'],
        ['b', 'N0'],
        ['c', 'N2'],
      ],
    ],
    [
      'aaabbb',
      [
        ['a', 'N0, N1, N2'],
        ['b', 'N3, N4, N5'],
      ],
    ],
    ['', []],
  ])('of %s', (texts, expected) =>
    expect(grouped(told(texts)).map(({ text, whom }) => [text, whom])).toEqual(expected),
  );
});
