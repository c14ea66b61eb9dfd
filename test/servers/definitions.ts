import fc from 'fast-check';
import type { Definition } from '../../src/servers/types.ts';

export type Stdio = Extract<Definition, { transport: 'stdio' }>;
export type Http = Exclude<Definition, Stdio>;

export const stdio = (args: string[], more: Partial<Stdio> = {}): Stdio => ({
  transport: 'stdio',
  command: 'npx',
  args,
  env: {},
  ...more,
});
export const http = (url: string, more: Partial<Http> = {}): Http => ({
  transport: 'http',
  url,
  headers: {},
  ...more,
});

/** Pieces of commands, among them all that a mask ever looked for. */
const PIECES = [
  ...[
    '--token',
    '-key',
    '--api-key',
    '-c',
    '-e',
    '--eval',
    '-y',
    '-H',
    'run',
    'token=',
    'KEY=',
    'A_KEY',
    '--pat=',
  ],
  ...['http://x/', 'https://', 'evil@', 'u:p@', '?token=', '&key=', '#', '\\', '\\@', '//', ':', 'db://'],
  ...[
    'Bearer ',
    'Basic ',
    'Authorization: ',
    '***',
    '${A}',
    '${A:-b}',
    '$A',
    '$(',
    '`',
    ';',
    '|',
    '&',
    ' ',
    "'",
    '"',
  ],
  ...[
    'touch${IFS}x',
    './evil',
    'evil.sh',
    'abc',
    'sk-0123456789abcdef01',
    'ghp_0123456789abcdefghij',
    'a1b2c3d4',
  ],
  ...[
    'hunter2-1-xyz',
    '0',
    'npx',
    'sh',
    'node',
    'import("x")',
    '=',
    '/',
    '~',
    '.',
    '%A%',
    '\n',
    '\u202E',
    '@',
  ],
];
const word = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 12 }),
);
const name = fc.oneof(
  fc.constantFrom(
    'API_KEY',
    'TOKEN',
    'PATH',
    'NODE_OPTIONS',
    'MAKEFLAGS',
    'X-Team',
    'Authorization',
    'X-Api-Key',
    'A',
  ),
  word,
);
const table = fc.dictionary(name, word, { maxKeys: 3 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** A definition without the keys that are undefined. */
const whole = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;

export const anyStdio: fc.Arbitrary<Stdio> = fc
  .record({
    transport: fc.constant('stdio' as const),
    command: word,
    args: fc.array(word, { maxLength: 5 }),
    cwd: optional(word),
    env: table,
    passEnv: optional(fc.array(name, { maxLength: 2 })),
  })
  .map((value) => whole(value) as Stdio);

export const anyHttp: fc.Arbitrary<Http> = fc
  .record({
    transport: fc.constantFrom('http' as const, 'sse' as const),
    url: word,
    headers: table,
    envHeaders: optional(table),
    bearerEnv: optional(name),
    heldBy: optional(fc.constantFrom('oauth' as const, 'helper' as const)),
  })
  .map((value) => whole(value) as Http);

export const anyDefinition: fc.Arbitrary<Definition> = fc.oneof(anyStdio, anyHttp);

/** The definition with one text in it changed, gone or new. */
export const changed = (definition: Definition): fc.Arbitrary<Definition> => {
  const texts = (value: unknown, path: (string | number)[]): (string | number)[][] =>
    typeof value === 'string'
      ? [path]
      : Object.entries(value ?? {}).flatMap(([key, inner]) =>
          texts(inner, [...path, Array.isArray(value) ? Number(key) : key]),
        );
  const at = texts(definition, []).filter(([first]) => first !== 'transport');
  return fc
    .tuple(fc.constantFrom(...at, []), fc.nat(40), word, fc.boolean())
    .map(([path, place, piece, replace]) => {
      const copy = structuredClone(definition) as Record<string, unknown>;
      if (path.length === 0) {
        if (copy.args) (copy.args as string[]).splice(place % ((copy.args as string[]).length + 1), 0, piece);
        else (copy.headers as Record<string, string>)[`X-${place}`] = piece;
        return copy as Definition;
      }
      const parent = path
        .slice(0, -1)
        .reduce<Record<string | number, unknown>>((v, key) => v[key] as Record<string, unknown>, copy);
      const key = path.at(-1) as string | number;
      const text = String(parent[key]);
      const cut = place % (text.length + 1);
      parent[key] = replace ? piece : text.slice(0, cut) + piece + text.slice(cut);
      return copy as Definition;
    });
};
