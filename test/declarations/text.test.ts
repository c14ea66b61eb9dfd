import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PLAIN, visible } from '../../src/base/visible.ts';
import { canonicalJson, declarationsHash } from '../../src/declarations/canonical-json.ts';
import { readDeclarationsFile } from '../../src/declarations/file.ts';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import type { Fault, Faults } from '../../src/messages/fault.ts';
import { LONG } from '../effort.ts';

describe('visible', () => {
  it.each([
    ['plain\ntext\twith é 世 👍 ❤️', 'plain\ntext\twith é 世 👍 ❤️'],
    ['a\u202Eb', 'a<U+202E>b'],
    ['\u001B[2J', '<U+001B>[2J'],
    ['x\u{E0041}', 'x<U+E0041>'],
    ['\uD800', '<U+D800>'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

it.runIf(LONG)('takes only characters for plain that are visible and take one column', () => {
  const other =
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\p{Emoji_Presentation}]/u;
  const plain = Array.from({ length: 0x110000 }, (_, i) => String.fromCodePoint(i)).filter((c) =>
    PLAIN.test(c),
  );
  expect(plain.length).toBeGreaterThan(500);
  expect(plain.filter((c) => other.test(c))).toEqual(['\t', '\n', ' ']);
});

it('takes CRLF for a line end in every text, and refuses CR alone', () => {
  const limits = { allowInvisible: false, lenient: false, when: true } as const;
  const item = (end: string) => ({
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: `a${end}b` },
    when: { path: [`a${end}b`] },
    context_tool: 'note',
    context_tool_args: { list: [`a${end}b`], n: 1 },
    priority: 'suggestion',
  });
  const parsed = (end: string) => parseDeclarations({ declarations: [item(end)] }, limits).declarations;
  expect(parsed('\r\n')).toEqual([item('\n')]);
  expect(() => parsed('\r')).toThrow('decl.invisible');
});

describe('canonical form', () => {
  it('ignores the order of keys, not of items', () => {
    expect(canonicalJson({ b: 1, a: { d: [2, 1], c: null } })).toBe('{"a":{"c":null,"d":[2,1]},"b":1}');
    const a = { event: 'session_start', priority: 'required', context: 'x' };
    const b = { priority: 'required', context: 'x', event: 'session_start' };
    expect(declarationsHash([a, b])).toBe(declarationsHash([b, a]));
    expect(declarationsHash([a])).not.toBe(declarationsHash([a, a]));
  });
});

describe('a file of declarations', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcphooks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (text: string | Buffer): string => {
    const file = join(folder, 'd.json');
    writeFileSync(file, text);
    return file;
  };
  const options = { lenient: false, allowInvisible: false };

  it.each(['{"declarations":[]}', '{"hooks":{"declarations":[]}}', '\uFEFF{"declarations":[]}', '[]'])(
    '%j',
    (text) => {
      expect(readDeclarationsFile(write(text)).document).toEqual({ declarations: [] });
    },
  );

  it('takes a bare list and a single declaration, and names the places in them', () => {
    const item = { event: 'session_start', priority: 'high', context: 'x' };
    const placed = (value: unknown): string[] => {
      const { document, locate } = readDeclarationsFile(write(JSON.stringify(value, null, 1)));
      expect(document).toMatchObject({ declarations: [item] });
      try {
        parseDeclarations(document, { ...options, locate });
        return [];
      } catch (error) {
        return (error as Faults).faults.map(({ where }) => `${where.line} ${where.path}`);
      }
    };
    expect(placed([item])).toEqual(['4 [0].priority']);
    expect(placed(item)).toEqual(['3 priority']);
    expect(placed({ $schema: './declarations.json', ...item })).toEqual(['4 priority']);
  });

  it('refuses a $schema that is no text', () => {
    for (const beside of [{ declarations: [] }, { event: 'session_start' }]) {
      const file = write(JSON.stringify({ ...beside, $schema: 5 }, null, 1));
      expect(() => readDeclarationsFile(file)).toThrow(
        expect.objectContaining({
          code: 'decl.type',
          args: { expected: ['string'], got: 'number', value: '5' },
          where: { file, line: 3, column: 13, path: '$schema' },
        }),
      );
    }
  });

  it('names line and column of what is wrong', () => {
    const file = write(
      '{\n  "hooks": {\n    "declarations": [\n      { "event": "session_start", "priority": "high", "context": "x" }\n    ]\n  }\n}\n',
    );
    const { document, locate } = readDeclarationsFile(file);
    try {
      parseDeclarations(document, { ...options, locate });
      expect.unreachable();
    } catch (error) {
      expect((error as Faults).faults.map((f) => f.where)).toEqual([
        { file, line: 4, column: 47, path: 'hooks.declarations[0].priority' },
      ]);
    }
  });

  it.each([
    ['{"declarations":[\n  1,\n]}', 'decl-file.syntax', 3, 1],
    ['// note\n{"declarations":[]}', 'decl-file.syntax', 1, 1],
    ['', 'decl-file.syntax', 1, 1],
    ['{"declarations":[{"context":"a",\n"context":"b"}]}', 'decl-file.syntax', 2, 1],
    ['{"declarations":[{"context_tool_args":{"id":12345678901234567890}}]}', 'decl-file.syntax', 1, 45],
    ['{"declarations":[{"context_tool_args":{"id":-9007199254740993}}]}', 'decl-file.syntax', 1, 45],
    ['{"declarations":[{"context_tool_args":{"id":[1e400]}}]}', 'decl-file.syntax', 1, 46],
    ['{"declarations":[{"context_tool_args":{"id":12345678901234567891.0}}]}', 'decl-file.syntax', 1, 45],
    ['{"declarations":[{"context_tool_args":{"id":12345678901234567891e0}}]}', 'decl-file.syntax', 1, 45],
    ['{"declarations":[{"context_tool_args":{"id":1e-999}}]}', 'decl-file.syntax', 1, 45],
    ['\n 3', 'decl.type', 2, 2],
    ['{"hooks":{},"other":1}', 'decl.unknown-key', 1, 21],
  ])('%j', (text, code, line, column) => {
    try {
      readDeclarationsFile(write(text));
      expect.unreachable();
    } catch (error) {
      const { where, ...fault } = error as Fault;
      expect([fault.code, where.line, where.column]).toEqual([code, line, column]);
    }
  });

  it.each([
    '9007199254740992',
    '12345678901234567000',
    '0.1000000000000000055',
    '1.7976931348623157e308',
    '5e-324',
    '1.0000000000000000',
    '1e21',
    '"12345678901234567890"',
  ])('keeps %s', (written) => {
    const { document } = readDeclarationsFile(write(`{"declarations":[{"context_tool_args":${written}}]}`));
    expect(JSON.stringify(document)).toContain(JSON.stringify(JSON.parse(written)));
  });

  it.each([
    ['{"context":"a","priority":"suggestion"}', ['event']],
    ['{"Event":"session_start","context":"a","priority":"suggestion"}', ['Event', 'event']],
    ['{"contxt":"a"}', ['contxt', 'declarations']],
  ])('of a single declaration without an event says what is missing: %s', (text, paths) => {
    const { document, locate } = readDeclarationsFile(write(text));
    const read = () => parseDeclarations(document, { ...options, locate });
    const places = () => {
      try {
        return read() && [];
      } catch (error) {
        return (error as Faults).faults.map(({ where }) => where.path);
      }
    };
    expect(places().sort()).toEqual(paths);
  });

  it('refuses what is not UTF-8, and a missing file', () => {
    for (const [file, reason] of [
      [write(Buffer.from([0x22, 0xff, 0x22])), 'UTF8'],
      [join(folder, 'none.json'), 'ENOENT'],
    ] as const)
      expect(() => readDeclarationsFile(file)).toThrow(
        expect.objectContaining({ code: 'decl-file.unreadable', args: { reason } }),
      );
  });

  it.each([
    ['a byte of Latin-1', '{"a":"', '\xe9"}', 1, 7],
    ['below other lines, behind other characters', '{\n"é\uFFFD👍":"', '\xff', 2, 9],
    ['behind a byte order mark', '\uFEFF{', '\xff}', 1, 2],
    ['of a character that is cut off', '{"', '\xef\xbf', 1, 3],
  ])('names the first byte that is not UTF-8: %s', (_, text, rest, line, column) => {
    const file = write(Buffer.concat([Buffer.from(text), Buffer.from(rest, 'latin1')]));
    expect(() => readDeclarationsFile(file)).toThrow(
      expect.objectContaining({ where: { file, line, column } }),
    );
  });
});
