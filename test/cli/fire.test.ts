import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it, vi } from 'vitest';
import { keptTextsFolder } from '../../src/fire/own-folders.ts';
import { LONG } from '../effort.ts';
import { captured } from '../fire/world.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { COMMIT, homeWith, own, START, trustCodex } from './home.ts';
import { CLI, cleanWorlds, madeOnce, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

interface Entry {
  command: string;
  args: string[];
}

interface Answer {
  n?: number;
  code: string;
  message: string;
}
interface Fired {
  client: string;
  firings: { native: string; text?: string; why: Answer[] }[];
  why: Answer[];
}

const STOP = { event: 'post_request', context: 'Tidy up.', priority: 'suggestion' };
const END = { event: 'session_end', context: 'Write a diary.', priority: 'suggestion' };
const OWN = {
  event: 'post_tool_use',
  matcher: { tool_server: 'memo' },
  context: 'One of ours.',
  priority: 'suggestion',
};
const READ = { ...COMMIT, matcher: { tool_name: 'Read' }, context: 'You read.' };

const installed = madeOnce(async (declarations: object[], ...args: string[]): Promise<World> => {
  const world = homeWith(...declarations);
  const { code, stderr } = await world.run('install', 'memo', '--yes', ...args);
  expect(code, stderr).toBe(0);
  return world;
});

it.runIf(LONG)('says how to install at the scope of the hooks', async () => {
  const world = await installed([STOP], '--scope', 'local', '--client', 'claude-code');
  rmSync(dirname(join(world.home, '..', own(world, 'Stop'))), { recursive: true });
  const { stdout } = await world.run(
    ...['fire', 'memo', 'post_request', '--scope', 'local'],
    ...['--client', 'claude-code,codex'],
  );
  expect(stdout).toContain('run mcphooks install --scope local memo\n');
  expect(stdout).toContain('installed for Codex, which has no scope local\n');
});

it.runIf(LONG)(
  'fails where no client that was asked for has hooks of the server, and names those that have',
  async () => {
    const world = await installed([START], '--client', 'claude-code,gemini-cli');
    const ran = (...args: string[]) => world.run('fire', 'memo', 'session_start', ...args);
    expect(await ran('--client', 'codex')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: [
        "mcphooks: no hooks from 'memo' are installed for Codex",
        '  Claude Code and Gemini CLI have its hooks. To install them there, too: mcphooks install memo --client codex\n',
      ].join('\n'),
    });
    const { code, stdout } = await ran('--client', 'codex', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { status: 'failed', exit: 1, faults: [{ code: 'plan.not-on-clients' }] },
    ]);
    const some = await ran('--client', 'codex,claude-code');
    expect(some.code).toBe(0);
    expect(some.stdout).toContain("no hooks from 'memo' are installed for Codex; run");
  },
);

/** What was answered on one client. */
async function fire(world: World, client: string, ...args: string[]): Promise<Fired> {
  const { code, stdout, stderr } = await world.run('fire', 'memo', ...args, '--client', client, '--json');
  const fired: Fired = JSON.parse(stdout).clients[0];
  // A tool that can't be called, or a script that doesn't work, is a failure, whatever else was said.
  const failed = answers(fired).some((one) =>
    /:tool\.(failed|resting|slow)|:definition\.| (shim|data|fire)\./.test(one),
  );
  expect(code, stderr).toBe(failed ? 1 : 0);
  return fired;
}

/** Native event, and either `text` or the reasons as `<hook>:<code>`. */
function answers({ firings, why }: Fired): string[] {
  const coded = (list: Answer[]): string =>
    list.map((w) => [w.n, w.code].filter(Boolean).join(':')).join(' ');
  return [
    ...firings.map((f) => `${f.native} ${f.text === undefined ? '' : 'text '}${coded(f.why)}`.trim()),
    ...(why.length > 0 ? [coded(why)] : []),
  ];
}

const payload = (world: World, fields: object): string[] => [
  '--payload',
  world.write('payload.json', JSON.stringify(fields)),
];

it.runIf(LONG)('takes a command for Bash as it is typed', async () => {
  const world = await installed([COMMIT]);
  const said = async (...args: string[]) => answers(await fire(world, 'codex', 'post_tool_use', ...args));
  expect(await said('--input', 'git commit -m x')).toEqual(['PostToolUse text']);
  expect(await said('--input', '{"command":"git commit"}')).toEqual(['PostToolUse text']);
  expect(await said('--input', 'ls')).toEqual(['PostToolUse 1:matcher.input']);
  const { code, stderr } = await world.run('fire', 'memo', 'post_tool_use', '--tool', 'Read', '--input', 'x');
  expect([code, stderr]).toEqual([1, 'mcphooks: --input is not JSON: x\n  Write it as JSON.\n']);
});

it.runIf(LONG)('fires twice in one session, so that a cooldown can be tried', async () => {
  const world = await installed([COMMIT], '--cooldown', '1h');
  const said = async (...args: string[]) => answers(await fire(world, 'codex', 'post_tool_use', ...args));
  expect([await said('--session', 'a'), await said('--session', 'a'), await said('--session', 'b')]).toEqual([
    ['PostToolUse text'],
    ['PostToolUse 1:cooldown'],
    ['PostToolUse text'],
  ]);
});

it.each(['qwen-code', 'claude-code'])('%s: each fire in a session is a prompt of its own', async (client) => {
  const PROMPT = { event: 'pre_request', context: 'Look it up.', priority: 'suggestion' };
  const world = await installed([PROMPT, STOP], '--client', client);
  const said = async (event: string, ...args: string[]) =>
    // Where Node answers, it also says that no text was kept.
    answers(await fire(world, client, event, '--session', 'a', ...args)).map((one) =>
      one.replace(' 2:kept.nothing', ''),
    );
  for (let i = 0; i < 2; i++) expect(await said('pre_request')).toEqual(['UserPromptSubmit text']);
  for (let i = 0; i < 2; i++)
    expect(await said('post_request')).toEqual(['Stop 2:kept', 'UserPromptSubmit text']);
  if (client !== 'qwen-code') return;
  const same = payload(world, { prompt_id: 'p1' });
  expect(await said('pre_request', ...same)).toEqual(['UserPromptSubmit text']);
  expect(await said('pre_request', ...same)).toEqual(['UserPromptSubmit prompt.again']);
});

describe('why a hook stays silent', () => {
  it.runIf(LONG)(
    'its matcher: tool, server or input, where the shell alone decides and where the runtime does',
    async () => {
      const world = await installed([COMMIT, OWN]);
      const say = async (...args: string[]) => answers(await fire(world, 'codex', 'post_tool_use', ...args));
      expect(await say()).toEqual(['PostToolUse text 2:matcher.server']);
      expect(await say('--tool', 'Edit')).toEqual(['PostToolUse 1:matcher.tool 2:matcher.server']);
      expect(await say('--input', '{"command":"ls"}')).toEqual([
        'PostToolUse 1:matcher.input 2:matcher.server',
      ]);
      expect(await say('--tool', 'mcp__memo__note')).toEqual(['PostToolUse text 1:matcher.tool']);
      const gemini = answers(await fire(world, 'gemini-cli', 'post_tool_use', '--tool', 'mcp__memo__note'));
      expect(gemini[0]).toMatch(/^AfterTool text 1:matcher\.tool/);

      const alone = await installed([COMMIT]);
      const { firings } = await fire(alone, 'codex', 'post_tool_use', '--input', '{"command":"ls"}');
      expect(firings[0]?.why[0]).toMatchObject({ n: 1, code: 'matcher.input' });
      expect(firings[0]?.why[0]?.message).toContain('git commit');
      expect(firings[0]?.why[0]?.message).toContain('{"command":"ls"}');
    },
  );

  it.runIf(LONG)('it was disabled, here or in the environment, or another program runs it', async () => {
    const world = await installed([COMMIT]);
    const say = async () => answers(await fire(world, 'claude-code', 'post_tool_use'));
    for (const value of ['1', 'memo', 'other,memo']) {
      world.env.MCPHOOKS_DISABLE = value;
      expect(await say()).toEqual(['PostToolUse environment']);
    }
    delete world.env.MCPHOOKS_DISABLE;
    world.env.CURSOR_PROJECT_DIR = '/x';
    expect(await say()).toEqual(['PostToolUse client.other']);
    delete world.env.CURSOR_PROJECT_DIR;
    await world.run('disable', 'memo');
    expect(await say()).toEqual(['PostToolUse disabled']);
    await world.run('enable', 'memo');
    expect(await say()).toEqual(['PostToolUse text']);
  });

  it.runIf(LONG)('it takes no tool where the event has none', async () => {
    const world = await installed([COMMIT, START]);
    for (const given of [
      ['--tool', 'Edit'],
      ['--input', 'ls'],
    ]) {
      const { code, stdout, stderr } = await world.run('fire', 'memo', 'session_start', ...given);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`${given[0]} needs pre_tool_use or post_tool_use`);
    }
  });

  it.runIf(LONG)('the session: cooldown, budget, had it, no turn, no session', async () => {
    const world = await installed([COMMIT, START, END], '--cooldown', '60', '--session-end', 'defer');
    const session = payload(world, { session_id: 's1' });
    const say = async (client: string, ...args: string[]) => answers(await fire(world, client, ...args));
    expect(await say('codex', 'post_tool_use', ...session)).toEqual(['PostToolUse text']);
    expect(await say('codex', 'post_tool_use', ...session)).toEqual(['PostToolUse 1:cooldown']);
    const turn = payload(world, { session_id: 's2', hook_event_name: 'BeforeAgent' });
    expect((await say('gemini-cli', 'session_start', ...turn))[0]).toMatch(/^BeforeAgent text/);
    expect((await say('gemini-cli', 'session_start', ...turn))[0]).toContain('2:session.had-it');
    const end = payload(world, { session_id: 's3', hook_event_name: 'SessionEnd' });
    expect(await say('claude-code', 'session_end', ...end)).toEqual(['SessionEnd 3:session.no-turn']);

    const much = await installed([{ ...COMMIT, context: 'x'.repeat(8_000) }]);
    const same = payload(much, { session_id: 's4' });
    const codes = [];
    for (let i = 0; i < 8; i++) codes.push(...answers(await fire(much, 'codex', 'post_tool_use', ...same)));
    expect(codes.filter((c) => c === 'PostToolUse text')).toHaveLength(6);
    expect(codes.at(-1)).toBe('PostToolUse 1:budget.session');
  });

  it.runIf(LONG)('its text is kept, and given by what follows', async () => {
    const world = await installed([STOP, END], '--session-end', 'defer');
    const stop = await fire(world, 'codex', 'post_request');
    expect(answers(stop)).toEqual(['Stop 1:kept', 'UserPromptSubmit text 2:noted.turn']);
    expect(stop.firings[0]?.why[0]?.message).toContain('next prompt');
    const ended = answers(await fire(world, 'codex', 'session_end'));
    expect(ended).toContain('SessionEnd 2:kept');
    expect(ended.at(-1)).toMatch(/^SessionStart text/);
  });

  it.skipIf(WINDOWS)(
    'its text stays with its declaration when an update gives it another number',
    async () => {
      const world = homeWith();
      const file = join(world.home, 'declarations.json');
      const install = async (...declarations: object[]) => {
        writeFileSync(file, JSON.stringify({ declarations }));
        const options = ['--client', 'gemini-cli', '--yes', '--accept-changed'];
        const { code, stderr } = await world.run('install', 'memo', '--declarations', file, ...options);
        expect(code, stderr).toBe(0);
        const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
        return record.servers[0].clients['gemini-cli'].digest;
      };
      const ends = async (digest: string, native: string) => {
        const payload = { ...captured('gemini-cli', native), session_id: 'one', cwd: world.project };
        const script = join(world.home, '..', own(world, `${digest}/gemini-cli/${native}`));
        const input = JSON.stringify(payload);
        return spawnSync('sh', [script], { input, cwd: world.project, env: world.env, encoding: 'utf8' })
          .stdout;
      };
      const more = { ...STOP, context: 'Sum it up.' };
      const gone = { ...STOP, context: 'Of no hook any more.' };
      await ends(await install(gone, STOP), 'AfterAgent');
      const updated = await install({ ...COMMIT, context: 'Committed.' }, more, STOP);
      const given = await ends(updated, 'BeforeAgent');
      expect(given).toContain(STOP.context);
      expect(given).toContain('the end of an earlier turn');
      expect(given).not.toMatch(/Of no hook|Sum it up|Committed|tool call/);
      expect(await ends(updated, 'BeforeAgent')).not.toContain(STOP.context);
    },
  );

  it.skipIf(WINDOWS)('it leaves the texts that are kept for other sessions as these leave them', async () => {
    const world = homeWith({ ...STOP, context: undefined, context_tool: 'tell' });
    const kept = keptTextsFolder(join(world.home, '.local/state/mcphooks'), 'codex', 'memo');
    const codex = 'home/.codex/config.toml';
    const { command, args } = (parse(world.read(codex)) as unknown as { mcp_servers: Record<string, Entry> })
      .mcp_servers.memo as Entry;
    const takes = `rm -f '${kept}'/1.*; exec "$0" "$@"`;
    world.write(
      codex,
      `[mcp_servers.memo]\ncommand = "sh"\nargs = ${JSON.stringify(['-c', takes, command, ...args])}\n`,
    );
    expect(await world.run('install', 'memo', '--client', 'codex', '--yes')).toMatchObject({ code: 0 });
    mkdirSync(join(kept, '9.0000.any.json'), { recursive: true });
    symlinkSync('nowhere', join(kept, '8.0000.any.json'));
    writeFileSync(join(kept, '1.0000.1111.json'), 'of another session');
    writeFileSync(join(kept, '1.0000.any.json'), 'of another project');
    const { stderr } = await world.run('fire', 'memo', 'post_request', '--client', 'codex');
    expect(stderr).not.toContain('unexpected');
    expect(readdirSync(kept).sort()).toEqual(['8.0000.any.json', '9.0000.any.json']);
  });

  it('it runs for a tool that only newer versions of a client offer', async () => {
    const world = await installed([{ event: 'post_tool_use', context: 'Look.', priority: 'suggestion' }]);
    const fired = await fire(world, 'claude-code', 'post_tool_use', '--tool', 'Grep');
    expect(answers(fired)).toEqual(['PostToolUse text']);
    const never = await fire(world, 'claude-code', 'post_tool_use', '--tool', 'LS');
    expect(answers(never)).toEqual(['client.no-tool']);
  });

  it('each client that is named twice is run once', async () => {
    const world = await installed([COMMIT], '--client', 'codex');
    const { stdout } = await world.run('fire', 'memo', 'post_tool_use', '--json', '--client', 'codex,codex');
    expect(JSON.parse(stdout).clients).toHaveLength(1);
  });

  it.runIf(LONG)('its tool failed, rests, said nothing, or may not be called any more', async () => {
    const world = await installed([{ ...START, event: 'pre_request', context_tool: 'tell' }]);
    const session = payload(world, { session_id: 's1' });
    const say = async () => answers(await fire(world, 'codex', 'pre_request', ...session));
    for (let i = 0; i < 3; i++) expect(await say()).toEqual(['UserPromptSubmit 1:tool.failed']);
    expect(await say()).toEqual(['UserPromptSubmit 1:tool.resting']);
    const codex = 'home/.codex/config.toml';
    world.write(codex, world.read(codex).replace('declared', 'other'));
    const other = payload(world, { session_id: 's2' });
    expect(answers(await fire(world, 'codex', 'pre_request', ...other))).toEqual([
      'UserPromptSubmit 1:definition.changed',
    ]);
  });

  it.runIf(LONG && !WINDOWS)('its tool gave no answer, and the server wrote what is no message', async () => {
    const world = makeWorld();
    const asks = { ...START, event: 'pre_request', context_tool: 'tell' };
    world.write('project/hooks.json', JSON.stringify({ declarations: [asks] }));
    world.write('home/.codex/config.toml', '');
    const script = "printf 'Welcome \\033[1mto memo! {}\\n'; sleep 20";
    const options = ['--declarations', 'hooks.json', '--no-check', '--hook-timeout', '2', '--yes'];
    const ran = await world.run('install', 'memo', ...options, '--', 'sh', '-c', script);
    expect(ran.code, ran.stderr).toBe(0);
    const { firings } = await fire(world, 'codex', 'pre_request');
    expect(firings[0]?.why).toMatchObject([
      {
        code: 'tool.slow',
        message: expect.stringMatching(/\. Its stdout has text that is no message(?!:)/),
      },
    ]);
    expect((await world.run('log', '--json')).stdout).not.toContain('Welcome');
  });

  it.runIf(LONG)('each hook in its order, though a tool answers late', async () => {
    const asks = { ...START, event: 'post_tool_use', context_tool: 'tell' };
    const world = await installed([asks, { ...COMMIT, matcher: { tool_name: 'Edit' } }]);
    expect(answers(await fire(world, 'codex', 'post_tool_use'))).toEqual([
      'PostToolUse 1:tool.failed 2:matcher.tool',
    ]);
  });

  it.runIf(LONG)('the prompt is no prompt of the user', async () => {
    const world = await installed([{ ...COMMIT, event: 'pre_request', matcher: undefined }]);
    const fields = payload(world, { agent_id: 'a1' });
    expect(answers(await fire(world, 'codex', 'pre_request', ...fields))).toEqual([
      'UserPromptSubmit prompt.sub-agent',
    ]);
  });

  it.runIf(LONG)('nothing is installed for it: not declared, left out, impossible there', async () => {
    const world = await installed([COMMIT, READ, STOP, END], '--skip', '3', '--client', 'codex');
    const say = async (...args: string[]) => answers(await fire(world, 'codex', ...args));
    expect(await say('session_start')).toEqual(['event.undeclared']);
    expect(await say('session_end')).toEqual(['4:unsupported.session-end']);
    expect(await say('post_request')).toEqual(['3:skipped.by-choice']);
    expect(await say('post_tool_use')).toEqual(['PostToolUse text', '2:never.no-such-tool']);
    expect(await say('post_tool_use', '--tool', 'Read')).toEqual(['2:never.no-such-tool client.no-tool']);
  });

  it('its files are gone or broken', async () => {
    const world = await installed([COMMIT], '--client', 'codex');
    const shim = own(world, '/codex/PostToolUse');
    const data = own(world, '/codex/PostToolUse.json');
    world.write(shim, WINDOWS ? "console.log('hello');\n" : '#!/bin/sh\necho hello\n');
    expect(answers(await fire(world, 'codex', 'post_tool_use'))).toEqual(['PostToolUse shim.output']);
    world.write(shim, WINDOWS ? '\n' : '#!/bin/sh\n');
    expect(answers(await fire(world, 'codex', 'post_tool_use'))).toEqual(['PostToolUse shim.failed']);
    world.write(data, '{');
    expect(answers(await fire(world, 'codex', 'post_tool_use'))).toEqual(['PostToolUse shim.failed']);
    rmSync(join(world.home, '..', shim));
    expect(answers(await fire(world, 'codex', 'post_tool_use'))).toEqual(['PostToolUse shim.gone']);
  });

  it('in words, each reason once', async () => {
    const world = await installed([COMMIT, STOP]);
    const { stdout } = await world.run(
      'fire',
      'memo',
      'post_tool_use',
      '--tool',
      'Edit',
      '--client',
      'codex',
    );
    expect(stdout).toMatch(
      /Codex {2}PostToolUse, \d+ ms: no text\n {2}· hook 1: it needs the tool 'Bash', but this is 'Edit, Write'/,
    );
    expect((await world.run('fire', 'memo', 'post_tool')).stderr).toContain("Did you mean 'post_tool_use'?");
    expect((await world.run('fire', 'mem', 'post_tool_use')).stderr).toContain("Did you mean 'memo'?");
  });

  it('leaves nothing behind, and a stray variable leads nowhere', async () => {
    const world = await installed([COMMIT]);
    const temp = join(world.home, '../tmp');
    world.write('tmp/mcphooks-why', '');
    world.env.TMPDIR = temp;
    await fire(world, 'codex', 'post_tool_use', '--tool', 'Edit');
    expect(readdirSync(temp)).toEqual(['mcphooks-why']);
    expect(world.read('tmp/mcphooks-why')).toBe('');
  });

  it('names the folder for temporary files where it is missing', async () => {
    const world = await installed([COMMIT]);
    const gone = join(world.home, 'gone');
    for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, gone);
    const { code, stderr } = await world.run('fire', 'memo', 'post_tool_use');
    vi.unstubAllEnvs();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${gone}: no temporary folder`)]);
    expect(stderr).toContain(WINDOWS ? 'Set TEMP to' : 'Set TMPDIR to');
  });
});

it.runIf(LONG)('says with a text that the client itself does not run the hook now', async () => {
  const world = homeWith(COMMIT);
  expect(await world.run('install', 'memo', '--yes', '--client', 'claude-code,codex')).toMatchObject({
    code: 0,
  });
  const said = async (client: string): Promise<string> => {
    const { code, stdout } = await world.run('fire', 'memo', 'post_tool_use', '--client', client);
    expect([code, stdout.includes('You committed')]).toEqual([0, true]);
    return /· (.* itself does not run it now: .*)/.exec(stdout.replace(/\s+/g, ' '))?.[1] ?? '';
  };
  expect(await said('claude-code')).toBe('');
  expect(await said('codex')).toContain('not trusted yet');
  trustCodex(world);
  expect(await said('codex')).toBe('');
  const settings = JSON.parse(world.read('home/.claude/settings.json'));
  world.write('home/.claude/settings.json', JSON.stringify({ ...settings, disableAllHooks: true }));
  expect(await said('claude-code')).toContain('disableAllHooks');
  world.write(
    'home/.claude/settings.json',
    JSON.stringify({ ...settings, hooks: { ...settings.hooks, PostToolUseFailure: [] } }),
  );
  expect(await said('claude-code')).toBe('');
  world.write('home/.claude/settings.json', '{}');
  expect(await said('claude-code')).toContain('missing');
});

it.runIf(LONG)(
  'says that the client itself does not run the hook in this folder, with and without a text',
  async () => {
    const world = homeWith(COMMIT);
    expect(await world.run('install', 'memo', '--yes', '--client', 'codex,gemini-cli')).toMatchObject({
      code: 0,
    });
    const said = async (input: string): Promise<readonly [boolean, string[]]> => {
      const { stdout } = await world.run('fire', 'memo', 'post_tool_use', '--input', input);
      const notes =
        stdout.replace(/\s+/g, ' ').match(/· \S+( CLI)? itself does not run it now: [^·]*?trusted/g) ?? [];
      return [stdout.includes('You committed'), notes];
    };
    const notes = [
      expect.stringMatching(/^· Codex .* not trusted$/),
      expect.stringMatching(/^· Gemini CLI .* not trusted$/),
    ];
    expect(await said('git commit')).toEqual([true, notes]);
    expect(await said('git status')).toEqual([false, notes]);
    trustCodex(world);
    world.write('home/.gemini/trustedFolders.json', JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
    expect(await said('git commit')).toEqual([true, []]);
  },
);

it('refuses a payload that is no regular file, and says what to give', async () => {
  const world = await installed([COMMIT]);
  const { code, stderr } = await world.run('fire', 'memo', 'post_tool_use', '--payload', world.home);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "can't be read: it is not a regular file\n  Use a regular file, not a folder, a pipe or a device.",
  );
});

it('runs the hook of a failed tool for a payload of one, also where payloads tell no event', async () => {
  const world = await installed([{ ...COMMIT, matcher: {} }], '--client', 'copilot');
  const failed = payload(world, { toolName: 'view', error: 'no such file' });
  expect(answers(await fire(world, 'copilot', 'post_tool_use', ...failed))).toEqual([
    'postToolUseFailure text',
  ]);
  const done = payload(world, { toolName: 'view', toolResult: { textResultForLlm: 'x' } });
  expect(answers(await fire(world, 'copilot', 'post_tool_use', ...done))).toEqual(['postToolUse text']);
});

it("takes a tool's input and result from the payload, in the fields of another program that reads the file, too", async () => {
  const hook = { ...COMMIT, matcher: { input_contains: 'b.ts' }, context: 'Said: {tool_output}.' };
  const world = await installed([hook], '--client', 'copilot');
  const vscode = { tool_name: 'create_file', tool_input: { filePath: 'b.ts' }, tool_response: 'written' };
  const { firings } = await fire(world, 'copilot', 'post_tool_use', ...payload(world, vscode));
  expect(firings).toMatchObject([{ native: 'postToolUse', text: expect.stringContaining('Said: written.') }]);
});

describe('a payload on stdin', () => {
  const fires = ['fire', 'memo', 'post_tool_use', '--client', 'codex', '--json', '--payload', '-'];

  it('counts as one of a file', async () => {
    const world = await installed([COMMIT]);
    const codes = async (payload: object): Promise<string[]> => {
      const stdin = `\ufeff${JSON.stringify(payload)}\n`;
      const { code, stdout, stderr } = await world.runAs({ stdin }, ...fires);
      expect(code, stderr).toBe(0);
      return answers(JSON.parse(stdout).clients[0]);
    };
    expect(await codes({})).toEqual(['PostToolUse text']);
    expect(await codes({ tool_input: { command: 'ls' } })).toEqual(['PostToolUse 1:matcher.input']);
  });

  it.each<[string, string | Buffer, string, string]>([
    ['nothing', ' \n', 'stdin is empty', 'Pipe a JSON object into it'],
    ['other text', 'tool: x', 'stdin:1:1: ', 'Correct it at this place.'],
    ['another value', '[1]', 'stdin contains no JSON object', 'Pipe a JSON object into it'],
    ['other bytes', Buffer.from([0x7b, 0xff, 0x7d]), "stdin:1:2: can't be read: it is not UTF-8", ''],
  ])('is refused where it is %s', async (_, stdin, what, fix) => {
    const world = await installed([COMMIT]);
    const { code, stderr } = await world.runAs({ stdin }, ...fires.filter((word) => word !== '--json'));
    expect(code).toBe(1);
    expect(stderr).toContain(`mcphooks: ${what}`);
    expect(stderr).toContain(fix);
  });

  it('is read by the program', async () => {
    const world = await installed([COMMIT]);
    const say = (input: string | Buffer) =>
      spawnSync(process.execPath, [CLI, ...fires], { cwd: world.project, env: world.env, input });
    const told = JSON.parse(say('{"tool_input":{"command":"ls"}}').stdout.toString());
    expect(answers(told.clients[0])).toEqual(['PostToolUse 1:matcher.input']);
    expect(JSON.parse(say('').stdout.toString()).faults[0].code).toBe('usage.no-stdin');
    if (LONG) {
      const endless = say(Buffer.alloc(17 * 2 ** 20, ' '));
      expect(JSON.parse(endless.stdout.toString()).faults[0].message).toContain('larger than 16 MB');
    }
  });

  it.runIf(LONG && !WINDOWS)('is refused where it is a folder', async () => {
    const world = await installed([COMMIT]);
    const folder = openSync(world.home, 'r');
    const { cwd, env } = { cwd: world.project, env: world.env };
    const ended = spawnSync(process.execPath, [CLI, ...fires], { cwd, env, stdio: [folder, 'pipe', 'pipe'] });
    closeSync(folder);
    const { message } = JSON.parse(ended.stdout.toString()).faults[0];
    expect(message).toBe("stdin: can't be read: it is a folder\n  Use a file instead.");
  });
});

it('names the server that was probably meant, where its hooks are not installed', async () => {
  const world = homeWith(COMMIT);
  const fix = async (name: string) =>
    (await world.run('fire', name, 'session_start')).stderr.trim().split('\n  ')[1];
  expect(await fix('mem')).toBe("Did you mean 'memo'? Install its hooks with: mcphooks install memo");
  expect(await fix('memo')).toBe('Install its hooks with: mcphooks install memo');
});
