import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declarationsDiff } from '../../src/cli/text/declarations-diff.ts';
import type { Declaration } from '../../src/declarations/types.ts';
import { LONG, often } from '../effort.ts';

const say = (context: string): Declaration => ({ event: 'pre_request', context, priority: 'suggestion' });
const shown = (a: Declaration[], b: Declaration[]): string[] =>
  declarationsDiff(a, b).map((l) => l.sign + l.text);

describe('a difference that is not seen is spelled out', () => {
  it.each([
    ['another alphabet', 'paypal', 'p\u0430ypal', '+p\u0430<U+0430>ypal'],
    ['a whole word of it', 'ace', '\u0430\u0441\u0435', '+\u0430<U+0430>\u0441<U+0441>\u0435<U+0435>'],
    ['zero width', 'ab', 'a\u200bb', '+a<U+200B>b'],
    ['direction', 'ab', 'a\u202eb', '+a<U+202E>b'],
    ['tags', 'ab', 'ab\u{e0041}', '+ab<U+E0041>'],
    ['a space at the end', 'ab', 'ab ', '+ab<U+0020>'],
    ['a tab for a space', 'a b', 'a\tb', '+a<U+0009>b'],
    ['a no-break space', 'a b', 'a\u00a0b', '+a<U+00A0>b'],
    ['another normal form', 'caf\u00e9', 'cafe\u0301', '+cafe\u0301<U+0301>'],
    ['another normal form beside another change', 'caf\u00e9x', 'cafe\u0301y', '+cafe\u0301<U+0301>y'],
    ['a form of marks in another order', 'a\u0323\u0301', 'a\u0301\u0323', '+a\u0301\u0323<U+0323>'],
    ['a Latin letter for another', 'example', 'ex\u0251mple', '+ex\u0251<U+0251>mple'],
    ['another colon', 'a: b', 'a\ua789 b', '+a\ua789<U+A789> b'],
    ['a full-width letter', 'rm', 'r\uff4d', '+r\uff4d<U+FF4D>'],
    ['an apostrophe', "l'ami", 'l\u2019ami', '+l\u2019<U+2019>ami'],
    ['a kana for a Chinese character', '\u4e8c\u5341', '\u30cb\u5341', '+\u30cb<U+30CB>\u5341'],
    ['the ASCII letter for one of another alphabet', 'p\u0430ypal', 'paypal', '-p\u0430<U+0430>ypal'],
    ['a joiner that writing needs elsewhere', '\u0915\u0937', '\u0915\u200d\u0937', '+\u0915<U+200D>\u0937'],
    ['a carriage return', 'a\nb', 'a\r\nb', '+a<U+000D>'],
  ])('%s', (_, a, b, line) => {
    const lines = shown([say(a)], [say(b)]);
    expect(lines).toContain(line);
    expect(lines.filter((l) => l.startsWith('-'))).toHaveLength(1);
  });
});

it.each([
  ['Читай заметки проекта', 'Читай задачи проекта'],
  ['プロジェクトのメモを読む', 'プロジェクトの課題を読む'],
  ['メモか', 'メモが'],
  ['Lis les notes du projet', 'Lis les tâches du projet'],
  ['Lis cet été', 'Lis cet êté'],
  ['Lire.', 'Lire là'],
  ['Über', 'Öber'],
  ['한국어 메모', '한국어 과제'],
  ['नोट पढ़ें', 'कार्य पढ़ें'],
  ['Σημειώσεις', 'Σημείωση'],
  ['Done (all).', 'Done « all »。'],
  ['Read it', 'Read it 🎉'],
])('shows an edit of %s as text', (a, b) => {
  expect(shown([say(a)], [say(b)])).toEqual(expect.arrayContaining([`-${a}`, `+${b}`]));
});

it('says of a hook that only changed its place where it was', () => {
  const [a, b, c] = [say('A'), say('B'), say('C')];
  expect(shown([a, b, c], [c, a, b])).toEqual(['@hook 1: was hook 3, otherwise unchanged']);
  expect(shown([a, b], [b, say('new'), a])).toEqual([
    '@hook 2: new',
    ...['event', 'priority', 'context'].flatMap((field) => [` ${field}:`, expect.any(String)]),
    '@hook 3: was hook 1, otherwise unchanged',
  ]);
  // Of two that go away, one is declared elsewhere.
  expect(shown([a, b, c], [c, say('B2'), a]).filter((line) => line.startsWith('@'))).toEqual(
    expect.arrayContaining(['@hook 3: was hook 1, otherwise unchanged']),
  );
});

it('spells no space out among words that are seen to be others', () => {
  expect(
    shown([say('Keep it with add_note.')], [say('Keep what you have learned with add_note.')]),
  ).toContain('+Keep what you have learned with add_note.');
});

it('names what is new, changed and gone by its number in the plan', () => {
  const lines = shown([say('a'), say('b'), say('c')], [say('a'), say('B'), say('c'), say('d')]);
  expect(lines.filter((l) => l.startsWith('@'))).toEqual(['@hook 2: changed', '@hook 4: new']);
  expect(lines).toContain('-b');
  expect(lines).toContain('+B');
  expect(shown([say('a'), say('b')], [say('b')])).toEqual([
    '@no longer declared',
    ' event:',
    '-pre_request',
    ' priority:',
    '-suggestion',
    ' context:',
    '-a',
  ]);
});

it('shows arguments and matchers too', () => {
  const call = (q: string): Declaration => ({
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash' },
    context_tool: 't',
    context_tool_args: { q },
    priority: 'important',
  });
  expect(shown([call('a')], [call('\u0430')])).toEqual([
    '@hook 1: changed',
    ' context_tool_args:',
    '-{"q":"a"}',
    '+{"q":"\u0430<U+0430>"}',
  ]);
});

it('two different sets never come out without a line that tells them apart', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '\u0430', ' ', '\u00a0', '\n', '\u200b', '\t', 'é', 'e\u0301'),
  });
  const set = fc.array(text.map(say), { maxLength: 4 });
  fc.assert(
    fc.property(set, set, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      const lines = declarationsDiff(a, b);
      expect(lines.length === 0).toBe(same);
      const side = (sign: string): string[] => lines.filter((l) => l.sign === sign).map((l) => l.text);
      if (!same && a.length === b.length) expect(side('+')).not.toEqual(side('-'));
    }),
    often(),
  );
});

/** `letter`: what all texts consist of, one for each hook. */
const reworded = (hooks: number, letter: string, join: string): Declaration[] =>
  Array.from({ length: hooks }, (_, n) =>
    say(
      Array(4_000)
        .fill(`${letter}${n % 10}`)
        .join(join),
    ),
  );
it.each([[LONG ? 64 : 3, ' '], ...(LONG ? [[64, '\n'] as const] : [])] as const)(
  'shows %i texts that were reworded as a whole (%j)',
  { timeout: 120_000 },
  (hooks, join) => {
    const lines = shown(reworded(hooks, 'a', join), reworded(hooks, '\u0430', join));
    expect(lines.filter((line) => line.startsWith('@'))).toHaveLength(hooks);
  },
);

const many = (text: string, times: number) => text.repeat(times);
it.each([
  [
    'a long new sentence after it',
    'Pay with paypal. End.',
    `Pay with p\u0430ypal. End.${many(' All of it is new.', 20)}`,
  ],
  [
    'very many new words before it',
    'Pay with paypal.',
    `${many('All of it is new. ', 300)}Pay with p\u0430ypal.`,
  ],
  [
    'other words behind it, in a word of another length',
    `Pay with paypal now. ${many('Some words are here. ', 15)}`,
    `Pay with p\u0430ypal.evil now. ${many('Others come there. ', 15)}`,
  ],
  ['other lines before it', `${many('One.\n', 500)}paypal`, `${many('Two.\n', 600)}p\u0430ypal`],
  ['a new line before it', 'paypal', 'New.\np\u0430ypal'],
  [
    'an approved letter of another alphabet',
    'Send \u0430 and b to paypal.',
    'Send p\u0430ypal and b to paypal.',
  ],
])('spells a look-alike out beside %s', (_, a, b) => {
  const found = shown([say(a)], [say(b)]).filter((line) => line.includes('p\u0430<U+0430>ypal'));
  expect(found).toHaveLength(1);
});

it.each([
  'GitHub\u3067\u8aad\u3080',
  '\u041f\u0440\u043e\u0447\u0442\u0438 notes, \u043f\u043e\u0442\u043e\u043c commit',
  'd\u00e9j\u00e0',
])('shows %s as text where it is new', (text) => {
  expect(shown([say('a')], [say(`a\n${text}`)])).toContain(`+${text}`);
});
