import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const bash = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'Now.',
  priority: 'suggestion',
};
const prompt = { event: 'pre_request', context: 'Here.', priority: 'suggestion' };

/** A world with these declarations in a file, installed. */
async function installed(...declarations: object[]): Promise<World> {
  const world = homeWith();
  const file = write(world, ...declarations);
  const { code, stderr } = await world.run('install', 'memo', '--declarations', file, '--yes');
  expect(code, stderr).toBe(0);
  return world;
}

const write = (world: World, ...declarations: object[]): string =>
  world.write('hooks.json', JSON.stringify({ declarations }));

/** Why nothing is printed on a client, hook by hook. */
async function why(world: World, client: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await world.run('fire', 'memo', ...args, '--client', client, '--json');
  const [one] = JSON.parse(stdout).clients;
  return [...one.firings.flatMap((f: { why: { code: string; message: string }[] }) => f.why), ...one.why].map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

const payload = (world: World, fields: object): string[] => [
  '--payload',
  world.write('payload.json', JSON.stringify(fields)),
];

describe('a declarations file with conditions', () => {
  const conditions = {
    ...bash,
    when: { outcome: 'success', command: ['git', 'commit'], files: ['.git'], cooldown: 60 },
  };

  it.runIf(LONG)(
    'is shown with them in the plan, in explain and in diff, and what a client cannot tell with the reason',
    async () => {
      const world = homeWith();
      const file = write(world, conditions);
      const plan = await world.run('install', 'memo', '--declarations', file, '--dry-run');
      for (const text of [
        'only when the tool succeeded',
        "only when it runs 'git commit'",
        'only in projects with .git',
        'at most once in 60 s per session',
      ])
        expect(plan.stdout).toContain(text);
      expect(plan.stdout.replace(/\s+/g, ' ')).toContain(
        'does not report whether a shell command failed (when.outcome); with "if_unknown": "fire"',
      );
      expect((await world.run('install', 'memo', '--declarations', file, '--yes')).code).toBe(0);
      const explained = await world.run('explain', 'memo');
      expect(explained.stdout).toContain("only when it runs 'git commit'");
      expect(explained.stdout).toContain('unsupported');
      write(world, { ...conditions, when: { ...conditions.when, cooldown: 90 } });
      const diff = await world.run('diff', 'memo');
      expect(diff.code).toBe(2);
      expect(diff.stdout).toContain('"cooldown":90');
      expect((await world.run('install', 'memo', '--yes')).code).toBe(3);
    },
  );

  it('has its faults named with their places', async () => {
    const world = homeWith();
    const file = write(world, { ...bash, when: { outcom: 'success', files: ['/x'] } });
    const { code, stderr } = await world.run('install', 'memo', '--declarations', file, '--dry-run');
    expect(code).toBe(1);
    expect(stderr).toMatch(/hooks\.json:1:\d+ declarations\[0\]\.when\.outcom: unknown key 'outcom'/);
    expect(stderr).toMatch(/declarations\[0\]\.when\.files\[0\]/);
    const lint = await world.run('lint', file);
    expect(lint.code).toBe(1);
    expect(lint.stderr + lint.stdout).toContain("Did you mean 'outcome'?");
  });

  it.runIf(LONG)('is refused in the place that SEP-2282 names, and taken in our own extension', async () => {
    const world = homeWith();
    const declarations = [conditions, prompt];
    const { when: _, ...plain } = conditions;
    const sep = world.write('home/declared.json', JSON.stringify({ declarations }));
    const refused = await world.run('install', 'memo', '--dry-run');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("unknown key 'when'");
    const extensions = { 'io.github.mcphooks/hooks': { declarations } };
    const capabilities = { hooks: { declarations: [plain, prompt] }, extensions };
    writeFileSync(sep, JSON.stringify({ capabilities: { tools: {}, ...capabilities } }));
    const taken = await world.run('install', 'memo', '--yes');
    expect(taken.code, taken.stderr).toBe(0);
    expect(taken.stdout).toContain("only when it runs 'git commit'");
    expect((await world.run('diff', 'memo')).code).toBe(0);
    expect((await world.run('diff', 'memo', '--offline')).code).toBe(0);
    const differ = { ...capabilities, hooks: { declarations: [prompt] } };
    writeFileSync(sep, JSON.stringify({ capabilities: { tools: {}, ...differ } }));
    const two = await world.run('diff', 'memo');
    expect(two.code).toBe(1);
    expect(two.stderr).toContain('extensions["io.github.mcphooks/hooks"]');
  });
});

describe('fire says which condition kept a hook from printing', () => {
  it('outcome', async () => {
    const world = await installed({ ...bash, when: { outcome: 'success' } });
    const failed = payload(world, { tool_response: { llmContent: 'Output: x\nExit Code: 1' } });
    expect(await why(world, 'gemini-cli', 'post_tool_use', ...failed)).toEqual([
      'when.outcome: it needs a tool that succeeded, but this one failed',
      'kept.nothing: no text was kept for this moment',
    ]);
    expect(await why(world, 'codex', 'post_tool_use')).toEqual([
      expect.stringMatching(/^when\.outcome-untold: unsupported: this client does not report whether/),
    ]);
  });

  it.runIf(LONG)('files, by the shell alone', async () => {
    const world = await installed({ ...prompt, when: { files: ['package.json', '*.sln'] } });
    for (const client of ['claude-code', 'codex', 'gemini-cli'])
      expect(await why(world, client, 'pre_request')).toEqual([
        `when.files: it needs package.json or *.sln in the project, but ${world.project} has none`,
      ]);
    mkdirSync(join(world.project, 'x.sln'));
    expect(await why(world, 'codex', 'pre_request')).toEqual([]);
  });

  it.runIf(LONG)('command, by the shell alone and by the runtime', async () => {
    const world = await installed({ ...bash, when: { command: ['git', 'commit'] } });
    const run = (command: string) => ['post_tool_use', '--input', JSON.stringify({ command })];
    expect(await why(world, 'codex', ...run('ls -la'))).toEqual([
      "when.command: it needs the command 'git commit', but this runs 'ls -la'",
    ]);
    expect(await why(world, 'codex', ...run('echo git commit'))).toEqual([
      "when.command: it needs the command 'git commit', but this runs 'echo git commit'",
    ]);
    expect(await why(world, 'codex', ...run('git commit'))).toEqual([]);
  });

  it('path', async () => {
    const world = await installed({ ...bash, matcher: undefined, when: { path: ['*.ts'] } });
    const input = ['--tool', 'Edit', '--input', '{"file_path":"a.py"}'];
    expect(await why(world, 'claude-code', 'post_tool_use', ...input)).toEqual([
      expect.stringMatching(/^when\.path: it needs a file that matches \*\.ts, but this is .*a\.py$/),
    ]);
  });

  it.runIf(LONG)('source', async () => {
    const world = await installed({
      ...prompt,
      event: 'session_start',
      when: { source: ['clear', 'resume'] },
    });
    expect(await why(world, 'claude-code', 'session_start')).toEqual([
      'when.source: it needs a session started by clear or resume, but this one started by startup',
    ]);
    expect(await why(world, 'gemini-cli', 'session_start')).toEqual([
      'noted.start: no text expected here: it records that a session starts',
      'when.source: it needs a session started by clear or resume, but this one started by startup',
    ]);
  });

  it('tools, cooldown, and a call of an own tool', async () => {
    const world = await installed(
      { ...bash, matcher: undefined, when: { tools: ['any:search'], otherwise: 'drop' } },
      { ...prompt, when: { cooldown: 'session' } },
      { ...prompt, context: 'Store it.', when: { unless_called: { tools: ['note'] } } },
    );
    expect(await why(world, 'codex', 'post_tool_use', '--input', 'git commit')).toEqual([
      "matcher.tool: it needs any search, but this is 'Bash: git commit'",
      "noted.call: no text expected here: it records a call of one of the server's own tools",
    ]);
    const session = payload(world, { session_id: 'one' });
    expect(await why(world, 'codex', 'pre_request', ...session)).toEqual([]);
    const own = payload(world, { session_id: 'one', tool_name: 'mcp__memo__note' });
    expect(await why(world, 'codex', 'post_tool_use', ...own)).toContain(
      "noted.call: no text expected here: it records a call of one of the server's own tools",
    );
    expect(await why(world, 'codex', 'pre_request', ...payload(world, { session_id: 'one' }))).toEqual([
      'cooldown.session: it already fired in this session (once per session)',
      'when.called: note was called in this session',
    ]);
  });
});

it.each(['claude-code', 'codex'])(
  'an update in a session moves no rest to another hook: %s',
  async (client) => {
    const once = (context: string) => ({ ...prompt, context, when: { cooldown: 'session' } });
    const unless = (context: string, tool: string) => ({
      ...prompt,
      context,
      when: { unless_called: { tools: [tool] } },
    });
    const world = await installed(once('First.'), unless('Store it.', 'note'), bash);
    const fire = (event: string, fields = {}) =>
      world.run(
        'fire',
        'memo',
        event,
        ...payload(world, { session_id: 'one', ...fields }),
        '--client',
        client,
      );
    const given = async (): Promise<string[]> => {
      const { stdout } = await fire('pre_request');
      return ['First.', 'Second.', 'Store it.', 'Look it up.'].filter((text) => stdout.includes(text));
    };
    expect(await given()).toEqual(['First.', 'Store it.']);
    await fire('post_tool_use', { tool_name: 'mcp__memo__note' });
    const more = [once('Second.'), unless('Look it up.', 'search')];
    const file = write(world, ...more, once('First.'), unless('Store it.', 'note'), bash);
    const install = ['install', 'memo', '--declarations', file, '--yes', '--accept-changed'];
    const { code, stderr } = await world.run(...install);
    expect(code, stderr).toBe(0);
    expect(await given()).toEqual(['Second.', 'Look it up.']);
    expect(await given()).toEqual(['Look it up.']);
  },
);

it('an update in a session gives the start of the session to a new hook alone', async () => {
  const world = homeWith();
  const entry = JSON.parse(world.read('home/.claude.json')).mcpServers.memo;
  world.write('home/.cursor/mcp.json', JSON.stringify({ mcpServers: { memo: entry } }));
  const start = (context: string) => ({ event: 'session_start', context, priority: 'suggestion' });
  const given = async (...texts: string[]): Promise<string[]> => {
    const file = write(world, ...texts.map(start));
    const install = ['install', 'memo', '--declarations', file, '--yes', '--accept-changed'];
    const { code, stderr } = await world.run(...install, '--client', 'cursor');
    expect(code, stderr).toBe(0);
    const fields = payload(world, { conversation_id: 'one' });
    const { stdout } = await world.run('fire', 'memo', 'session_start', ...fields, '--client', 'cursor');
    return ['First.', 'Second.'].filter((text) => stdout.includes(text));
  };
  expect(await given('First.')).toEqual(['First.']);
  expect(await given('Second.', 'First.')).toEqual(['Second.']);
  expect(await given('First.')).toEqual([]);
});

it.runIf(LONG)('sends a prompt to a server only after a yes of its own', async () => {
  const world = homeWith();
  const item = {
    event: 'pre_request',
    context_tool: 'note',
    context_tool_args: { q: '{prompt}' },
    priority: 'important',
  };
  const file = write(world, item);
  const refused = await world.run('install', 'memo', '--declarations', file, '--yes');
  expect(refused.code).toBe(3);
  expect(refused.stdout).toContain('your prompts go to this server');
  const taken = await world.run('install', 'memo', '--declarations', file, '--yes', '--send-tool-data');
  expect(taken.code, taken.stderr).toBe(0);
  const { stdout } = await world.run('fire', 'memo', 'pre_request', '--client', 'codex', '--json');
  expect(JSON.parse(stdout).clients[0].firings[0].text).toContain('noted {"q":"Please go on."}');
});

it('publishes the schema', async () => {
  const world = homeWith();
  const { stdout } = await world.run('schema', 'declarations');
  expect(stdout).toContain('"unless_called"');
  expect(stdout).toContain('"if_unknown"');
});
