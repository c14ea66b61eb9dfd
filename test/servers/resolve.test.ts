import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/clients/client.ts';
import { Fault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import { findServers, resolveServer } from '../../src/servers/definitions/resolve.ts';
import type { ServerEntry, ServerTable } from '../../src/servers/types.ts';
import { homeEnv, slashed, WINDOWS } from '../platform.ts';

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-')));
  project = join(home, 'code/project');
  mkdirSync(join(project, '.git'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

function put(path: string, content: unknown): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}
const find = (cwd = project, env: Record<string, string> = {}): ServerTable =>
  findServers({ env: { ...homeEnv(home), ...env }, cwd });
const server = (command: string) => ({ command });
const commandOf = (entry: ServerEntry | undefined) =>
  entry?.definition.transport === 'stdio' ? entry.definition.command : entry?.definition.url;
const use = (name: string, table = find(), from?: ClientId) =>
  resolveServer(name, table, from ? { from } : {});
function code(run: () => unknown): [string, Fault] {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return [error.code, error];
    throw error;
  }
  return expect.unreachable();
}

describe('a name that stands only in a project that nobody trusted', () => {
  it.each([
    ['code/project/.codex/config.toml', '[mcp_servers.db]\ncommand = "x"\n', 'codex'],
    ['code/project/.mcp.json', '{ "mcpServers": { "db": { "command": "x" } } }', 'copilot'],
  ] as const)('is told with its file: %s', (path, text, client) => {
    const file = put(path, text);
    const [found, fault] = code(() => use('db', find(), client));
    expect([found, fault.args.untrusted]).toEqual(['server.not-found', [`${file} (${client})`]]);
    expect(faultText(fault)).toContain("the client doesn't trust this folder");
    expect(code(() => use('toString', find(), client))[1].args.untrusted).toEqual([]);
  });
});

describe('Claude Code', () => {
  it('prefers local to project to user scope', () => {
    put('.claude.json', { mcpServers: { a: server('user') }, projects: { [project]: { mcpServers: {} } } });
    expect([commandOf(use('a')), use('a').source.scope]).toEqual(['user', 'user']);
    put('code/project/.mcp.json', { mcpServers: { a: server('project') } });
    expect([commandOf(use('a')), use('a').source.scope]).toEqual(['project', 'project']);
    put('.claude.json', {
      mcpServers: { a: server('user') },
      projects: { [project]: { mcpServers: { a: server('local') } } },
    });
    expect([commandOf(use('a')), use('a').source.scope]).toEqual(['local', 'local']);
  });

  it('says where the entry stands', () => {
    const file = put('.claude.json', { projects: { [project]: { mcpServers: { a: server('x') } } } });
    expect(use('a').source).toEqual({
      client: 'claude-code',
      scope: 'local',
      file,
      pointer: ['projects', project, 'mcpServers', 'a'],
    });
  });

  it.runIf(WINDOWS)('names a project with slashes on Windows, and as a session spells it', () => {
    const key = slashed(project);
    put('.claude.json', { projects: { [key]: { mcpServers: { a: server('local'), b: server('own') } } } });
    const spellings = [project, project.replace(/^[A-Z]/, (drive) => drive.toLowerCase()), slashed(project)];
    for (const cwd of [...spellings, join(home, 'CODE/Project')])
      expect(commandOf(use('a', find(cwd)))).toBe('local');
    expect(use('a').source.pointer).toEqual(['projects', key, 'mcpServers', 'a']);
    const other = { mcpServers: { a: server('other') }, disabledMcpServers: ['b'] };
    put('.claude.json', {
      projects: {
        [key.toUpperCase()]: other,
        [key]: { mcpServers: { a: server('local'), b: server('own') } },
      },
    });
    expect(commandOf(use('a'))).toBe('local');
    expect(code(() => use('b'))[0]).toBe('server.off');
  });

  it('uses the entry of the git top level in a subfolder, and the nearest .mcp.json of all parents', () => {
    put('.claude.json', { projects: { [project]: { mcpServers: { a: server('local') } } } });
    put('code/.mcp.json', { mcpServers: { b: server('far'), c: server('far') } });
    put('code/project/.mcp.json', { mcpServers: { b: server('near') } });
    mkdirSync(join(project, 'sub/deep'), { recursive: true });
    const table = find(join(project, 'sub/deep'));
    expect(['a', 'b', 'c'].map((name) => commandOf(use(name, table)))).toEqual(['local', 'near', 'far']);
  });

  it('reads .claude.json inside CLAUDE_CONFIG_DIR', () => {
    put('.claude.json', { mcpServers: { a: server('home') } });
    put('moved/.claude.json', { mcpServers: { a: server('moved') } });
    expect(commandOf(use('a', find(project, { CLAUDE_CONFIG_DIR: join(home, 'moved') })))).toBe('moved');
  });

  it('knows HTTP, and access that only the client holds', () => {
    put('.claude.json', {
      mcpServers: {
        a: { type: 'http', url: 'https://a.example', headers: { X: '1' } },
        b: { type: 'sse', url: 'https://b.example' },
        c: { type: 'http', url: 'https://c.example', headersHelper: '/bin/x' },
        d: { type: 'ws', url: 'wss://d.example' },
        e: { url: 7 },
        f: { command: 'x', args: [1] },
      },
    });
    const table = find();
    expect(table.of('claude-code').on.map(({ alias, definition }) => [alias, definition.transport])).toEqual([
      ['a', 'http'],
      ['b', 'sse'],
      ['c', 'http'],
    ]);
    expect(use('c', table).definition).toMatchObject({ heldBy: 'helper' });
  });

  it('respects what is switched off', () => {
    put('code/project/.mcp.json', { mcpServers: { a: server('x'), b: server('x') } });
    put('code/project/.claude/settings.local.json', { disabledMcpjsonServers: ['a'] });
    put('.claude.json', {
      mcpServers: { c: server('x') },
      projects: { [project]: { disabledMcpServers: ['c'] } },
    });
    expect(code(() => use('a'))[0]).toBe('server.off');
    expect(code(() => use('c'))[0]).toBe('server.off');
    expect(commandOf(use('b'))).toBe('x');
  });

  it('finds the servers of plugins, by their whole name and by their own', () => {
    const root = join(home, 'cache/market/tools/1.0.0');
    put('.claude/settings.json', { enabledPlugins: { 'tools@market': true } });
    put('.claude/plugins/installed_plugins.json', {
      version: 2,
      plugins: { 'tools@market': [{ scope: 'user', installPath: root }] },
    });
    put('cache/market/tools/1.0.0/.claude-plugin/plugin.json', { name: 'tools' });
    put('cache/market/tools/1.0.0/.mcp.json', { mcpServers: { db: server('${CLAUDE_PLUGIN_ROOT}/db') } });
    expect(use('plugin:tools:db').source).toMatchObject({ scope: 'plugin', root });
    expect(use('db').alias).toBe('plugin:tools:db');
    put('.claude/skills/mine/.claude-plugin/plugin.json', {
      name: 'mine',
      mcpServers: { db: server('other') },
    });
    expect(code(() => use('db'))[0]).toBe('server.ambiguous');
    expect(commandOf(use('plugin:mine:db'))).toBe('other');
    put('.claude/settings.json', { enabledPlugins: { 'mine@skills-dir': false } });
    expect(code(() => use('db'))[0]).toBe('server.not-found');
  });

  it('finds the servers of a plugin that was installed for one project there alone', () => {
    const root = join(home, 'cache/market/tools/1.0.0');
    put('cache/market/tools/1.0.0/.claude-plugin/plugin.json', { name: 'tools' });
    put('cache/market/tools/1.0.0/.mcp.json', { mcpServers: { db: server('db') } });
    put('.claude/settings.json', { enabledPlugins: { 'tools@market': true } });
    const install = (projectPath: string) =>
      put('.claude/plugins/installed_plugins.json', {
        version: 2,
        plugins: { 'tools@market': [{ scope: 'local', projectPath, installPath: root }] },
      });
    install(project);
    expect(commandOf(use('db'))).toBe('db');
    mkdirSync(join(project, 'sub'), { recursive: true });
    expect(commandOf(use('db', find(join(project, 'sub'))))).toBe('db');
    install(join(home, 'code/other'));
    expect(code(() => use('db'))[0]).toBe('server.not-found');
  });

  it('prefers an own server to a plugin’s of that name', () => {
    put('.claude.json', { mcpServers: { db: server('own') } });
    put('.claude/skills/mine/.claude-plugin/plugin.json', { name: 'mine' });
    put('.claude/skills/mine/.mcp.json', { db: server('plugin') });
    expect(commandOf(use('db'))).toBe('own');
    expect(commandOf(use('plugin:mine:db'))).toBe('plugin');
  });
});

describe('Codex', () => {
  it('reads CODEX_HOME or ~/.codex', () => {
    put('.codex/config.toml', '[mcp_servers.a]\ncommand = "home"\nenv_vars = ["TOKEN"]\n');
    put(
      'moved/config.toml',
      '[mcp_servers.a]\nurl = "https://a.example"\nbearer_token_env_var = "T"\nenv_http_headers = { X = "Y" }\n',
    );
    expect(use('a').definition).toMatchObject({ command: 'home', passEnv: ['TOKEN'] });
    expect(use('a', find(project, { CODEX_HOME: join(home, 'moved') })).definition).toMatchObject({
      url: 'https://a.example',
      bearerEnv: 'T',
      envHeaders: { X: 'Y' },
    });
  });

  it('counts a project’s file only where Codex trusts the project', () => {
    put('code/project/.codex/config.toml', '[mcp_servers.a]\ncommand = "project"\n');
    expect(code(() => use('a'))[0]).toBe('server.not-found');
    put(
      '.codex/config.toml',
      `[mcp_servers.a]\ncommand = "user"\n[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`,
    );
    expect([commandOf(use('a')), use('a').source.scope]).toEqual(['project', 'project']);
  });

  it('respects enabled = false', () => {
    put('.codex/config.toml', '[mcp_servers.a]\ncommand = "x"\nenabled = false\n');
    expect(code(() => use('a'))[0]).toBe('server.off');
  });

  it('finds the servers of plugins that are on, the newest version alone', () => {
    for (const version of ['1.9.0', '1.10.0']) {
      put(`.codex/plugins/cache/market/tools/${version}/.codex-plugin/plugin.json`, { name: 'tools' });
      put(`.codex/plugins/cache/market/tools/${version}/.mcp.json`, { mcpServers: { db: server(version) } });
    }
    expect(code(() => use('db'))[0]).toBe('server.not-found');
    put('.codex/config.toml', '[plugins."tools@market"]\nenabled = true\n');
    expect(commandOf(use('db'))).toBe('1.10.0');
  });
});

describe('Gemini CLI', () => {
  it('prefers the workspace, whole entries, of the very folder', () => {
    put('.gemini/settings.json', '// mine\n{"mcpServers":{"a":{"command":"user","args":["x"]}}}');
    put('code/project/.gemini/settings.json', { mcpServers: { a: server('workspace') } });
    expect(use('a').definition).toMatchObject({ command: 'workspace', args: [] });
    mkdirSync(join(project, 'sub'));
    expect(commandOf(use('a', find(join(project, 'sub'))))).toBe('user');
  });

  it('has no workspace in the home folder', () => {
    put('.gemini/settings.json', { mcpServers: { a: server('x') } });
    expect(use('a', find(home)).source.scope).toBe('user');
  });

  it('reads GEMINI_CLI_HOME, extensions, and both keys of a URL', () => {
    put('moved/.gemini/settings.json', {
      mcpServers: {
        a: { httpUrl: 'https://a.example', url: 'https://b.example' },
        b: { url: 'https://c.example', type: 'sse' },
      },
    });
    put('moved/.gemini/extensions/ext/gemini-extension.json', {
      name: 'ext',
      mcpServers: { a: server('ext'), c: server('${extensionPath}/c') },
    });
    const table = find(project, { GEMINI_CLI_HOME: join(home, 'moved') });
    expect(['a', 'b', 'c'].map((name) => commandOf(use(name, table)))).toEqual([
      'https://a.example',
      'https://c.example',
      '${extensionPath}/c',
    ]);
    expect(use('c', table).source).toMatchObject({
      scope: 'extension',
      root: join(home, 'moved/.gemini/extensions/ext'),
    });
  });

  it('respects excluded, allowed and disabled servers', () => {
    put('.gemini/settings.json', {
      mcpServers: { a: server('x'), b: server('x'), Cee: server('x') },
      mcp: { excluded: ['a'] },
    });
    put('.gemini/mcp-server-enablement.json', { cee: { enabled: false } });
    const on = () =>
      find()
        .of('gemini-cli')
        .on.map(({ alias }) => alias);
    expect(on()).toEqual(['b']);
    put('.gemini/settings.json', { mcpServers: { a: server('x'), b: server('x') }, mcp: { allowed: ['a'] } });
    expect(on()).toEqual(['a']);
  });
});

describe('Qwen Code', () => {
  it('prefers its own file of the project to .mcp.json, and that to the user’s', () => {
    const found = () => commandOf(use('a', find(), 'qwen-code'));
    put('.qwen/settings.json', { mcpServers: { a: server('user') } });
    expect(found()).toBe('user');
    put('code/project/.mcp.json', { mcpServers: { a: server('shared') } });
    expect(found()).toBe('shared');
    put('code/project/.qwen/settings.json', { mcpServers: { a: server('project') } });
    expect(found()).toBe('project');
  });

  it('is no client of a .mcp.json where nobody uses it', () => {
    put('code/project/.mcp.json', { mcpServers: { a: server('shared') } });
    const users = () =>
      find()
        .of('qwen-code')
        .on.map(({ alias }) => alias);
    expect(users()).toEqual([]);
    mkdirSync(join(home, '.qwen'));
    expect(users()).toEqual(['a']);
  });

  it.each([
    ['claude-code', 'qwen-code'],
    ['qwen-code', 'claude-code'],
  ] as const)('accepts comments in a .mcp.json, Claude Code does not: %s first', (...order) => {
    mkdirSync(join(home, '.qwen'));
    put('code/project/.mcp.json', '{ "mcpServers": { "a": { "command": "x" } } } // for all');
    const table = find();
    const users = order.filter((id) => table.of(id).on.length > 0);
    expect(users).toEqual(['qwen-code']);
  });
});

it.each([
  ['droid', '.factory/mcp.json', { mcpServers: { a: { ...server('user'), disabled: true } } }],
  ['opencode', 'opencode.json', { mcp: { a: { type: 'local', command: ['project'], enabled: false } } }],
] as const)('%s: an entry of a project that is off hides the one of the user', (client, path, off) => {
  const [userPath, on] =
    client === 'droid'
      ? ['.factory/mcp.json', { mcpServers: { a: server('user') } }]
      : ['.config/opencode/opencode.json', { mcp: { a: { type: 'local', command: ['user'] } } }];
  put(userPath, on);
  expect(commandOf(use('a', find(), client))).toBe('user');
  put(`code/project/${path}`, off);
  expect(code(() => use('a', find(), client))[0]).toBe('server.off');
});

it('Codex: an entry of a trusted project that only says that the server is off is merged with the user’s', () => {
  const trusts = `[projects.'${project}']\ntrust_level = "trusted"\n`;
  put('.codex/config.toml', `[mcp_servers.a]\ncommand = "user"\n${trusts}`);
  expect(commandOf(use('a', find(), 'codex'))).toBe('user');
  put('code/project/.codex/config.toml', '[mcp_servers.a]\nenabled = false\n');
  expect(code(() => use('a', find(), 'codex'))[0]).toBe('server.off');
});

it('OpenCode: an entry that only says that the server is off is merged with one of a weaker file', () => {
  put('.config/opencode/opencode.json', { mcp: { a: { type: 'local', command: ['user'] } } });
  put('.config/opencode/opencode.jsonc', { mcp: { a: { enabled: false } } });
  expect(code(() => use('a', find(), 'opencode'))[0]).toBe('server.off');
});

describe.each([
  ['opencode', '.config/opencode/opencode.json', 'opencode.json', { type: 'local', command: ['x'] }],
  ['codex', '.codex/config.toml', '.codex/config.toml', { command: 'x' }],
] as const)('%s merges the entries of several files', (client, users, projects, entry) => {
  const text = (value: object): string | object => {
    const env = client === 'codex' ? 'env' : 'environment';
    const all = Object.fromEntries(Object.entries(value).map(([k, v]) => [k === 'env' ? env : k, v]));
    if (client === 'opencode') return { mcp: { a: all } };
    const tables = [`[projects.'${project}']`, 'trust_level = "trusted"', '[mcp_servers.a]'];
    const values = Object.entries(all).map(([key, v]) =>
      typeof v === 'object'
        ? `${key} = { K = "${(v as { K: string }).K}" }`
        : `${key} = ${JSON.stringify(v)}`,
    );
    return [...tables, ...values, ''].join('\n');
  };
  const put2 = (mine: object, ofProject: object): void => {
    put(users, text(mine));
    put(`code/project/${projects}`, text(ofProject));
  };

  it.each([
    ['the project adds a variable', entry, { env: { K: 'v' } }],
    ['the user adds a variable', { env: { K: 'v' } }, entry],
    ['both define it, the user with a variable', { ...entry, env: { K: 'v' } }, entry],
  ])('so one that is spread over them is not used: %s', (_, mine, ofProject) => {
    put2(mine, ofProject);
    const [found, fault] = code(() => use('a', find(), client));
    expect(found).toBe('server.not-found');
    expect(faultText(fault)).toContain('stands whole in one file');
  });

  it.each([
    ['equal ones', entry, entry],
    ['the project’s says more', entry, { ...entry, env: { K: 'v' } }],
    ['the project only switches it on', entry, { enabled: true }],
    ['the user’s has a timeout', { ...entry, timeout: 9_000, tool_timeout_sec: 9 }, entry],
    ['the project has only a timeout', entry, { timeout: 9_000, tool_timeout_sec: 9 }],
  ])('and one that stands whole in one of them is: %s', (_, mine, ofProject) => {
    put2(mine, ofProject);
    expect(commandOf(use('a', find(), client))).toBe('x');
  });
});

describe('several clients', () => {
  it('that agree give one entry, one that needs no approval where there is one', () => {
    put('code/project/.mcp.json', { mcpServers: { a: { command: 'x', args: ['1'] } } });
    put('.gemini/settings.json', { mcpServers: { a: { command: 'x', args: ['1'] } } });
    expect(use('a').source).toMatchObject({ client: 'gemini-cli', scope: 'user' });
  });

  it('that disagree are shown without their secrets, and --from decides', () => {
    put('.claude.json', {
      mcpServers: { a: { command: 'x', args: ['--token', 'geheim'], env: { K: 'geheim' } } },
    });
    put('.codex/config.toml', '[mcp_servers.a]\ncommand = "y"\n');
    const [found, fault] = code(() => use('a'));
    expect([found, (fault.args.definitions as string[]).length]).toEqual(['server.disagree', 2]);
    expect(faultText(fault)).not.toContain('geheim');
    expect(faultText(fault)).toContain('--from');
    expect(commandOf(use('a', find(), 'codex'))).toBe('y');
    expect(code(() => use('a', find(), 'gemini-cli'))[0]).toBe('server.not-found');
  });

  it('that don’t know the name: what was looked at, and the nearest', () => {
    put('.claude.json', { mcpServers: { notebook: server('x') } });
    // Then Copilot CLI reads the project's `.mcp.json`, too.
    put('.copilot/config.json', {});
    const [found, { args }] = code(() => use('notebok'));
    const looked = args.looked as string[];
    expect(looked.filter((file, i) => looked.indexOf(file) < i)).toEqual([]);
    expect([found, args.near, args.known]).toEqual(['server.not-found', 'notebook', ['notebook']]);
    expect(args.looked).toContain(join(home, '.claude.json'));
    expect(args.looked).toContain(join(home, '.codex/config.toml'));
    expect(args.looked).toContain(join(home, '.gemini/settings.json'));
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('have no server %j by accident', (name) => {
    put('.claude.json', { mcpServers: {}, projects: {} });
    expect(code(() => use(name))[0]).toBe('server.not-found');
  });

  it('may name a server __proto__', () => {
    put('.claude.json', '{"mcpServers":{"__proto__":{"command":"x"}}}');
    expect(commandOf(use('__proto__'))).toBe('x');
  });
});

it('files are read when their client is asked about, and once', () => {
  const table = find();
  put('.claude.json', { mcpServers: { a: server('x') } });
  put('.gemini/settings.json', { mcpServers: { a: server('y') } });
  expect(commandOf(use('a', table, 'claude-code'))).toBe('x');
  put('.claude.json', { mcpServers: { a: server('z') } });
  put('.gemini/settings.json', { mcpServers: { a: server('x') } });
  expect(commandOf(use('a', table))).toBe('x');
});

describe('a file that can’t be parsed', () => {
  it('matters only when its client is needed', () => {
    const file = put('.codex/config.toml', '[mcp_servers.a]\ncommand = "x"\nenv = { K = "geheim"\n');
    put('.claude.json', { mcpServers: { a: server('y') } });
    const table = find();
    expect(commandOf(use('a', table))).toBe('y');
    const broken = table.clients.flatMap((client) =>
      table.of(client).broken.map(({ code, where }) => [client, code, where.line]),
    );
    expect(broken).toEqual([['codex', 'server.file-syntax', 4]]);
    const [found, fault] = code(() => use('a', table, 'codex'));
    expect([found, fault.where.file]).toEqual(['server.file-syntax', file]);
    expect(faultText(fault)).not.toContain('geheim');
    expect(code(() => use('b', table))[1].args.broken).toHaveLength(1);
  });

  it.each([
    ['.claude.json', '{\n  "mcpServers": {},\n}', 'claude-code', 3, 1],
    ['.claude.json', '{\n  // note\n}', 'claude-code', 2, 3],
    ['.gemini/settings.json', '{\n  // note\n  "a": 1,\n}', 'gemini-cli', 4, 1],
    ['.codex/config.toml', '\ufeff[mcp_servers.a\n', 'codex', 1, 15],
    ['.qwen/settings.json', '\ufeff{\r\n  "a": 1,,\r\n}', 'qwen-code', 2, 10],
    ['.config/opencode/opencode.jsonc', '{\n  "a": [1, ],\n  "b": "x" "y"\n}', 'opencode', 3, 12],
  ] as const)('%s %j', (path, text, client, line, column) => {
    const file = put(path, text);
    expect(code(() => use('a', find(), client))[1].where).toEqual({ file, line, column });
  });

  it('that is nested too deeply', () => {
    const file = put('.claude.json', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`);
    const [, { args, where }] = code(() => use('a', find(), 'claude-code'));
    expect([args.reason, where]).toEqual(['deep', { file, line: 1, column: 305 }]);
  });

  it('that is in UTF-16, as PowerShell 5 writes it', () => {
    const file = put('.claude.json', '');
    writeFileSync(file, Buffer.from('\ufeff{"mcpServers":{}}', 'utf16le'));
    const [found, { args, where }] = code(() => use('a', find(), 'claude-code'));
    expect([found, args.reason, where]).toEqual([
      'server.file-unreadable',
      'UTF8',
      { file, line: 1, column: 1 },
    ]);
  });

  it('an empty file is no mistake', () => {
    put('.claude.json', '');
    expect(find().of('claude-code').broken).toEqual([]);
  });
});

describe('the entry at a place', () => {
  const at = (file: string) => ({
    client: 'claude-code' as const,
    scope: 'user' as const,
    file,
    pointer: ['mcpServers', 'a'],
  });

  it('comes from the same reading as all others', () => {
    const file = put('.claude.json', { mcpServers: { a: server('first') } });
    const table = find();
    expect(commandOf(use('a', table))).toBe('first');
    put('.claude.json', { mcpServers: { a: server('second') } });
    expect(table.at(at(file))).toMatchObject({ command: 'first' });
    expect(find().at(at(file))).toMatchObject({ command: 'second' });
  });

  it.each([
    ['removed', '{"mcpServers": {}}'],
    ['removed', ''],
    ['unusable', '{"mcpServers": {"a": {}}}'],
    ['unreadable', '{"mcpServers": '],
  ])('is %s in %j', (why, text) => {
    expect(find().at(at(put('.claude.json', text)))).toBe(why);
  });

  it('says that there is no file', () => {
    expect(find().at(at(join(home, '.claude.json')))).toBe('no-file');
    mkdirSync(join(home, '.claude.json'));
    expect(find().at(at(join(home, '.claude.json')))).toBe('unreadable');
  });
});
