import { describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { clientById, PLUGIN_CLIENTS } from '../../src/clients/index.ts';
import { pluginServer } from '../../src/export/server-entry.ts';
import { Fault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import type { Definition, DefinitionSource } from '../../src/servers/types.ts';
import { cleanWorlds, makeWorld } from '../cli/world.ts';
import { cpuTime, LONG } from '../effort.ts';

const FORMATS = ['claude-code', 'codex', 'copilot', 'droid', 'gemini-cli', 'qwen-code'] as const;

/** Where a definition of the tests stands: in a client's file, in one of its plugins, or on the command line. */
type Place = ClientId | `plugin of ${ClientId}` | 'command line';

function sourceOf(place: Place): DefinitionSource {
  if (place === 'command line') return { scope: 'command-line' };
  const client = place.replace('plugin of ', '') as ClientId;
  if (client === place) return { client, scope: 'user', file: '/home/me/servers.json' };
  return { client, scope: 'plugin', file: '/home/me/plugin/.mcp.json', root: '/home/me/plugin' };
}

function entryFor(id: ClientId, place: Place, definition: Definition): unknown {
  try {
    return pluginServer({ definition, source: sourceOf(place) }, clientById(id)).entry;
  } catch (error) {
    if (error instanceof Fault) return `${error.code} ${error.args.why ?? ''}`.trim();
    throw error;
  }
}

const NONE = 'export.reference none';
const PLAIN = 'export.reference plain';
const PLUGIN = 'export.reference plugin';

it('the table below has every format', () =>
  expect(PLUGIN_CLIENTS.map(({ id }) => id).sort()).toEqual([...FORMATS].sort()));

describe('a text of a server is exported with the meaning that it has for its own client', () => {
  const same = (text: string) => FORMATS.map(() => text);
  it.each<[Place, string, readonly string[]]>([
    ['claude-code', 'plain $ {} text', same('plain $ {} text')],
    ['claude-code', '-a=${A}', ['-a=${A}', NONE, '-a=${A}', NONE, '-a=${A}', '-a=${A}']],
    ['claude-code', '${A:-d}', ['${A:-d}', NONE, '${A:-d}', NONE, '${A:-d}', NONE]],
    ['claude-code', '$A', ['$A', '$A', PLAIN, '$A', PLAIN, PLAIN]],
    ['claude-code', '${env:A}', same('${env:A}')],
    ['claude-code', '{env:A}', same('{env:A}')],
    ['claude-code', '${CLAUDE_PLUGIN_ROOT}/a', [PLAIN, NONE, PLAIN, NONE, '${CLAUDE_PLUGIN_ROOT}/a', PLAIN]],
    ['cursor', 'x${env:A}y', ['x${A}y', NONE, 'x${A}y', NONE, 'x${A}y', 'x${A}y']],
    ['cursor', '${A}', ['${A}', NONE, '${A}', NONE, '${A}', '${A}']],
    ['cursor', '${workspaceFolder}', [NONE, NONE, NONE, NONE, '${workspacePath}', '${workspacePath}']],
    ['cursor', 'a${pathSeparator}b${/}', [NONE, NONE, NONE, NONE, 'a${/}b${/}', 'a${/}b${/}']],
    ['cursor', '${userHome}/a', same(NONE)],
    ['opencode', '{env:A}', ['${A}', NONE, '${A}', NONE, '${A}', '${A}']],
    ['opencode', '${A}', [PLAIN, '${A}', PLAIN, '${A}', PLAIN, PLAIN]],
    ['opencode', '{env:A} ${A}', [PLAIN, NONE, PLAIN, NONE, PLAIN, PLAIN]],
    ['opencode', '{file:./token}', same(NONE)],
    ['opencode', '{fi{env:A}le:./token}', same(NONE)],
    ['gemini-cli', '$A/b', ['${A}/b', NONE, '$A/b', NONE, '$A/b', '$A/b']],
    ['gemini-cli', '${workspacePath}', [NONE, NONE, NONE, NONE, '${workspacePath}', '${workspacePath}']],
    ['codex', '${A}', [PLAIN, '${A}', PLAIN, '${A}', PLAIN, PLAIN]],
    ['codex', '$A', ['$A', '$A', PLAIN, '$A', PLAIN, PLAIN]],
    ['droid', '${A}', [PLAIN, '${A}', PLAIN, '${A}', PLAIN, PLAIN]],
    ['qwen-code', '${A:-d}', [PLAIN, '${A:-d}', PLAIN, '${A:-d}', PLAIN, '${A:-d}']],
    ['plugin of claude-code', '${CLAUDE_PLUGIN_ROOT}/a.mjs', same(PLUGIN)],
    ['plugin of gemini-cli', '${extensionPath}${/}a.mjs', same(PLUGIN)],
    ['command line', '${A}', ['${A}', NONE, '${A}', NONE, '${A}', '${A}']],
  ])('%s: %s', (place, text, wanted) => {
    const server: Definition = { transport: 'stdio', command: 'memo', args: [text], env: {} };
    const address = { transport: 'http', url: `https://memo.example/${text}`, headers: {} } as const;
    const told = (entry: unknown, part: (entry: Record<string, string[]>) => unknown): unknown =>
      typeof entry === 'string' ? entry : part(entry as Record<string, string[]>);
    expect(FORMATS.map((id) => told(entryFor(id, place, server), ({ args }) => args?.[0]))).toEqual(wanted);
    const urls = FORMATS.map((id) =>
      told(entryFor(id, place, address), (entry) => String(entry.url ?? entry.httpUrl).slice(21)),
    );
    expect(urls).toEqual(wanted);
  });
});

it('an author may name the folder of the plugin to be, into which the server’s files go by hand', () => {
  const server = (name: string): Definition => ({
    transport: 'stdio',
    command: 'node',
    args: [`\${${name}}/memo.mjs`],
    env: {},
  });
  for (const [id, name] of [
    ['claude-code', 'CLAUDE_PLUGIN_ROOT'],
    ['codex', 'PLUGIN_ROOT'],
    ['gemini-cli', 'extensionPath'],
  ] as const) {
    expect(entryFor(id, 'command line', server(name))).toMatchObject({ args: [`\${${name}}/memo.mjs`] });
    const { definition, source } = { definition: server(name), source: sourceOf('command line') };
    expect(pluginServer({ definition, source }, clientById(id)).variables).toEqual([]);
  }
});

it.each<[Place, string, string]>([
  ['cursor', 'Bearer ${env:TOKEN}', '${env:TOKEN}'],
  ['opencode', 'Bearer {env:TOKEN}', '{env:TOKEN}'],
  ['gemini-cli', 'Bearer $TOKEN', '$TOKEN'],
  ['claude-code', 'Bearer ${TOKEN}', '${TOKEN}'],
])('a header with a variable is exported in the client’s form: %s', (place, bearer, key) => {
  const url = 'https://memo.example/mcp';
  const headers = { Authorization: bearer, 'X-Key': key };
  const entries = FORMATS.map((id) => entryFor(id, place, { transport: 'http', url, headers }));
  const braces = { headers: { Authorization: 'Bearer ${TOKEN}', 'X-Key': '${TOKEN}' } };
  expect(entries).toEqual([
    { type: 'http', url, ...braces },
    { url, bearer_token_env_var: 'TOKEN', env_http_headers: { 'X-Key': 'TOKEN' } },
    { type: 'http', url, ...braces },
    // Only values of `env` are expanded.
    'export.inexpressible',
    { httpUrl: url, ...braces },
    { httpUrl: url, ...braces },
  ]);
});

it('a header that its own client takes as it is may be a secret', () => {
  const address = { transport: 'http', url: 'https://memo.example/mcp' } as const;
  for (const [place, value] of [
    ['codex', '${TOKEN}'],
    ['claude-code', '$TOKEN'],
    ['opencode', 'Bearer {file:./token}'],
  ] as const)
    for (const id of FORMATS)
      expect(entryFor(id, place, { ...address, headers: { 'X-Key': value } }), place).toBe('export.secret');
});

it('names every variable that a machine needs, but for those with a default', () => {
  const definition: Definition = {
    transport: 'stdio',
    command: '${env:HOME_OF}/memo',
    args: ['--token', '${env:TOKEN}', '${LEVEL:-info}'],
    env: { OWN: 'x' },
  };
  const { entry, variables } = pluginServer(
    { definition, source: sourceOf('cursor') },
    clientById('claude-code'),
  );
  expect(entry).toEqual({
    command: '${HOME_OF}/memo',
    args: ['--token', '${TOKEN}', '${LEVEL:-info}'],
    env: { OWN: '${OWN}' },
  });
  expect(variables).toEqual(['HOME_OF', 'OWN', 'TOKEN']);
});

it('takes the default of a variable for a secret as one', () => {
  const args = ['--with=${MEMO_TOKEN:-hunter2}'];
  const server: Definition = { transport: 'stdio', command: 'memo', args, env: {} };
  expect(entryFor('claude-code', 'claude-code', server)).toBe('export.secret');
});

it('refuses a variable to whose name no reference is possible', () => {
  for (const name of ['npm_config_@x:registry', 'CLAUDE_PLUGIN_ROOT']) {
    const server: Definition = { transport: 'stdio', command: 'memo', args: [], env: { [name]: 'x' } };
    expect(entryFor('claude-code', 'cursor', server), name).toBe('export.inexpressible');
    expect(entryFor('codex', 'cursor', server)).toMatchObject({ env_vars: [name] });
  }
});

it.each<[ClientId, Place, string, string]>([
  ['codex', 'cursor', '--at=${env:AREA}', "the arguments contain ${env:AREA}, and Codex plugins can't refer"],
  ['codex', 'claude-code', '${AREA:-s3}', 'the arguments contain ${AREA:-...}, and Codex plugins'],
  ['gemini-cli', 'claude-code', '$AREA', 'the arguments contain $AREA as plain text, which Gemini CLI'],
  ['gemini-cli', 'claude-code', 'pa$sword', 'the arguments contain a text that Gemini CLI would'],
  [
    'codex',
    'plugin of claude-code',
    '${CLAUDE_PLUGIN_ROOT:-s3}/a',
    'the arguments contain ${CLAUDE_PLUGIN_ROOT:-...}, the folder',
  ],
  ['codex', 'cursor', '${workspaceFolder:-s3}', 'the arguments contain ${workspaceFolder:-...}, and Codex'],
  ['claude-code', 'codex', '${CLAUDE_PLUGIN_ROOT:-s3}', 'contain ${CLAUDE_PLUGIN_ROOT:-...} as plain text'],
  ['gemini-cli', 'opencode', '{env:A}${B}{env:C}', 'the arguments contain ${B} as plain text'],
])('says what is where: for %s from %s, %s', (id, place, text, says) => {
  const definition: Definition = { transport: 'stdio', command: 'memo', args: [text], env: {} };
  const server = { definition, source: sourceOf(place) };
  let told = '';
  try {
    pluginServer(server, clientById(id));
  } catch (error) {
    told = error instanceof Fault ? faultText(error) : String(error);
  }
  expect(told).toContain(says);
  expect(told).toContain('-- <command>');
});

it.runIf(LONG)('looks for a misread text in steps in proportion to the text', () => {
  const args = [`${'{env:A}${-'.repeat(25_000)}$B`];
  const server: Definition = { transport: 'stdio', command: 'memo', args, env: {} };
  const exporting = () => expect(entryFor('gemini-cli', 'opencode', server)).toBe(PLAIN);
  expect(cpuTime(exporting)).toBeLessThan(3_000);
});

cleanWorlds();

it('exports the server of Cursor for Claude Code, as its command does', async () => {
  const world = makeWorld();
  const hook = { event: 'pre_request', context: 'Ask.', priority: 'suggestion' };
  world.write('project/hooks.json', JSON.stringify({ declarations: [hook] }));
  const memo = { command: 'npx', args: ['memo@1', '--token', '${env:TOKEN}'], env: { LEVEL: 'debug' } };
  world.write('home/.cursor/mcp.json', JSON.stringify({ mcpServers: { memo } }));
  const run = (format: string) =>
    world.run(
      ...['export', 'memo', '--declarations', 'hooks.json', '--no-check', '--out', format, '--yes'],
      ...['--with-server', '--format', format],
    );
  expect((await run('claude-plugin')).code).toBe(0);
  expect(JSON.parse(world.read('project/claude-plugin/.mcp.json')).mcpServers.memo).toEqual({
    command: 'npx',
    args: ['memo@1', '--token', '${TOKEN}'],
    env: { LEVEL: '${LEVEL}' },
  });
  const { code, stderr } = await run('codex-plugin');
  expect(code).toBe(1);
  expect(stderr).toContain('the arguments contain ${env:TOKEN}');
});

it('says which variables other machines need, also where no hook calls the server', async () => {
  const world = makeWorld();
  const hook = { event: 'pre_request', context: 'Ask.', priority: 'suggestion' };
  world.write('project/hooks.json', JSON.stringify({ declarations: [hook] }));
  const memo = { command: 'memo', args: ['${AREA}'], env: { MEMO_TOKEN: 's3cret' } };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo } }));
  const { stdout } = await world.run(
    ...['export', 'memo', '--declarations', 'hooks.json', '--no-check', '--out', 'out', '--dry-run'],
    ...['--with-server', '--format', 'claude-plugin'],
  );
  expect(stdout.replace(/\s+/g, ' ')).toContain("the server gets AREA, MEMO_TOKEN from each machine's");
});
