import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invisibles } from '../../src/base/visible.ts';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { Fault, Faults } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import { LONG, often } from '../effort.ts';

const options = { lenient: false, allowInvisible: false };
const good = { event: 'session_start', context: 'Hello', priority: 'suggestion' } as const;

function faults(document: unknown, changed = {}): readonly Fault[] {
  try {
    return parseDeclarations(document, { ...options, ...changed }).leftOut;
  } catch (error) {
    if (error instanceof Faults) return error.faults;
    throw error;
  }
}

describe('suggestions', () => {
  it.each([
    ['tool_nam', 'tool_name'],
    ['toolName', 'tool_name'],
    ['tool-server', 'tool_server'],
    ['inputcontains', 'input_contains'],
    ['tool_naem', 'tool_name'],
    ['colour', undefined],
  ])('of a matcher key for %s', (key, near) => {
    const [fault] = faults({
      declarations: [{ ...good, event: 'post_tool_use', matcher: { [key]: 'Bash' } }],
    });
    expect([fault?.code, fault?.args.near]).toEqual(['decl.unknown-key', near]);
  });

  it.each([
    ['PostToolUse', 'post_tool_use'],
    ['sessionStart', 'session_start'],
    ['post_tool_user', 'post_tool_use'],
    ['SESSION_END', 'session_end'],
    ['whenever', undefined],
  ])('of an event for %s', (event, near) => {
    const [fault] = faults({ declarations: [{ ...good, event }] });
    expect([fault?.code, fault?.args.near]).toEqual(['decl.choice', near]);
  });
});

describe('lenient', () => {
  it('uses the good items and says why the others are left out', () => {
    const bad = { ...good, event: 'pre_compact' };
    const parsed = parseDeclarations(
      { version: 2, declarations: [bad, good] },
      { ...options, lenient: true },
    );
    expect(parsed.declarations).toEqual([good]);
    expect(parsed.leftOut.map((f) => f.code)).toEqual(['decl.unknown-key', 'decl.choice']);
  });

  it('keeps as many as the limit allows', () => {
    const parsed = parseDeclarations(
      { declarations: Array.from({ length: 66 }, () => good) },
      { ...options, lenient: true },
    );
    expect(parsed.declarations).toHaveLength(64);
    expect(parsed.leftOut.map((f) => f.code)).toEqual(['decl.too-many']);
    expect(parsed.leftOut[0]?.args).toMatchObject({
      leftOut: 2,
      places: ['declarations[64]', 'declarations[65]'],
    });
  });

  it.runIf(LONG)('checks a thousand at most, those of an unknown priority first', () => {
    const items = Array.from({ length: 5000 }, () => good);
    const { declarations, leftOut } = parseDeclarations(
      { declarations: items },
      { ...options, lenient: 'limits' },
    );
    expect(declarations).toHaveLength(64);
    expect(leftOut).toHaveLength(1);
    expect(leftOut[0]?.args).toMatchObject({ count: 5000, leftOut: 5000 - 64 });
    const typo = { ...good, priority: 'requird' };
    expect(faults({ declarations: [...items, typo] }, { lenient: 'limits' }).map((f) => f.code)).toEqual([
      'decl.choice',
    ]);
  });

  it('can skip only what is beyond a limit', () => {
    const long = { ...good, context: 'x'.repeat(8001) };
    const only = { ...options, lenient: 'limits' as const };
    const parsed = parseDeclarations({ declarations: [long, good] }, only);
    expect(parsed.declarations).toEqual([good]);
    expect(parsed.leftOut.map((f) => [f.code, f.where.path])).toEqual([
      ['decl.too-long', 'declarations[0].context'],
    ]);
    const bad = { ...good, event: 'pre_compact' };
    expect(() => parseDeclarations({ declarations: [long, bad, good] }, only)).toThrow(Faults);
    const badName = { ...good, context_tool: 'x'.repeat(1000) };
    expect(() => parseDeclarations({ declarations: [badName, good] }, only)).toThrow(Faults);
  });

  it('names what is refused before all that gives way, and gives no place of the limit to a text too long', () => {
    const long = { ...good, context: 'x'.repeat(8001), priority: 'required' };
    const many = Array.from({ length: 64 }, () => good);
    const only = { ...options, lenient: 'limits' as const };
    const { declarations, leftOut } = parseDeclarations({ declarations: [...many, long] }, only);
    expect(declarations).toHaveLength(64);
    expect(leftOut.map((f) => f.code)).toEqual(['decl.too-long']);
    const bad = { ...good, event: 'pre_compact' };
    const longs = Array.from({ length: 200 }, () => long);
    expect(faults({ declarations: [...longs, ...many, bad] }, only).map((f) => f.code)).toEqual([
      'decl.choice',
    ]);
  });

  it('leaves out the lowest priority of too many, and of equal ones the last', () => {
    const items = [...Array.from({ length: 64 }, (_, i) => ({ ...good, context: `${i}` }))];
    const more = { ...good, context: 'more', priority: 'important' as const };
    const parsed = parseDeclarations({ declarations: [...items, more] }, { ...options, lenient: true });
    expect(parsed.declarations.map((d) => d.context)).toEqual(
      [...Array(63).keys()].map(String).concat('more'),
    );
    expect(parsed.indexes.at(-1)).toBe(64);
  });

  it('still throws when there is no list', () => {
    expect(() => parseDeclarations({ declarations: 1 }, { ...options, lenient: true })).toThrow(Faults);
  });
});

describe('limits', () => {
  it('counts characters, not UTF-16 units', () => {
    const long = (length: number) => ({ declarations: [{ ...good, context: '👍'.repeat(length) }] });
    expect(faults(long(8000))).toEqual([]);
    expect(faults(long(8001))[0]?.args.length).toBe(8001);
    expect(faults(long(8001), { anyLength: true })).toEqual([]);
  });

  it('finds invisible characters in names and lists of arguments, too', () => {
    for (const args of [{ 'a\u200B': 1 }, { a: { 'b\u200B': 1 } }, { a: [1, ['\u200B']] }]) {
      const item = { event: 'session_start', context_tool: 'note', context_tool_args: args };
      const found = faults({ declarations: [{ ...item, priority: 'suggestion' }] });
      expect(found.map(({ code }) => code)).toEqual(['decl.invisible']);
    }
  });

  it('bound names, patterns and arguments', () => {
    const item = { event: 'pre_tool_use', context_tool: 'note', priority: 'suggestion' };
    const x = (length: number): string => 'x'.repeat(length);
    // Of the arguments' JSON, eight characters are around the text.
    const bounded: [number, (length: number) => object][] = [
      [256, (length) => ({ context_tool: x(length) })],
      [256, (length) => ({ matcher: { tool_name: x(length) } })],
      [256, (length) => ({ matcher: { tool_server: x(length) } })],
      [8000, (length) => ({ matcher: { input_contains: x(length) } })],
      [16_000, (length) => ({ context_tool_args: { a: x(length - 8) } })],
    ];
    for (const [max, more] of bounded) {
      expect(faults({ declarations: [{ ...item, ...more(max) }] })).toEqual([]);
      expect(faults({ declarations: [{ ...item, ...more(max + 1) }] })).toMatchObject([
        { code: 'decl.too-long', args: { length: max + 1, max } },
      ]);
    }
  });

  it('lets invisible characters through when they are allowed', () => {
    expect(faults({ declarations: [{ ...good, context: 'a\u200Bb' }] }, { allowInvisible: true })).toEqual(
      [],
    );
  });

  it.runIf(LONG)('looks at no more items than are allowed, and reports a hundred faults at most', () => {
    const many = faults({ declarations: Array.from({ length: 100_000 }, () => null) });
    expect(many.map((f) => f.code)).toContain('decl.too-many');
    expect(many).toHaveLength(65);
    const keys = Object.fromEntries(Array.from({ length: 130_000 }, (_, i) => [`k${i}`, 1]));
    expect(faults({ declarations: [{ ...good, ...keys }] }).at(-1)?.args.count).toBe(129_900);
  });

  it('survives a document that no stack can hold', () => {
    const deep = JSON.parse(`{"declarations":[{"event":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`);
    expect(faults(deep).map((f) => f.code)).toEqual(['decl.depth']);
  });
});

it('never fails but with faults, whatever the document, and each has a sentence without hidden characters', () => {
  const keys = fc.constantFrom(
    'event',
    'matcher',
    'context',
    'context_tool',
    'context_tool_args',
    'priority',
    'x\u202E',
  );
  const value = fc.oneof(fc.constantFrom(...EVENTS, 'important', ''), fc.jsonValue());
  const document = fc.oneof(
    fc.jsonValue(),
    fc.record({ declarations: fc.array(fc.dictionary(keys, value)) }),
  );
  fc.assert(
    fc.property(document, (doc) => {
      for (const fault of faults(doc)) {
        expect(fault).toBeInstanceOf(Fault);
        expect(invisibles(faultText(fault))).toEqual([]);
      }
    }),
    often(),
  );
});
