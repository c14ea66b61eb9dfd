// What a hook's fire costs, as the client runs it: its own `sh -c` included.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundled } from './bundled.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const server = join(root, 'test/fixtures/servers/fire-server.mjs');

const template = readFileSync(join(root, 'templates/shim.sh'), 'utf8');

/** Writes the runtime into a home, and returns what installs hooks there. */
export async function hooksIn(home) {
  const { shimScript, shimInvocation, clientById, sideFiles, definitionHash, makeCodeCaches } = await parts();
  const runtime = join(home, 'runtime');
  const bundle = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.17',
    minify: true,
    mainFields: ['module', 'main'],
  };
  const programs = ['start', 'fire', 'call', 'keep', 'warm', 'warm-keeper'];
  await build({
    ...bundle,
    entryPoints: programs.map((name) => join(root, 'src/fire/programs', `${name}.ts`)),
    outdir: runtime,
    outExtension: { '.js': '.cjs' },
  });

  // As an install leaves them.
  const cached = ['fire.cjs', 'call.cjs', 'warm.cjs'].map((name) => join(runtime, name));
  makeCodeCaches(cached.map((path) => ({ path, text: readFileSync(path, 'utf8') })));
  copyFileSync(join(root, 'templates/log.sh'), join(runtime, 'log.sh'));

  const shape = {
    session: 'session_id',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: 'tool_response',
    startFolderEnv: 'CLAUDE_PROJECT_DIR',
    names: {},
    prefixes: [],
  };
  /** The command by which a client runs a shim with these hooks. */
  const shim = (native, hooks, more = {}) => {
    const path = join(home, 'data/hooks/annal', `d${hooks.length}${Math.random()}`, 'claude-code', native);
    const data = {
      format: 1,
      server: 'annal',
      client: 'claude-code',
      native,
      tag: '7f3ac2e1',
      state: join(home, 'state'),
      deadlineMs: 8000,
      unit: 'utf16',
      eventBudget: 10_000,
      sessionBudget: 1e9,
      payload: shape,
      hooks: hooks.map((hook, i) => ({
        n: i + 1,
        event: 'post_tool_use',
        priority: 'suggestion',
        does: 'emit',
        ...hook,
      })),
      ...more,
    };
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(
      path,
      shimScript({
        template,
        shim: path,
        node: process.execPath,
        runtime: join(runtime, 'start.cjs'),
        seconds: 10,
        data,
      }),
      {
        mode: 0o700,
      },
    );
    writeFileSync(`${path}.json`, JSON.stringify(data));
    for (const [suffix, content] of Object.entries(sideFiles(data)))
      writeFileSync(`${path}.${suffix}`, content);
    return {
      command: '/bin/sh',
      args: [
        '-c',
        shimInvocation(path, clientById(data.client), { platform: process.platform, node: process.execPath })
          .command,
      ],
    };
  };
  const payload = (command) =>
    `${JSON.stringify({ session_id: 'bench', cwd: '/', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command }, tool_response: { stdout: '' } })}\n`;

  const dialect = {
    format: 'json',
    keys: { env: 'env', url: ['url'], headers: 'headers', held: {} },
    expand: 'braces',
    stands: {},
    inherits: 'all',
    hookOnly: [],
    adds: {},
  };
  /** Where the server of a hook is defined. */
  const servedBy = (command, args) => {
    const definition = { transport: 'stdio', command, args, env: {} };
    const source = { scope: 'command-line' };
    return { source, hash: definitionHash(definition, source, undefined), definition, callMs: 5000, dialect };
  };
  return { shim, payload, servedBy, shape, clientById };
}

export async function fireRows(home) {
  const { shim, payload, servedBy, shape, clientById } = await hooksIn(home);
  const sh = { name: 'sh -c :', run: { command: '/bin/sh', args: ['-c', ':'] } };
  const node = { name: 'node -e 0', run: { command: process.execPath, args: ['-e', '0'] } };
  const text = 'If it was a git commit, store what you learned.';
  const committed = shim('PostToolUse', [{ text, match: { name: '^Bash$', contains: 'git commit' } }]);
  const always = shim('UserPromptSubmit', [{ event: 'pre_request', text }]);
  const at = servedBy(process.execPath, [server]);
  const call = shim('PostToolUse', [{ call: { tool: 'two', args: {} } }], { server_at: at });

  // Its first fire starts the server, which then waits for a minute, or until the home is removed.
  const warm = shim('PostToolUse', [{ call: { tool: 'two', args: {} } }], {
    server_at: { ...at, keep: { ms: 60_000, omit: [] } },
  });

  const nothing = { ...committed, input: payload('ls -la'), prints: '' };
  const silent = { name: 'no match', run: nothing };
  const { conditions } = clientById('gemini-cli');
  const gemini = { ...shape, outcome: conditions.outcome.AfterTool, shell: conditions.shell };
  const conditional = {
    files: shim('UserPromptSubmit', [{ event: 'pre_request', text, when: { files: ['.graph', '*.sln'] } }]),
    'cooldown, session': shim('UserPromptSubmit', [{ event: 'pre_request', text, cooldownMs: null }]),
    'cooldown, seconds': shim('UserPromptSubmit', [{ event: 'pre_request', text, cooldownMs: 3_600_000 }]),
    outcome: shim('AfterTool', [{ text, when: { outcome: 'failure', command: ['git', 'commit'] } }], {
      payload: gemini,
    }),
    command: shim('PostToolUse', [{ text, when: { command: ['git', 'commit'] } }], { payload: gemini }),
  };
  for (const name of Object.keys(conditional).filter((name) => name.startsWith('cooldown')))
    spawnSync(conditional[name].command, conditional[name].args, { input: payload('ls') });
  const large = { ...committed, input: payload('git/commit é "x"\n'.repeat(50_000)), prints: '' };
  return [
    { name: 'no match', run: nothing, against: sh, bound: 6 },
    { name: 'no match', run: nothing, against: node, bound: 0.15 },
    ...Object.entries(conditional).map(([name, run]) => ({
      name: `when: ${name}`,
      run: { ...run, input: payload(name === 'outcome' ? 'git commit' : 'ls'), prints: '' },
      against: silent,
      bound: 1.5,
    })),
    { name: 'no match, 1 MB', run: large, against: node, bound: 0.3 },
    {
      name: 'unconditional text',
      run: { ...always, input: payload('ls'), prints: text },
      against: sh,
      bound: 3.6,
    },
    {
      name: 'matching text',
      run: { ...committed, input: payload('git commit'), prints: text },
      against: node,
      bound: 1.4,
    },
    {
      name: 'context_tool',
      run: { ...call, input: payload('ls'), prints: 'one\\ntwo' },
      against: {
        name: 'a minimal MCP client',
        run: {
          command: process.execPath,
          args: [minimal(home, process.execPath, [server])],
          input: payload('ls'),
          prints: 'one',
        },
      },
      bound: 1.3,
    },
    {
      name: 'context_tool, server kept running',
      run: { ...warm, input: payload('ls'), prints: 'one\\ntwo' },
      against: node,
      bound: 1.8,
    },
  ];
}

/** The least that can be done: the same handshake and call with the same server. */
export function minimal(home, command, args) {
  const file = join(home, `minimal-${basename(command)}.cjs`);
  writeFileSync(
    file,
    `
    const server = require('node:child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: ['pipe', 'pipe', 'ignore'] });
    const send = (m) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
    require('node:fs').readFileSync(0);
    require('node:readline').createInterface({ input: server.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 1) { send({ method: 'notifications/initialized' }); send({ id: 2, method: 'tools/call', params: { name: 'two', arguments: {} } }); return; }
      console.log(JSON.stringify(result.content.filter((c) => c.type === 'text').map((c) => c.text).join('\\n')));
      server.on('exit', () => process.exit(0));
      server.kill();
    });
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'minimal', version: '1' } } });
  `,
  );
  return file;
}

/** What the compiler uses, from source. */
const parts = () =>
  bundled(
    'parts',
    "export * from './src/shims/script.ts'; export * from './src/shims/side-files.ts'; export { makeCodeCaches } from './src/shims/code-caches.ts'; export { shimInvocation } from './src/shims/command.ts'; export { clientById } from './src/clients/index.ts'; export { definitionHash } from './src/servers/definitions/definition-hash.ts';",
  );
