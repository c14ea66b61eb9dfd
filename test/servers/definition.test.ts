import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEntry } from '../../src/servers/definitions/definition.ts';
import { COMMAND_LINE_DIALECT, dialectOf } from '../../src/servers/definitions/resolve.ts';
import { launch } from '../../src/servers/launch/launch.ts';
import { needsApproval } from '../../src/servers/source.ts';
import type { Definition, DefinitionSource } from '../../src/servers/types.ts';
import { WINDOWS } from '../platform.ts';
import { http, stdio } from './definitions.ts';

/** What a server gets on Windows besides: cmd looks for programs in PATH alone. */
const ADDED = WINDOWS ? { NoDefaultCurrentDirectoryInExePath: '1' } : {};

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
    return launch({ definition, source: whole, dialect: dialectOf(whole) }, env, '/folder');
  };
  it.runIf(WINDOWS)('takes variables for the same in any case of letters, on Windows', () => {
    const start = (definition: Definition) => {
      const source: DefinitionSource = { scope: 'user', client: 'claude-code' };
      const sourced = { definition, source, dialect: dialectOf(source) };
      const launched = launch(sourced, { Path: 'C:\\none', my_token: 'x' }, 'C:\\');
      return 'url' in launched ? launched.headers : launched.env;
    };
    expect(start(stdio([], { env: { PATH: 'C:\\tools' } }))).toEqual({
      Path: 'C:\\tools',
      my_token: 'x',
      CLAUDE_PROJECT_DIR: 'C:\\',
      ...ADDED,
    });
    expect(start(http('https://x', { bearerEnv: 'MY_TOKEN' }))).toEqual({ Authorization: 'Bearer x' });
  });

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
    expect(given).toEqual({ PATH: '/bin', HOME: '/home/me', ...ADDED, ...more });
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
    const nested = launch(
      { definition: stdio(['${A}']), source: whole, dialect: dialectOf(whole) },
      { A: '${B}', B: 'x' },
      '/',
    );
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
