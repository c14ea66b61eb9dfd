import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesTold } from '../../src/clients/conditions.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { wiringOf } from '../../src/clients/protocol.ts';
import { LONG, sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { callOf, named, newSession, payloadsIn, SAMPLES, sent } from './payloads.ts';
import { installed } from './when-world.ts';
import { startFolders, world } from './world.ts';

const w = world({ node: nodeHere({ servers: true }) });
const IDS = CLIENTS.map(({ id }) => id);

const { payload, run, own } = payloadsIn(w);

/** Clients some of whose payloads only node can tell apart from those of no prompt or tool of the user's session. */
const ASKS_NODE: readonly string[] = ['copilot', 'droid'];

const hook = (when: object, more: object = {}) => ({
  event: 'post_tool_use',
  context: 'Now.',
  when,
  ...more,
});
const onBash = { matcher: { tool_name: 'Bash' } };

describe('outcome', () => {
  const failedOnGemini = {
    tool_response: { llmContent: 'Output: (empty)\nExit Code: 1\nProcess Group PGID: 7', returnDisplay: '' },
  };

  it.each([
    ['claude-code', 'PostToolUseFailure.Bash'],
    ['gemini-cli', 'AfterTool.error'],
  ] as const)('success, on %s', async (client, failed) => {
    const it = installed(w, client, [hook({ outcome: 'success' }, onBash)]);
    expect(it.cells[0]?.fidelity).toBe('native');
    expect(await it.text(run(client, 'git commit'))).toBe('Now.');
    expect(await it.text(payload(client, failed))).toBeUndefined();
    if (client === 'gemini-cli')
      expect(await it.text(run(client, 'git commit', {}, failedOnGemini))).toBeUndefined();
  });

  it('failure, on Claude Code: the event for others has no entry', async () => {
    const it = installed(w, 'claude-code', [hook({ outcome: 'failure' }, onBash)]);
    expect(it.shims.map(({ native }) => native)).toEqual(['PostToolUseFailure']);
    expect(await it.text(payload('claude-code', 'PostToolUseFailure.Bash'))).toBe('Now.');
  });

  it('failure, on Gemini CLI: one that did not fail starts no node', async () => {
    const it = installed(w, 'gemini-cli', [hook({ outcome: 'failure' }, onBash)]);
    expect(await it.text(run('gemini-cli', 'git commit'))).toBeUndefined();
    it.startedNode(0);
    expect(await it.text(run('gemini-cli', 'git commit', {}, failedOnGemini))).toBe('Now.');
  });

  it('of a shell command on Codex: unsupported, with the reason, unless it may fire either way', async () => {
    for (const outcome of ['success', 'failure']) {
      const { cells, shims } = installed(w, 'codex', [hook({ outcome }, onBash)]);
      expect(cells[0]).toMatchObject({ fidelity: 'unsupported', notes: [{ code: 'when.outcome-untold' }] });
      expect(shims).toEqual([]);
    }
    const it = installed(w, 'codex', [hook({ outcome: 'success', if_unknown: 'fire' }, onBash)]);
    expect(it.cells[0]).toMatchObject({ fidelity: 'native', notes: [{ code: 'when.outcome-either' }] });
    expect(await it.text(payload('codex', 'PostToolUse'))).toBe('Now.');
    expect(await it.text(payload('codex', 'PostToolUse.failed-command'))).toBe('Now.');
  });

  it('of other tools on Codex is told, and of shell commands among them it stays silent', async () => {
    const when = { outcome: 'success', tools: ['*'], otherwise: 'drop' };
    const it = installed(w, 'codex', [hook(when)]);
    const notes = [{ code: 'when.outcome-some' }, { code: 'flag.every-tool' }];
    expect(it.cells[0]).toMatchObject({ fidelity: 'native', notes });
    expect(await it.text(payload('codex', 'PostToolUse.apply_patch'))).toBe('Now.');
    expect(await it.text(payload('codex', 'PostToolUse.mcp'))).toBe('Now.');
    expect(await it.text(payload('codex', 'PostToolUse'))).toBeUndefined();
    for (const other of ['Edit', 'mcp__other__*']) {
      const { cells } = installed(w, 'codex', [hook({ ...when, tools: ['Bash', other] })]);
      expect(cells[0]?.notes, other).toContainEqual(expect.objectContaining({ code: 'when.outcome-some' }));
    }
  });
});

// Cursor names no server, so the script has a line for each tool and hook.
it('unless_called, on Cursor: node looks up many tools for many hooks, and the script few', async () => {
  const ownTools = Array.from({ length: 100 }, (_, i) => `tool_${i}`);
  for (const [hooks, nodes] of [
    [1, 0],
    [8, 1],
  ] as const) {
    const one = hook({ unless_called: { tools: ['*'] } }, { event: 'pre_request' });
    const it = installed(w, 'cursor', Array(hooks).fill(one), {}, { known: ['mem', 'other'], ownTools });
    const session = newSession();
    await it.text(own('cursor', 'tool_99', session));
    it.startedNode(nodes);
    expect(await it.text(payload('cursor', SAMPLES.cursor.prompt, { session }))).toBeUndefined();
  }
});

describe.each(IDS)('on %s', (client) => {
  // Without MCPHOOKS_TEST=all each of these is tried on one client.
  let turn = IDS.indexOf(client);
  const test = (name: string, run: () => Promise<void>, runs = true): void => {
    for (const one of sample([run], IDS.length, turn++)) it.runIf(runs)(name, one);
  };

  test('command: the words of what is run, and the rarest of them starts node', async () => {
    const it = installed(w, client, [hook({ command: ['git', 'commit'] })]);
    expect(it.cells[0]?.fidelity).toBe('native');
    for (const line of ['git commit -m x', 'cd a && git -C b commit', 'FOO=1 git commit --dry-run'])
      expect(await it.text(run(client, line)), line).toBe('Now.');
    it.forgetNode();
    for (const line of [
      'echo git commit',
      "bash -c 'git commit'",
      'git log --grep commit',
      'cat <<E\ngit commit\nE',
    ])
      expect(await it.text(run(client, line)), line).toBeUndefined();
    it.startedNode(4);
    // The word stands nowhere in the payload.
    const { sample = {} } = clientById(client).natives[SAMPLES[client].shell.split('.')[0] ?? ''] ?? {};
    expect(await it.text(run(client, 'git push', {}, sample))).toBeUndefined();
    expect(await it.text(payload(client, SAMPLES[client].own))).toBeUndefined();
    it.startedNode(0);
  });

  test('path: globs on the file that is touched, and no other tool', async () => {
    const it = installed(w, client, [hook({ path: ['*.ts', 'docs/**'] })]);
    const { kinds, files } = clientById(client).conditions;
    const tool = kinds.edit[0] ?? '';
    const input = (file: string): object => {
      const fields = files[tool] ?? { paths: [] };
      if (!('patch' in fields)) return { [fields.paths[0] ?? '']: file };
      return { [[fields.patch].flat()[0] ?? '']: `*** Begin Patch\n*** Update File: ${file}\n*** End Patch` };
    };
    const touch = (file: string): Promise<string | undefined> =>
      it.text(
        payload(client, SAMPLES[client].edit, {
          tool,
          input: input(file),
        }),
      );
    expect(await touch(join(w.project, 'src/a.ts'))).toBe('Now.');
    expect(await touch('docs/b/c.md')).toBe('Now.');
    expect(await touch(join(w.project, 'src/a.py'))).toBeUndefined();
    expect(await touch('/elsewhere/a.ts')).toBeUndefined();
    expect(await it.text(run(client, 'cat a.ts'))).toBeUndefined();
  });

  test('files: decided by the shell alone, node or not', async () => {
    const it = installed(w, client, [
      hook({ files: ['.codegraph', 'src/*.sln'] }, { event: 'pre_request', context: 'Use the graph.' }),
    ]);
    const ask = (cwd?: string) =>
      it.text(payload(client, SAMPLES[client].prompt), cwd ? startFolders(cwd, client) : {}, cwd);
    expect(await ask()).toBeUndefined();
    it.startedNode(0);
    mkdirSync(join(w.project, 'src/deep'), { recursive: true });
    writeFileSync(join(w.project, 'src/shop.sln'), '');
    expect(await ask()).toBe('Use the graph.');
    expect(await ask(join(w.project, 'src/deep'))).toBe('Use the graph.');
    rmSync(join(w.project, 'src/shop.sln'));
    mkdirSync(join(w.project, '.codegraph'));
    expect(await ask()).toBe('Use the graph.');
    rmSync(join(w.project, '.codegraph'), { recursive: true });
    expect(await ask()).toBeUndefined();
  });

  test('files: patterns of many stars cost no time on long names', async () => {
    const patterns = ['*a*a*a*b', '*a*a*a*c', '*a*a*a*d'];
    const it = installed(w, client, [hook({ files: patterns }, { event: 'pre_request', context: 'Found.' })]);
    const folder = join(w.home, `long ${client}`);
    mkdirSync(folder);
    for (let i = 10; i < 40; i++) writeFileSync(join(folder, `${'a'.repeat(250)}${i}`), '');
    const ask = () => it.text(payload(client, SAMPLES[client].prompt), startFolders(folder, client), folder);
    const begun = performance.now();
    expect(await ask()).toBeUndefined();
    // Seconds for each pattern, where a shell or a regular expression tries all ways.
    expect(performance.now() - begun).toBeLessThan(5000);
    writeFileSync(join(folder, 'abacada.c'), '');
    expect(await ask()).toBe('Found.');
  });

  test('files: a question mark is one character, also for shells that count bytes', async () => {
    const it = installed(w, client, [
      hook({ files: ['?.txt'] }, { event: 'pre_request', context: 'Found.' }),
    ]);
    const folder = join(w.home, `counted ${client}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'é.txt'), '');
    expect(await it.text(payload(client, SAMPLES[client].prompt), startFolders(folder, client), folder)).toBe(
      'Found.',
    );
  });

  test('files: of a folder without git, by a link, and of a worktree', async () => {
    const it = installed(w, client, [
      hook({ files: ['here me/x.txt'] }, { event: 'pre_request', context: 'Found.' }),
    ]);
    const ask = (cwd: string) =>
      it.text(payload(client, SAMPLES[client].prompt), startFolders(cwd, client), cwd);
    const plain = join(w.home, `plain ${client}`);
    mkdirSync(join(plain, 'here me'), { recursive: true });
    expect(await ask(plain)).toBeUndefined();
    writeFileSync(join(plain, 'here me/x.txt'), '');
    expect(await ask(plain)).toBe('Found.');
    symlinkSync(plain, join(w.home, `link ${client}`));
    expect(await ask(join(w.home, `link ${client}`))).toBe('Found.');
    // What git doesn't track is in the main checkout alone.
    const tree = join(w.home, `tree ${client}`);
    mkdirSync(join(plain, '.git/worktrees/t'), { recursive: true });
    mkdirSync(tree);
    writeFileSync(join(tree, '.git'), `gitdir: ${plain}/.git/worktrees/t\n`);
    writeFileSync(join(plain, '.git/worktrees/t/gitdir'), `${tree}/.git\n`);
    expect(await ask(tree)).toBe('Found.');
    rmSync(join(plain, 'here me'), { recursive: true });
    expect(await ask(tree)).toBeUndefined();
    mkdirSync(join(tree, 'here me'));
    writeFileSync(join(tree, 'here me/x.txt'), '');
    expect(await ask(tree)).toBe('Found.');
  });

  test('cooldown: once a session, without node from then on', async () => {
    const it = installed(w, client, [hook({ cooldown: 'session' }, { event: 'pre_request' })]);
    const first = payload(client, SAMPLES[client].prompt);
    expect(await it.text(first)).toBe('Now.');
    it.forgetNode();
    for (let i = 0; i < 3; i++) expect(await it.text(first)).toBeUndefined();
    it.startedNode(0);
    expect(await it.text(payload(client, SAMPLES[client].prompt))).toBe('Now.');
  });

  test(
    'cooldown: seconds, of which the longer ones count',
    async () => {
      for (const [seconds, option, silent] of [
        [600, 0, true],
        [1, 600, true],
        [1, 0, false],
      ] as const) {
        const it = installed(w, client, [hook({ cooldown: seconds }, { event: 'pre_request' })], {
          cooldown: option,
        });
        const again = payload(client, SAMPLES[client].prompt);
        expect(await it.text(again)).toBe('Now.');
        it.forgetNode();
        if (!silent) await new Promise((resolve) => setTimeout(resolve, 2100));
        expect(await it.text(again), `${seconds} ${option}`).toBe(silent ? undefined : 'Now.');
        if (silent) it.startedNode(0);
      }
    },
    LONG,
  );

  test('source: only of sessions that start so', async () => {
    const started = (sources: string[]) =>
      installed(w, client, [hook({ source: sources }, { event: 'session_start' })]);
    const { source: field } = clientById(client).conditions;
    const words = 'words' in field ? Object.entries(field.words) : [];
    const begin = async (it: ReturnType<typeof started>, source: string): Promise<string | undefined> => {
      const session = newSession();
      const word = words.find(([, ours]) => ours === source)?.[0] ?? source;
      const said = await it.text(payload(client, SAMPLES[client].start, { source: word, session }));
      return atPrompt ? it.text(payload(client, SAMPLES[client].prompt, { session })) : said;
    };
    const { events, conditions } = clientById(client);
    const start = sent(client, payload(client, SAMPLES[client].start)).native;
    const atPrompt = !wiringOf(events.session_start).some(
      ({ native, does }) => native === start && does === 'emit',
    );
    const told = sourcesTold(conditions);
    const resumed = started(['resume', 'clear']);
    expect(await begin(resumed, 'startup')).toBeUndefined();
    if (!atPrompt) resumed.startedNode(0);
    for (const source of ['clear', 'resume'] as const)
      expect(await begin(resumed, source), source).toBe(told.includes(source) ? 'Now.' : undefined);
    expect(await begin(resumed, 'another')).toBeUndefined();
    const compacted = started(['compact']);
    if (!told.includes('compact'))
      expect(compacted.cells[0]).toMatchObject({
        fidelity: 'unsupported',
        notes: [{ code: 'when.no-source' }],
      });
    // Where the start's own payload doesn't tell, a compaction before it does.
    else if ('words' in conditions.source && Object.values(conditions.source.words).includes('compact'))
      expect(await begin(compacted, 'compact')).toBe('Now.');
    const some = started(['compact', 'startup']);
    expect(await begin(some, 'startup')).toBe('Now.');
    expect(some.cells[0]?.notes.flatMap(({ code }) => (/^when\./.test(code) ? code : []))).toEqual(
      told.includes('compact') ? [] : ['when.source-some'],
    );
  });

  test("unless_called: silent once one of the server's own tools was called, which is noted without node", async () => {
    const it = installed(w, client, [
      hook({ unless_called: { tools: ['store_*', 'search_memories'] } }, { event: 'pre_request' }),
    ]);
    const ask = payload(client, SAMPLES[client].prompt);
    const { session } = sent(client, ask);
    expect(await it.text(ask)).toBe('Now.');
    it.forgetNode();
    await it.text(own(client, 'forget', session));
    await it.text(run(client, 'echo mcp__mem__store_it mcp_mem_store_it', { session }));
    expect(await it.text(ask)).toBe('Now.');
    it.forgetNode();
    await it.text(own(client, 'store_it', session));
    it.startedNode(0);
    expect(await it.text(ask)).toBeUndefined();
    it.startedNode(0);
    expect(await it.text(payload(client, SAMPLES[client].prompt))).toBe('Now.');
  });

  test("unless_called: a tool of another server whose names begin alike isn't the server's own", async () => {
    for (const other of ['mem-work', 'mem_work', 'zoo']) {
      const servers = { known: ['mem', other], ownTools: ['store', 'list'] };
      const it = installed(w, client, [hook({ unless_called: { tools: ['*'] } }, onBash)], {}, servers);
      const session = newSession();
      await it.text(payload(client, SAMPLES[client].own, { ...callOf(client, other, 'add'), session }));
      expect(await it.text(run(client, 'ls', { session })), other).toBe('Now.');
      await it.text(own(client, 'list', session));
      expect(await it.text(run(client, 'ls', { session })), other).toBeUndefined();
    }
  });

  test("unless_called: another server's tool of the same name as one of the server's own is no call of that", async () => {
    for (const [other, tools] of [
      ['mem-work', ['work-add']],
      ['mem_work', ['work_add', 'work_*']],
    ] as const) {
      const servers = { known: ['mem', other], ownTools: [tools[0]] };
      const it = installed(w, client, [hook({ unless_called: { tools } }, onBash)], {}, servers);
      const session = newSession();
      await it.text(payload(client, SAMPLES[client].own, { ...callOf(client, other, 'add'), session }));
      expect(await it.text(run(client, 'ls', { session })), other).toBe('Now.');
    }
  });

  test("unless_called: a name in another tool's data is no call", async () => {
    const it = installed(w, client, [
      hook({ unless_called: { tools: ['store'] } }, { event: 'pre_request' }),
      { event: 'post_tool_use', ...onBash, context: 'After.' },
    ]);
    const session = newSession();
    const { tool } = sent(client, own(client, 'store', session));
    const keys = [clientById(client).protocol.input.toolName].flat().map((path) => path.split('.').at(-1));
    const data = { deep: Object.fromEntries(keys.map((key) => [key, tool])) };
    for (const command of ['ls', '}"{'])
      expect(await it.text(run(client, '', { session, input: { command, ...data } }))).toBe('After.');
    expect(await it.text(payload(client, SAMPLES[client].prompt, { session }))).toBe('Now.');
  });

  test('unless_called: in whatever way the payload is spelled, and when a file beside the script is damaged', async () => {
    const it = installed(w, client, [
      hook({ unless_called: { tools: ['store'] } }, { event: 'pre_request' }),
    ]);
    const shims = it.shims.filter(({ path }) => existsSync(`${path}.called`));
    expect(shims.length).toBeGreaterThan(0);
    const spelled = async (spell: (call: object) => string): Promise<void> => {
      const session = newSession();
      const call = own(client, 'store', session);
      const shim = it.shims.find(({ native }) => native === sent(client, call).native);
      if (shim) await w.fire(shim, spell(call));
      expect(await it.text(payload(client, SAMPLES[client].prompt, { session }))).toBeUndefined();
      it.startedNode(1);
    };
    await spelled((call) => JSON.stringify(call, null, 2));
    // The shell tells only at the beginning whose member a name is.
    const keys = [clientById(client).protocol.input.toolName].flat().map((path) => path.split('.').at(-1));
    const behind = (text: string, key = '') =>
      text.replace(`"${key}":`, `"x":"${'x'.repeat(2048)}","${key}":`);
    await spelled((call) => keys.reduce(behind, JSON.stringify(call)));
    for (const { path } of shims)
      writeFileSync(`${path}.called`, readFileSync(`${path}.called`, 'utf8').slice(0, -9));
    await spelled((call) => JSON.stringify(call));
  });

  test('files: of a session start, which is over with the first prompt', async () => {
    const it = installed(w, client, [hook({ files: ['later.txt'] }, { event: 'session_start' })]);
    const session = newSession();
    expect(await it.text(payload(client, SAMPLES[client].start, { session }))).toBeUndefined();
    expect(await it.text(payload(client, SAMPLES[client].prompt, { session }))).toBeUndefined();
    writeFileSync(join(w.project, 'later.txt'), '');
    expect(await it.text(payload(client, SAMPLES[client].prompt, { session }))).toBeUndefined();
    rmSync(join(w.project, 'later.txt'));
  });

  test('unless_called: for some seconds, and beside a hook on the same event', async () => {
    const it = installed(w, client, [
      hook({ unless_called: { tools: ['*'], within: 600 } }, onBash),
      { event: 'post_tool_use', matcher: { tool_name: 'mcp__mem__*' }, context: 'Own.' },
    ]);
    const session = newSession();
    const bash = run(client, 'ls', { session });
    expect(await it.text(bash)).toBe('Now.');
    expect(await it.text(own(client, 'anything', session))).toBe('Own.');
    const asked = Date.now();
    expect(await it.text(bash)).toBeUndefined();
    const endOf = (path: string) => Number.parseInt(readFileSync(join(w.state, path), 'utf8'), 10);
    const [marker = ''] = readdirSync(w.state, { recursive: true, encoding: 'utf8' }).filter(
      (path) => basename(path).startsWith('called.') && endOf(path) > asked,
    );
    const left = endOf(marker) - asked;
    expect([left > 500_000, left < 600_000]).toEqual([true, true]);
    writeFileSync(join(w.state, marker), `${Date.now() - 1}\n`);
    expect(await it.text(bash)).toBe('Now.');
  });

  test('tools: any of them, by whatever the client calls them', async () => {
    const it = installed(w, client, [hook({ tools: ['Bash', 'mcp__other__*'], otherwise: 'drop' })]);
    expect(await it.text(run(client, 'ls'))).toBe('Now.');
    // A client whose names of tools don't tell the server takes one server's tool for another's.
    if (clientById(client).tools.mcp.name.includes('{alias}'))
      expect(await it.text(own(client, 'x', newSession()))).toBeUndefined();
    const other = payload(client, SAMPLES[client].own, callOf(client, 'other', 'go'));
    expect(await it.text(other)).toBe('Now.');
  });

  test(
    'any:search: tools that search, and shell commands that do',
    async () => {
      const it = installed(w, client, [hook({ tools: ['any:search'], otherwise: 'drop' })]);
      for (const line of ['grep -rn x .', 'cd a && rg x', 'git grep x', "find . | xargs ack 'x'"])
        expect(await it.text(run(client, line)), line).toBe('Now.');
      for (const line of ['npm test | grep FAIL', 'echo grep', 'ls'])
        expect(await it.text(run(client, line)), line).toBeUndefined();
      it.forgetNode();
      expect(await it.text(run(client, 'npm run lint'))).toBeUndefined();
      if (!ASKS_NODE.includes(client)) it.startedNode(0);
      const tool = clientById(client).conditions.kinds.search[0];
      if (tool)
        expect(await it.text(payload(client, SAMPLES[client].shell, { tool, input: { pattern: 'x' } }))).toBe(
          'Now.',
        );
    },
    LONG,
  );

  test('any:search beside the shell itself: every command', async () => {
    const it = installed(w, client, [hook({ tools: ['any:search', 'Bash'], otherwise: 'drop' })]);
    for (const line of ['ls', 'find . | xargs ack x'])
      expect(await it.text(run(client, line)), line).toBe('Now.');
  });

  test('any:edit: tools that edit, and no others', async () => {
    const it = installed(w, client, [hook({ tools: ['any:edit'], otherwise: 'drop' })]);
    for (const tool of clientById(client).conditions.kinds.edit)
      expect(await it.text(payload(client, SAMPLES[client].shell, { tool, input: {} })), tool).toBe('Now.');
    expect(await it.text(run(client, 'sed -i s/a/b/ x'))).toBeUndefined();
  });

  test('templates: folder of the project, a field of the input, the name of an own tool, the prompt', async () => {
    const it = installed(w, client, [
      {
        event: 'post_tool_use',
        matcher: { tool_name: 'Bash' },
        context: '{project_dir}|{tool_input.command}|{tool_input.nothing}|{tool:store}|{prompt}',
      },
      { event: 'pre_request', context: '{tool:store} of {prompt} {tool_input.command}' },
    ]);
    const name = named(client, 'mem', 'store');
    expect(await it.text(run(client, 'ls {prompt} \u001b[1mx'))).toBe(
      `${w.project}|ls {prompt} x|{tool_input.nothing}|${name}|{prompt}`,
    );
    expect(
      await it.text(payload(client, SAMPLES[client].prompt, { prompt: 'a {session_id}\n{tool:store}' })),
    ).toBe(`${name} of a {session_id}\n{tool:store} {tool_input.command}`);
  });

  test('a fixed text with the name of an own tool needs no node', async () => {
    const it = installed(w, client, [{ event: 'pre_request', context: 'Use {tool:store}.' }]);
    const said = await it.text(payload(client, SAMPLES[client].prompt));
    expect(said).toBe(`Use ${named(client, 'mem', 'store')}.`);
    if (!ASKS_NODE.includes(client)) it.startedNode(0);
  });

  test(
    'answer: what a pointer selects, cut where it is too long',
    async () => {
      const answer = (text: string, select: string | undefined, max?: number) =>
        installed(w, client, [
          {
            event: 'pre_request',
            context_tool: 'say',
            context_tool_args: { texts: [text] },
            when: { answer: { ...(select !== undefined && { select }), ...(max !== undefined && { max }) } },
          },
        ]).text(payload(client, SAMPLES[client].prompt));
      const json = JSON.stringify({ items: [{ text: 'first' }, { 'a/b': [1, 2] }], none: [] }, null, 2);
      expect(await answer(json, '/items/0/text')).toBe('first');
      expect(await answer(json, '/items/1/a~1b')).toBe('[1,2]');
      expect(await answer(json, '/none')).toBeUndefined();
      expect(await answer(json, '/missing')).toBeUndefined();
      expect(await answer('no JSON', '/items')).toBeUndefined();
      expect(await answer('x'.repeat(5000), undefined, 100)).toBe(
        `${'x'.repeat(100)}\n[cut by mcphooks: 100 of 5000 characters]`,
      );
      expect(await answer('\n\n\nlater', undefined, 2)).toBeUndefined();
    },
    LONG,
  );

  test('several conditions: all have to hold', async () => {
    const it = installed(w, client, [
      hook({ command: ['git', 'commit'], files: ['yes.txt'], cooldown: 'session' }),
    ]);
    const commit = run(client, 'git commit');
    expect(await it.text(commit)).toBeUndefined();
    writeFileSync(join(w.project, 'yes.txt'), '');
    expect(await it.text(run(client, 'git push', { session: sent(client, commit).session }))).toBeUndefined();
    expect(await it.text(commit)).toBe('Now.');
    expect(await it.text(commit)).toBeUndefined();
    rmSync(join(w.project, 'yes.txt'));
  });

  test('holds nothing against hooks without conditions on the same event', async () => {
    const it = installed(w, client, [
      hook({ files: ['nothing.txt'] }, { event: 'pre_request', context: 'Sometimes.' }),
      { event: 'pre_request', context: 'Always.' },
    ]);
    expect(await it.text(payload(client, SAMPLES[client].prompt))).toBe('Always.');
  });
});
