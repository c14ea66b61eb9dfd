import fc from 'fast-check';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, test } from 'vitest';
import type { WantedEntry } from '../../src/edit/types.ts';
import { Fault } from '../../src/messages/fault.ts';
import { LONG, often } from '../effort.ts';
import { jsonText, tomlText } from './generate.ts';
import { entries, install, KINDS, type Kind, run, type State, start, uninstall } from './helpers.ts';

const RUNS = often();

const cases: [string, Kind, fc.Arbitrary<string>][] = [
  ['claude', KINDS.claude, jsonText(KINDS.claude.events, false)],
  ['gemini', KINDS.gemini, jsonText(KINDS.gemini.events, true)],
  [
    'codex hooks.json',
    { ...KINDS['codex-json'], accepts: { bom: false, emptyFile: false } },
    jsonText(KINDS['codex-json'].events, false),
  ],
  ['codex config.toml', KINDS['codex-toml'], tomlText(KINDS['codex-toml'].events)],
];

/** Refused files are none of these properties' concern, as long as the refusal says so. */
function unlessRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault && error.code === 'edit.unsupported-shape') return undefined;
    throw error;
  }
}

/** Which of a server's two entries are wanted, and in which version. */
const step = fc.record({
  server: fc.constantFrom('a', 'b'),
  digest: fc.constantFrom('d1', 'd2'),
  which: fc.constantFrom<number[]>([0], [1], [0, 1], [0, 1], []),
});

describe.each(LONG ? cases : cases.slice(-2))('%s', (_, kind, texts) => {
  test('installs and updates of two servers in any order leave the identical bytes', () => {
    let refused = 0;
    fc.assert(
      fc.property(texts, fc.array(step, { minLength: 1, maxLength: 5 }), (text, steps) => {
        let state: State = start(text);
        const last: Record<string, WantedEntry[]> = { a: [], b: [] };
        const leave = (['a', 'b'] as const).map((server) => ({
          server,
          digest: 'd1',
          which: [] as number[],
        }));
        const end = unlessRefused(() => {
          for (const { server, digest, which } of [...steps, ...leave]) {
            const wanted = entries(kind, server, digest).filter((_e, i) => which.includes(i));
            state = run(kind, state, server, wanted, last[server]);
            last[server] = wanted;
          }
          return state;
        });
        if (end) expect(end.text).toBe(text);
        else refused++;
      }),
      RUNS,
    );
    expect(refused).toBeLessThan(RUNS.numRuns / 2);
  });

  test('with the record lost, what is left is valid and holds none of ours', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const installed = unlessRefused(() => install(kind, start(text)));
        if (!installed) return;
        const removed = run(kind, start(installed.text), 'mem', [], undefined);
        expect(removed.text).not.toContain('mcphooks');
        const again = install(kind, start(removed.text));
        expect(uninstall(kind, again).text).toBe(removed.text);
      }),
      RUNS,
    );
  });
});

test('tables that Codex puts anywhere survive, and ours alone goes', () => {
  const kind = KINDS['codex-toml'];
  fc.assert(
    fc.property(
      tomlText(kind.events),
      fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
      (text, places) => {
        const nl = text.includes('\r\n') ? '\r\n' : '\n';
        const table = (n: number) => `[projects."/p${n}"]${nl}trust_level = "trusted"${nl}${nl}`;
        const installed = install(kind, start(text));
        const put = (now: string, n: number, place: number) => {
          const headers = [...now.matchAll(/^\[.*\]( #.*)?\r?$/gm)].map((m) => m.index);
          const at = headers[place % headers.length] ?? 0;
          return now.slice(0, at) + table(n) + now.slice(at);
        };
        const read = (t: string | null) =>
          parseToml((t ?? '').replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
        // Where a header only looks like one (inside a string), the edit is no table and proves nothing.
        const edited = places.reduce((now, place, n) => put(now, n, place), installed.text ?? '');
        fc.pre(
          Object.keys((readable(() => read(edited))?.projects as object) ?? {}).length === places.length,
        );
        const removed = uninstall(kind, { ...installed, text: edited });
        const projects = Object.fromEntries(places.map((_p, n) => [`/p${n}`, { trust_level: 'trusted' }]));
        expect(read(removed.text)).toEqual({ ...read(text), projects });
      },
    ),
    RUNS,
  );
});

/** Texts with a few characters gone, put in or replaced. */
function damaged(texts: fc.Arbitrary<string>, characters: string): fc.Arbitrary<string> {
  const change = fc.record({ at: fc.nat(), goes: fc.nat(1), comes: fc.constantFrom('', ...characters) });
  return fc
    .tuple(texts, fc.array(change, { maxLength: 2 }))
    .map(([text, changes]) =>
      changes.reduce((now, { at, goes, comes }) => {
        const i = at % (now.length + 1);
        return now.slice(0, i) + comes + now.slice(i + goes);
      }, text),
    )
    .map((text) => Buffer.from(text).toString());
}

describe('the parser that tells where things stand reads what the quick one reads', () => {
  test('in TOML', () => {
    const texts = damaged(tomlText(KINDS['codex-toml'].events), '"\'=[]{}#\n\r,.1 \\-é');
    fc.assert(
      fc.property(texts, (text) => {
        const body = text.replace(/^\uFEFF/, '');
        // smol-toml 1.9.1 loses a quote between a line that ends with a backslash and the closing quotes.
        fc.pre(!/\\[ \t]*\r?\n\s*"{4,5}/.test(body));
        const value = readable(() => parseToml(body, { integersAsBigInt: 'asNeeded' }));
        fc.pre(value !== undefined);
        expect(plain(getStaticTOMLValue(parseTOML(body, { tomlVersion: '1.1' })))).toBe(plain(value));
      }),
      RUNS,
    );
  });

  test('in JSON', () => {
    const texts = damaged(jsonText(KINDS.claude.events, false), '"[]{}:,\n\u2028\u00a0 1.-e/\\');
    fc.assert(
      fc.property(texts, (text) => {
        const value = readable(() => JSON.parse(text));
        fc.pre(value !== undefined);
        const errors: ParseError[] = [];
        const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
        expect(errors).toEqual([]);
        expect(tree && getNodeValue(tree)).toEqual(value);
      }),
      RUNS,
    );
  });
});

/** Parsers differ in what they make of dates, of numbers beyond JavaScript's and of line ends in texts. */
const plain = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key) {
    const at = this[key];
    return at instanceof Date ? 'a date' : typeof at === 'bigint' ? Number(at) : at;
  }).replaceAll('\\r\\n', '\\n');

function readable<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
