import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { WHEN_KEYS, whenShape } from '../../src/declarations/when.ts';
import { withoutWhen } from '../../src/declarations/without-when.ts';
import { Fault, Faults, orFault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import { findDocument } from '../../src/servers/mcp/places.ts';

const limits = { lenient: false, allowInvisible: false };
const item = { event: 'post_tool_use', context: 'Hello', priority: 'suggestion' };

function faults(document: unknown, when = true): readonly Fault[] {
  try {
    return parseDeclarations(document, { ...limits, when }).leftOut;
  } catch (error) {
    if (error instanceof Faults) return error.faults;
    throw error;
  }
}

const of = (when: unknown, more: object = {}): [string, string | undefined][] =>
  faults({ declarations: [{ ...item, ...more, when }] }).map((f) => [
    f.code,
    f.where.path?.replace('declarations[0].', ''),
  ]);

const start = { event: 'session_start' };
const call = { event: 'pre_request', context: undefined, context_tool: 'find' };

describe('a condition that is right', () => {
  it.each<[string, unknown, object?]>([
    ['nothing', {}],
    ['outcome', { outcome: 'failure' }],
    ['outcome where a client cannot tell', { outcome: 'success', if_unknown: 'fire' }],
    ['cooldown in seconds', { cooldown: 60 }],
    ['cooldown of a session', { cooldown: 'session' }],
    ['files', { files: ['.git', 'package.json', 'src/*.sln', '.codegraph/'] }],
    ['tools', { tools: ['Grep', 'mcp__mem__*', 'any:search'], otherwise: 'drop' }],
    ['tools with a needle', { tools: ['any:edit'] }, { matcher: { input_contains: 'x' } }],
    ['tools of a server', { tools: ['store_*'] }, { matcher: { tool_server: 'mem' } }],
    ['command', { command: ['git', 'commit', '--amend'] }],
    ['path', { path: ['*.ts', 'docs/**/*.{md,mdx}', '/etc/*'] }],
    ['one source', { source: 'compact' }, start],
    ['sources', { source: ['startup', 'clear'] }, start],
    ['an own tool', { unless_called: { tools: ['store_*'] } }],
    ['an own tool lately', { unless_called: { tools: ['*'], within: 60 } }],
    ['answer', { answer: { select: '/items/0/a~1b', max: 500 } }, call],
    ['answer as a whole', { answer: { select: '' } }, call],
  ])('%s', (_, when, more) => expect(of(when, more)).toEqual([]));
});

describe('a condition that is wrong', () => {
  it.each<[unknown, [string, string][], object?]>([
    [1, [['decl.type', 'when']]],
    [{ outcom: 'success' }, [['decl.unknown-key', 'when.outcom']]],
    [{ outcome: 'succes' }, [['decl.choice', 'when.outcome']]],
    [{ outcome: 'success' }, [['when.event', 'when.outcome']], { event: 'pre_tool_use' }],
    [{ source: 'startup' }, [['when.event', 'when.source']]],
    [{ source: 'start' }, [['decl.choice', 'when.source']], start],
    [{ source: ['clear', 'fork'] }, [['decl.choice', 'when.source[1]']], start],
    [{ source: [] }, [['decl.empty-list', 'when.source']], start],
    [{ if_unknown: 'fire' }, [['when.needs', 'when.if_unknown']]],
    [{ cooldown: 'turn' }, [['decl.type', 'when.cooldown']]],
    [{ cooldown: 1.5 }, [['decl.type', 'when.cooldown']]],
    [{ cooldown: 0 }, [['when.too-small', 'when.cooldown']]],
    [{ cooldown: 1e20 }, [['when.too-large', 'when.cooldown']]],
    [{ cooldown: -1e20 }, [['when.too-small', 'when.cooldown']]],
    [{ unless_called: { tools: ['x'], within: -1e20 } }, [['when.too-small', 'when.unless_called.within']]],
    [{ unless_called: { tools: ['x'], within: 1e20 } }, [['when.too-large', 'when.unless_called.within']]],
    [{ files: [] }, [['decl.empty-list', 'when.files']]],
    [{ files: ['/etc'] }, [['when.files', 'when.files[0]']]],
    [{ files: ['~/x'] }, [['when.files', 'when.files[0]']]],
    [{ files: ['a/../b', 'a//b', '.'] }, [0, 1, 2].map((i) => ['when.files', `when.files[${i}]`])],
    [{ files: ['*/package.json'] }, [['when.files', 'when.files[0]']]],
    [{ files: ['[a]', 'a\\b', 'a\nb'] }, [0, 1, 2].map((i) => ['when.files', `when.files[${i}]`])],
    [{ files: [' '] }, [['decl.empty', 'when.files[0]']]],
    [{ tools: ['Grep'] }, [['when.needs-drop', 'when.tools']]],
    [{ tools: ['Grep'] }, [['when.beside', 'when.tools']], { matcher: { tool_name: 'Bash' } }],
    [{ tools: ['any:edit'] }, [['when.beside', 'when.tools']], { matcher: { tool_server: 'mem' } }],
    [{ tools: ['any:serch'], otherwise: 'drop' }, [['decl.choice', 'when.tools[0]']]],
    [{ tools: ['a*b*c*d*e*'], otherwise: 'drop' }, [['decl.glob', 'when.tools[0]']]],
    [{ tools: ['x'.repeat(257)], otherwise: 'drop' }, [['decl.too-long', 'when.tools[0]']]],
    [
      { tools: Array.from({ length: 33 }, (_, i) => `T${i}`), otherwise: 'drop' },
      [['when.too-many', 'when.tools']],
    ],
    [{ tools: ['Grep'], otherwise: 'fire' }, [['decl.choice', 'when.otherwise']]],
    [{ command: ['git commit'] }, [['when.word', 'when.command[0]']]],
    [
      { command: ['git', '&&', ''] },
      [
        ['decl.empty', 'when.command[2]'],
        ['when.word', 'when.command[1]'],
      ],
    ],
    [{ command: 'git' }, [['decl.type', 'when.command']]],
    [{ path: ['!*.ts', '../x', 'a\\b'] }, [0, 1, 2].map((i) => ['when.path', `when.path[${i}]`])],
    [{ path: ['**/a*b*c*d*'] }, [['decl.glob', 'when.path[0]']]],
    [{ path: ['*.ts', '{,a}'.repeat(40)] }, [['when.braces', 'when.path[1]']]],
    [{ path: ['{a,b}{c,d}{e,f}{g,h}{i}'] }, []],
    [{ path: ['{a,b}{c,d}{e,f}{g,h}{i,j}'] }, [['when.braces', 'when.path[0]']]],
    [{ path: ['src/{a,b'] }, [['when.braces', 'when.path[0]']]],
    [{ path: ['a{1..9}'] }, [['when.braces', 'when.path[0]']]],
    [{ path: Array(3).fill('{a,b}{c,d}{e,f}{g,h}') }, [['when.too-many', 'when.path']]],
    [{ unless_called: {} }, [['decl.missing', 'when.unless_called.tools']]],
    [{ unless_called: { tools: ['mcp__mem__x'] } }, [['when.own-tool', 'when.unless_called.tools[0]']]],
    [{ unless_called: { tools: ['x'], within: 0 } }, [['when.too-small', 'when.unless_called.within']]],
    [{ answer: { max: 10 } }, [['when.needs', 'when.answer']]],
    [{ answer: { select: 'a' } }, [['when.pointer', 'when.answer.select']], call],
    [{ answer: { select: '/a~2' } }, [['when.pointer', 'when.answer.select']], call],
    [
      { outcome: 'x', cooldown: -1, files: ['/a'], nope: 1 },
      [
        ['decl.choice', 'when.outcome'],
        ['when.too-small', 'when.cooldown'],
        ['decl.unknown-key', 'when.nope'],
        ['when.files', 'when.files[0]'],
      ],
    ],
  ])('%j', (when, expected, more) => expect(of(when, more).sort()).toEqual([...expected].sort()));

  it('is a list of which a blank, a long or one item too many is refused, whichever list it is', () => {
    const { shape } = whenShape();
    const lists = WHEN_KEYS().when.filter((key) => shape[key as keyof typeof shape].safeParse([' ']).success);
    expect(lists).toContain('files');
    for (const key of lists)
      for (const [list, code] of [
        [[' '], 'decl.empty'],
        [['x'.repeat(257)], 'decl.too-long'],
        [Array(33).fill('x'), 'when.too-many'],
      ] as const)
        expect(
          of({ [key]: list, otherwise: 'drop' }).map(([first]) => first),
          key,
        ).toContain(code);
  });

  it('is said in a sentence with what would be right', () => {
    const [fault] = faults({ declarations: [{ ...item, when: { cooldown: 'turn' } }] });
    expect(fault && faultText(fault)).toContain('expected whole number or "session", found string: "turn"');
    const [near] = faults({ declarations: [{ ...item, when: { tools: ['any:serch'], otherwise: 'drop' } }] });
    expect(near && faultText(near)).toContain(
      '"any:serch" is not one of the allowed values\n  Did you mean \'any:search\'?',
    );
  });
});

it('is an unknown key in the places that SEP-2282 names', () => {
  const [fault] = faults({ declarations: [{ ...item, when: { cooldown: 60 } }] }, false);
  expect([fault?.code, fault?.where.path]).toEqual(['decl.unknown-key', 'declarations[0].when']);
  expect(fault && faultText(fault)).toContain(
    'allowed in capabilities.extensions["io.github.mcphooks/hooks"]',
  );
  const [inner] = faults({ declarations: [{ ...item, when: { when: 1 } }] });
  expect(inner && faultText(inner)).not.toContain('capabilities.extensions');
});

it('never fails but with faults that have a sentence, whatever stands in `when`', () => {
  const text = fc.constantFrom('any:x', '/a', 'a*b', '', 'fire', 'success', 'mcp__x__y', 'a b', '../x', '[');
  const value = fc.oneof(text, fc.array(text), fc.integer(), fc.jsonValue());
  const keys = fc.constantFrom(
    ...['outcome', 'if_unknown', 'cooldown', 'files', 'tools', 'command', 'path', 'source'],
    ...['unless_called', 'answer', 'otherwise', 'x'],
  );
  const when = fc.oneof(fc.jsonValue(), fc.dictionary(keys, value));
  fc.assert(
    fc.property(fc.constantFrom(...EVENTS), when, (event, w) => {
      for (const fault of faults({ declarations: [{ ...item, event, when: w }] }))
        expect(faultText(fault)).not.toContain('undefined');
    }),
  );
});

describe('two places', () => {
  const plain = { event: 'session_start', context: 'a', priority: 'suggestion' };
  const other = { event: 'pre_request', context: 'b', priority: 'suggestion' };
  const once = { ...other, when: { cooldown: 'session' } };
  const dropped = { ...item, when: { tools: ['Grep'], otherwise: 'drop' } };
  const both = (sep: unknown[], own: unknown[], where: object = {}) => ({
    hooks: { declarations: sep },
    extensions: { 'io.github.mcphooks/hooks': { declarations: own } },
    ...where,
  });

  it('shows no part of a secret where they differ', () => {
    const secret = 'SecretTOKENabcdefghijklmnop0123456789';
    const redact = (text: string): string => text.replaceAll(secret, '***');
    const texts = [1, 2].map((n) => `Use ${'y'.repeat(60)}${secret}${n} now`);
    const [hooks, other] = texts.map((context) => ({ declarations: [{ ...plain, context }] }));
    const found = orFault(() => findDocument({ hooks, experimental: { hooks: other } }, redact));
    expect(found instanceof Fault && found.args.values).toEqual([
      expect.stringMatching(/^…y+\*{3}1 now/),
      expect.stringMatching(/^…y+\*{3}2 now/),
    ]);
  });

  it('agree when the SEP has each item without its conditions, and none that is to be dropped', () => {
    const found = findDocument(both([plain, other], [plain, once, dropped]));
    expect(found?.place).toBe('extensions["io.github.mcphooks/hooks"]');
    expect(found?.document).toEqual({ declarations: [plain, once, dropped] });
  });

  it('agree in the first place when none has conditions', () =>
    expect(findDocument(both([plain], [plain]))?.place).toBe('hooks'));

  it('may be one alone', () =>
    expect(findDocument({ extensions: both([], [dropped]).extensions })?.document).toEqual({
      declarations: [dropped],
    }));

  it.each([
    ['an item is missing', both([plain], [plain, once])],
    ['an item has to be dropped', both([plain, item], [plain, dropped])],
    ['an item without conditions differs', both([plain], [other])],
    [
      'a third one differs',
      both([plain, other], [plain, once], { experimental: { hooks: { declarations: [] } } }),
    ],
  ])('disagree when %s', (_, capabilities) => {
    expect(() => findDocument(capabilities)).toThrow(
      expect.objectContaining({ code: 'server.places-differ' }),
    );
  });

  const at = 'capabilities.extensions["io.github.mcphooks/hooks"]';
  const refusal = (capabilities: unknown): Fault | undefined => {
    const found = orFault(() => findDocument(capabilities));
    return found instanceof Fault ? found : undefined;
  };

  it('show where they first differ, and the two values there, shortened', () => {
    const long = `${'x'.repeat(500)} 1 ${'y'.repeat(500)}`;
    const rows: [unknown[], unknown[], string[], (string | RegExp)[]][] = [
      [[plain], [{ ...plain, context: 'b' }], ['[0].context', '[0].context'], ['"a"', '"b"']],
      [
        [plain, item],
        [plain, dropped],
        ['[1]', '[2]'],
        [/^\{"context":"Hello","event"/, ''],
      ],
      [
        [plain, other],
        [dropped, plain, { ...other, priority: 'required' }],
        ['[1].priority', '[2].priority'],
        [],
      ],
      [
        [item],
        [{ ...item, matcher: { tool_name: 'Bash' } }],
        ['[0].matcher', '[0].matcher'],
        ['', '{"tool_name":"Bash"}'],
      ],
      [
        [{ ...plain, context: long }],
        [{ ...plain, context: long.replace('1', '2') }],
        ['[0].context', '[0].context'],
        [/^…x{20,40} 1 y+…$/, /^…x{20,40} 2 y+…$/],
      ],
    ];
    for (const [sep, own, paths, values] of rows) {
      const fault = refusal(JSON.parse(JSON.stringify(both(sep, own))));
      expect(fault?.code).toBe('server.places-differ');
      const [one, two] = paths;
      const places = [`capabilities.hooks.declarations${one}`, `${at}.declarations${two}`];
      expect(fault?.args.places).toEqual(places);
      const found = fault?.args.values as string[];
      for (const [i, value] of values.entries())
        expect(found[i]).toEqual(typeof value === 'string' ? value : expect.stringMatching(value));
      expect(fault && faultText(fault)).toContain(places[0]);
    }
    const text = faultText(refusal(both([plain], [plain, other])) as Fault);
    expect(text).toContain(`${at}.declarations[1]: {"context":"b"`);
    expect(text).toContain('capabilities.hooks.declarations[1]: nothing');
  });

  it.each([
    ['decl.unknown-key', `${at}.version`, { version: 1, declarations: [plain] }],
    ['decl.missing', `${at}.declarations`, {}],
    ['decl.type', at, null],
    ['decl.missing', `${at}.declarations[0].priority`, { declarations: [{ ...plain, priority: undefined }] }],
  ])('show the fault of a document rather than a difference: %s', (code, path, document) => {
    const extensions = { 'io.github.mcphooks/hooks': JSON.parse(JSON.stringify(document)) };
    const fault = refusal({ ...both([plain], []), extensions });
    expect([fault?.code, fault?.where.path]).toEqual([code, path]);
  });

  it('have conditions in the extension alone', () => {
    const fault = refusal(both([plain, once], [plain, once]));
    expect([fault?.code, fault?.where.path]).toEqual([
      'decl.unknown-key',
      'capabilities.hooks.declarations[1].when',
    ]);
    expect(fault && faultText(fault)).toContain("leave out 'when'");
  });

  it('may be at fault in the same manner, which is no difference', () => {
    const faulty = { version: 1, declarations: [plain] };
    expect(findDocument({ hooks: faulty, experimental: { hooks: faulty } })?.document).toEqual(faulty);
  });

  const json = fc.jsonValue();
  const items = fc.array(
    fc.oneof(json, fc.record({ when: fc.oneof(json, fc.constant({ otherwise: 'drop' })), context: json })),
  );
  const places = (sep: unknown, own: unknown) => ({
    hooks: sep,
    extensions: { 'io.github.mcphooks/hooks': own },
  });

  it('are compared whatever their shape', () => {
    const documents = fc.oneof(json, fc.record({ declarations: fc.oneof(json, items) }));
    fc.assert(
      fc.property(documents, (own) => {
        const sep = withoutWhen(own);
        expect(findDocument(places(sep, own))).toBeDefined();
        expect(refusal(places([sep], own))).toBeDefined();
      }),
    );
  });
});

it('looks up the place of a fault alone: in a long file that takes longer than the check', () => {
  const locate = vi.fn(() => ({ path: 'here' }));
  const right = { ...item, matcher: { tool_name: 'B*' }, when: { files: ['.git'], path: ['src/*.ts'] } };
  const parse = (more: object) => () =>
    parseDeclarations({ declarations: [{ ...right, ...more }] }, { ...limits, when: true, locate });
  parse({})();
  expect(locate).not.toHaveBeenCalled();
  expect(parse({ matcher: { tool_name: 'a*b*c*d*e*' } })).toThrow(Faults);
  expect(locate).toHaveBeenCalledOnce();
});
