import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { brokenCatalogueRules, catalogueToolFaults } from '../../src/lint/catalogue-rules.ts';
import { Fault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import { bundledCatalogue, entryIds, readCatalogueEntry } from '../../src/servers/catalogue/load.ts';

const ids = entryIds(bundledCatalogue());
const entries = ids.map((id) => readCatalogueEntry(bundledCatalogue(), id));

describe.each(entries)('catalogue/$id', (entry) => {
  it('keeps the rules', () => {
    expect(brokenCatalogueRules(entry).map(faultText)).toEqual([]);
  });

  it('has hooks, and a condition that holds back what fires on every tool or prompt', () => {
    expect(entry.declarations.length).toBeGreaterThan(0);
    const everywhere = entry.declarations.filter(
      ({ event, matcher, when }) => event !== 'session_start' && !matcher && !when,
    );
    expect(everywhere).toEqual([]);
  });

  it('gives a resumed session what it gives a new one: some clients drop the earlier text then', () => {
    const sources = entry.declarations.flatMap(({ when }) => (when?.source ? [[when.source].flat()] : []));
    expect(sources.filter((begun) => !begun.includes('resume'))).toEqual([]);
  });

  it('names no other entry', () => {
    const others = entries.filter(({ id }) => id !== entry.id).map(({ title }) => title);
    const text = entry.declarations.map(({ context }) => context ?? '').join('\n');
    expect(others.filter((title) => text.includes(title))).toEqual([]);
  });
});

it('no entry is matched by what any package may claim in its package.json', () => {
  expect(entries.filter(({ match }) => match.mcp).map(({ id }) => id)).toEqual([]);
});

it('no identity is in two entries', () => {
  const all = entries.flatMap(({ match }) =>
    Object.entries(match).flatMap(([kind, names]) => names.map((name) => `${kind}:${name}`)),
  );
  expect(all.filter((name, i) => all.indexOf(name) < i)).toEqual([]);
});

const folder = mkdtempSync(join(tmpdir(), 'mcphooks-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ENTRY = {
  title: 'Notes',
  match: { npm: ['notes'] },
  serverName: 'notes.app',
  tools: { recall: 'reads', add: 'writes' },
  version: '1.0.0',
  checked: 'server',
  reviewed: '2026-11-22',
};
const HOOKS = [
  { event: 'session_start', context_tool: 'recall', priority: 'important' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'mcp__notes_app__recall' },
    context: 'To keep it: {tool:add}.',
    priority: 'suggestion',
  },
];

let n = 0;
/** Writes an entry and returns what it breaks. */
function broken(entry: object, hooks: readonly object[]): string[] {
  const id = `e${n++}`;
  mkdirSync(join(folder, id));
  writeFileSync(join(folder, id, 'entry.json'), JSON.stringify({ ...ENTRY, ...entry }));
  writeFileSync(join(folder, id, 'hooks.json'), JSON.stringify({ declarations: hooks }));
  return brokenCatalogueRules(readCatalogueEntry(folder, id)).map(({ args }) => String(args.rule));
}

describe('the rules', () => {
  const [start, after] = HOOKS as [object, object];
  it('take an entry that keeps them', () => {
    expect(broken({}, HOOKS)).toEqual([]);
    const globs = { ...after, matcher: { tool_name: 'mcp__notes_app__*' } };
    expect(broken({}, [start, globs])).toEqual([]);
    const kinds = { event: 'post_tool_use', when: { tools: ['any:search'], otherwise: 'drop' } };
    expect(broken({}, [...HOOKS, { ...kinds, context: 'Ask recall.', priority: 'suggestion' }])).toEqual([]);
  });

  it.each([
    ['tool-data', {}, [{ ...start, context_tool_args: { q: ['{tool_output}'] } }, after]],
    ['tool-data', {}, [{ ...start, context_tool_args: { q: '{tool_input.file_path}' } }, after]],
    ['required', {}, [{ ...start, priority: 'required' }, after]],
    ['too-long', {}, [...HOOKS, { ...after, context: 'x'.repeat(601) }]],
    ['too-many', {}, [...HOOKS, { ...after, context: 'See v1.2. Then {tool:add}. Go on.' }]],
    ['other-tools', {}, [...HOOKS, { ...after, matcher: { tool_name: 'mcp__other__recall' } }]],
    ['other-tools', {}, [...HOOKS, { ...after, matcher: { tool_server: 'notes' } }]],
    ['other-tools', {}, [...HOOKS, { ...after, matcher: { tool_name: '*' } }]],
    ['other-tools', {}, [...HOOKS, { ...after, matcher: { tool_name: 'mcp__*' } }]],
    [
      'other-tools',
      {},
      [start, { ...after, matcher: undefined, when: { tools: ['m*'], otherwise: 'drop' } }],
    ],
    ['writes', {}, [{ ...start, context_tool: 'add' }, after, { ...start, context_tool: 'recall' }]],
    ['docs-only', { checked: 'docs' }, HOOKS],
    ['unlisted-tool', {}, [...HOOKS, { ...after, context: 'See {tool:other}.' }]],
    ['unlisted-tool', {}, [...HOOKS, { ...after, matcher: { tool_name: 'mcp__notes_app__old' } }]],
    ['unused-tool', { tools: { ...ENTRY.tools, gone: 'reads' } }, HOOKS],
    ['touchy', {}, [...HOOKS, { ...after, context: 'Keep the API key, too.' }]],
    ['touchy', {}, [...HOOKS, { ...after, context: 'Approve what it asks.' }]],
    ['touchy', {}, [...HOOKS, { ...after, context: 'Look into .env first.' }]],
    ['other-server', {}, [...HOOKS, { ...after, context: 'Not with another server.' }]],
    ['other-server', {}, [...HOOKS, { ...after, context: 'Call mcp__github__push.' }]],
  ])('%s %#', (rule, entry, hooks) => {
    expect(broken(entry, hooks)).toEqual([rule]);
  });
});

describe('an entry that is no entry', () => {
  const read = (entry: unknown, hooks: unknown = { declarations: HOOKS }): Fault => {
    const id = `bad${n++}`;
    mkdirSync(join(folder, id));
    writeFileSync(join(folder, id, 'entry.json'), typeof entry === 'string' ? entry : JSON.stringify(entry));
    if (hooks !== undefined) writeFileSync(join(folder, id, 'hooks.json'), JSON.stringify(hooks));
    try {
      readCatalogueEntry(folder, id);
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
    throw new Error('it was taken');
  };

  it.each([
    ['no match', { ...ENTRY, match: {} }, 'match'],
    ['an empty match', { ...ENTRY, match: { npm: [] } }, 'match.npm'],
    ['an unknown key', { ...ENTRY, run: 'evil' }, 'run'],
    ['a date that is none', { ...ENTRY, reviewed: '22.11.2026' }, 'reviewed'],
    ['another check', { ...ENTRY, checked: 'never' }, 'checked'],
    ['an option that is not for it', { ...ENTRY, options: { sendToolData: true } }, 'options.sendToolData'],
  ])('%s', (_, entry, key) => {
    expect(read(entry)).toMatchObject({ code: 'catalogue.invalid', args: { key } });
  });

  it.each([
    ['[]', "'bad' is not a JSON object"],
    [{ ...ENTRY, run: 'evil' }, "'bad' has an unknown key 'run'"],
    [{ ...ENTRY, checked: 'never' }, "'bad' has no valid 'checked'"],
  ])('says what is wrong: %j', (entry, text) => {
    expect(faultText(read(entry)).replace(/'bad\d+'/, "'bad'")).toContain(text);
  });

  it('is no JSON, or has no hooks.json', () => {
    expect(read('{')).toMatchObject({ code: 'catalogue.syntax' });
    expect(read(ENTRY, null)).toMatchObject({ code: 'decl.type' });
  });
});

it('tools that are gone or write are faults', () => {
  const entry = entries.find(({ id }) => id === 'memory');
  if (!entry) throw new Error('no entry for memory');
  const listed = Object.entries(entry.tools).map(([name, does]) => ({
    name,
    ...(does === 'reads' && { readOnly: true as const }),
  }));
  const codes = (tools: typeof listed): string[] => catalogueToolFaults(entry, tools).map(({ code }) => code);
  expect(codes(listed)).toEqual([]);
  expect(codes(listed.filter(({ name }) => name !== 'add_observations'))).toEqual(['catalogue.tool-gone']);
  expect(codes(listed.map(({ name }) => ({ name })))).toEqual(['catalogue.tool-writes']);
});
