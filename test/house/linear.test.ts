import { cpuUsage } from 'node:process';
import { describe, expect, it, test } from 'vitest';
import { fitsGlob, fitsPath } from '../../src/base/glob.ts';
import { foldedName } from '../../src/base/look-alike.ts';
import { near } from '../../src/base/near.ts';
import { slugFor } from '../../src/base/slug.ts';
import { excerpt, visible } from '../../src/base/visible.ts';
import { maskFile } from '../../src/cli/text/mask-file.ts';
import type { Client } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { parseJson } from '../../src/declarations/json-text.ts';
import { deepestAt, jsonMistake } from '../../src/declarations/syntax.ts';
import { readHooks } from '../../src/edit/read.ts';
import type { HookFileState } from '../../src/edit/types.ts';
import { readShellLine } from '../../src/fire/shell/shell-line.ts';
import { cut } from '../../src/fire/text/cut.ts';
import { sanitise } from '../../src/fire/text/sanitise.ts';
import { fill } from '../../src/fire/text/template.ts';
import { joined } from '../../src/fire/tools/answer.ts';
import { selected } from '../../src/fire/tools/select.ts';
import { touchedFiles } from '../../src/fire/when/touched-files.ts';
import { namesOurs } from '../../src/inspect/checkout/names-ours.ts';
import { Fault } from '../../src/messages/fault.ts';
import { parseConfig } from '../../src/servers/definitions/definition.ts';
import { definitionHash } from '../../src/servers/definitions/definition-hash.ts';
import { launch } from '../../src/servers/launch/launch.ts';
import { showDefinition, withoutQueryTokens } from '../../src/servers/masking/mask.ts';
import { maskMessage, redact } from '../../src/servers/masking/mask-message.ts';
import { literalSecrets, maskArgs, maskText } from '../../src/servers/masking/secrets.ts';
import { identityOf } from '../../src/servers/packages/identity.ts';
import { packageRun } from '../../src/servers/packages/package-runner.ts';
import type { Definition } from '../../src/servers/types.ts';
import { canonicalUrl, reachableUrl } from '../../src/servers/url.ts';
import { ALL, LONG, sample } from '../effort.ts';

/** What patterns begin with, repeat, or look for in vain. */
const PIECES = [
  ...[
    'a=',
    'a',
    '*',
    '{',
    '}',
    '(',
    '[',
    '"',
    "'",
    ' ',
    '-',
    '/',
    '?',
    '&',
    '.',
    '@',
    '#',
    '`',
    '\\',
    '\n',
    '\t',
    'authorization:x,',
    'Bearer x,',
  ],
  ...[
    '$a_',
    '$',
    '${',
    '${a:-',
    '$(',
    '{a,',
    'a:',
    'a: ',
    'a://',
    '?a',
    'eyJ-',
    'eyJaaaaaaaa.',
    'sk-',
    '=',
    ',',
    ':',
  ],
  ...[
    '<<a\n',
    '/*',
    '//',
    '"\\',
    '../',
    'hooks/',
    '.mcphooks',
    '[!a]',
    '*a',
    '{"a":',
    '"a":',
    '\u0301\u0316',
    'a--',
    '0',
  ],
  ...['a= "{*(-/', '#a\n', '"""', "'''", 'a = "b"\n', '[a]\n'],
];
const stdio = (more: object): Definition => ({
  transport: 'stdio',
  command: 'node',
  args: [],
  env: {},
  ...more,
});
const http = (more: object): Definition => ({
  transport: 'http',
  url: 'https://a.example/',
  headers: {},
  ...more,
});
const places = ['project', 'user'] as const;
/** All that is done with a definition before it may start. */
const both = (definition: Definition): void => {
  for (const scope of places) {
    definitionHash(definition, { scope }, CLIENTS[0]?.mcp.dialect);
    showDefinition(definition, { scope });
  }
  literalSecrets(definition);
  launch({ definition, source: { scope: 'project' }, dialect: (CLIENTS[0] as Client).mcp.dialect }, {}, '/');
};
/** Broken files end in a fault. */
const quiet = (act: () => unknown): void => {
  try {
    act();
  } catch {}
};

/** What reads a text of a project, a server or a tool. */
const READERS: Record<string, (text: string) => unknown> = {
  namesOurs,
  foldedName,
  'an argument': (text) => both(stdio({ args: [text] })),
  'a flag': (text) => both(stdio({ args: [text, 'a', `--key=${text}`] })),
  'many arguments': (text) => both(stdio({ args: text.match(/.{1,8}/gs) })),
  'a command': (text) => both(stdio({ command: text, cwd: text })),
  'a variable': (text) => both(stdio({ env: { A_KEY: text, [text]: 'a' } })),
  'an address': (text) => both(http({ url: text })),
  'an address below a host': (text) => both(http({ url: `https://a.example/${text}` })),
  'a header': (text) => both(http({ headers: { Authorization: text, [text]: 'a' } })),
  maskMessage,
  maskText,
  withoutQueryTokens,
  canonicalUrl,
  reachableUrl,
  maskArgs: (text) => maskArgs([text, text]),
  redact: (text) => redact(text, [text.slice(0, 8)]),
  packageRun: (text) => packageRun('npx', [text, text], { [text]: 'a', [`yarn_${text}`]: 'b' }),
  identityOf: (text) =>
    ['npx', 'cmd', 'node'].map((command) =>
      identityOf({
        transport: 'stdio',
        command,
        args: [`/c${text}`, text, text],
        env: { [text]: text, PATH: text },
      }),
    ),
  fitsGlob: (text) => [fitsGlob(text, '.mcphooks', true), fitsGlob('*a*a*a*b', text)],
  fitsPath: (text) => [fitsPath(text, 'a/b'), fitsPath('**/a*a/**/b', text)],
  visible,
  excerpt,
  sanitise,
  slugFor,
  near: (text) => near(text, ['install', 'diff']),
  maskJson: (text) => maskFile(text, 'json', new Set()),
  maskToml: (text) => maskFile(text, 'toml', new Set()),
  json: (text) => quiet(() => parseConfig(text, 'a.json', 'json')),
  jsonc: (text) => quiet(() => parseConfig(text, 'a.json', 'jsonc')),
  toml: (text) => quiet(() => parseConfig(text, 'a.toml', 'json')),
  jsonMistake: (text) => jsonMistake(text, true),
  deepestAt,
  readShellLine: (text) => readShellLine(text).runs(['git', 'commit']),
  touchedFiles: (text) => touchedFiles({ a: text }, { patch: 'a' }, '/'),
  selected: (text) => [selected(text, '/a/b'), selected(JSON.stringify({ a: text }), '/a')],
  joined: (text) => [joined([text]), joined([JSON.stringify({ a: text })])],
  cut: (text) => [
    cut(text, 5000, 'characters' as never),
    cut(JSON.stringify([text, text]), 5000, 'characters' as never),
  ],
  fill: (text) => fill(text, { prompt: text }),
};

/** Characters. What looks at each of them again for each of them takes many seconds. */
const SIZE = ALL ? 200_000 : 15_000;
/** Processor time, in milliseconds, below which nothing is looked at: a short time says little. */
const MOST = ALL ? 4000 : 1500;
/** A text four times as long takes four times as long, or sixteen times where its square counts. */
const LONGER = 4;
const MOST_LONGER = 9;

/** Of three tries: what else the machine does shall not count. */
function fastest(act: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > enough; tries++) {
    const begun = cpuUsage();
    act();
    const { user, system } = cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function isSlow(read: (text: string) => unknown, piece: string, most = MOST): boolean {
  const text = piece.repeat(SIZE / piece.length);
  const whole = fastest(() => read(text), most);
  if (whole <= most) return false;
  const part = piece.repeat(SIZE / LONGER / piece.length);
  return whole > MOST_LONGER * fastest(() => read(part), 0);
}

test.each([
  [1, false],
  [2, true],
])('what grows with the power of %d is slow: %s', (power, slow) => {
  // The sum keeps the loop from being left out.
  let sum = 0;
  const steps = (n: number): void => {
    for (let i = 0; i < n; i++) sum += i % 7;
  };
  const read = (text: string): void => steps(5e6 * (text.length / SIZE) ** power);
  expect([isSlow(read, 'a', 1), sum >= 0]).toEqual([slow, true]);
});

describe("takes time in proportion to a stranger's text", () => {
  it.each(Object.entries(READERS).map(([name, read], i) => [name, read, i] as const))(
    '%s',
    (_, read, turn) => {
      const pieces = sample(PIECES, 12, turn);
      const tried = LONG ? pieces : pieces.slice(0, 2);
      expect(tried.filter((piece) => isSlow(read, piece))).toEqual([]);
    },
    // The longest takes 30 s of processor time on a slow machine, which others share.
    600_000,
  );
});

describe('a text that is nested too deeply', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const objects = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
  const codeOf = (act: () => unknown): unknown => {
    try {
      act();
    } catch (error) {
      return error instanceof Fault ? [error.code, error.args.reason] : (error as Error).name;
    }
    return undefined;
  };

  const texts = [
    ['a.json', 'json', deep],
    ['a.json', 'json', objects],
    ['a.json', 'json', `{"a":${'['.repeat(201)}${']'.repeat(201)}}`],
    ['a.json', 'jsonc', `/**/${objects}`],
    ['a.toml', 'json', `${'a.'.repeat(50_000)}b=1`],
    ['a.toml', 'json', `[${'a.'.repeat(50_000)}b]`],
  ] as const;
  it.each(LONG ? texts : texts.slice(0, 3))('%s, %s, is refused', (file, format, text) =>
    expect(codeOf(() => parseConfig(text, file, format))).toBe('RangeError'),
  );

  it('but no deeper than files are is read', () => {
    const text = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(codeOf(() => parseConfig(text, 'a.json', 'json'))).toBeUndefined();
  });

  it.each([deep, objects, '['.repeat(200_000), `/*${deep}`])('is a fault of the file', (text) => {
    expect(codeOf(() => parseJson(text, 'lock', 'lock.syntax'))).toEqual(['lock.syntax', expect.any(String)]);
    expect(codeOf(() => jsonMistake(text, true))).toBeUndefined();
  });

  it.each([
    ['json', 'a.json', `{"hooks":${deep}}`],
    ['jsonc', 'a.json', `/**/{"hooks":${objects}}`],
    ['json', 'a.json', `{"x":${objects}}`],
    ['toml', 'a.toml', `${'a.'.repeat(50_000)}b=1`],
  ] as const)("is a fault of a client's hook file: %s", (format, file, text) =>
    expect(codeOf(() => readHooks({ format, file, text } as HookFileState))).toEqual([
      'edit.too-deep',
      undefined,
    ]),
  );
});
