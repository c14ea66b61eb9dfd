import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALL, LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { cleanWorlds, type Ended, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

/** All secrets of these worlds begin so. */
const SECRET = 'hunter2';
let count = 0;
const secret = (): string => `${SECRET}-${++count}-xyz`;

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
/** Those on which a failing server is called. */
const FAILING_ON = ALL ? [] : ['--client', 'codex'];
const START = { event: 'session_start', context_tool: 'note', priority: 'suggestion' };

/** Files that are ours, and what a command said. */
function told(world: World, ended: readonly Ended[]): string {
  const own = Object.entries(world.files()).filter(([path]) => path.includes('/mcphooks/'));
  expect(own.length).toBeGreaterThan(3);
  return [
    ...ended.flatMap((e) => [e.stdout, e.stderr]),
    ...own.map(([path, text]) => `${path}\n${text}`),
  ].join('\n');
}

/** A home whose files hold secrets around the place where our entries go, on the same lines too. */
function worldWithSecrets(declarations: object[], behave = ''): World {
  const world = makeWorld();
  world.write('home/declared.json', JSON.stringify({ declarations }));
  const { command, args } = serverEntry(join(world.home, 'declared.json'), '', 'declares', behave);
  const env = { API_KEY: secret(), PLAIN: secret() };
  const entry = {
    command,
    args: [...args, '--api-key', secret(), `--token=${secret()}`, `db://u:${secret()}@h/x?k=${secret()}`],
    env,
  };
  const remote = {
    type: 'http',
    url: `https://u:${secret()}@x.example/mcp?key=${secret()}`,
    headers: { Authorization: `Bearer ${secret()}` },
  };
  const keyed = { type: 'http', url: `http://127.0.0.1:9/mcp?key=${secret()}` };
  const hook = [
    { matcher: 'Bash', hooks: [{ type: 'command', command: `curl -H 'X-Key: ${secret()}' http://x` }] },
  ];
  const hooks = { UserPromptSubmit: hook, SessionStart: hook, BeforeAgent: hook };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry, remote, keyed } }));
  world.write(
    'home/.claude/settings.json',
    `{"env":{"TOKEN":"${secret()}"},"hooks":${JSON.stringify(hooks)},"apiKeyHelper":"echo ${secret()}"}`,
  );
  const toml = Object.entries(env).map(([key, value]) => `${key} = "${value}"`);
  world.write(
    'home/.codex/config.toml',
    [
      `# token: ${secret()}`,
      `[mcp_servers.memo]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(entry.args)}`,
      `env = { ${toml.join(', ')} }`,
      '[[hooks.UserPromptSubmit]]',
      `hooks = [{ type = "command", command = '''\ncurl ${secret()}\nTOKEN=${secret()}\n''' }]`,
      '[x]',
      `key = "${secret()}"`,
    ].join('\n'),
  );
  const settings = { security: { auth: secret() }, mcpServers: { memo: entry, remote }, hooks };
  world.write('home/.gemini/settings.json', `// ${secret()}\n${JSON.stringify(settings)}`);
  return world;
}

it('nothing of what the clients keep secret is said, recorded or copied', async () => {
  const world = worldWithSecrets([SAY, START]);
  const ended = [
    await world.run('install', 'memo', '--dry-run', '--verbose'),
    await world.run('install', 'memo', '--dry-run', '--json'),
    await world.run('install', 'memo', '--yes'),
    await world.run('diff', '--json'),
    await world.run('fire', 'memo', 'session_start'),
    await world.run('install', 'remote', '--dry-run'),
    await world.run('install', 'keyed', '--dry-run', '--catalogue', 'memory'),
    await world.run('scan'),
    await world.run('scan', '--json'),
  ];
  expect(ended.map((e) => e.code)).toEqual([2, 2, 0, 0, 0, 1, 1, 0, 0]);
  expect(ended[0]?.stdout).toContain('***');
  expect(ended[4]?.stdout).toContain('noted');
  world.write('home/declared.json', JSON.stringify({ declarations: [START] }));
  ended.push(
    await world.run('diff'),
    await world.run('install', 'memo', '--yes', '--accept-changed', '--verbose'),
  );
  expect(ended.slice(-2).map((e) => e.code)).toEqual([2, 0]);
  const kept = told(world, ended);
  ended.push(
    await world.run('uninstall', 'memo', '--dry-run', '--json'),
    await world.run('uninstall', 'memo'),
  );
  expect(kept + ended.map((e) => e.stdout + e.stderr).join('\n')).not.toContain(SECRET);
});

/** A server that declares `hooks`, whose tools fail, and that answers with this variable wherever `@` is. */
const REPEATS = (hooks: object, tools: readonly string[], variable = 'MY_TOKEN'): string => `
import { createInterface } from 'node:readline';
const answers = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { hooks: ${JSON.stringify(hooks)} }, serverInfo: { name: 'n @' } },
  'tools/list': { tools: ${JSON.stringify(tools.map((name) => ({ name, inputSchema: {} })))} },
  'tools/call': { isError: true, content: [{ type: 'text', text: 'no @' }] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const text = JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} });
  if (id !== undefined) console.log(text.replaceAll('@', process.env.${variable}));
});
`;

const REPEATED: [string, object[], number][] = [
  ['a name', [SAY], 0],
  ['a bad event', [{ ...SAY, event: 'at @' }], 1],
  ['an unknown key', [{ ...SAY, '@': 1 }], 1],
  ["a tool's name", [{ ...START, context_tool: 'one' }], 0],
];
it.each(LONG ? REPEATED : REPEATED.slice(1, 2))(
  'nor is what a server repeats in %s',
  async (_, declarations, code) => {
    const world = makeWorld();
    const server = world.write('home/server.mjs', REPEATS({ declarations }, ['one @']));
    const entry = { command: process.execPath, args: [server], env: { MY_TOKEN: secret(), SHORT: 'n' } };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
    const ended = [
      await world.run('install', 'memo', '--dry-run'),
      await world.run('install', 'memo', '--yes'),
      await world.run('diff', '--json'),
    ];
    expect(ended[1]?.code).toBe(code);
    if (LONG)
      ended.push(
        await world.run('lint', 'memo', '--json'),
        await world.run('scan', '--check', '--json'),
        await world.run('install', 'memo', '--yes', '--scope', 'project'),
      );
    const ours = Object.entries(world.files()).filter(([path]) => path.includes('mcphooks'));
    const said = [...ended.flatMap((e) => [e.stdout, e.stderr]), ...ours.flat()].join('\n');
    expect(said).toContain('***');
    expect(said).not.toContain(SECRET);
  },
);

it('nor is a variable that Codex passes on to a server, which a failing tool repeats', async () => {
  const world = makeWorld();
  const server = world.write('home/server.mjs', REPEATS({ declarations: [START] }, ['note'], 'LICENCE'));
  const start = `command = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(server)}]`;
  world.write('home/.codex/config.toml', `[mcp_servers.memo]\n${start}\nenv_vars = ["LICENCE"]\n`);
  world.env.LICENCE = secret();
  const ended = [
    await world.run('install', 'memo', '--client', 'codex', '--yes'),
    await world.run('fire', 'memo', 'session_start', '--json'),
  ];
  expect(ended.map((e) => e.code)).toEqual([0, 1]);
  expect(ended[1]?.stdout).toContain('no ***');
  expect(told(world, ended)).not.toContain(SECRET);
});

it('but a password that is a word stays in names, which matchers need', async () => {
  const world = makeWorld();
  const hooks = { declarations: [{ ...START, context_tool: 'postgres_status' }] };
  const server = world.write('home/server.mjs', REPEATS(hooks, ['postgres_status']));
  const entry = { command: process.execPath, args: [server], env: { PGPASSWORD: 'postgres' } };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
});

it.runIf(LONG)('nor is what a failing server says of itself', async () => {
  const world = worldWithSecrets([START]);
  expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
  world.write('home/declared.json', 'TELL');
  const ended = [
    await world.run('install', 'memo', '--dry-run'),
    await world.run('diff', '--json'),
    await world.run('fire', 'memo', 'session_start', '--json', ...FAILING_ON),
  ];
  expect(ended.map((e) => e.code)).toEqual([1, 1, 1]);
  expect(ended[0]?.stderr).toContain('TELLING');
  expect(told(world, ended)).not.toContain(SECRET);
  const log = readFileSync(join(world.home, '.local/state/mcphooks/hooks.log'), 'utf8');
  expect(log).toContain('tool.failed');
});

it.runIf(LONG)('nor is what a failing tool says of what it was given and sent', async () => {
  const calls = ['tell', 'refuse', 'note'].map((context_tool) => ({
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash' },
    context_tool,
    context_tool_args: { q: '{tool_input}' },
    priority: 'suggestion',
  }));
  const world = worldWithSecrets(calls);
  expect((await world.run('install', 'memo', '--yes', '--send-tool-data')).code).toBe(0);
  const input = JSON.stringify({ command: `login ${secret()}` });
  const fired = await world.run('fire', 'memo', 'post_tool_use', '--input', input, '--json');
  // The model is given what was sent; nobody else is.
  expect(fired.stdout).toContain('noted');
  const log = readFileSync(join(world.home, '.local/state/mcphooks/hooks.log'), 'utf8');
  expect(log.match(/tool\.failed/g)?.length).toBeGreaterThanOrEqual(2);
  expect(told(world, [{ ...fired, stdout: '' }])).not.toContain(SECRET);
});

it('clients that disagree are quoted without their secrets, broken files not at all', async () => {
  const world = worldWithSecrets([SAY]);
  world.write(
    'home/.gemini/settings.json',
    world.read('home/.gemini/settings.json').replace('"--api-key"', '"--password"'),
  );
  const disagree = await world.run('install', 'memo', '--dry-run', '--json');
  world.write('home/.gemini/settings.json', `{ "a": "${secret()}", "b": ${secret()} }`);
  world.write('home/.codex/config.toml', `key = "${secret()}\nb = ${secret()}\n`);
  world.write('home/.claude/settings.json', `{ "a": "${secret()}" "b" }`);
  const broken = await world.run('install', 'memo', '--from', 'claude-code', '--dry-run');
  expect([disagree.code, broken.code]).toEqual([1, 1]);
  for (const { stdout, stderr } of [disagree, broken]) expect(stdout + stderr).not.toContain(SECRET);
});

it('a secret on the command line is an error where a hook needs it, and forgotten where none does', async () => {
  const world = makeWorld();
  const ways = [
    ['--url', 'http://127.0.0.1:1/mcp', '--header', `Authorization: Bearer ${secret()}`],
    ['--url', `http://127.0.0.1:1/mcp?key=${secret()}`],
    ['--', 'npx', 'server', '--api-key', secret()],
    ['--', 'env', `GITHUB_TOKEN=${secret()}`, 'server'],
  ];
  const install = (name: string, declarations: object[], way: string[], ...flags: string[]) => {
    const file = world.write(`home/${name}.json`, JSON.stringify({ declarations }));
    return world.run(
      'install',
      name,
      '--declarations',
      file,
      '--no-check',
      '--client',
      'claude-code',
      ...flags,
      ...way,
    );
  };
  const ended: Ended[] = [];
  for (const [i, way] of ways.entries()) {
    const refused = await install(`calls${i}`, [START], way, '--yes', '--json');
    expect(JSON.parse(refused.stdout).faults[0]?.code, way.join(' ')).toBe('given.secret');
    ended.push(refused, await install(`says${i}`, [SAY], way, '--yes'));
    expect(ended.at(-1)?.code).toBe(0);
  }
  expect(readdirSync(join(world.home, '.local/share/mcphooks/hooks')).sort()).toEqual([
    'says0',
    'says1',
    'says2',
    'says3',
  ]);
  const named = ['--url', 'http://127.0.0.1:1/mcp', '--header', 'Authorization: Bearer ${TOKEN}'];
  ended.push(await install('named', [START], named, '--yes'), await world.run('diff'));
  expect(ended.slice(-2).map((e) => e.code)).toEqual([0, 0]);
  expect(told(world, ended)).not.toContain(SECRET);
  const bad = await world.run('install', 'x', '--url', `not a url?key=${secret()}`);
  const header = await world.run('install', 'x', '--url', 'https://x.example', '--header', secret());
  expect([bad.code, header.code]).toEqual([1, 1]);
  expect(bad.stderr + header.stderr).not.toContain(SECRET);
});

it.runIf(LONG)(
  'what was declared by a server that was reached with such a secret is not checked for again',
  async () => {
    const world = makeWorld();
    world.write('home/declared.json', JSON.stringify({ declarations: [SAY] }));
    const { command, args } = serverEntry(join(world.home, 'declared.json'), '', 'declares');
    const way = ['--', command, ...args, '--api-key', secret()];
    expect((await world.run('install', 'memo', '--client', 'claude-code', '--yes', ...way)).code).toBe(0);
    world.write('home/declared.json', '');
    const diff = await world.run('diff');
    expect([diff.code, diff.stderr.includes('memo')]).toEqual([0, true]);
    const again = await world.run('diff', 'memo', ...way);
    expect(again.code).toBe(2);
    expect(told(world, [diff, again])).not.toContain(SECRET);
  },
);
