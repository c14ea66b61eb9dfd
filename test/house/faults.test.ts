import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { EVENTS } from '../../src/declarations/types.ts';
import { Fault } from '../../src/messages/fault.ts';
import { faultText, wordings } from '../../src/messages/faults.ts';
import { whenText } from '../../src/messages/hook-words.ts';
import { causeText, momentText } from '../../src/messages/log.ts';
import { incidentText, silenceText } from '../../src/messages/silences.ts';
import { diagnosticsFor } from '../../src/servers/mcp/diagnostics.ts';
import { LONG } from '../effort.ts';
import { slashed } from '../platform.ts';

const SRC = join(import.meta.dirname, '../../src');

it('a fault takes the arguments of its code, and no others', () => {
  expect(new Fault('decl.empty', { key: 'context' }).args).toEqual({ key: 'context' });
  expect(new Fault('decl.both').args).toEqual({});
  // What the compiler refuses is refused here by it: each line below is an error without its comment.
  // @ts-expect-error: it needs a key
  new Fault('decl.empty', {});
  // @ts-expect-error: it needs arguments
  new Fault('decl.empty');
  // @ts-expect-error: a number is wanted
  new Fault('edit.too-large', { bytes: '1', most: 2 });
  // @ts-expect-error: no such argument
  new Fault('decl.empty', { key: 'context', text: 'prose' });
  // @ts-expect-error: no such code
  new Fault('decl.nothing', {});
});

it('a fault of which more is known stays what it is', () => {
  const fault = new Fault('server.died', { how: 1, shown: 'x', step: '' }, { file: '/f' }, 3);
  expect(fault.with({ step: 'initialize' })).toMatchObject({
    code: 'server.died',
    args: { how: 1, step: 'initialize' },
    where: { file: '/f' },
    exit: 3,
  });
  expect(fault.with({})).toBeInstanceOf(Fault);
  // @ts-expect-error: no such argument
  fault.with({ nonsense: 'prose' });
  // @ts-expect-error: a code is wanted
  fault.with({ noCheck: 'prose' });
  expect(faultText(fault.with({ step: 'initialize' }))).toContain('before answering initialize');
});

it("a server's fault needs what its maker does not know", () => {
  const { fault } = diagnosticsFor('run-me', []);
  expect(fault('server.died', { how: 'SIGKILL' }).args).toEqual({
    how: 'SIGKILL',
    shown: 'run-me',
    stderr: [],
  });
  // @ts-expect-error: it needs how the server ended
  fault('server.died', {});
  // @ts-expect-error: it needs arguments
  fault('server.died');
  // @ts-expect-error: no such argument
  fault('server.died', { how: 'SIGKILL', text: 'prose' });
});

it('every code has words, each in the room that it is of', () => {
  for (const [code, wording] of Object.entries(wordings())) expect(wording.what, code).toBeTypeOf('function');
});

it('every fault is caused by something', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map(slashed);
  const others = files.filter((file) => file.endsWith('.ts') && !file.startsWith('messages/'));
  const code = others.map((file) => readFileSync(join(SRC, file), 'utf8')).join('\n');
  expect(Object.keys(wordings()).filter((one) => !code.includes(`'${one}'`))).toEqual([]);
});

it('every reason why a hook gave no text, or less, has words', () => {
  const why = readFileSync(join(SRC, 'fire/why.ts'), 'utf8');
  const codesOf = (type: string): string[] => {
    const [, union = ''] = new RegExp(`export type ${type} =\\n([^;]+);`).exec(why) ?? [];
    return [...union.matchAll(/'([^']+)'/g)].map(([, code = '']) => code);
  };
  const logged = codesOf('LoggedSilence');
  const fired = [...logged, ...codesOf('UnloggedSilence')];
  const incidents = codesOf('Incident');
  for (const codes of [logged, fired, incidents]) expect(codes.length).toBeGreaterThan(10);
  // A code without words is shown as it is.
  const none = { incident: undefined, detail: undefined };
  expect(logged.filter((silence) => causeText({ ...none, silence }).endsWith(`: ${silence}`))).toEqual([]);
  expect(fired.filter((code) => silenceText(code, {}) === code)).toEqual([]);
  expect(incidents.filter((code) => incidentText(code) === code)).toEqual([]);
});

it('every event has words for its moment', () => {
  // An event without words is shown as it is.
  expect(EVENTS.filter((event) => whenText({ event }) === event)).toEqual([]);
  expect(EVENTS.filter((event) => momentText(event) === event)).toEqual([]);
});

it('data of a fault becomes words', () => {
  const about = { index: 0, tool: 'store', value: '1' };
  const config = { value: '1' };
  const reached = { shown: 'x', step: 'initialize' };
  const type = { got: 'null', value: 'null' };
  const told: [Fault, string][] = [
    [
      new Fault('decl.type', { ...type, expected: ['int', '"once"'] }),
      'expected whole number or "once", found',
    ],
    [new Fault('decl.type', { ...type, expected: ['string', 'other'] }), 'expected string or another value,'],
    [new Fault('tool.args-value', { ...about, allowed: ['"a"', '2'] }), 'one of "a", 2.'],
    [new Fault('tool.args-value', { ...about, least: 2, unit: 'items' }), 'at least 2 items.'],
    [new Fault('tool.args-value', { ...about, most: 5 }), 'at most 5.'],
    [new Fault('tool.args-value', about), 'one of the forms in its inputSchema.'],
    [new Fault('config.value', { ...config, allowed: ['a', 'b'] }), 'is not one of a, b'],
    [new Fault('config.value', { ...config, clients: 1 }), 'is not a client'],
    [new Fault('config.value', { ...config, least: 1 }), 'is not a whole number from 1'],
    [new Fault('config.value', { ...config, type: 'boolean' }), 'is not true or false'],
    [new Fault('config.value', config), 'is not something else'],
    [new Fault('server.died', { ...reached, how: 4 }), 'exited (exit code 4)'],
    [new Fault('server.died', { ...reached, how: 'SIGKILL' }), 'exited (SIGKILL)'],
    [new Fault('server.garbage', reached), 'initialize: the stream ended without an answer'],
    [new Fault('server.start-failed', { shown: 'x', reason: 'NO_FOLDER', folder: '/f' }), 'x: no folder /f'],
    [new Fault('server.unreachable', { shown: 'x', reason: 'CERT_HAS_EXPIRED' }), 'operator has to renew'],
    [new Fault('server.unreachable', { shown: 'x', reason: 'EAI_AGAIN' }), "The host's name leads"],
    [new Fault('server.unreachable', { shown: 'x', reason: 'ECONNREFUSED' }), 'is running and listening'],
    [new Fault('server.unreachable', { shown: 'x', reason: 'ENOTFOUND', proxy: 1 }), 'NODE_USE_ENV_PROXY=1'],
    [new Fault('usage.url', { url: '${HOST}/mcp' }), 'fill in the variables, in double quotes'],
    [new Fault('usage.url', { url: 'x' }), '  Use one like'],
    [new Fault('lock.none'), 'If the project had a lock file, restore it from git.'],
    [new Fault('lock.unlisted', { name: 'a', client: 'codex' }), 'had them, restore it from git.'],
    [new Fault('record.unlisted', { name: 'a', client: 'codex' }), 'removes them, edited or not.'],
    [new Fault('server.url', { url: 'ftp://a', reason: 'scheme' }), '(it is neither https nor http)'],
    [
      new Fault('export.inexpressible', { client: 'C', what: 'header', value: 'X' }),
      "can't hold the header X",
    ],
  ];
  for (const [fault, text] of told) expect(faultText(fault)).toContain(text);
  const answers = ['initialize: no (-1)'];
  expect(
    faultText(new Fault('server.refused', { answers, shown: 'x', silent: 'server/discover', ended: 1 })),
  ).toContain('only: initialize: no (-1), server/discover: no answer, the server ended');
});

it('a fault names at most a hundred of a list, which a server or a repository may make long', () => {
  const keys = Array.from({ length: 101 }, (_, i) => `k${i}`);
  const named = (some: string[]) =>
    faultText(new Fault('tool.args-missing', { index: 0, tool: 'save', keys: some }));
  expect(named(keys)).toMatch(/k98, k99 and 1 more$/m);
  expect(named(keys.slice(1))).toMatch(/k99, k100$/m);
});

/** Where texts are that are no messages: help, schemas, the runtime (docs/decisions.md), shell scripts. */
const ELSEWHERE = [
  ...['messages/', 'clients/', 'fire/', 'cli/rows/', 'cli/json/', 'cli/help.ts', 'cli/completions.ts'],
  ...['app/prepare/user-config.ts', 'edit/module.ts', 'servers/process/watcher.ts'],
];
/** Keys of an option's help. */
const HELP = ['sentence', 'heading'];
/** Commands, words of protocols and samples. */
const NO_SENTENCES = /^(?:--|mcphooks install|uv tool|Method not found$|nested too deeply$|Please go on\.$)/;

interface Piece {
  type: string;
  value?: unknown;
  quasis?: readonly { value: { cooked: string } }[];
  key?: { name?: string };
  callee?: { name?: string; property?: { name?: string } };
}

/**
 * Returns the literal texts in a piece of code that match, with `x` for each value inside. Help and errors for
 * developers are left out.
 */
function textsIn(code: unknown, prose: RegExp): string[] {
  if (typeof code !== 'object' || code === null) return [];
  const { type, value, quasis, key, callee } = code as Piece;
  const called = callee?.name ?? callee?.property?.name ?? '';
  if (type === 'NewExpression' && /^(?:Type)?Error$/.test(called)) return [];
  if (type === 'Property' && HELP.includes(key?.name ?? '')) return [];
  const text = type === 'Literal' ? value : quasis?.map((part) => part.value.cooked).join('x');
  // A fault takes no two words, other code no three.
  const wanted = /^(?:Fault|fault|refuse)$/.test(called) ? /[a-z] [a-z]/i : prose;
  const own = typeof text === 'string' && prose.test(text) ? [text] : [];
  return [...own, ...Object.values(code).flatMap((part) => textsIn(part, wanted))];
}

it.runIf(LONG)('sentences for people are in messages/ and in the folders of clients', () => {
  const prose = /[a-z]{2,},? [a-z']+,? [a-z]{2,}/;
  const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map(slashed)
    .filter((file) => file.endsWith('.ts') && !ELSEWHERE.some((place) => file.startsWith(place)))
    .flatMap((file) => {
      const code = parseAst(readFileSync(join(SRC, file), 'utf8'), { lang: 'ts' });
      return textsIn(code, prose).map((text) => `${file}: ${text}`);
    });
  expect(found.filter((line) => !NO_SENTENCES.test(line.slice(line.indexOf(': ') + 2)))).toEqual([]);
});

it('only what commander says of a command line is in its own words', () => {
  const usage = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .map(slashed)
    .filter((file) => file.endsWith('.ts') && !file.startsWith('messages/'))
    .filter((file) => /new Fault\('usage\.bad'/.test(readFileSync(join(SRC, file), 'utf8')));
  expect(usage).toEqual(['cli/report-usage.ts']);
});
