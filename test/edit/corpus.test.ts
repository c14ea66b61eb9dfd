import { parseTree, stripComments } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/messages/fault.ts';
import { sample } from '../effort.ts';
import { samples } from './corpus.ts';
import { entries, install, type Kind, laidOut, run, type State, start, uninstall } from './helpers.ts';

const good = samples('');

type Value = Record<string, unknown> & { hooks?: Record<string, unknown[]> };

function read(kind: Kind, text: string | null): Value {
  const body = (text ?? '').replace(/^\uFEFF/, '');
  if (kind.format === 'toml') return parseToml(body, { integersAsBigInt: 'asNeeded' }) as Value;
  return body.trim() === '' ? {} : JSON.parse(stripComments(body, ' '));
}

/** The value with our entries of these servers appended, as an installer that knows no text would make it. */
function withOurs(kind: Kind, value: Value, servers: string[]): Value {
  const hooks: Record<string, unknown[]> = { ...value.hooks };
  for (const server of servers)
    for (const { event, group } of entries(kind, server))
      hooks[event] = [...(hooks[event] ?? []), laidOut(kind, group)];
  return { ...framed(kind, value), hooks };
}

/** JSON.stringify makes 0 of -0. */
const reprint = (value: Value): Value => JSON.parse(JSON.stringify(value));

/** What a file without any value becomes for its client, when something is in it. */
const framed = ({ frame }: Kind, value: Value): Value =>
  Object.keys(value).length > 0 ? value : { ...frame };

/** Whether a file loads that is printed anew: an escape may have kept it whole. */
const loads = ({ accepts }: Kind, text: string): boolean => !accepts.refuses?.(JSON.parse(text), text);

test('the corpus is as large as it is said to be', () => {
  expect(good.length).toBeGreaterThanOrEqual(100);
});

describe.each(sample(good, 3))('$name', ({ kind, text }) => {
  test('uninstall after install gives the identical bytes, and forgets the file', () => {
    const before = read(kind, text);
    const installed = install(kind, start(text));
    expect(read(kind, installed.text)).toEqual(withOurs(kind, before, ['mem']));
    const removed = uninstall(kind, installed);
    expect(removed.text).toBe(text);
    expect(removed.memory).toBeUndefined();
  });

  test('a second install changes nothing', () => {
    const once = install(kind, start(text));
    const twice = install(kind, once);
    expect(twice.text).toBe(once.text);
    expect(twice.memory).toEqual(once.memory);
    expect(twice.changes.map((c) => c.kind)).toEqual(['unchanged', 'unchanged']);
  });

  test.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('two servers, %s leaving first', (first, second) => {
    const both = install(kind, install(kind, start(text), 'a'), 'b');
    expect(read(kind, both.text)).toEqual(withOurs(kind, read(kind, text), ['a', 'b']));
    const one = uninstall(kind, both, first);
    const none = uninstall(kind, one, second);
    if (kind.tombstones && first === 'a') expect(read(kind, none.text)).toEqual(read(kind, text));
    expect(none.text).toBe(text);
  });

  test('an update is the same as a fresh install of it, and leaves no trace', () => {
    const updated = run(
      kind,
      install(kind, start(text)),
      'mem',
      entries(kind, 'mem', 'd2'),
      entries(kind, 'mem'),
    );
    expect(updated.changes.map((c) => c.kind)).toEqual(['replaced', 'replaced']);
    expect(updated.text).toBe(install(kind, start(text), 'mem', 'd2').text);
    expect(uninstall(kind, updated, 'mem', 'd2').text).toBe(text);
  });

  test('events that come and go leave no trace', () => {
    const [tool, other] = entries(kind, 'mem');
    const [tool2] = entries(kind, 'mem', 'd2');
    if (!tool || !other || !tool2) throw new Error('two entries');
    let state: State = run(kind, start(text), 'mem', [tool], []);
    state = run(kind, state, 'mem', [other], [tool]);
    state = run(kind, state, 'mem', [tool2, other], [other]);
    state = run(kind, state, 'mem', [tool2], [tool2, other]);
    expect(run(kind, state, 'mem', [], [tool2]).text).toBe(text);
  });

  test('with the record lost, ours still goes and nothing else does', () => {
    const { text: installed } = install(kind, start(text));
    const removed = run(kind, start(installed), 'mem', [], undefined);
    const filled = (v: Value) => ({
      ...v,
      hooks: Object.fromEntries(
        Object.entries(v.hooks ?? {}).filter(([, g]) => !Array.isArray(g) || g.length > 0),
      ),
    });
    expect(filled(read(kind, removed.text))).toEqual(filled(framed(kind, read(kind, text))));
  });

  test('a setting that the user adds in between stays, byte for byte', () => {
    const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
    const add = (t: string | null) => {
      const body = (t ?? '').slice(mark.length);
      if (kind.format === 'toml') return `${mark}description = "new"\n${body}`;
      const at = (parseTree(body)?.offset ?? 0) + 1;
      return `${mark}${body.slice(0, at)} "description": "new",${body.slice(at)}`;
    };
    if (kind.format !== 'toml' && Object.keys(read(kind, text)).length === 0) return;
    const installed = install(kind, start(text));
    expect(uninstall(kind, { ...installed, text: add(installed.text) }).text).toBe(add(text));
  });

  // Only for formats that the edit exists in.
  const [json, toml] = kind.format === 'toml' ? [undefined, test] : [test, undefined];
  json?.('the client reprints the whole file in between', () => {
    const installed = install(kind, start(text));
    const reprinted = JSON.stringify({ ...read(kind, installed.text), description: 'added' }, null, 2);
    if (!loads(kind, reprinted)) return;
    const removed = uninstall(kind, { ...installed, text: reprinted });
    expect(read(kind, removed.text)).toEqual(
      reprint({ ...framed(kind, read(kind, text)), description: 'added' }),
    );
    expect(removed.text).not.toContain('mcphooks');
  });

  json?.('the user adds a group of their own behind ours', () => {
    const installed = install(kind, start(text));
    const event = kind.events[0];
    const own = laidOut(kind, { matcher: 'Own', hooks: [{ type: 'command', command: 'own' }] });
    const now = read(kind, installed.text);
    const groups = now.hooks?.[event] ?? [];
    const edited = JSON.stringify({ ...now, hooks: { ...now.hooks, [event]: [...groups, own] } }, null, '\t');
    if (!loads(kind, edited)) return;
    const removed = uninstall(kind, { ...installed, text: edited });
    const before = framed(kind, read(kind, text));
    const old = before.hooks?.[event] ?? [];
    const left = kind.tombstones ? [...old, { hooks: [], 'x-mcphooks': 'removed' }, own] : [...old, own];
    expect(read(kind, removed.text)).toEqual(
      reprint({ ...before, hooks: { ...before.hooks, [event]: left } }),
    );
    const again = install(kind, removed);
    const index = read(kind, again.text).hooks?.[event]?.findIndex(
      (g) => JSON.stringify(g) === JSON.stringify(own),
    );
    if (kind.tombstones) expect(index).toBe(groups.length);
  });

  toml?.('Codex puts tables before, between and behind ours', () => {
    const installed = install(kind, start(text));
    const nl = installed.text?.includes('\r\n') ? '\r\n' : '\n';
    const state = (n: number) => [`[hooks.state."/x:${n}:0"]`, `trusted_hash = "sha256:${n}"`, ''].join(nl);
    const parts = (installed.text ?? '').split(
      /^(?=\[\[hooks\.[A-Za-z]+\]\]\r?\n(?:matcher[^\n]*\n)?hooks = .*mcphooks\/mem)/m,
    );
    if (text === '') parts.unshift('');
    expect(parts).toHaveLength(3);
    const edited = `${parts.map((p, i) => (i === 0 ? p : p + (p.endsWith('\n') ? '' : nl) + nl) + state(i) + nl).join('')}`;
    const removed = uninstall(kind, { ...installed, text: edited });
    expect(removed.text).not.toContain('mcphooks');
    const before = read(kind, text);
    expect(read(kind, removed.text)).toEqual({
      ...before,
      hooks: {
        ...before.hooks,
        state: {
          ...before.hooks?.state,
          ...Object.fromEntries([0, 1, 2].map((n) => [`/x:${n}:0`, { trusted_hash: `sha256:${n}` }])),
        },
      },
    });
    for (const line of edited.split(/\r?\n/).filter((l) => l.startsWith('[hooks.state')))
      expect(removed.text).toContain(line);
  });
});

describe('files that the client would refuse, or that can not hold ours', () => {
  const bad = samples('refused/');
  const IGNORED = '; Cursor ignores all hooks in such a file';
  const expected: Record<string, [code: string, line?: number, column?: number, reason?: string]> = {
    'claude/comment.json': ['edit.unreadable', 3, 3, 'comment'],
    'claude/trailing-comma.json': ['edit.unreadable', 3, 1, 'trailing-comma'],
    'claude/cut-off.json': ['edit.unreadable', 4, 1, 'open-list'],
    'claude/hooks-array.json': ['edit.unsupported-shape', 3, 12],
    'claude/event-object.json': ['edit.unsupported-shape', 3, 20],
    'claude/root-array.json': ['edit.unsupported-shape', 1, 1],
    'claude/raw-tab-in-string.json': ['edit.unreadable', 2, 12, 'control'],
    'gemini/bom.json': ['edit.unreadable', 1, 1, 'bom'],
    'gemini/empty.json': ['edit.unreadable', 1, 1, 'empty'],
    'gemini/comments-only.json': ['edit.unreadable', 2, 1, 'value'],
    'gemini/trailing-comma.json': ['edit.unreadable', 4, 3, 'trailing-comma'],
    'gemini/trailing-comma-in-array.json': ['edit.unreadable', 5, 5, 'trailing-comma'],
    'gemini/open-comment.json': ['edit.unreadable', 4, 1, 'open-comment'],
    'gemini/hooks-string.json': ['edit.unsupported-shape', 1, 12],
    'cursor/bom.json': ['edit.unreadable', 1, 1, 'bom'],
    'cursor/comments-only.json': ['edit.unreadable', 2, 1, 'value'],
    'cursor/cut-off.json': ['edit.unreadable', 4, 1, 'open-list'],
    'cursor/root-array.json': ['edit.unsupported-shape', 1, 1],
    'cursor/trailing-comma.json': ['edit.unreadable', 4, 1, 'trailing-comma'],
    'copilot/event-object.json': ['edit.refused', 7, 18],
    'copilot/event-text.json': ['edit.refused', 7, 18],
    'copilot/hooks-list.json': ['edit.refused', 1, 26],
    'cursor/entry-as-text.json': ['edit.refused', 3, 23],
    'cursor/entry-in-groups.json': ['edit.refused', 3, 30],
    'cursor/entry-without-command.json': ['edit.refused', 3, 23],
    'cursor/fail-closed-as-text.json': ['edit.refused', 3, 55],
    'cursor/comment-in-a-comment.json': ['edit.refused', 1, 1],
    'cursor/globs-like-a-comment.json': ['edit.refused', 3, 36],
    'cursor/two-slashes-in-a-path.json': ['edit.refused', 3, 36],
    'cursor/url-in-a-command.json': ['edit.refused', 3, 36],
    'qwen/matcher-number.json': ['edit.refused', 5, 20],
    'cursor/hooks-array.json': ['edit.refused', 1, 26],
    'cursor/loop-limit-0.json': ['edit.refused', 3, 55],
    'cursor/matcher-as-list.json': ['edit.refused', 3, 59],
    'cursor/matcher-broken.json': ['edit.refused', 3, 59],
    'cursor/no-hooks.json': ['edit.refused', 1, 1, `it has no 'hooks' (add "hooks": {})${IGNORED}`],
    'cursor/no-version.json': ['edit.refused', 1, 1, `it has no 'version' (add "version": 1)${IGNORED}`],
    'cursor/prompt-of-blanks.json': ['edit.refused', 3, 53],
    'cursor/step-null.json': ['edit.refused', 1, 36],
    'cursor/step-of-claude-code.json': ['edit.refused', 3, 29],
    'cursor/step-without-list.json': ['edit.refused', 1, 36],
    'cursor/timeout-0.json': ['edit.refused', 3, 52],
    'cursor/timeout-as-text.json': ['edit.refused', 3, 52],
    'cursor/unknown-step.json': ['edit.refused', 3, 30],
    'cursor/unknown-type.json': ['edit.refused', 3, 33],
    'cursor/version-0.json': ['edit.refused', 1, 14],
    'cursor/version-1.5.json': ['edit.refused', 1, 14],
    'cursor/version-as-text.json': ['edit.refused', 1, 14],
    'qwen/comments-only.json': ['edit.unreadable', 2, 1, 'value'],
    'qwen/cut-off.json': ['edit.unreadable', 3, 21, 'open-list'],
    'qwen/empty.json': ['edit.unreadable', 1, 1, 'empty'],
    'qwen/event-object.json': ['edit.unsupported-shape', 1, 29],
    'qwen/event-string.json': ['edit.unsupported-shape', 1, 29],
    'qwen/hooks-array.json': ['edit.unsupported-shape', 1, 12],
    'qwen/hooks-string.json': ['edit.unsupported-shape', 1, 12],
    'qwen/open-comment.json': ['edit.unreadable', 1, 3, 'open-comment'],
    'qwen/raw-tab-in-string.json': ['edit.unreadable', 1, 20, 'control'],
    'qwen/root-array.json': ['edit.unsupported-shape', 1, 1],
    'qwen/root-null.json': ['edit.unsupported-shape', 1, 1],
    'qwen/root-string.json': ['edit.unsupported-shape', 1, 1],
    'qwen/single-quotes.json': ['edit.unreadable', 1, 3, 'name'],
    'qwen/trailing-comma-in-array.json': ['edit.unreadable', 1, 46, 'trailing-comma'],
    'qwen/trailing-comma.json': ['edit.unreadable', 3, 1, 'trailing-comma'],
    'qwen/white-space-only.json': ['edit.unreadable', 1, 1, 'empty'],
    'copilot/block-comment.json': ['edit.unreadable', 2, 3, 'comment'],
    'copilot/bom.json': ['edit.unreadable', 1, 1, 'bom'],
    'copilot/cut-off.json': ['edit.unreadable', 7, 1, 'open-object'],
    'copilot/empty.json': ['edit.unreadable', 1, 1, 'empty'],
    'copilot/line-comment.json': ['edit.unreadable', 1, 1, 'comment'],
    'copilot/list.json': ['edit.unsupported-shape', 1, 1],
    'copilot/single-quotes.json': ['edit.unreadable', 2, 3, 'name'],
    'copilot/trailing-comma.json': ['edit.unreadable', 6, 5, 'trailing-comma'],
    'copilot/version-2.json': ['edit.refused', 2, 14],
    'copilot/version-text.json': ['edit.refused', 2, 14],
    'copilot/white-space.json': ['edit.unreadable', 1, 1, 'empty'],
    'codex/hooks-empty.json': ['edit.unreadable', 1, 1, 'empty'],
    'codex/hooks-bom.json': ['edit.unreadable', 1, 1, 'bom'],
    'codex/hooks-comment.json': ['edit.unreadable', 2, 15, 'comment'],
    'codex/hooks-foreign-key.json': ['edit.unreadable', 2, 3, 'key'],
    'codex/hooks-null.json': ['edit.unsupported-shape', 1, 1],
    'codex/inline-array.toml': ['edit.unsupported-shape', 4, 1],
    'codex/inline-table.toml': ['edit.unsupported-shape', 2, 1, 'hooks'],
    'codex/inline-array-dotted.toml': ['edit.unsupported-shape', 1, 1],
    'codex/event-as-table.toml': ['edit.unsupported-shape', 1, 1, 'hooks.PostToolUse'],
    'codex/duplicate-table.toml': ['edit.unreadable', 3, 2, 'toml-twice'],
    'codex/broken.toml': ['edit.unreadable', 2, 15, 'toml-bare'],
    'codex/hooks-array-of-tables.toml': ['edit.unsupported-shape', 1, 1, 'hooks'],
  };
  test('every one of them is listed', () => {
    expect(bad.map((s) => s.name).sort()).toEqual(Object.keys(expected).sort());
  });
  test.each(bad)('$name', ({ name, kind, text }) => {
    let fault: unknown;
    try {
      install(kind, start(text));
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(Fault);
    const { code, where, args } = fault as Fault;
    const [, , , why] = expected[name] ?? [];
    expect([code, where.line, where.column, ...(why ? [args.reason ?? args.at] : [])]).toEqual(
      expected[name],
    );
    expect(where.file).toBe(kind.file);
  });
});
