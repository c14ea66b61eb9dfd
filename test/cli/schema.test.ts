import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { SCHEMA_NAMES } from '../../src/cli/json/schemas.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { check, checkOutput, closed, published } from './json-schemas.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const root = join(import.meta.dirname, '../..');
it.each(SCHEMA_NAMES)('%s names no format that validators don’t know', (name) => {
  expect(JSON.stringify(published(name)).match(/"format":"[^"]*"/g) ?? []).toEqual([]);
});

describe('mcphooks schema', () => {
  it('lists the names, prints each, and is in the package', async () => {
    const world = makeWorld();
    expect((await world.run('schema')).stdout.trim().split('\n')).toEqual(SCHEMA_NAMES);
    for (const name of SCHEMA_NAMES) {
      const { code, stdout } = await world.run('schema', name);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual(published(name));
      expect(JSON.parse(stdout).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    }
    // The schemas are in a file of their own in the built program.
    expect(await world.spawn('schema', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown schema 'nothing'"),
    });
  });
});

interface Case {
  by?: 'schema' | 'prose' | 'limit';
  document: unknown;
}

it('the schema takes each form of a file of declarations', () => {
  const item = { event: 'session_start', context: 'x', priority: 'suggestion' };
  const $schema = './declarations.json';
  const schema = published('declarations');
  for (const document of [{ declarations: [item] }, { hooks: { declarations: [item] } }, [item], item])
    expect(check(schema, document)).toBeUndefined();
  expect(check(schema, { $schema, ...item })).toBeUndefined();
  for (const document of [
    [{ ...item, priority: 'high' }],
    { ...item, other: 1 },
    { ...item, context_tool: 'x' },
  ])
    expect(check(schema, document)).toBeDefined();
});

const cases = (folder: string): [string, Case][] => {
  const path = join(root, 'test/fixtures/declarations', folder);
  return readdirSync(path).map((file) => [
    basename(file, '.json'),
    JSON.parse(readFileSync(join(path, file), 'utf8')),
  ]);
};

describe('the schema of declarations', () => {
  const schema = published('declarations');

  it.each(cases('valid'))('takes %s', (_, { document }) => {
    expect(check(schema, document)).toBeUndefined();
    expect(check(schema, { hooks: document })).toBeUndefined();
    expect(check(schema, { $schema: './declarations.json', hooks: document })).toBeUndefined();
  });

  // Limits are the user's to raise, and no part of the format. A file may name its schema and be a bare list; a server's
  // document may not.
  const refused = cases('invalid').filter(
    ([name, { by }]) => by !== 'limit' && !['document-key-schema', 'document-array'].includes(name),
  );
  it.each(refused)('refuses %s', (_, { document }) => {
    expect(check(schema, document)).toBeDefined();
  });
});

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You committed.',
  priority: 'required',
};
const START = { event: 'session_start', context_tool: 'note', priority: 'important' };

function worldWith(...declarations: object[]): World {
  const world = makeWorld();
  const file = world.write('home/declared.json', JSON.stringify({ declarations }));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry(file) } }));
  return world;
}

describe('what the program prints with --json', () => {
  it('has a schema for each command that takes the option', () => {
    const takes = COMMANDS.filter(({ options = [] }) =>
      options.some(({ flags }) => flags.some(({ flag }) => flag === '--json')),
    );
    // `log` prints a document for each line (schemas/log.ts).
    expect(takes.map(({ name }) => name).sort()).toEqual([...Object.keys(OUTPUTS), 'log'].sort());
  });

  it.runIf(LONG)('is as the schemas say, and has nothing that they do not', async () => {
    const world = worldWith(COMMIT, START);
    const seen: string[] = [];
    const run = async (...args: string[]): Promise<void> => {
      const document = JSON.parse((await world.run(...args, '--json')).stdout);
      expect(checkOutput(args[0] ?? '', document), args.join(' ')).toBeUndefined();
      seen.push(`${args[0]} ${document.status}`);
    };
    const all = 'claude-code,codex,gemini-cli';
    await run('scan');
    await run('scan', '--check');
    await run('catalogue', 'list');
    await run('catalogue', 'show', 'memory');
    await run('catalogue', 'verify', 'memory');
    await run('catalogue', 'verify', 'notion');
    await run('lint', 'memo');
    await run('lint', join(world.home, 'none.json'));
    await run('fire', 'memo', 'session_start');
    await run('install', 'nobody');
    await run('install', 'memo');
    await run('install', 'memo', '--dry-run', '--client', all);
    await run('install', 'memo', '--yes', '--client', all);
    await run('install', 'memo', '--yes');
    await run('fire', 'memo', 'post_tool_use');
    await run('diff');
    world.write('home/declared.json', JSON.stringify({ declarations: [COMMIT] }));
    world.write('home/.gemini/settings.json', '{,}');
    await run('diff');
    world.write('home/.gemini/settings.json', '{}');
    await run('diff');
    const line = { at: '2026-01-01T00:00:00.000Z', incident: 'tool.slow', server: 'memo', client: 'codex' };
    const log = { ...line, native: 'SessionStart', n: 1, detail: 'note: no answer within 5000 ms' };
    world.write('home/.local/state/mcphooks/hooks.log', `${JSON.stringify(log)}\n`);
    await run('list');
    await run('list', '--check');
    await run('explain', 'memo');
    await run('doctor');
    await run('disable', 'memo');
    await run('disable', 'memo');
    await run('doctor');
    await run('enable', 'memo');
    await run('fire', 'memo', 'post_tool_use', '--tool', 'Edit');
    await run('fire', 'memo', 'session_end');
    await run('stats');
    for (const line of (await world.run('log', '--json')).stdout.trim().split('\n'))
      expect(checkOutput('log', JSON.parse(line)), line).toBeUndefined();
    const out = ['--format', 'claude-plugin', '--out', join(world.home, 'plugin')];
    await run('export', 'memo', ...out);
    await run('export', 'memo', ...out, '--yes');
    await run('export', 'memo', ...out, '--yes');
    await run('uninstall', 'memo', '--dry-run');
    await run('uninstall', 'memo');
    await run('uninstall', '--all');
    await run('list');
    await run('doctor');
    expect(seen).toEqual([
      'scan scanned',
      'scan scanned',
      'catalogue listed',
      'catalogue shown',
      'catalogue failed',
      'catalogue verified',
      'lint warned',
      'lint failed',
      'fire failed',
      'install failed',
      'install refused',
      'install planned',
      'install installed',
      'install unchanged',
      'fire fired',
      'diff current',
      'diff failed',
      'diff changed',
      'list listed',
      'list listed',
      'explain explained',
      'doctor ill',
      'disable disabled',
      'disable unchanged',
      'doctor ill',
      'enable enabled',
      'fire fired',
      'fire fired',
      'stats counted',
      'export refused',
      'export exported',
      'export unchanged',
      'uninstall planned',
      'uninstall uninstalled',
      'uninstall unchanged',
      'list listed',
      'doctor well',
    ]);
    expect([...new Set(seen.map((line) => line.split(' ')[0]))].sort()).toEqual(Object.keys(OUTPUTS).sort());
  });

  it.runIf(LONG)(
    'is as the schemas say where a command fails, and where its words make no sense',
    async () => {
      const world = worldWith(COMMIT);
      expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
      world.write('home/.claude.json', '{"mcpServers":');
      world.write('home/.claude/settings.json', '{,}');
      world.write('home/.local/state/mcphooks/record.json', '{ "schema": 99 }');
      for (const command of Object.keys(OUTPUTS)) {
        const alone = ['scan', 'uninstall', 'list', 'doctor'].includes(command) ? [] : ['nobody'];
        const usual = command === 'catalogue' ? ['verify', 'memory'] : alone;
        const out = command === 'export' ? ['--format', 'claude-plugin', '--out', join(world.home, 'x')] : [];
        const event = command === 'fire' ? ['pre_request'] : [];
        const all = command === 'uninstall' ? ['--all'] : [];
        for (const [args, codes] of [
          [[...usual, ...event, ...out, ...all], /^(?!usage\.)/],
          [[...usual, '--no-such-option'], /^usage\.bad$/],
        ] as const) {
          const { code, stdout } = await world.run(command, ...args, '--json');
          const document = JSON.parse(stdout);
          expect(check(closed(published(command)), document), `${command} ${args.join(' ')}`).toBeUndefined();
          expect([command, document.exit]).toEqual([command, code]);
          if (command === 'doctor' && document.status === 'ill') continue;
          expect([command, document.status, code === 0]).toEqual([command, 'failed', false]);
          expect(document.faults[0].code, command).toMatch(codes);
          expect(document.faults[0].message).not.toMatch(/\n +at /);
        }
      }
    },
  );
});

describe('the schema of the log', () => {
  it('takes a failure, too', async () => {
    const schema = closed(published('log'));
    for (const args of [
      ['--since', '2026-02-30'],
      ['memo', '--no-such-option'],
    ]) {
      const { code, stdout } = await makeWorld().run('log', ...args, '--json');
      expect(code).toBe(1);
      expect(check(schema, JSON.parse(stdout)), stdout).toBeUndefined();
    }
    expect(check(schema, { version: 1, command: 'log' })).toBeDefined();
  });
});

describe('the schema of the record', () => {
  it('takes a real one', async () => {
    const world = worldWith(COMMIT, START);
    expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
    const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
    expect(check(published('record'), record)).toBeUndefined();
    expect(check(published('record'), { ...record, schema: 2 })).toBeDefined();
  });
});

describe('the schema of the configuration', () => {
  it('takes what the program takes', () => {
    const schema = published('config');
    expect(
      check(schema, { $schema: 'x', clients: ['codex'], servers: { memo: { cooldown: 3 } } }),
    ).toBeUndefined();
    expect(check(schema, { cooldown: -1 })).toBeDefined();
    expect(check(schema, { 'send-tool-data': true })).toBeDefined();
    expect(check(schema, { servers: { memo: { servers: {} } } })).toBeDefined();
  });

  it('says the unit of each number, and shows no value that the program refuses', () => {
    const { properties } = published('config') as { properties: Record<string, Record<string, string>> };
    const numbers = Object.entries(properties).flatMap(([name, { type, description }]) =>
      type === 'integer' ? [[name, description?.match(/in (\w+)$/)?.[1]]] : [],
    );
    expect(numbers).toEqual([
      ['cooldown', 'seconds'],
      ['keep-warm', 'minutes'],
      ['hook-timeout', 'seconds'],
    ]);
    expect(JSON.stringify(properties)).not.toMatch(/\d[mh]\b/);
  });
});
