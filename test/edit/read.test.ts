import { describe, expect, test } from 'vitest';
import type { FileFormat } from '../../src/clients/hook-config.ts';
import { hasHooks, holdsOnly, isBare, readHooks, readKeys } from '../../src/edit/read.ts';
import { samples } from './corpus.ts';
import { install, KINDS, oursOf, start } from './helpers.ts';

const state = (format: FileFormat, text: string | null) => ({ file: '/f', format, text });

describe('readHooks', () => {
  test('gives every group with its place, its line and what is ours in it', () => {
    const before =
      '[[hooks.Stop]]\nhooks = []\n\n[[hooks.PostToolUse]]\n[[hooks.PostToolUse.hooks]]\ntype = "command"\n';
    const { text } = install(KINDS['codex-toml'], start(before));
    const found = readHooks(state('toml', text), oursOf('mem'));
    expect(found.map(({ event, index, line, ours }) => [event, index, line, ours])).toEqual([
      ['Stop', 0, 1, []],
      ['PostToolUse', 0, 4, []],
      ['PostToolUse', 1, 8, [{ key: 'PostToolUse', handler: 0 }]],
      ['SessionStart', 0, 12, [{ key: 'SessionStart', handler: 0 }]],
    ]);
    expect(readKeys(state('toml', text), oursOf('mem'))).toEqual(['PostToolUse', 'SessionStart']);
  });
  test('counts what it does not understand, and passes over it', () => {
    const text =
      '\uFEFF{"hooks":{"A":[null,7,{"x":1},\n{"hooks":[null,{"type":"command"}]}],"B":{"hooks":[]},"C":[]}}';
    expect(readHooks(state('json', text)).map((g) => [g.event, g.index, g.line])).toEqual([['A', 3, 2]]);
    expect(readKeys(state('json', text), () => 'x')).toEqual([]);
  });
  test('reads inline arrays of config.toml', () => {
    const text = 'x = 1\n[hooks]\nStop = [ { hooks = [] }, { matcher = "m", hooks = [] } ]\n';
    expect(readHooks(state('toml', text)).map((g) => [g.event, g.index, g.line])).toEqual([
      ['Stop', 0, 3],
      ['Stop', 1, 3],
    ]);
  });
  test.each(['[__proto__]\n', '__proto__.', '[mcp_servers.__proto__]\n'])(
    'gives no other object what stands under %j',
    (start) => {
      const text = `${start}polluted = true\n[[hooks.Stop]]\nhooks = []\n`;
      expect(readHooks(state('toml', text))[0]?.line).toBe(text.split('[[hooks')[0]?.split('\n').length);
      const { polluted } = Object.prototype as { polluted?: boolean };
      delete (Object.prototype as { polluted?: boolean }).polluted;
      expect(polluted).toBeUndefined();
    },
  );
  test('looks up no line that nobody asks for: each takes a reading of the file up to it', () => {
    const group = { hooks: [{ type: 'command', command: 'x'.repeat(200) }] };
    const text = JSON.stringify({ hooks: { Stop: Array(4000).fill(group) } }, null, 2);
    const timed = (act: () => unknown): number => {
      const before = process.cpuUsage().user;
      act();
      return (process.cpuUsage().user - before) / 1000;
    };
    const keys = timed(() => readKeys(state('json', text), () => undefined));
    expect(timed(() => readHooks(state('json', text)))).toBeLessThan(keys + 300);
  });
  test('parses a text once for all servers, and again for other rules', () => {
    const text = '{"hooks":{"Stop":[{"hooks":[]}]},"model":"m"}';
    const group = (more: object) => readHooks({ ...state('json', text), ...more })[0]?.group;
    const first = group({});
    expect(first).toEqual({ hooks: [] });
    expect(group({})).toBe(first);
    expect(group({ file: '/g' })).not.toBe(first);
    expect(group({ text: `${text} ` })).not.toBe(first);
    expect(() => group({ accepts: { topLevelKeys: ['hooks'] } })).toThrow();
    expect(group({ unwrapped: true })).toBeUndefined();
    expect(group({ format: 'jsonc' })).toEqual(first);
  });
  test.each(samples(''))('reads $name', ({ kind, text }) => {
    expect(() => readHooks({ ...kind, text })).not.toThrow();
  });
});

describe('hasHooks', () => {
  test.each<[boolean, FileFormat, string | null]>([
    [false, 'json', null],
    [false, 'json', ''],
    [false, 'json', '{"hooks":{}}'],
    [false, 'json', '{"hooks":{"A":[]}}'],
    [false, 'json', '{"hooks":[{"hooks":[]}]}'],
    [false, 'jsonc', '// c\n{"hooks":{"disabled":["x"],"A":[null]}}'],
    [false, 'json', '{"hooks":{"A":[{"hooks":[],"x-mcphooks":"removed"}]}}'],
    [true, 'json', '{"hooks":{"A":[],"B":[{"hooks":[]}]}}'],
    [false, 'toml', '[hooks.state."k"]\ntrusted_hash = "x"\n'],
    [true, 'toml', '[[hooks.Stop]]\nhooks = []\n'],
    [true, 'toml', 'hooks.Stop = [ { hooks = [] } ]\n'],
  ])('%s: %s %s', (expected, format, text) => {
    expect(hasHooks(state(format, text))).toBe(expected);
  });
});

test.each<[boolean, boolean, string]>([
  [true, true, ''],
  [true, true, '{}'],
  [true, true, '{"hooks":{}}'],
  [false, false, '{"own":1}'],
  [false, false, '{"hooks":{"A":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
])('holds nothing but what is ours: %s; has no hooks and nothing else: %s: %j', (only, bare, text) => {
  expect(holdsOnly(state('json', text), () => false)).toBe(only);
  expect(isBare(state('json', text))).toBe(bare);
});

test.each([
  [true, '{"hooks":{"A":[{"hooks":[{"type":"command","command":"ours"}]}]}}'],
  [
    false,
    '{"hooks":{"A":[{"hooks":[{"type":"command","command":"ours"},{"type":"command","command":"x"}]}]}}',
  ],
  [false, '{"hooks":{"A":[{"hooks":[{"type":"command","command":"ours"}]},"mine"]}}'],
  [false, '{"hooks":{"A":[{"hooks":[{"type":"command","command":"ours"}]}],"enabled":true}}'],
])('holds nothing but an entry of ours: %s: %j', (only, text) => {
  expect(holdsOnly(state('json', text), (signature) => signature === 'ours')).toBe(only);
});
