import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removalDiff } from '../../src/cli/text/file-diff.ts';
import { maskFile } from '../../src/cli/text/mask-file.ts';
import { LONG, often } from '../effort.ts';

const entry = (command: string) => ({
  group: { matcher: 'Bash', hooks: [{ type: 'command', command, timeout: 10 }] },
});
const OURS = entry("'/home/u/x' 2>/dev/null || exit 0");
const SECRET = 'hunter2-hunter2';

const text = (file: string, before: string, after: string): string =>
  removalDiff({ file, before, after, removedGroups: [OURS.group] })
    .map((l) => l.sign + l.text)
    .join('\n');

const insert = (s: string): string => s.replace('<+>', JSON.stringify(OURS.group));
const leave = (s: string): string => s.replaceAll(/,?<\+>/g, '');

describe("a diff of a client's file shows our entry and none of the user's values", () => {
  const json: [string, string][] = [
    ['one short line', `{"env":{"TOKEN":"${SECRET}"},"hooks":{"Stop":[<+>]}}`],
    [
      'values on the line of an entry',
      `{\n "hooks": {"Stop": [{"hooks":[{"command":"curl -u ${SECRET}"}]},<+>]}\n}`,
    ],
    [
      'a minified file',
      `{"pad":"${'x'.repeat(2000)}","hooks":{"A":[<+>],"S":[{"hooks":[{"command":"${SECRET}"}]}],"Z":[<+>]}}`,
    ],
    ['a comment', `{\n // TOKEN=${SECRET}\n "hooks": {"Stop": [<+>]}\n}`],
    ['a comment over several lines', `{\n /* old:\n ${SECRET}\n */\n "hooks": {"Stop": [<+>]}\n}`],
    ['array elements', `{\n "args": [\n  "--token",\n  "${SECRET}"\n ],\n "hooks": {"Stop": [<+>]}\n}`],
    ['an escaped quote', `{\n "a": "\\"${SECRET}",\n "hooks": {"Stop": [<+>]}\n}`],
    ['a value that begins like ours', `{\n "a": "command ${SECRET}",\n "hooks": {"Stop": [<+>]}\n}`],
    [
      'the same command, edited',
      `{\n "a": "'/home/u/x' 2>/dev/null || exit 0; ${SECRET}",\n "hooks": {"Stop": [<+>]}\n}`,
    ],
    ['CRLF', `{\r\n "a": "${SECRET}",\r\n "hooks": {"Stop": [<+>]}\r\n}`],
    ['a URL as key', `{\n "https://u:${SECRET}@x/": 1,\n "hooks": {"Stop": [<+>]}\n}`],
  ];
  for (const [name, file] of json)
    it(name, () => {
      const shown = text('settings.json', leave(file), insert(insert(file)));
      expect(shown).not.toContain(SECRET);
      expect(shown).toContain('/home/u/x');
    });

  const group = `[[hooks.Stop]]\nhooks = [{ type = "command", command = "'/home/u/x' 2>/dev/null || exit 0" }]\n`;
  const toml: [string, string][] = [
    ['a basic string', `token = "${SECRET}"\n`],
    ['a literal string', `token = '${SECRET}'\n`],
    ['a string over several lines', `a = """\nTOKEN=${SECRET}\nx = 1\n"""\n`],
    ['a literal string over several lines', `a = '''\n[x]\nTOKEN=${SECRET}\n'''\n`],
    ['an inline table', `env = { "A" = "b", TOKEN = "${SECRET}" }\n`],
    ['an array over several lines', `args = [\n  ["--x"],\n  "${SECRET}", # ${SECRET}\n]\n`],
    ['a comment', `# token = "${SECRET}"\n`],
    ['a bare value', `pin = 12345678901\n`],
  ];
  for (const [name, file] of toml)
    it(`TOML: ${name}`, () => {
      const shown = text('config.toml', file, file + group);
      expect(shown).not.toContain(SECRET);
      expect(shown).not.toContain('12345678901');
      expect(shown).toContain('/home/u/x');
      expect(shown).toContain('[[hooks.Stop]]');
    });
});

it('keeps every key and line, and hides every string that is a value, whatever the document', () => {
  const secret = fc.string({ minLength: 6, unit: 'grapheme' }).map((s) => `~${s}`);
  const value = fc.letrec((tie) => ({
    v: fc.oneof(
      { maxDepth: 3 },
      secret,
      fc.array(tie('v')),
      fc.dictionary(fc.string({ unit: fc.constantFrom('a', '"', '\\', ':', '{', ' ', '/', '*') }), tie('v')),
    ),
  })).v;
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2, '\t'), (document, indent) => {
      const masked = maskFile(JSON.stringify(document, null, indent), 'json', new Set());
      const hidden = (v: unknown): unknown => {
        if (typeof v === 'string') return '…';
        if (Array.isArray(v)) return v.map(hidden);
        return Object.fromEntries(Object.entries(v as object).map(([key, inner]) => [key, hidden(inner)]));
      };
      expect(JSON.parse(masked)).toEqual(hidden(document));
      expect(masked.split('\n')).toHaveLength(JSON.stringify(document, null, indent).split('\n').length);
    }),
    often(),
  );
});

it('a program of ours is shown whole to the one who approves it', () => {
  const program = 'const { hooks } = {};\nconst secret = "none";\n';
  const shown = removalDiff({
    file: '/plugins/mcphooks-mem.js',
    before: '',
    after: program,
    removedGroups: [OURS.group],
  }).map(({ text }) => text);
  expect(shown).toEqual(['line 1', 'const { hooks } = {};', 'const secret = "none";']);
});

describe('a diff of a file in which many lines change, whose time grows with their square', () => {
  const lines = (name: string, changes: number): string =>
    Array.from({ length: changes }, (_, i) => `// ${name} ${i}\n${`// same ${i}\n`.repeat(5)}`).join('');
  it.runIf(LONG).each([
    [4, 4],
    [990, 990],
    [1_010, 1],
  ])(
    'has all between the first and the last one where they are too many: %i in %i parts',
    (changes, parts) => {
      const diff = removalDiff({
        file: 'hooks.js',
        before: lines('old', changes),
        after: lines('new', changes),
        removedGroups: [],
      });
      expect(diff.filter(({ sign }) => sign === '@')).toHaveLength(parts);
      expect(diff.filter(({ text }) => text.includes('new'))).toHaveLength(changes);
    },
  );
});
