import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { McpDialect } from '../../src/clients/mcp-config.ts';
import { canonicalJson } from '../../src/declarations/canonical-json.ts';
import { coveredText, definitionHash, sameServer } from '../../src/servers/definitions/definition-hash.ts';
import { isOfDefinition } from '../../src/servers/definitions/earlier-hash.ts';
import type { Definition, DefinitionSource } from '../../src/servers/types.ts';
import { ALL, cpuTime, LONG, often, sample } from '../effort.ts';
import { anyDefinition, changed, http, stdio } from './definitions.ts';

const base = stdio(['-y', 'server']);
/** Of which the whole is approved, and of which a part. */
const WHOLE: readonly Pick<DefinitionSource, 'scope'>[] = [{ scope: 'project' }, { scope: 'command-line' }];
const PARTLY: readonly Pick<DefinitionSource, 'scope'>[] = [
  { scope: 'user' },
  { scope: 'local' },
  { scope: 'plugin' },
  { scope: 'extension' },
];
const SOURCES = [...WHOLE, ...PARTLY];
const [PROJECT = { scope: 'project' }] = SOURCES;
const DIALECT = clientById('gemini-cli').mcp.dialect;
const own = (definition: Definition) => definitionHash(definition, { scope: 'user' }, DIALECT);

/** Changes after which every approval asks again, wherever the definition stands. */
const DIFFERENT: [string, Definition, Definition][] = [
  ['the command', base, stdio(['-y', 'server'], { command: 'bunx' })],
  ['an argument', base, stdio(['-y', 'other'])],
  ['the order of arguments', base, stdio(['server', '-y'])],
  ['the folder', base, stdio(['-y', 'server'], { cwd: '/tmp' })],
  ['the name of a variable', base, stdio(['-y', 'server'], { env: { A: '1' } })],
  ['a passed-on variable', base, stdio(['-y', 'server'], { passEnv: ['A'] })],
  ['the host', http('https://a.example/mcp'), http('https://b.example/mcp')],
  ['the path', http('https://a.example/mcp'), http('https://a.example/mcp2')],
  ['a header', http('https://a.example'), http('https://a.example', { headers: { 'X-A': '1' } })],
  [
    'the variable behind a header',
    http('https://a.example', { envHeaders: { A: 'ONE' } }),
    http('https://a.example', { envHeaders: { A: 'TWO' } }),
  ],
  [
    'the variable behind a token',
    http('https://a.example', { bearerEnv: 'A' }),
    http('https://a.example', { bearerEnv: 'B' }),
  ],
  [
    'a variable that a header sends',
    http('https://a.example', { headers: { 'X-Team': 'blue' } }),
    http('https://a.example', { headers: { 'X-Team': '${AWS_SECRET_ACCESS_KEY}' } }),
  ],
  [
    'a variable within the value of a header',
    http('https://a.example', { headers: { 'X-Team': 'of ${TEAM:-x}' } }),
    http('https://a.example', { headers: { 'X-Team': 'of ${HOME:-x}' } }),
  ],
  [
    'a variable in the words of another client',
    stdio([], { env: { X: 'a ${env:A}' } }),
    stdio([], { env: { X: 'a ${env:B}' } }),
  ],
  [
    'a variable in curly braces alone',
    stdio([], { env: { X: '{env:A}' } }),
    stdio([], { env: { X: '{env:B}' } }),
  ],
  ['a variable that a variable holds', stdio([], { env: { X: 'a' } }), stdio([], { env: { X: '$SECRET' } })],
  ['what an address fetches', stdio(['https://a.example/?ref=a']), stdio(['https://a.example/?ref=b'])],
  [
    'a random part of an address',
    http('https://a.example/mcp/0123456789abcdefghij'),
    http('https://a.example/mcp/0123456789abcdefghik'),
  ],
  ['a token that is another variable', stdio(['--token', '${A}']), stdio(['--token', '${B}'])],
  ['a flag that only looks like a secret', stdio(['--auth-command', 'a']), stdio(['--auth-command', 'b'])],
  ...(
    [
      ['-c', 'TOKEN=a; good', 'TOKEN=a; evil'],
      ['-c', 'key=$(good)', 'key=$(evil)'],
      ['-e', 'key=good.it', 'key=evil.it'],
      ['-c', 'true http://x/ready?token=abc;good', 'true http://x/ready?token=abc;evil'],
      ['-c', 'x://;good;@', 'x://;evil;@'],
      ['-c', 'TOKEN=Bearer ./good srv', 'TOKEN=Bearer ./evil srv'],
      ['-e', 's="?token="+require("child_process")', 's="?token="+require("fs")'],
      ['-c', '...?token="+__import__("os")', '...?token="+__import__("sys")'],
      ['x', '-e$key=qx/good/;', '-e$key=qx/evil/;'],
      ['-key', './good', './evil'],
      ['--from', 'git+https://good.com\\@github.com/me/x', 'git+https://evil.com\\@github.com/me/x'],
      ['run', 'https://x/?key=good.ts', 'https://x/?key=evil.ts'],
      ['--token', 'a;good', 'a;evil'],
    ] as const
  ).map(([flag, one, two]): [string, Definition, Definition] => [
    `code: ${flag} ${two}`,
    stdio([flag, one], { command: 'sh' }),
    stdio([flag, two], { command: 'sh' }),
  ]),
];

// A hash with a secret takes long: in a short run a third of the code, and each change at one of the places alone.
const changes = DIFFERENT.map((row, turn) => [...row, turn] as const);
it.each(LONG ? changes : changes.filter(([name], i) => !name.startsWith('code: ') || i % 3 === 0))(
  'an approval ends with %s',
  (_, one, two, turn) => {
    const places = [...sample(PARTLY, 4, turn), ...sample(WHOLE, 2, turn)];
    for (const source of LONG ? places : places.slice(0, 1))
      expect(definitionHash(one, source, DIALECT), source.scope).not.toBe(
        definitionHash(two, source, DIALECT),
      );
  },
);

describe("a project's definition", () => {
  it.each<[string, Definition, Definition]>([
    ['a variable', stdio([], { env: { MAKEFLAGS: '' } }), stdio([], { env: { MAKEFLAGS: '--eval=x' } })],
    ['a secret variable', stdio([], { env: { API_KEY: 'a' } }), stdio([], { env: { API_KEY: 'b' } })],
    [
      'a header',
      http('https://a.example', { headers: { A: '1' } }),
      http('https://a.example', { headers: { A: '2' } }),
    ],
    ['a token flag', stdio(['--api-key', 'aaaa1']), stdio(['--api-key', 'bbbb1'])],
    ['a token in a query', http('https://a.example/?key=a1b2c3'), http('https://a.example/?key=a1b2c4')],
    ['a password', stdio(['postgres://u:a1b2c3@db/x']), stdio(['postgres://u:a1b2c4@db/x'])],
  ])('is approved with the value of %s', (_, one, two) => {
    expect(definitionHash(one, PROJECT, DIALECT)).not.toBe(definitionHash(two, PROJECT, DIALECT));
  });

  it('asks again after any change of what runs', () => {
    const pairs = anyDefinition.chain((one) => fc.tuple(fc.constant(one), changed(one)));
    fc.assert(
      fc.property(pairs, ([one, two]) => {
        const same = canonicalJson(one) === canonicalJson(two);
        expect(coveredText(one, PROJECT, DIALECT) === coveredText(two, PROJECT, DIALECT)).toBe(same);
      }),
      often(ALL ? 17 : 5),
    );
    fc.assert(
      fc.property(pairs, ([one, two]) => {
        fc.pre(canonicalJson(one) !== canonicalJson(two));
        expect(definitionHash(one, PROJECT, DIALECT)).not.toBe(definitionHash(two, PROJECT, DIALECT));
      }),
      // A hash with a secret takes long.
      often(ALL ? 1 : 0.3),
    );
  });

  it.each<[{ [K in keyof McpDialect]?: McpDialect[K] | undefined }]>([
    [{ expand: 'none' }],
    [{ fallbacks: false }],
    [{ expandOnly: 'env' }],
    [{ bareEnv: true }],
    [{ unset: undefined }],
    [{ unset: 'empty' }],
    [{ unset: 'stops' }],
    [{ stands: {} }],
    [{ inherits: ['PATH'] }],
    [{ drops: undefined }],
    [{ adds: {} }],
  ])('is approved as its client reads it: %j', (other) => {
    const dialect = { ...DIALECT, ...other } as McpDialect;
    expect(definitionHash(base, PROJECT, dialect)).not.toBe(definitionHash(base, PROJECT, DIALECT));
    for (const source of SOURCES.filter(({ scope }) => scope !== 'project'))
      expect(definitionHash(base, source, dialect)).toBe(definitionHash(base, source, DIALECT));
    const written = { ...DIALECT, format: 'toml', keys: { ...DIALECT.keys, env: 'e' } } as const;
    expect(definitionHash(base, PROJECT, written)).toBe(definitionHash(base, PROJECT, DIALECT));
  });

  it.each([
    ['empty', 'emptyAnywhere'],
    ['empty-in-env', 'emptyInEnv'],
    ['stops', 'unsetStops'],
  ] as const)('has the name by which earlier versions approved: %s is %s', (unset, name) => {
    const { dialect } = JSON.parse(coveredText(base, PROJECT, { ...DIALECT, unset }));
    expect(dialect[name]).toBe(true);
    expect(Object.keys(dialect)).not.toContain('unset');
  });

  it('has the same hash in whatever order its keys stand', () => {
    const one = stdio([], { env: { A: '1', B: '2' }, cwd: '/x' });
    const { env, ...rest } = stdio([], { env: { B: '2', A: '1' }, cwd: '/x' });
    expect(definitionHash(one, PROJECT, DIALECT)).toBe(
      definitionHash({ env, ...rest } as Definition, PROJECT, DIALECT),
    );
  });

  it.runIf(LONG)('with a secret takes long to guess', () => {
    const pin = (n: number) => stdio([], { env: { PIN_TOKEN: String(n) } });
    const hashes = () => Array.from({ length: 10 }, (_, n) => definitionHash(pin(n), PROJECT, DIALECT));
    const all = cpuTime(hashes);
    expect(all).toBeGreaterThan(50);
    // One that is known already costs nothing.
    expect(cpuTime(() => expect(new Set(hashes()).size).toBe(10))).toBeLessThan(all / 2);
  });
});

describe("a definition of the user's own files", () => {
  it('keeps its hash from before {env:NAME} in an address counted as a variable', () => {
    const user: DefinitionSource = { scope: 'user' };
    const hash = (url: string): string => definitionHash(http(url), user, undefined);
    expect(hash('https://a.example/{env:TEAM}/mcp')).toBe(hash('https://a.example/%7Benv:TEAM%7D/mcp'));
    expect(hash('https://a.example/{env:TEAM}/mcp')).not.toBe(hash('https://a.example/{env:USER}/mcp'));
  });

  it.each<[string, Definition, Definition]>([
    ['the value of a variable', stdio([], { env: { A: 'a' } }), stdio([], { env: { A: 'b' } })],
    [
      'the value of a header',
      http('https://a.example', { headers: { A: '1' } }),
      http('https://a.example', { headers: { a: '2' } }),
    ],
    ['the value of a token flag', stdio(['--api-key', 'aaaa']), stdio(['--api-key', 'bbbb'])],
    ['the value after =', stdio(['--token=aaaa']), stdio(['--token=bbbb'])],
    ['a token given to docker', stdio(['-e', 'API_TOKEN=aaaa']), stdio(['-e', 'API_TOKEN=bbbb'])],
    [
      'a bearer in a header flag',
      stdio(['-H', 'Authorization: Bearer a1']),
      stdio(['-H', 'Authorization: Bearer b1']),
    ],
    ['a token in a query', http('https://a.example/?key=a'), http('https://a.example/?key=b')],
    ['a password in an argument', stdio(['postgres://u:a@db/x']), stdio(['postgres://u:b@db/x'])],
    ['the spelling of its address', http('HTTPS://A.example:443/x/../y'), http('https://a.example/y')],
    [
      'the order of variables',
      stdio([], { env: { A: '1', B: '2' } }),
      stdio([], { env: { B: '2', A: '1' } }),
    ],
  ])('stays approved with another %s', (_, one, two) => {
    expect(own(one)).toBe(own(two));
    expect(sameServer(one, two)).toBe(true);
  });

  it.each([
    ['7923984226c055f75c75fec87b5bf74db01a26a8c3007b71c79d79b14b8c624d', base],
    [
      'f6398df890c107ae050ee198b6c59722d8c5942f02ff7a2bc05a3de0e0e93eda',
      stdio(['--token', 'abc', 'sh', '-c', 'TOKEN=x; y'], {
        env: { PATH: '/x', A: '1' },
        cwd: '/a',
        passEnv: ['B'],
      }),
    ],
    [
      'bfcb860fcf7e54b88d29c284731ea3be34e5979138093e01e26d0a5402c6e2f0',
      http('https://a.example/mcp?key=1&v=2', { headers: { 'X-A': '1' }, bearerEnv: 'T' }),
    ],
  ])('is known by the hash that an earlier version made of it: %s', (hash, definition) => {
    const known = SOURCES.filter(({ scope }) => isOfDefinition(hash, definition, { scope }, DIALECT));
    expect(known.map(({ scope }) => scope)).toEqual(['user', 'local', 'plugin', 'extension']);
    expect(isOfDefinition(own(definition), definition, { scope: 'user' }, DIALECT)).toBe(true);
    expect(isOfDefinition(hash, { ...definition, ...stdio(['x']) }, { scope: 'user' }, DIALECT)).toBe(false);
  });
});
