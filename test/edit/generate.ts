import fc from 'fast-check';

/** Feeds white space, comments and other choices to a printer, from a generated list, over and over. */
type Feed = (of: readonly string[]) => string;

const SPACE = [
  '',
  '',
  '',
  ' ',
  ' ',
  '\n',
  '\n  ',
  '\n    ',
  '\n\t',
  '\r\n',
  '\r\n\t\t',
  '\n\n',
  '  \n ',
  '\r',
];
const COMMENTS = [
  ' // c, "x" {\n',
  '//\r\n  ',
  '/* c */',
  ' /* a, */ ',
  '\n    // own line ]\n    ',
  '/*\n*/',
];
const SCALARS = [
  'null',
  'true',
  '0',
  '-0',
  '1.50',
  '1e3',
  '12345678901234567890',
  '""',
  '"a\\u0062\\/"',
  '"é🙂"',
  '"// no /* no */"',
  '"\\ud83d"',
  '"]},"',
  '"hooks"',
];
const KEYS = ['a', 'b', 'permissions', 'é🙂', '__proto__', 'mcp\\u0053ervers'];

type Tree = string | { kind: 'array'; items: Tree[] } | { kind: 'object'; members: [string, Tree][] };

const scalar = fc.constantFrom(...SCALARS);
const array = (items: fc.Arbitrary<Tree>, most = 4): fc.Arbitrary<Tree> =>
  fc.array(items, { maxLength: most }).map((i) => ({ kind: 'array', items: i }));
const object = (members: fc.Arbitrary<[string, Tree]>, most = 4): fc.Arbitrary<Tree> =>
  fc.array(members, { maxLength: most }).map((m) => ({ kind: 'object', members: m }));

const { any } = fc.letrec<{ any: Tree }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    array(tie('any')),
    object(fc.tuple(fc.constantFrom(...KEYS), tie('any'))),
  ),
}));

const handler = object(fc.tuple(fc.constantFrom('type', 'command', 'timeout'), scalar), 3);
const group = fc.oneof(
  {
    weight: 6,
    arbitrary: object(
      fc.oneof(fc.tuple(fc.constant('matcher'), scalar), fc.tuple(fc.constant('hooks'), array(handler, 2))),
      2,
    ),
  },
  { weight: 1, arbitrary: any },
);

/** Values of an event: mostly arrays of groups. */
const event = fc.oneof({ weight: 12, arbitrary: array(group, 3) }, { weight: 1, arbitrary: any });

function print(tree: Tree, feed: Feed, space: readonly string[]): string {
  if (typeof tree === 'string') return tree;
  const gap = () => feed(space);
  const inside =
    tree.kind === 'array'
      ? tree.items.map((i) => gap() + print(i, feed, space) + gap())
      : tree.members.map(([k, v]) => `${gap()}"${k}"${gap()}:${gap()}${print(v, feed, space)}${gap()}`);
  const [open, close] = tree.kind === 'array' ? '[]' : '{}';
  return open + (inside.length > 0 ? inside.join(',') : gap()) + close;
}

const feedOf = (choices: readonly number[]): Feed => {
  let at = 0;
  return (of) => of[(choices[at++ % choices.length] ?? 0) % of.length] ?? '';
};

/** Texts of JSON documents with hooks in them, in all spellings; `comments` adds those. */
export function jsonText(events: readonly string[], comments: boolean): fc.Arbitrary<string> {
  const hooks = object(fc.tuple(fc.constantFrom(...events, 'Stop'), event), 3);
  const member = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...KEYS), any) },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('hooks', 'hooks', 'h\\u006foks'), hooks) },
  );
  const spaces = fc.constantFrom(
    SPACE,
    [''],
    [' '],
    ['\n  '],
    ['\n'],
    comments ? [...SPACE, ...COMMENTS, ...COMMENTS] : SPACE,
  );
  return fc
    .tuple(object(member, 4), spaces, fc.array(fc.nat(997), { minLength: 1, maxLength: 40 }))
    .map(([tree, space, choices]) => {
      const feed = feedOf(choices);
      const around = space === SPACE || space.length > 1 ? space : [''];
      return feed(around) + print(tree, feed, space) + feed(around);
    });
}

const TOML_VALUES = [
  '"x"',
  "'lit # no'",
  '1_000',
  '0x1F',
  'inf',
  'nan',
  '1979-05-27T07:32:00Z',
  '07:32:00',
  '[ 1, 2, # c\n  3 ]',
  '{ a = 1, "b c" = [ ] }',
  '"""\n[[hooks.PostToolUse]]\n"""',
  "'''\n#'''",
  '"é🙂"',
  '9223372036854775807',
];
const TOML_HANDLERS = [
  '{ type = "command", command = "u" }',
  '{ type = "command", command = \'v\', timeout = 3 }',
];

/** Statements of a config.toml after the root keys; `n` makes names unique. */
const section = (events: readonly string[]): fc.Arbitrary<(n: number) => string[]> =>
  fc.oneof(
    fc.constantFrom(...TOML_VALUES).map((v) => (n: number) => [`[mcp_servers.s${n}]`, `k = ${v}`]),
    fc.constant((n: number) => [`[hooks.state."/p:${n}:0"]`, 'trusted_hash = "sha256:a"  # t']),
    fc.constant((n: number) => ['# comment', '', `[[other.t${n}]]`, 'a.b.c = 1']),
    fc
      .tuple(
        fc.constantFrom(...events, 'Stop'),
        fc.array(fc.constantFrom(...TOML_HANDLERS), { maxLength: 2 }),
      )
      .map(([e, hs]) => () => [
        `[[hooks.${e}]]`,
        'matcher = "^é🙂$" # m',
        `hooks = [ ${hs.join(', # c\n')} ]`,
      ]),
    fc.tuple(fc.constantFrom(...events, 'Stop'), fc.nat(2)).map(([e, many]) => () => [
      `[[ hooks . "${e}" ]]`,
      ...Array.from({ length: many }, (_, i) => [
        `  [[hooks.${e}.hooks]]`,
        '  type = "command"',
        `  command = "c${i}"`,
      ]).flat(),
    ]),
  );

/** Texts of config.toml files. */
export function tomlText(events: readonly string[]): fc.Arbitrary<string> {
  const filler = fc.constantFrom<string[]>([], [], [''], ['', ''], ['# c'], ['   ']);
  return fc
    .record({
      head: fc.array(fc.constantFrom(...TOML_VALUES), { maxLength: 3 }),
      sections: fc.array(fc.tuple(section(events), filler), { maxLength: 6 }),
      nl: fc.constantFrom('\n', '\r\n'),
      end: fc.constantFrom('\n', '', '\n\n', '  ', ' # end', '\n\n\n# end'),
      bom: fc.boolean(),
    })
    .map(({ head, sections, nl, end, bom }) => {
      const lines = [
        ...head.map((v, i) => `k${i} = ${v}`),
        ...sections.flatMap(([make, fill], n) => [...make(n), ...fill]),
      ];
      return (bom ? '\uFEFF' : '') + (lines.join('\n') + end).replaceAll('\n', nl);
    });
}
