import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { clientById } from '../../src/clients/index.ts';
import { pluginServer } from '../../src/export/server-entry.ts';
import { EXPORT_MARK } from '../../src/inspect/exported-plugins.ts';
import { Fault } from '../../src/messages/fault.ts';
import type { Definition } from '../../src/servers/types.ts';
import { cleanWorlds, type Ended, makeWorld, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { homeEnv, runGit } from '../platform.ts';
import { SERVER, tree } from './folders.ts';

cleanWorlds();

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'You committed.',
  priority: 'suggestion',
};
const ASK = { event: 'pre_request', context_tool: 'note', priority: 'suggestion' };
const FORMATS = ['claude-plugin', 'codex-plugin', 'gemini-extension'];

const declarations = (...hooks: object[]): string => JSON.stringify({ declarations: hooks });

/** A machine with hooks in a file, and no client. */
function author(...hooks: object[]): World {
  const world = makeWorld();
  world.write('project/hooks.json', declarations(...hooks));
  return world;
}

const exported = (world: World, ...args: string[]): Promise<Ended> =>
  world.run('export', 'memo', '--declarations', 'hooks.json', '--no-check', '--out', 'out', ...args);
const out = (world: World): string => join(world.project, 'out');
/** The document of --json, which is as its schema says. */
const faults = ({ stdout }: Ended): string[] =>
  OUTPUTS.export.parse(JSON.parse(stdout)).faults.map((f) => f.code);

describe('mcphooks export', () => {
  it('plans with exit 2, refuses with 3 where nobody is asked, and writes nothing then', async () => {
    const world = author(COMMIT);
    const before = world.files();
    const planned = await exported(world, '--format', 'claude-plugin', '--dry-run');
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain('You committed.');
    expect((await exported(world, '--format', 'claude-plugin')).code).toBe(3);
    expect(world.files()).toEqual(before);
  });

  it('says that a client starts no server of this name', async () => {
    const world = author(COMMIT);
    const plan = (name: string, format: string) =>
      world.run(
        ...['export', name, '--declarations', 'hooks.json', '--no-check', '--out', 'out', '--dry-run'],
        ...['--format', format],
      );
    const says = 'Codex starts no server of this name';
    expect((await plan('my server', 'codex-plugin')).stdout).toContain(says);
    expect((await plan('my server', 'claude-plugin')).stdout).not.toContain(says);
    expect((await plan('my-server', 'codex-plugin')).stdout).not.toContain(says);
  });

  it.each([
    ['droid-plugin', ['PostToolUse first', 'UserPromptSubmit first']],
    ['copilot-plugin', ['postToolUse shared', 'userPromptSubmitted last']],
    ['qwen-extension', []],
  ])('says where a client doesn’t use the texts of all plugins’ hooks: %s', async (format, says) => {
    const prompt = { event: 'pre_request', context: 'Ask.', priority: 'suggestion' };
    const { stdout } = await exported(author(COMMIT, prompt), '--format', format, '--dry-run');
    const told = stdout.replace(/\s+/g, ' ');
    for (const [, native = '', what = ''] of says.map((one) => /^(\w+) (.*)$/.exec(one) ?? []))
      expect(told).toMatch(
        new RegExp(
          what === 'shared'
            ? `hook texts at ${native} share`
            : `only the ${what} text from hooks at ${native} is used`,
        ),
      );
    expect(/only the|hook texts at/.test(told)).toBe(says.length > 0);
  });

  it.each(FORMATS)('writes the same bytes on every machine, none of them of this one: %s', async (format) => {
    const [one, two] = [author(COMMIT, ASK), author(COMMIT, ASK)];
    one.write('home/.claude.json', JSON.stringify({ mcpServers: { 'of-this-user': { command: 'x' } } }));
    for (const world of [one, two]) expect((await exported(world, '--format', format, '--yes')).code).toBe(0);
    const files = tree(out(one));
    expect(tree(out(two))).toEqual(files);
    const texts = Object.entries(files).filter(([path]) => !path.startsWith('runtime/'));
    for (const [path, { text }] of texts) {
      for (const own of [one.home, one.project, process.execPath, 'of-this-user', '.local/state/'])
        expect(text, path).not.toContain(own);
      expect(path.endsWith('.json') ? Object.keys(JSON.parse(text)) : [], path).not.toContain('tag');
    }
    const modes = Object.entries(files).map(([path, { mode, text }]) => [path, mode, text.startsWith('#!')]);
    expect(modes.filter(([, mode, script]) => mode !== (script ? 0o755 : 0o644))).toEqual([]);
    expect(modes.some(([, , script]) => script)).toBe(true);
  });

  it('leaves no trace outside the folder', async () => {
    const world = author(COMMIT);
    const before = Object.keys(world.files());
    await exported(world, '--format', 'claude-plugin', '--yes');
    rmSync(out(world), { recursive: true });
    expect(Object.keys(world.files())).toEqual(before);
  });

  it('has nothing to do the second time, and raises the version with what changed', async () => {
    const world = author(COMMIT, ASK);
    const version = (): string => JSON.parse(world.read('project/out/.claude-plugin/plugin.json')).version;
    const run = (...more: string[]) => exported(world, '--format', 'claude-plugin', '--yes', ...more);
    await run();
    const first = tree(out(world));
    const again = await run('--json');
    expect(faults(again)).toEqual([]);
    expect(JSON.parse(again.stdout)).toMatchObject({ status: 'unchanged', exit: 0, plan: { files: [] } });
    expect(tree(out(world))).toEqual(first);
    expect(version()).toBe('1.0.0');

    const command = (): string =>
      JSON.parse(world.read('project/out/hooks/hooks.json')).hooks.PostToolUse[0].hooks[0].command;
    const before = command();
    world.write('project/out/README.md', 'ours');
    world.write('project/hooks.json', declarations(COMMIT));
    expect((await run('--dry-run')).code).toBe(2);
    expect((await run()).code).toBe(0);
    expect(version()).toBe('1.0.1');
    // Who reviewed the command reviews it again.
    expect(command()).not.toBe(before);
    expect(Object.keys(tree(out(world)))).toContain('README.md');
    expect(Object.keys(tree(out(world))).filter((path) => path.includes('UserPromptSubmit'))).toEqual([]);
  });

  it('takes no folder that holds something else', async () => {
    const world = author(COMMIT);
    const run = (...more: string[]) =>
      exported(world, '--format', 'claude-plugin', '--yes', '--json', ...more);
    world.write('project/out/mine', 'mine');
    expect(faults(await run())).toEqual(['export.not-empty']);
    world.write(
      'project/out/mcphooks.json',
      '{"schema":1,"server":"memo","version":"1.0.0","files":{"../x":"y"}}',
    );
    expect(faults(await run())).toEqual(['export.not-empty']);
    expect(Object.keys(tree(out(world)))).toEqual(['mcphooks.json', 'mine']);
    rmSync(out(world), { recursive: true });
    await run();
    const other = await world.run(
      ...['export', 'other', '--declarations', 'hooks.json', '--no-check', '--out', 'out'],
      ...['--format', 'claude-plugin', '--yes', '--json'],
    );
    expect(faults(other)).toEqual(['export.not-empty']);
    world.write('project/file', '');
    expect(faults(await run('--out', 'file'))).toEqual(['export.not-a-folder']);
  });

  it('overwrites nothing that was changed since', async () => {
    const world = author(COMMIT);
    const run = () => exported(world, '--format', 'claude-plugin', '--yes', '--json');
    await run();
    world.write('project/hooks.json', declarations({ ...COMMIT, context: 'Other.' }));
    const edited = world.write('project/out/hooks/hooks.json', '{"hooks":{}}');
    expect(faults(await run())).toEqual(['export.edited']);
    rmSync(edited);
    expect((await run()).code).toBe(0);
  });

  it.each(LONG ? FORMATS : FORMATS.slice(0, 1))(
    'survives a clone with Windows line ends, and attributes of its owner: %s',
    async (format) => {
      const world = author(COMMIT);
      const run = (...more: string[]) => exported(world, '--format', format, '--json', ...more);
      const git = (cwd: string, ...args: string[]) =>
        runGit(['-c', 'user.name=x', '-c', 'user.email=x@x.example', ...args], cwd, {
          PATH: process.env.PATH ?? '',
          ...homeEnv(world.home),
        });
      await run('--yes');
      world.write('project/out/.gitattributes', '* text=auto\n');
      git(out(world), 'init', '-q');
      git(out(world), 'add', '-A');
      git(out(world), 'commit', '-qm', 'x');
      git(world.project, '-c', 'core.autocrlf=true', 'clone', '-q', 'out', 'clone');
      const there = tree(join(world.project, 'clone'));
      for (const [path, { text }] of Object.entries(tree(out(world))))
        if (/^(?:runtime|shims)\//.test(path)) expect(there[path]?.text, path).toBe(text);
      expect(there['README.md']?.text).toContain('\r\n');

      world.write('project/hooks.json', declarations({ ...COMMIT, context: 'Other.' }));
      expect(faults(await run('--yes', '--out', 'clone'))).toEqual([]);
      expect(world.read('project/clone/README.md')).toContain('Other.');
      expect(world.read('project/clone/.gitattributes')).toMatch(/^\* text=auto/);
    },
  );

  it.runIf(LONG)('leaves attributes that its owner put beside the scripts', async () => {
    const world = author(COMMIT);
    const run = (...more: string[]) =>
      exported(world, '--format', 'claude-plugin', '--json', '--yes', ...more);
    await run();
    const mark = JSON.parse(world.read(`project/out/${EXPORT_MARK}`));
    delete mark.files['shims/.gitattributes'];
    world.write(`project/out/${EXPORT_MARK}`, JSON.stringify(mark));
    world.write('project/out/shims/.gitattributes', '* -text\n');
    for (const context of ['Other.', 'Another.']) {
      world.write('project/hooks.json', declarations({ ...COMMIT, context }));
      expect(faults(await run())).toEqual([]);
      expect(world.read('project/out/shims/.gitattributes')).toBe('* -text\n');
    }
  });

  it.runIf(LONG)(
    'has a README with each hook and its text as they are, and leaves one that a person wrote',
    async () => {
      const hostile = '# Not a heading <script>\n```\n[link](http://x)';
      const world = author({ ...COMMIT, context: hostile }, ASK);
      const server = ['--with-server', '--', 'npx', 'memo-server'];
      const run = () => exported(world, '--format', 'claude-plugin', '--yes', '--json', ...server);
      expect((await run()).code).toBe(0);
      const page = world.read('project/out/README.md');
      expect(page).toContain('Node.js 20.17 or later');
      expect(page).toContain('    1. after Bash with "git commit" in its input\n');
      expect(page).toContain('       # Not a heading <script>\n       ```\n       [link](http://x)\n');
      expect(page).toContain('       What this call answers: note()\n');
      expect(page.match(/^#.*$/gm)).toEqual(['# mcphooks-memo', '## Hooks and their texts', '## License']);
      expect(JSON.parse(world.read('project/out/.claude-plugin/plugin.json')).license).toContain('README.md');

      const shown = async () =>
        (await exported(world, '--format', 'claude-plugin', '--yes', ...server)).stdout;
      expect(await shown()).not.toContain('README.md');
      world.write('project/out/README.md', '# Mine\n');
      expect(await shown()).toContain('README.md is not from an export, or was edited since');
      expect(JSON.parse((await run()).stdout).plan.notes).toMatchObject([{ code: 'export.readme-kept' }]);
      world.write('project/hooks.json', declarations({ ...COMMIT, context: 'Other.' }));
      expect((await run()).code).toBe(0);
      expect(world.read('project/out/README.md')).toBe('# Mine\n');
      expect(world.read('project/out/mcphooks.json')).not.toContain('README');
      rmSync(join(world.project, 'out/README.md'));
      expect((await run()).code).toBe(0);
      expect(world.read('project/out/README.md')).toContain('Other.');
    },
  );

  it('lists in its README only the hooks that it has', async () => {
    const prompt = { event: 'pre_request', context: 'Ask.', priority: 'suggestion' };
    // No session_end without --session-end defer; the tool's server isn't known on other machines.
    const world = author(COMMIT, prompt, { ...prompt, event: 'session_end' }, ASK);
    expect((await exported(world, '--format', 'claude-plugin', '--skip', '1', '--yes')).code).toBe(0);
    const page = world.read('project/out/README.md');
    expect(page.match(/^ {4}\d+\. .*$/gm)).toEqual(['    2. at each prompt']);
  });

  it('has a README with the conditions of each hook, and what its tool is sent, in the words of the plan', async () => {
    const asks = {
      ...ASK,
      context_tool_args: { query: '{prompt}', project: '{project_name}', limit: 3 },
      when: {
        unless_called: { tools: ['note'], within: 60 },
        cooldown: 30,
        answer: { select: '/0/text', max: 900 },
      },
    };
    const edited = { ...COMMIT, matcher: { tool_name: 'Edit' }, when: { path: ['docs/**', '*.md'] } };
    const world = author(asks, edited);
    const options = ['--send-tool-data', '--with-server', '--yes', '--', 'npx', 'memo-server'];
    const { stdout } = await exported(world, '--format', 'claude-plugin', ...options);
    const told = stdout.replace(/\s+/g, ' ');
    const page = world.read('project/out/README.md');
    const lines = page.match(/^ {4}.*$/gm)?.slice(1) ?? [];
    for (const line of lines) expect(told).toContain(line.trim().replace(/^(\d+\.|What .*?:) /, ''));
    expect(lines).toMatchInlineSnapshot(`
      [
        "    1. at each prompt",
        "       not within 60 s after note was called",
        "       at most once in 30 s per session",
        "       /0/text of its answer, at most 900 characters of its answer",
        "       What this call answers: note(query: "{prompt}", project: "{project_name}", limit: 3)",
        "       sends {prompt}: your prompts go to this server",
        "    2. after Edit",
        "       only for files that match docs/** or *.md",
        "       You committed.",
      ]
    `);
  });

  it('says in its manifest how many of the declared hooks it has', async () => {
    const world = author(COMMIT, ASK);
    await exported(world, '--format', 'claude-plugin', '--only', '1', '--yes');
    expect(world.read('project/out/.claude-plugin/plugin.json')).toContain(
      "1 of the 2 hooks that the MCP server 'memo' declares",
    );
  });

  it('puts two clients into one folder where they agree, and says where they do not', async () => {
    const world = author(COMMIT);
    expect((await exported(world, '--format', 'claude-plugin,codex-plugin', '--yes')).code).toBe(0);
    expect(JSON.parse(world.read('project/out/.codex-plugin/plugin.json')).hooks).toBe('./hooks/codex.json');
    rmSync(out(world), { recursive: true });
    const both = await exported(world, '--format', 'claude-plugin,gemini-extension', '--yes', '--json');
    expect(both.code).toBe(1);
    expect(faults(both)).toEqual(['export.formats']);
  });

  it('is wrong with formats and options that mean nothing', async () => {
    const world = author(COMMIT);
    expect((await exported(world, '--format', 'vscode', '--yes')).code).toBe(1);
    expect((await exported(world, '--yes')).code).toBe(1);
    for (const more of [
      ['--client', 'codex'],
      ['--grant-control', 'memo'],
    ])
      expect(faults(await exported(world, '--format', 'claude-plugin', '--json', '--yes', ...more))).toEqual([
        'usage.bad',
      ]);
  });

  it('asks for a word of its own where tool data is sent', async () => {
    const world = author({ ...ASK, event: 'post_tool_use', context_tool_args: { in: '{tool_input}' } });
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: { command: 'memo-server' } } }));
    const run = (...more: string[]) => exported(world, '--format', 'claude-plugin', '--yes', ...more);
    expect((await run()).code).toBe(3);
    expect((await run('--send-tool-data')).code).toBe(0);
  });

  it('packs nothing where nothing can be packed', async () => {
    const world = author(ASK);
    const run = await exported(world, '--format', 'claude-plugin', '--yes', '--json');
    expect(run.code).toBe(1);
    expect(faults(run)).toEqual(['plan.nothing-installable']);
  });
});

describe('--with-server', () => {
  const withServer = (world: World, format: string, ...command: string[]): Promise<Ended> =>
    exported(world, '--format', format, '--yes', '--json', '--with-server', ...command);
  const entryIn = (world: World, file: string): Record<string, unknown> =>
    JSON.parse(world.read(`project/out/${file}`)).mcpServers.memo;

  it('names variables and carries no value of one', async () => {
    const world = author(COMMIT, ASK);
    const server = {
      command: 'memo-server',
      args: ['--stdio'],
      env: { MEMO_TOKEN: 's3cret', LEVEL: 'debug' },
    };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: server } }));
    for (const [format, file] of [
      ['claude-plugin', '.mcp.json'],
      ['gemini-extension', 'gemini-extension.json'],
    ] as const) {
      const { code, stdout } = await withServer(world, format);
      expect(code).toBe(0);
      expect(stdout).toContain('export.variables');
      expect(entryIn(world, file)).toMatchObject({ env: { MEMO_TOKEN: '${MEMO_TOKEN}', LEVEL: '${LEVEL}' } });
      expect(JSON.stringify(tree(out(world)))).not.toMatch(/s3cret|debug/);
      rmSync(out(world), { recursive: true });
    }
    await withServer(world, 'codex-plugin');
    expect(entryIn(world, '.mcp.json')).toEqual({
      command: 'memo-server',
      args: ['--stdio'],
      env_vars: ['LEVEL', 'MEMO_TOKEN'],
    });
  });

  it('takes a URL and headers that name variables', async () => {
    const world = author(COMMIT, ASK);
    const at = ['--url', 'https://memo.example/mcp', '--header'];
    const bearer = [...at, 'Authorization: Bearer ${MEMO_TOKEN}', '--header', 'X-Team: ${TEAM}'];
    expect((await withServer(world, 'claude-plugin', ...bearer)).code).toBe(0);
    expect(entryIn(world, '.mcp.json')).toEqual({
      type: 'http',
      url: 'https://memo.example/mcp',
      headers: { Authorization: 'Bearer ${MEMO_TOKEN}', 'X-Team': '${TEAM}' },
    });
    rmSync(out(world), { recursive: true });
    await withServer(world, 'codex-plugin', ...bearer);
    expect(entryIn(world, '.mcp.json')).toEqual({
      url: 'https://memo.example/mcp',
      bearer_token_env_var: 'MEMO_TOKEN',
      env_http_headers: { 'X-Team': 'TEAM' },
    });
    rmSync(out(world), { recursive: true });
    expect(faults(await withServer(world, 'codex-plugin', ...at, 'X-Key: Basic ${KEY}'))).toEqual([
      'export.inexpressible',
    ]);
    expect(faults(await withServer(world, 'claude-plugin', ...at, 'X-Team: blue'))).toEqual([
      'export.secret',
    ]);
  });

  it('refuses what other machines do not have, and what only the client holds', async () => {
    const world = author(COMMIT);
    expect(faults(await withServer(world, 'claude-plugin'))).toEqual(['export.no-definition']);
    for (const command of [
      [join(world.home, 'server')],
      ['node', './server.mjs'],
      ['node', 'server.mjs', '--config=./x'],
      ['sh', '-c', `cd ${world.project}/x`],
      ['sh', '-c', `cd ${world.home} && memo`],
      ['memo', `--paths=${world.home}:/srv`],
    ])
      expect(faults(await withServer(world, 'claude-plugin', '--', ...command)), command.join()).toEqual([
        'export.machine-path',
      ]);
    const beside = [`--in=${world.home}-2/x`, `${world.home}.d`];
    expect(faults(await withServer(world, 'claude-plugin', '--', 'memo', ...beside))).toEqual([]);
    rmSync(out(world), { recursive: true });
    expect(faults(await withServer(world, 'claude-plugin', '--', 'memo', '--token', 'abcdef'))).toEqual([
      'export.secret',
    ]);
    const held = { type: 'http', url: 'https://memo.example', oauth: { clientId: 'x' } };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: held } }));
    expect(faults(await withServer(world, 'claude-plugin'))).toEqual(['export.inexpressible']);
  });

  it('reads the declarations from the server itself, which a project file may not start', async () => {
    const world = author();
    const entry = {
      command: process.execPath,
      args: [SERVER, world.write('memo.json', declarations(COMMIT))],
    };
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: entry } }));
    const run = await world.run(
      'export',
      'memo',
      '--out',
      'out',
      '--format',
      'claude-plugin',
      '--yes',
      '--json',
    );
    expect(run.code).toBe(3);
    expect(faults(run)).toEqual(['gate.project-start']);
    const given = ['--', process.execPath, SERVER, join(world.home, 'none.json')];
    const none = await world.run(
      'export',
      'memo',
      '--out',
      'out',
      '--format',
      'claude-plugin',
      '--yes',
      ...given,
    );
    expect(none.code).toBe(4);
  });
});

describe('the entry of a server in a plugin', () => {
  const entryFor = (id: 'claude-code' | 'codex', definition: Definition): unknown => {
    const client = clientById(id);
    try {
      return pluginServer({ definition, source: { scope: 'command-line' } }, client).entry;
    } catch (error) {
      if (error instanceof Fault) return [error.code, error.args.what];
      throw error;
    }
  };
  const server = { transport: 'stdio' as const, command: 'memo', args: [], env: {} };
  const address = { transport: 'http', url: 'https://memo.example/mcp', headers: {} } as const;

  it.each<[string, Definition, unknown, unknown]>([
    [
      'a working folder',
      { ...server, cwd: '/srv' },
      ['export.inexpressible', 'folder'],
      { command: 'memo', args: [], cwd: '/srv' },
    ],
    [
      'a token from a variable',
      { ...address, bearerEnv: 'TOKEN' },
      { type: 'http', url: address.url, headers: { Authorization: 'Bearer ${TOKEN}' } },
      { url: address.url, bearer_token_env_var: 'TOKEN' },
    ],
    [
      'a header from a variable',
      { ...address, envHeaders: { 'X-Key': 'KEY' } },
      { type: 'http', url: address.url, headers: { 'X-Key': '${KEY}' } },
      { url: address.url, env_http_headers: { 'X-Key': 'KEY' } },
    ],
    [
      'a token in another header',
      { ...address, headers: { 'X-Key': 'Bearer ${KEY}' } },
      { type: 'http', url: address.url, headers: { 'X-Key': 'Bearer ${KEY}' } },
      ['export.inexpressible', 'header'],
    ],
    [
      'a variable in the address',
      { ...address, url: 'https://${HOST}/mcp' },
      { type: 'http', url: 'https://${HOST}/mcp' },
      ['export.reference', undefined],
    ],
    [
      'a file with variables',
      { ...server, envFile: '/srv/.env' },
      ['export.inexpressible', 'variables'],
      ['export.inexpressible', 'variables'],
    ],
    [
      'an address of SSE, which would be taken for one of Streamable HTTP',
      { ...address, transport: 'sse' },
      ['server.sse', undefined],
      ['server.sse', undefined],
    ],
    [
      'access that another program holds',
      { ...address, heldBy: 'helper' },
      ['export.inexpressible', 'access'],
      ['export.inexpressible', 'access'],
    ],
  ])('%s', (_, definition, claude, codex) => {
    expect([entryFor('claude-code', definition), entryFor('codex', definition)]).toEqual([claude, codex]);
  });
});
