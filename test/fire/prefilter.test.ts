import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FireData } from '../../src/fire/format.ts';
import { readShellLine } from '../../src/fire/shell/shell-line.ts';
import { runsOf } from '../../src/shims/condition-files.ts';
import { longestStableSubstring, needlesFile } from '../../src/shims/prefilter.ts';
import { anyCharacter } from '../any-character.ts';
import { often } from '../effort.ts';

/** What the shell does with one needle's run (templates/shim.sh). */
const passes = (run: string | null, payload: string): boolean =>
  run === null || /\\u00[2-7]/.test(payload) || payload.includes(run);

/** Another JSON spelling of `value`: every choice that JSON leaves free is made by `choose(n)`, below n. */
function respell(value: unknown, choose: (n: number) => number): string {
  const space = (): string => ['', '', ' ', '\n  ', '\t'][choose(5)] as string;
  const hex = (c: string): string => {
    const code = c.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${choose(2) ? code.toUpperCase() : code}`;
  };
  const character = (c: string): string => {
    const usual = JSON.stringify(c).slice(1, -1);
    if (c === '/' && choose(2)) return '\\/';
    if ((c < ' ' || c > '~' || choose(60) === 0) && choose(2)) return hex(c);
    return usual;
  };
  const text = (s: string): string => `"${s.split('').map(character).join('')}"`;
  const list = (open: string, items: string[], close: string): string =>
    open + space() + items.join(`${space()},${space()}`) + space() + close;
  const write = (v: unknown): string => {
    if (typeof v === 'string') return text(v);
    if (Array.isArray(v)) return list('[', v.map(write), ']');
    if (typeof v === 'object' && v !== null)
      return list(
        '{',
        Object.entries(v).map(([k, x]) => `${text(k)}${space()}:${space()}${write(x)}`),
        '}',
      );
    if (typeof v === 'number' && choose(2)) return v.toExponential();
    return JSON.stringify(v);
  };
  return write(value);
}

const piece = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '\\',
    '\\\\',
    '\n',
    '\u001b',
    '\u0007',
    'u001b',
    'n',
    '00',
    'git commit',
    'C:\\new\\u',
    '/',
    '"',
    'é',
    '\u007f',
    '\ud800',
    '😀',
    'e5',
    '12',
    '{',
    '1e3',
  ),
);
const content = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
const input = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    content,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(content, tie('value'), { maxKeys: 3 }),
})).object;

describe('safeRun', () => {
  it('never hides a payload whose compact tool input holds the needle', () => {
    fc.assert(
      fc.property(
        input,
        fc.nat(),
        fc.nat(),
        fc.infiniteStream(fc.nat(1000)),
        fc.boolean(),
        (value, from, length, choices, known) => {
          const parsed = JSON.parse(JSON.stringify(value));
          const compact = JSON.stringify(parsed);
          const start = from % compact.length;
          const needle = compact.slice(start, start + 1 + (length % 40));
          const choose = (n: number): number => (choices.next().value as number) % n;
          const payload = known
            ? JSON.stringify({ tool_input: value })
            : respell({ tool_input: value }, choose);
          expect(JSON.stringify(JSON.parse(payload).tool_input)).toContain(needle);
          expect(
            passes(longestStableSubstring(needle), payload),
            `${longestStableSubstring(needle)} in ${payload}`,
          ).toBe(true);
        },
      ),
      often(20),
    );
  });

  it.each([
    ['git commit', 'git commit'],
    ['commit', 'ommit'],
    ['-m \\"x\\"', '-m '],
    ['src/main.ts', 'main.ts'],
    ['line\\nline2', 'line2'],
    ['\\u001b[31mred', '31mred'],
    ['{"a":12}', 'a'],
    ['é', null],
    ['12.5e3', null],
    ['\\', null],
    ['', null],
  ])('of %j is %j', (needle, run) => {
    expect(longestStableSubstring(needle)).toBe(run);
  });
});

describe('needlesFile', () => {
  it('holds each run once and the escapes, and is none when any hook has no run', () => {
    const escapes = '\\u002\n\\u003\n\\u004\n\\u005\n\\u006\n\\u007\n';
    expect(needlesFile(['a b', 'c', 'a b'])).toBe(`a b\nc\n${escapes}`);
    expect(needlesFile([])).toBe(escapes);
    expect(needlesFile(['a', null])).toBeNull();
  });
});

describe('runsOf a hook on any:search', () => {
  const [runs = []] = runsOf(
    {
      n: 1,
      event: 'post_tool_use',
      priority: 'suggestion',
      does: 'emit',
      match: { search: true, tools: ['Grep'] },
    },
    { payload: {} } as FireData,
  );
  const passesAny = (payload: object): boolean => runs.some((run) => passes(run, JSON.stringify(payload)));

  it.each([
    'rg x',
    'rg',
    'ack\tx',
    'rg\nls',
    "'rg' x",
    '"ack" x',
    'rg.exe x',
    'rg;ls',
    'rg|wc',
    'rg&&ls',
    'rg>a',
    'rg<a',
    '(rg)',
    '`rg`',
    '$(ack)',
    'find . | xargs ack',
    'git grep x',
    'egrep x',
  ])('%j searches, and is let through', (command) => {
    expect(readShellLine(command).searches).toBe(true);
    expect(passesAny({ input: { command } })).toBe(true);
  });

  it.each(['args', 'target', 'package', 'tracks', 'cargo'])(
    'a payload with the key or the word %j is not',
    (word) => expect(passesAny({ [word]: { command: `npm run ${word}s` } })).toBe(false),
  );
});

describe('runsOf a hook on failures', () => {
  const failing = { path: 'a.error', holds: ['"error"'], failed: '.' };
  const runs = (signs: object[], more: object = {}) =>
    runsOf(
      {
        n: 1,
        event: 'post_tool_use',
        priority: 'suggestion',
        does: 'emit',
        when: { outcome: 'failure', ...more },
      },
      { payload: { outcome: { signs } } } as unknown as FireData,
    );

  it('are those of all signs of a failure', () => {
    expect(runs([failing, { ...failing, holds: ['"exit_code"'] }])).toEqual([['error', 'exit_code']]);
    expect(runs([failing, { tools: ['Bash'], holds: undefined }])).toEqual([['error']]);
  });

  it('are none where a payload without a sign passes, too', () => {
    expect(runs([failing, { ...failing, holds: undefined }])).toEqual([]);
    expect(runs([failing], { ifUnknown: true })).toEqual([]);
  });
});

it('an option is no run of a command: it may stand there in one word with others', () => {
  const when = { command: ['git', '--amend'] };
  const hook = { n: 1, event: 'post_tool_use', priority: 'suggestion', does: 'emit', when } as const;
  expect(runsOf(hook as never, { payload: {} } as FireData)).toEqual([['git']]);
});
