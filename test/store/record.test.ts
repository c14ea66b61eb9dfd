import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';
import { disabledIn, disabledOnlyIn, withDisabledIn } from '../../src/store/disabled-in.ts';
import { emptyRecord, findServer, recordChanges, recordFile, removeServer } from '../../src/store/record.ts';
import { respelled } from '../../src/store/respelled.ts';
import { applyChanges } from '../../src/store/transaction.ts';
import type { RecordDocument, ServerRecord } from '../../src/store/types.ts';
import { WINDOWS } from '../platform.ts';
import { putServer, readRecord, recordBytes, serverRecord } from './server-record.ts';
import { faultOf, scratch } from './support.ts';

const NOW = new Date('2026-03-04T05:06:07.089Z');

function written(text: string | Uint8Array): string {
  const state = scratch();
  writeFileSync(recordFile(state), text);
  return state;
}

test('what is written is read again; no file is an empty record', () => {
  const state = scratch();
  expect(readRecord(state)).toEqual({ record: emptyRecord(), bytes: null });
  const containers = { '': { empty: '\n' }, '/hooks': { created: true } } as const;
  const record: RecordDocument = {
    ...putServer(emptyRecord(), serverRecord('a')),
    files: { '/home/me/x.json': { containers } },
    starts: { abc: NOW.toISOString() },
  };
  applyChanges(recordChanges(state, readRecord(state), record, NOW), { state });
  expect(readRecord(state)).toEqual({ record, bytes: Buffer.from(recordBytes(record)), untouched: true });
  if (!WINDOWS) expect(statSync(recordFile(state)).mode & 0o777).toBe(0o600);
});

test('fields of later versions stay in an entry that is unchanged, and in no declaration', () => {
  const entry = (key: string, command = 'run') => ({
    event: 'Stop',
    key,
    group: { hooks: [{ type: 'command', command }] },
  });
  const client = (...entries: ReturnType<typeof entry>[]) => ({
    codex: { digest: 'd', since: 's', file: 'f', entries, own: {} },
  });
  const said = { event: 'session_start', priority: 'suggestion' } as const;
  const old = serverRecord('a', {
    declarations: [{ ...said, context: 'Old.' }],
    clients: client({ ...entry('a'), later: 1 } as never, { ...entry('b'), later: 2 } as never),
  });
  const fresh = serverRecord('a', {
    declarations: [{ ...said, context_tool: 'note' }],
    clients: client(entry('b'), entry('a', 'run this'), entry('c')),
  });
  const [merged] = putServer({ ...emptyRecord(), servers: [old] }, fresh).servers;
  expect(merged?.clients.codex?.entries).toEqual([
    { ...entry('b'), later: 2 },
    entry('a', 'run this'),
    entry('c'),
  ]);
  expect(merged?.declarations).toEqual(fresh.declarations);
});

test('fields of later versions stay, at every level, over reading, replacing and writing', () => {
  const future = { later: [1, { x: null }] };
  const old = serverRecord('a', {
    ...future,
    options: { ...serverRecord('a').options, ...future },
    definition: { source: { scope: 'user', ...future }, hash: 'h', shown: 's', ...future },
    clients: {
      codex: { digest: 'd', since: 's', file: 'f', entries: [], own: { '/x': '1' }, ...future },
      'a-later-client': { digest: 'd', since: 's', file: 'f', entries: [], own: {} },
    },
  } as Partial<ServerRecord>);
  const document = {
    ...emptyRecord(),
    ...future,
    servers: [old],
    files: { '/f': { containers: {}, ...future } },
  };
  const { record } = readRecord(written(JSON.stringify(document)));
  expect(record).toEqual(document);
  const fresh = serverRecord('a', {
    tag: 'new',
    clients: { codex: { digest: 'new', since: 's', file: 'f', entries: [], own: {} } },
    definition: { source: { scope: 'user' }, hash: 'new', shown: 's' },
  });
  const [merged] = putServer(record, fresh).servers;
  expect(merged).toEqual({
    ...fresh,
    ...future,
    options: { ...fresh.options, ...future },
    definition: { source: { scope: 'user', ...future }, hash: 'new', shown: 's', ...future },
    clients: { codex: { ...fresh.clients.codex, ...future } },
  });
});

test.each([
  ['truncated', '{"schema":1,"servers":['],
  ['empty', ''],
  ['not UTF-8', Buffer.from('{"schema":1,"later":"\xff"}', 'latin1')],
  ['another thing', '[]'],
  ['null', 'null'],
  ['without schema', '{}'],
  ['of a schema that never was', '{"schema":0}'],
  ['of wrong types', '{"schema":1,"servers":{}}'],
  ['with a server that is none', '{"schema":1,"servers":[{"slug":"a"}]}'],
  [
    'with a slug that leads elsewhere',
    JSON.stringify({ schema: 1, servers: [serverRecord('a', { slug: '../a' })] }),
  ],
  [
    'with a text that a blank file had',
    JSON.stringify({ schema: 1, files: { '/f': { blank: 'x', containers: {} } } }),
  ],
])('a record that is %s counts as empty and is kept aside', (_, text) => {
  const state = written(text);
  const before = readFileSync(recordFile(state));
  const reading = readRecord(state);
  expect(reading.record).toEqual(emptyRecord());
  expect(reading.damaged).toMatchObject({ code: 'record.damaged', where: { file: recordFile(state) } });
  expect(readFileSync(recordFile(state))).toEqual(before);
  applyChanges(recordChanges(state, reading, putServer(reading.record, serverRecord('b')), NOW), { state });
  const aside = join(state, 'record.damaged-2026-03-04T05-06-07.089Z.json');
  expect(readFileSync(aside)).toEqual(before);
  if (!WINDOWS) expect(statSync(aside).mode & 0o777).toBe(0o600);
  expect(readRecord(state).record.servers).toHaveLength(1);
});

test('the shape of what was written is not looked at again, until somebody changes it', () => {
  const strange = { ...emptyRecord(), folders: [1] } as unknown as RecordDocument;
  const text = Buffer.from(recordBytes(strange)).toString();
  expect(readRecord(written(text))).toEqual({ record: strange, bytes: Buffer.from(text), untouched: true });
  for (const changed of [
    text.replace('1\n', '2\n'),
    text.replace('"check": "', '"check": "0'),
    `${text}\n`,
    JSON.stringify(JSON.parse(text)),
    // Of another version, which may know other shapes.
    text.replace(
      /"check": "\w+"/,
      `"check": "${sha256(`0.0.1\n${text.slice(0, text.indexOf(',\n  "check"'))}`)}"`,
    ),
  ])
    expect(readRecord(written(changed)).damaged, changed).toMatchObject({ code: 'record.damaged' });
});

test('the place of what is wrong is named as in other files', () => {
  const strange = { ...emptyRecord(), servers: [serverRecord('a', { tag: 5 as unknown as string })] };
  const state = written(JSON.stringify(strange));
  expect(readRecord(state).damaged?.where.path).toBe('servers[0].tag');
});

test('but a slug is: anybody can compute the check, and a slug becomes part of paths', () => {
  const forged = { ...emptyRecord(), servers: [serverRecord('a', { slug: '../a' })] };
  const state = written(Buffer.from(recordBytes(forged)).toString());
  expect(readRecord(state).damaged).toMatchObject({ code: 'record.damaged' });
});

test.each(['', '\ufeff'])(
  'a record that was changed by hand is read as it stands, with %j before it',
  (mark) => {
    const text = Buffer.from(recordBytes(emptyRecord())).toString();
    const state = written(mark + text.replace('"folders": []', '"folders": ["/a"]'));
    expect(readRecord(state).record).toEqual({ ...emptyRecord(), folders: ['/a'] });
  },
);

test('a record without some of its parts is whole', () => {
  expect(readRecord(written('{"schema":1}'))).toMatchObject({ record: emptyRecord() });
});

test('a record of a newer schema is refused, whatever it holds', () => {
  expect(faultOf(() => readRecord(written('{"schema":2,"servers":7}')))).toBe('record.newer');
});

test('a folder in place of the record is refused', () => {
  const state = scratch();
  mkdirSync(recordFile(state));
  expect(faultOf(() => readRecord(state))).toBe('apply.not-a-file');
});

test('servers are told apart by slug, scope and root', () => {
  const keys = [
    serverRecord('a'),
    serverRecord('b'),
    serverRecord('a', { scope: 'project', root: '/one' }),
    serverRecord('a', { scope: 'project', root: '/two' }),
    serverRecord('a', { scope: 'local', root: '/two' }),
  ];
  let record = keys.reduce((all, key) => putServer(all, key), emptyRecord());
  expect(record.servers).toEqual(keys);
  for (const key of keys) expect(findServer(record, key)).toBe(key);
  for (const [i, key] of keys.entries()) {
    record = removeServer(record, key);
    expect(record.servers).toEqual(keys.slice(i + 1));
  }
});

test('what is known of a server gives way as a whole: how to reach it, and where that stands', () => {
  const given = { transport: 'stdio', command: 'x', args: ['y'], env: { A: '1' } };
  const file = { scope: 'user', client: 'codex', file: '/f', pointer: ['a'] };
  const from = { kind: 'server', era: 'initialize', place: 'hooks' };
  const definition = { source: file, hash: 'h', shown: 's' };
  const old = serverRecord('a', { given, definition, from, later: 1 } as Partial<ServerRecord>);
  const fresh = serverRecord('a', {
    given: { transport: 'http', url: 'https://a.example', headers: {} },
    definition: { source: { scope: 'command-line' }, hash: 'h', shown: 's' },
    from: { kind: 'file', file: '/declarations.json' },
    later: 2,
  } as Partial<ServerRecord>);
  expect(putServer(putServer(emptyRecord(), old), fresh).servers).toEqual([fresh]);
});

test('where a server is disabled is known of each server, until it is disabled nowhere', () => {
  const both = withDisabledIn(withDisabledIn(emptyRecord(), 'a', ['/one']), 'b', ['/one', '/two']);
  expect(disabledIn(disabledOnlyIn(both, 'b', []), 'a')).toEqual(['/one']);
  expect(disabledIn(disabledOnlyIn(both, 'a', ['/two']), 'b')).toEqual(['/one', '/two']);
  expect(disabledIn(disabledOnlyIn(both, 'a', ['/two']), 'a')).toEqual(['/two']);
  expect(disabledOnlyIn(disabledOnlyIn(both, 'a', []), 'b', [])).toEqual(emptyRecord());
  // Nothing is written where nothing changes.
  expect(withDisabledIn(both, 'b', ['/two'])).toBe(both);
});

const todayIn = (home = '', ...others: string[]) => ({ home, others: () => others });

test.runIf(!WINDOWS)('a record names paths as today where another name leads to the same folder', () => {
  const base = scratch();
  const at = (path: string): string => join(base, path);
  for (const folder of ['real/.codex', 'real/shop', 'other']) mkdirSync(at(folder), { recursive: true });
  symlinkSync('real', at('link'));
  const of = (home: string): RecordDocument => {
    const source = { scope: 'user', client: 'codex', file: at(`${home}/.codex/config.toml`) } as const;
    const definition = { source, hash: 'h', shown: 's' };
    const entries = [
      { event: 'Stop', key: 'a', group: { hooks: [{ type: 'command', command: at('real/x') }] } },
    ];
    const [entry] = entries as [(typeof entries)[number]];
    const codex = { digest: 'd', since: 's', file: at(`${home}/.codex/config.toml`), entries };
    const hooksFile = at(`${home}/.codex/hooks.json`);
    const more = {
      otherFiles: [{ file: hooksFile, entries }],
      edited: [{ ...entry, file: hooksFile }, entry],
    };
    const file = at('real/shop/.claude/settings.local.json');
    const other = { ...definition, source: { ...source, file: at(`${home}/.codex/other.toml`) } };
    const fields = {
      definition,
      otherDefinitions: [
        other,
        { ...definition, source: { scope: 'user', root: at(`${home}/.codex`) } as const },
      ],
      clients: { codex: { ...codex, ...more, own: { [at(`${home}/a/b`)]: 'h' } } },
    };
    const inProject = {
      scope: 'local',
      root: at('real/shop'),
      definition: { ...definition, source: { ...source, file: at('real/shop/.mcp.json'), scope: 'project' } },
      clients: { 'claude-code': { ...codex, file, own: { [at(`${home}/c`)]: 'h' } } },
    } as const;
    return {
      ...emptyRecord(),
      servers: [serverRecord('a', fields), serverRecord('b', inProject as Partial<ServerRecord>)],
      files: { [at(`${home}/.codex/config.toml`)]: { containers: {} }, [file]: { containers: {} } },
      kept: [{ ...entry, file: hooksFile }],
      folders: [at(`${home}/.codex`), at('other/x'), 'relative'],
    };
  };
  expect(respelled(of('real'), todayIn(at('link')))).toEqual(of('link'));
  expect(respelled(of('link'), todayIn(at('real')))).toEqual(of('real'));
  // What is recorded by today's name counts more than the same by another.
  const twice = {
    [at('link/x.json')]: { blank: 'old', containers: {} },
    [at('real/x.json')]: { containers: {} },
  };
  for (const files of [twice, Object.fromEntries(Object.entries(twice).reverse())])
    expect(respelled({ ...of('link'), files }, todayIn(at('real'))).files).toEqual({
      [at('real/x.json')]: { containers: {} },
    });
  const folders = [at('link/.codex'), at('real/.codex')];
  expect(respelled({ ...of('link'), folders }, todayIn(at('real'))).folders).toEqual([at('real/.codex')]);
  // Those that are gone stay, and what is named as today isn't copied.
  for (const name of ['other', 'gone', 'real']) {
    const record = of('real');
    expect(respelled(record, todayIn(at(name)))).toBe(record);
  }
});

test.runIf(WINDOWS)('a file that is recorded under two spellings is one', () => {
  const home = scratch();
  mkdirSync(join(home, '.codex'));
  const file = join(home, '.codex', 'config.toml');
  const other = join(home, '.CODEX', 'config.toml');
  const codex = { digest: 'd', since: 's', file: other, entries: [], own: { [other]: 'h' } };
  const clients = { codex: { ...codex, otherFiles: [{ file, entries: [] }] } };
  const files = { [file]: { containers: {} }, [other]: { blank: 'old', containers: {} } };
  const record = { ...emptyRecord(), servers: [serverRecord('a', { clients })], files };
  const now = respelled(record, todayIn(home));
  expect(now.files).toEqual({ [file]: { containers: {} } });
  expect(now.servers[0]?.clients.codex).toMatchObject({ file, own: { [file]: 'h' } });
});

test.runIf(!WINDOWS)('a path gets no name but that of the same file', () => {
  const base = scratch();
  const at = (path: string): string => join(base, path);
  for (const folder of ['real/.gemini', 'home/me', 'inner/deep']) mkdirSync(at(folder), { recursive: true });
  for (const [link, to] of [
    ['link', 'real'],
    ['real/.qwen', '.gemini'],
    ['way', 'inner/deep'],
    ['home/you', 'me'],
  ] as const)
    symlinkSync(to, at(link));
  const named = (file: string, today: string[], more: Partial<ServerRecord>[] = []) => {
    const codex = { digest: 'd', since: 's', file, entries: [], own: {} };
    const servers = [serverRecord('a', { clients: { codex } }), ...more.map((one) => serverRecord('b', one))];
    return respelled({ ...emptyRecord(), servers }, todayIn(...today)).servers[0]?.clients.codex?.file;
  };
  // One client's folder is another's, too.
  const folders = ['real', 'real/.gemini', 'real/.qwen'].map(at);
  expect(named(at('link/.qwen/settings.json'), folders)).toBe(at('real/.qwen/settings.json'));
  expect(named(at('link/.qwen/x'), folders.slice(1))).toBe(at('real/.qwen/x'));
  // Behind a link, `..` leads elsewhere.
  const up = `${at('way')}/../x`;
  expect(named(up, [at('inner/deep')])).toBe(up);
  // A project around the home is no reason to keep the home's other name.
  const around = { scope: 'local', root: at('home') } as Partial<ServerRecord>;
  expect(named(at('home/you/x'), [at('home/me')], [around])).toBe(at('home/me/x'));
  // The files of an install in it are named by its root, as the project's folder is.
  const file = at('home/me/.claude/settings.local.json');
  const root = { scope: 'local', root: at('home/me') } as const;
  const clients = { 'claude-code': { digest: 'd', since: 's', file, entries: [], own: {} } };
  const record = {
    ...emptyRecord(),
    servers: [serverRecord('a', { ...root, clients } as Partial<ServerRecord>)],
    files: { [file]: { containers: {} } },
    folders: [at('home/me/.claude')],
  };
  expect(respelled(record, todayIn(at('home/you')))).toBe(record);
});
