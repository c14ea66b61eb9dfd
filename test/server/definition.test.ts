import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  definitionHash,
  launch,
  literalSecrets,
  needsApproval,
  readEntry,
  showDefinition,
} from '../../src/server/definition.ts';
import { COMMAND_LINE_DIALECT, dialectOf } from '../../src/server/resolve.ts';
import type { Definition, DefinitionSource } from '../../src/server/types.ts';

type Stdio = Extract<Definition, { transport: 'stdio' }>;
type Http = Exclude<Definition, Stdio>;
const stdio = (args: string[], more: Partial<Stdio> = {}): Definition => ({
  transport: 'stdio',
  command: 'npx',
  args,
  env: {},
  ...more,
});
const http = (url: string, more: Partial<Http> = {}): Definition => ({
  transport: 'http',
  url,
  headers: {},
  ...more,
});
const base = stdio(['-y', 'server']);

describe('the hash of an approval', () => {
  it.each<[string, Definition, Definition]>([
    ['the command', base, stdio(['-y', 'server'], { command: 'bunx' })],
    ['an argument', base, stdio(['-y', 'other'])],
    ['the order of arguments', base, stdio(['server', '-y'])],
    ['the folder', base, stdio(['-y', 'server'], { cwd: '/tmp' })],
    ['the name of a variable', base, stdio(['-y', 'server'], { env: { A: '1' } })],
    ['a passed-on variable', base, stdio(['-y', 'server'], { passEnv: ['A'] })],
    [
      'a variable that can run code',
      stdio([], { env: { NODE_OPTIONS: '' } }),
      stdio([], { env: { NODE_OPTIONS: '-r x' } }),
    ],
    ['the host', http('https://a.example/mcp'), http('https://b.example/mcp')],
    ['the path', http('https://a.example/mcp'), http('https://a.example/mcp2')],
    [
      'the name of a header',
      http('https://a.example'),
      http('https://a.example', { headers: { 'X-A': '1' } }),
    ],
    [
      'the variable behind a header',
      http('https://a.example', { envHeaders: { A: 'ONE' } }),
      http('https://a.example', { envHeaders: { A: 'TWO' } }),
    ],
    [
      'the variable behind a token',
      http('https://a.example', { bearerEnv: 'A' }),
      http('https://a.example', { bearerEnv: 'B' }),
    ],
    ['code behind a masked word', stdio(['-c', 'TOKEN=a; good']), stdio(['-c', 'TOKEN=a; evil'])],
    ['code in place of a value', stdio(['-c', 'key=$(good)']), stdio(['-c', 'key=$(evil)'])],
    ['an operand of a code flag', stdio(['-e', 'key=good.it']), stdio(['-e', 'key=evil.it'])],
    [
      'a package that looks like a token',
      stdio(['sk-good-good-good-good']),
      stdio(['sk-evil-evil-evil-evil']),
    ],
    ['what an address fetches', stdio(['https://a.example/?ref=a']), stdio(['https://a.example/?ref=b'])],
    [
      'a random part of an address',
      http('https://a.example/mcp/0123456789abcdefghij'),
      http('https://a.example/mcp/0123456789abcdefghik'),
    ],
    [
      'a variable that moves the home folder',
      stdio([], { env: { HOME: '/a' } }),
      stdio([], { env: { HOME: '/b' } }),
    ],
    ['a token that is another variable', stdio(['--token', '${A}']), stdio(['--token', '${B}'])],
    ['a flag that only looks like a secret', stdio(['--auth-command', 'a']), stdio(['--auth-command', 'b'])],
  ])('changes with %s', (_, one, two) => {
    expect(definitionHash(one)).not.toBe(definitionHash(two));
  });

  it.each<[string, Definition, Definition]>([
    ['the value of a variable', stdio([], { env: { API_KEY: 'a' } }), stdio([], { env: { API_KEY: 'b' } })],
    [
      'the value of a header',
      http('https://a.example', { headers: { A: '1' } }),
      http('https://a.example', { headers: { a: '2' } }),
    ],
    ['the value of a token flag', stdio(['--api-key', 'aaaa']), stdio(['--api-key', 'bbbb'])],
    ['the value after =', stdio(['--token=aaaa']), stdio(['--token=bbbb'])],
    [
      'a bearer in a header flag',
      stdio(['-H', 'Authorization: Bearer a1']),
      stdio(['-H', 'Authorization: Bearer b1']),
    ],
    [
      'a secret whose name looks like git',
      stdio([], { env: { GIT_TOKEN: 'a' } }),
      stdio([], { env: { GIT_TOKEN: 'b' } }),
    ],
    ['a query value', http('https://a.example/?key=a'), http('https://a.example/?key=b')],
    ['userinfo in an argument', stdio(['postgres://u:a@db/x']), stdio(['postgres://u:b@db/x'])],
    [
      'the order of variables',
      stdio([], { env: { A: '1', B: '2' } }),
      stdio([], { env: { B: '2', A: '1' } }),
    ],
  ])('does not change with %s', (_, one, two) => {
    expect(definitionHash(one)).toBe(definitionHash(two));
  });
});

describe('what is shown', () => {
  it.each<[Definition, string]>([
    [stdio(['-y', 'a b', "it's"]), `npx -y 'a b' 'it'\\''s'`],
    [
      stdio(['x'], { env: { API_KEY: 'hidden-1' }, passEnv: ['HOST'], cwd: '/a b' }),
      "API_KEY=*** HOST=$HOST npx x (in '/a b')",
    ],
    [stdio(['--api-key', 'hidden-1', '--port', '80']), "npx --api-key '***' --port 80".replaceAll("'", '')],
    [stdio(['--token=hidden-1', '--accessToken', 'hidden-1']), 'npx --token=*** --accessToken ***'],
    [stdio(['--token', '${TOKEN}']), "npx --token '${TOKEN}'"],
    [stdio(['--token', '${TOKEN:-hidden-1}']), 'npx --token ***'],
    [stdio(['-e', 'GITHUB_TOKEN=hidden-1']), 'npx -e GITHUB_TOKEN=***'],
    [stdio(['-H', 'Authorization: Bearer hidden-1']), "npx -H 'Authorization: ***'"],
    [stdio(['ghp_0123456789abcdefghijhidden']), 'npx ***'],
    [stdio(['postgres://u:hidden-1@db/x']), 'npx postgres://***@db/x'],
    [stdio(['--env=API_TOKEN=hidden-1']), 'npx --env=API_TOKEN=***'],
    [stdio(['{"apiKey": "hidden-1"}']), `npx '{"apiKey": "***"}'`],
    [stdio(['Server=db;Password=hidden-1;Port=1']), "npx 'Server=db;Password=***;Port=1'"],
    [stdio(['-e', 'PASSPHRASE=hidden-1 hidden-2']), 'npx -e PASSPHRASE=***'],
    [
      stdio([], { env: { GIT_TOKEN: 'hidden-1', NPM_CONFIG_PREFIX: '/a' } }),
      'GIT_TOKEN=*** NPM_CONFIG_PREFIX=/a npx',
    ],
    [stdio([], { env: { HTTPS_PROXY: 'http://u:hidden-1@p:1' } }), 'HTTPS_PROXY=http://***@p:1 npx'],
    [http('https://a.example/mcp/hidden0123456789abcdef/sse'), 'https://a.example/mcp/***/sse'],
    [http('https://a.example/mcp#access_token=hidden-1'), 'https://a.example/mcp#access_token=***'],
    [stdio(['a\u202Eb\nc']), "npx 'a<U+202E>b<U+000A>c'"],
    [http('https://u:hidden-1@a.example/mcp?key=hidden-1&v=2'), 'https://***@a.example/mcp?key=***&v=***'],
    [
      http('https://a.example/mcp', {
        headers: { 'X-Key': 'hidden-1' },
        bearerEnv: 'TOKEN',
        envHeaders: { 'X-B': 'B' },
      }),
      'https://a.example/mcp (headers: X-Key, X-B: $B, Authorization: Bearer $TOKEN)',
    ],
  ])('%j', (definition, shown) => {
    expect(showDefinition(definition)).toBe(shown);
    expect(showDefinition(definition)).not.toContain('hidden');
  });
});

it.each([
  [['-c', 'TOKEN=a; evil'], "sh -c 'TOKEN=***; evil'"],
  [['-c', 'AUTH=$(evil)'], "sh -c 'AUTH=***(evil)'"],
  [['-c', 'key=`evil`'], "sh -c 'key=`evil`'"],
  [['-c', 'token=a evil'], "sh -c 'token=a evil'"],
  [['--token', 'a;evil'], "sh --token '***;evil'"],
  [['rk-evil-evil-evil-evil-0'], 'sh rk-evil-evil-evil-evil-0'],
  [['-H', 'Authorization: Bearer abc'], "sh -H 'Authorization: ***'"],
])("shows a stranger's whole command, whatever it is named: %j", (args, shown) => {
  expect(showDefinition(stdio(args, { command: 'sh' }), { strict: true })).toBe(shown);
});

it.each<[Definition, string[]]>([
  [http('https://a.example', { headers: { Authorization: 'Bearer ${TOKEN}', Accept: 'text/plain' } }), []],
  [http('https://a.example', { headers: { Authorization: 'Bearer abc' } }), ['Authorization']],
  [http('https://a.example', { headers: { Authorization: 'Basic ${B64}', 'X-Org': 'acme' } }), []],
  [http('https://a.example', { headers: { 'X-Session': '0123456789abcdef0123' } }), ['X-Session']],
  [http('https://a.example?key=abc'), ['URL']],
  [http('https://a.example/mcp/0123456789abcdefghij'), ['URL']],
  [stdio(['--api-key', 'abc', '--port', '80']), ['--api-key']],
  [stdio(['--api-key', '${KEY}']), []],
])('finds secrets that stand in a definition itself: %j', (definition, found) => {
  expect(literalSecrets(definition)).toEqual(found);
});

it('a project file needs approval, the user’s own files do not', () => {
  const scopes = ['user', 'local', 'project', 'plugin', 'extension', 'command-line'] as const;
  expect(scopes.filter((scope) => needsApproval({ scope }))).toEqual(['project']);
});

describe('what a client would start', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/me',
    SET: 'value',
    EMPTY: '',
    MY_TOKEN: 'secret',
    CLAUDE_PROJECT_DIR: '/hook',
    GEMINI_CWD: '/hook',
  };
  const at = (
    client: DefinitionSource['client'],
    definition: Definition,
    source: Partial<DefinitionSource> = {},
  ) => {
    const whole: DefinitionSource = { scope: 'user', ...(client && { client }), ...source };
    return launch(definition, dialectOf(whole), whole, env, '/folder');
  };
  const words = [
    '$SET',
    '${SET}',
    '${SET:-d}',
    '${NONE}',
    '${NONE:-d}',
    '$NONE',
    '${NONE:-}',
    '${SET',
    '$$SET',
  ];

  it.each([
    ['claude-code', ['$SET', 'value', 'value', '${NONE}', 'd', '$NONE', '', '${SET', '$$SET']],
    ['codex', words],
    ['gemini-cli', ['value', 'value', 'value', '${NONE}', 'd', '$NONE', '', '${SET', '$value']],
    [undefined, ['$SET', 'value', 'value', '${NONE}', 'd', '$NONE', '', '${SET', '$$SET']],
  ] as const)('%s expands as it does', (client, expected) => {
    expect(at(client, stdio(words))).toMatchObject({ args: expected });
  });

  it.each([
    [
      'claude-code',
      { A: '${NONE}', CLAUDE_PROJECT_DIR: '/folder', MY_TOKEN: 'secret', SET: 'value', GEMINI_CWD: '/hook' },
    ],
    ['codex', { A: '${NONE}' }],
    ['gemini-cli', { A: '', GEMINI_CLI: '1', SET: 'value' }],
    [undefined, { A: '${NONE}', SET: 'value', MY_TOKEN: 'secret' }],
  ] as const)('%s gives its own environment', (client, more) => {
    const { EMPTY: _, ...given } = (
      at(client, stdio([], { env: { A: '${NONE}' } })) as { env: Record<string, string> }
    ).env;
    expect(given).toEqual({ PATH: '/bin', HOME: '/home/me', ...more });
  });

  it('passes on what Codex is told to pass on', () => {
    expect(at('codex', stdio([], { passEnv: ['MY_TOKEN', 'NONE'] }))).toMatchObject({
      env: { MY_TOKEN: 'secret' },
    });
  });

  it('knows the folder of a plugin or extension, and variables do not override it', () => {
    const claude = at('claude-code', stdio(['${CLAUDE_PLUGIN_ROOT}/s.js']), { root: '/plugin' });
    expect(claude).toMatchObject({ args: ['/plugin/s.js'], env: { CLAUDE_PLUGIN_ROOT: '/plugin' } });
    expect(at('claude-code', stdio(['${CLAUDE_PLUGIN_ROOT}']))).toMatchObject({
      args: ['${CLAUDE_PLUGIN_ROOT}'],
    });
    const gemini = at('gemini-cli', stdio(['${extensionPath}${/}s.js', '${workspacePath}']), {
      root: '/ext',
    });
    expect(gemini).toMatchObject({ args: ['/ext/s.js', '/folder'] });
  });

  it('resolves the folder against the session', () => {
    expect(at('codex', stdio([]))).toMatchObject({ cwd: '/folder' });
    expect(at('codex', stdio([], { cwd: 'sub' }))).toMatchObject({ cwd: '/folder/sub' });
    expect(at('codex', stdio([], { cwd: '/abs' }))).toMatchObject({ cwd: '/abs' });
  });

  it('fills headers from variables', () => {
    const definition = http('https://${SET}/', {
      headers: { A: 'Bearer ${MY_TOKEN}' },
      envHeaders: { B: 'SET', C: 'NONE' },
      bearerEnv: 'MY_TOKEN',
    });
    expect(at(undefined, definition)).toEqual({
      url: 'https://value/',
      headers: { A: 'Bearer secret', B: 'value', Authorization: 'Bearer secret' },
    });
    expect(COMMAND_LINE_DIALECT.expand).toBe('braces');
  });

  it('does not expand what a variable holds', () => {
    const whole: DefinitionSource = { scope: 'user', client: 'claude-code' };
    const nested = launch(stdio(['${A}']), dialectOf(whole), whole, { A: '${B}', B: 'x' }, '/');
    expect(nested).toMatchObject({ args: ['${B}'] });
  });
});

describe('the entry at fire time', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcphooks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const reread = (client: DefinitionSource['client'], name: string, text: string, pointer: string[]) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const source: DefinitionSource = { scope: 'user', file, pointer, ...(client && { client }) };
    return readEntry(source, dialectOf(source));
  };

  it('is read in the client’s own format', () => {
    const json = '{"mcpServers":{"a":{"command":"x"}}}';
    const found = { transport: 'stdio', command: 'x', args: [], env: {} };
    expect(reread('claude-code', 'c.json', `\uFEFF${json}`, ['mcpServers', 'a'])).toEqual(found);
    expect(reread('claude-code', 'c.json', `// no\n${json}`, ['mcpServers', 'a'])).toBeUndefined();
    expect(reread('gemini-cli', 'c.json', `// yes\n${json}`, ['mcpServers', 'a'])).toEqual(found);
    expect(reread('codex', 'c.toml', '[mcp_servers.a]\ncommand = "x"', ['mcp_servers', 'a'])).toEqual(found);
    expect(reread('codex', '.mcp.json', json, ['mcpServers', 'a'])).toEqual(found);
  });

  it('is nothing when it is gone, off, malformed, or only inherited', () => {
    const at = ['mcp_servers', 'a'];
    expect(reread('codex', 'c.toml', '[mcp_servers.b]\ncommand = "x"', at)).toBeUndefined();
    expect(reread('codex', 'c.toml', '[mcp_servers.a]\ncommand = "x"\nenabled = false', at)).toBeUndefined();
    expect(reread('codex', 'c.toml', '[mcp_servers.a]\ncommand = 1', at)).toBeUndefined();
    expect(reread('codex', 'c.toml', 'not toml', at)).toBeUndefined();
    expect(reread('claude-code', 'c.json', '{}', ['constructor'])).toBeUndefined();
    expect(
      readEntry({ scope: 'user', file: join(folder, 'none'), pointer: [] }, COMMAND_LINE_DIALECT),
    ).toBeUndefined();
  });
});
