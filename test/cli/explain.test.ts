import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { COMMIT, declare, homeWith, START, starts, trustCodex } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

interface Cell {
  client: string;
  fidelity: string;
  moment: string;
  matcher?: string;
  steps: {
    native: string;
    does: string;
    matcher?: string;
    command?: string;
    timeout: number;
    call?: number;
  }[];
  texts: string[];
  samples: Record<string, string>;
  cooldown?: number;
}

async function explained(world: World, ...args: string[]) {
  const { code, stdout } = await world.run('explain', 'memo', '--json', ...args);
  const document = JSON.parse(stdout) as {
    since?: string;
    preview?: string[];
    findings?: object[];
    hooks: { n: number; clients: Cell[] }[];
    limits: { client: string }[];
  };
  expect(OUTPUTS.explain.safeParse(document).error).toBeUndefined();
  expect(document).toMatchObject({ command: 'explain', status: 'explained', exit: code });
  return document;
}

const PROMPT = { event: 'pre_request', context: 'A word in {project_name}.', priority: 'suggestion' };
const DONE = { event: 'post_request', context: 'Was it decided?', priority: 'suggestion' };
const OVER = { event: 'session_end', context: 'Over.', priority: 'required' };

/** Without what differs from fire to fire: the tag and the moment. */
const steady = (texts: string[] = []): string[] =>
  texts.map((text) =>
    text.replaceAll(/(?<=^\[\/?mcphooks )[0-9a-f]{8}/gm, 'tag').replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'then'),
  );

/** What the installed hooks of one event give, by client. */
async function fired(world: World, event: string, ...args: string[]): Promise<Record<string, string[]>> {
  const { stdout } = await world.run('fire', 'memo', event, '--json', ...args);
  const { clients } = JSON.parse(stdout) as { clients: { client: string; firings: { text?: string }[] }[] };
  return Object.fromEntries(
    clients.map(({ client, firings }) => [
      client,
      [...new Set(steady(firings.flatMap((f) => f.text ?? [])))],
    ]),
  );
}

it('shows the very text that the installed hooks give', async () => {
  const world = homeWith(PROMPT, COMMIT);
  await world.run('install', 'memo', '--yes');
  const { hooks, since } = await explained(world);
  expect(since).toBeDefined();
  const texts = (n: number) =>
    Object.fromEntries(hooks[n - 1]?.clients.map((c) => [c.client, steady(c.texts)]) ?? []);
  expect(texts(1)).toEqual(await fired(world, 'pre_request'));
  expect(texts(2)).toEqual(await fired(world, 'post_tool_use'));
  expect(texts(1)['claude-code']?.[0]).toContain('A word in project.');
  expect(hooks[0]?.clients[0]?.samples).toEqual({ project_name: 'project' });
});

it('shows the tag of the install where the shell prints the text, and else one that says so', async () => {
  const world = homeWith(PROMPT, { event: 'session_start', context: 'Fixed.', priority: 'suggestion' });
  world.write('project/.mcp.json', world.read('home/.claude.json'));
  const claude = ['--client', 'claude-code'];
  await world.run('install', 'memo', '--yes', ...claude);
  const [{ tag }] = JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers;
  const { hooks } = await explained(world, ...claude);
  const tags = hooks.map(({ clients }) => /^\[mcphooks (\S+) /.exec(clients[0]?.texts[0] ?? '')?.[1]);
  expect(tags).toEqual(['00000000', tag]);
  const screen = (await world.run('explain', 'memo', ...claude)).stdout;
  expect(screen.match(/00000000 stands for a tag that each fire makes at random/g)).toHaveLength(1);

  const dry = await world.run('install', 'memo', '--scope', 'project', '--dry-run', ...claude);
  const allowed = ['--allow-start', /--allow-start ([0-9a-f]{64})/.exec(dry.stderr)?.[1] ?? ''];
  const shared = await world.run('explain', 'memo', '--scope', 'project', ...claude, ...allowed);
  expect(shared.code, shared.stderr).toBe(0);
  expect(shared.stdout).toContain('[mcphooks 00000000 | MCP server "memo"');
  expect(shared.stdout).not.toMatch(/\[mcphooks (?!0{8})/);
});

it.runIf(LONG)('says that a text given later is late, as it is given then', async () => {
  const world = homeWith(DONE);
  await world.run('install', 'memo', '--yes', '--client', 'codex');
  const given = (await fired(world, 'post_request')).codex ?? [];
  const [hook] = (await explained(world)).hooks;
  expect(steady(hook?.clients[0]?.texts)).toEqual(given);
  expect(hook?.clients[0]).toMatchObject({ fidelity: 'deferred', moment: 'next-prompt' });
});

it.runIf(LONG)('shows a text that is longer than its client takes as a fire cuts it', async () => {
  const context = 'In {project_dir}, this is so.\n'.repeat(240);
  const world = homeWith({ ...PROMPT, context });
  await world.run('install', 'memo', '--yes', '--client', 'claude-code,codex');
  const given = await fired(world, 'pre_request');
  const [hook] = (await explained(world)).hooks;
  for (const { client, texts } of hook?.clients ?? []) {
    expect(texts[0]).toContain('cut by mcphooks');
    expect(steady(texts)).toEqual(given[client]);
  }
});

it('names events, matchers, handlers and times as they are written', async () => {
  const world = homeWith(COMMIT, OVER);
  await world.run('install', 'memo', '--yes');
  const { hooks, limits } = await explained(world);
  const [claude, codex, gemini] = hooks[0]?.clients ?? [];
  expect(claude?.steps.map((s) => s.native)).toEqual(['PostToolUse', 'PostToolUseFailure']);
  expect(gemini?.steps[0]).toMatchObject({ does: 'emit', matcher: '^run_shell_command$', timeout: 10 });
  const command = codex?.steps[0]?.command ?? '';
  expect(world.read('home/.codex/config.toml')).toContain(JSON.stringify(command).slice(1, -1));
  expect(hooks[1]?.clients.map((c) => [c.fidelity, c.steps, c.texts])).toEqual([
    ['unsupported', [], []],
    ['unsupported', [], []],
    ['unsupported', [], []],
  ]);
  expect(limits.map((l) => l.client)).toEqual(['claude-code', 'codex', 'gemini-cli']);
  expect(limits[0]).toMatchObject({ unit: 'utf16', handler: 10_000, event: 10_000, session: 50_000 });
});

it('reads the record of what is installed, and starts no server', async () => {
  const world = homeWith(PROMPT);
  await world.run('install', 'memo', '--yes');
  declare(world, { ...PROMPT, context: 'Other.' });
  const [before, asked] = [world.files(), starts(world)];
  const { hooks } = await explained(world, '--client', 'codex');
  expect(hooks[0]?.clients.map((c) => c.client)).toEqual(['codex']);
  expect(hooks[0]?.clients[0]?.texts[0]).toContain('A word in project.');
  const { code, stdout } = await world.run('explain', 'memo');
  expect([code, stdout.includes('A word in project.')]).toEqual([0, true]);
  expect([world.files(), starts(world)]).toEqual([before, asked]);
});

it('shows an install on the clients that have it, not on those that came since', async () => {
  const world = homeWith(PROMPT);
  const gemini = world.read('home/.gemini/settings.json');
  rmSync(join(world.home, '.gemini'), { recursive: true });
  await world.run('install', 'memo', '--yes');
  world.write('home/.gemini/settings.json', gemini);
  const shown = await explained(world);
  expect(shown.preview).toBeUndefined();
  for (const clients of [...shown.hooks.map((hook) => hook.clients), shown.limits])
    expect(clients.map((c) => c.client)).toEqual(['claude-code', 'codex']);
});

it('says of a named client without an install that it only shows what one would do', async () => {
  const world = homeWith(PROMPT);
  await world.run('install', 'memo', '--yes', '--client', 'codex');
  const both = ['--client', 'codex,gemini-cli'];
  const { since, preview, limits } = await explained(world, ...both);
  expect([since !== undefined, preview, limits.length]).toEqual([true, ['gemini-cli'], 2]);
  const { stdout } = await world.run('explain', 'memo', ...both);
  expect(stdout).toContain("no hooks from 'memo' are installed for Gemini CLI\n");
  expect(stdout).toContain('too: mcphooks install memo --client gemini-cli\n');
  expect((await explained(world, '--client', 'codex')).preview).toBeUndefined();
  world.write('home/.gemini/settings.json', '<<<<<<< HEAD\n');
  const broken = await world.run('explain', 'memo', ...both);
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('unresolved merge conflict')]);
});

it('offers no install on a client on which no hook can fire', async () => {
  const world = homeWith();
  const failed = { ...PROMPT, event: 'post_tool_use', when: { outcome: 'failure' } };
  const file = world.write('home/own.json', JSON.stringify({ declarations: [failed] }));
  const both = ['--client', 'claude-code,droid'];
  await world.run('install', 'memo', '--yes', '--declarations', file, '--no-check', ...both);
  const { hooks, preview } = await explained(world, ...both);
  expect(hooks[0]?.clients.map(({ fidelity }) => fidelity)).toEqual(['native', 'unsupported']);
  expect(preview).toBeUndefined();
});

it("says of hooks that aren't installed where a project's lock file can't tell", async () => {
  const world = homeWith(PROMPT);
  world.write('project/.git/HEAD', 'ref: refs/heads/main\n');
  world.write('project/mcphooks.lock.json', '<<<<<<< HEAD\n');
  const { stdout } = await world.run('explain', 'memo');
  expect(stdout).toContain('(preview)');
  expect(stdout).toMatch(/mcphooks\.lock\.json:1:1: unresolved merge conflict/);
});

it('plans what is not installed as install does, through the gate', async () => {
  const world = homeWith(START);
  const { hooks, since } = await explained(world, '--cooldown', '60');
  expect(since).toBeUndefined();
  expect(hooks[0]?.clients[0]).toMatchObject({ cooldown: 60, steps: [{ call: 10 }] });
  expect(hooks[0]?.clients[0]?.texts[0]).toContain('{"q":"project"}');
  expect(Object.keys(world.files()).filter((path) => path.includes('/mcphooks/'))).toEqual([]);

  const project = makeWorld();
  project.write('project/.mcp.json', world.read('home/.claude.json'));
  expect((await project.run('explain', 'memo')).code).toBe(3);
  expect((await project.run('explain', 'other')).code).toBe(1);
});

it('says nothing of waits on a client whose file cannot be read', async () => {
  const world = homeWith(PROMPT);
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  world.write('home/.claude/settings.json', '<<<<<<< HEAD\n{}\n');
  const { code, stdout } = await world.run('explain', 'memo');
  expect(code).toBe(1);
  expect(stdout).toContain('gives at most');
  expect(stdout).not.toContain('waits for a hook');
});

it('counts the hooks of an install in a file that cannot be read, and names the place', async () => {
  const world = homeWith(PROMPT);
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  world.write('home/.claude/settings.json', '<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n');
  const { stdout, stderr } = await world.run('explain', 'memo');
  expect(stdout).toMatch(/^memo {2}1 hook, installed since/);
  expect(stdout).toMatch(/✕ memo on Claude Code: unresolved merge conflict.*\n.*settings\.json:1:1\n/);
  expect(stderr).toBe('');
});

/** What `list` finds on these clients; `explain` has the same on its screen and in its document. */
async function saidByBoth(world: World, clients: string[]): Promise<string[]> {
  const only = ['--client', clients.join(',')];
  const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
  type Found = { code: string; message: string; client?: string };
  const [{ findings: ofAll, clients: ofEach }] = servers as [
    { findings: Found[]; clients: { findings: Found[] }[] },
  ];
  const findings = [...ofAll, ...ofEach.flatMap((one) => one.findings)].filter(
    ({ client }) => client === undefined || clients.includes(client),
  );
  expect((await explained(world, ...only)).findings ?? []).toEqual(findings);
  const screen = (await world.run('explain', 'memo', ...only)).stdout.replaceAll(/\s+/g, ' ');
  for (const { message } of findings) expect(screen).toContain(message);
  return [...new Set(findings.map(({ code }) => code))];
}

it('says with list that hooks are off since their server is gone, on the clients that it shows', async () => {
  const world = homeWith(START, PROMPT);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code,codex');
  trustCodex(world);
  world.write('home/.claude.json', '{}');
  expect(await saidByBoth(world, ['claude-code', 'codex'])).toEqual(['doctor.definition.gone']);
  expect(await saidByBoth(world, ['codex'])).toEqual([]);
});

it.runIf(LONG)(
  'says with list that hooks are changed, missing, disabled or have a broken source',
  async () => {
    const world = homeWith(START);
    const file = world.write('home/own.json', JSON.stringify({ declarations: [START, PROMPT] }));
    const claude = ['claude-code'];
    await world.run('install', 'memo', '--yes', '--declarations', file, '--client', ...claude);
    expect(await saidByBoth(world, claude)).toEqual([]);
    const whole = world.files();
    for (const [path, text, code] of [
      ['home/.claude.json', whole['home/.claude.json']?.replace('declared', 'other'), 'definition.changed'],
      ['home/.claude/settings.json', '{}', 'missing'],
      ['home/own.json', JSON.stringify({ declarations: [START] }), 'declarations.changed'],
    ] as const) {
      world.write(path, text ?? '');
      expect(await saidByBoth(world, claude)).toEqual([`doctor.${code}`]);
      world.write(path, whole[path] ?? '');
    }
    rmSync(join(world.home, '.local/share/mcphooks/hooks'), { recursive: true });
    expect(await saidByBoth(world, claude)).toEqual(['doctor.own-gone']);
    await world.run('disable', 'memo');
    expect(await saidByBoth(world, claude)).toContain('doctor.disabled');
    world.write('home/own.json', '{');
    expect((await world.run('explain', 'memo')).stdout).toMatch(
      /✕ memo: not valid JSON.*\n.*own\.json:1:2\n/,
    );
  },
);

it('says where a client calls the tool itself', async () => {
  const world = homeWith({ ...START, context_tool_args: { q: 'recent' } });
  const granted = ['--grant-control', 'memo', '--client', 'codex'];
  const { hooks } = await explained(world, ...granted);
  expect(hooks[0]?.clients[0]).toMatchObject({
    steps: [{ native: 'SessionStart', does: 'call' }],
    texts: [],
  });
});

it.runIf(LONG)(
  'goes by the approved definition, whatever other clients came to say; diff tells on which',
  async () => {
    const world = homeWith(START, COMMIT);
    await world.run('install', 'memo', '--yes');
    const before = await explained(world);
    const gemini = world.read('home/.gemini/settings.json');
    world.write('home/.gemini/settings.json', gemini.replace('declared.json', 'other.json'));
    const { findings, ...after } = await explained(world);
    expect({ ...after, findings: before.findings }).toEqual(before);
    const changed = { code: 'doctor.definition.changed', client: 'gemini-cli' };
    expect(findings).toContainEqual(expect.objectContaining(changed));
    const offline = await world.run('diff', 'memo', '--offline', '--json');
    const states = [{ state: 'current' }, { state: 'current' }, { state: 'changed' }];
    expect(JSON.parse(offline.stdout).servers[0].plan.clients).toMatchObject(states);
    world.write('home/.claude.json', world.read('home/.claude.json').replace('declared.json', 'third.json'));
    const other = JSON.parse((await world.run('diff', 'memo', '--offline', '--json')).stdout);
    expect(other.servers[0].plan.changed).toEqual(['definition']);
    expect(starts(world)).toBe(1);
  },
);

it('says after how many seconds a script gives up, which at an entry for all servers is long before the client', async () => {
  const world = homeWith(PROMPT);
  const { stdout } = await world.run('explain', 'memo', '--client', 'copilot,claude-code');
  expect(stdout).toContain('UserPromptSubmit 10 s; a hook script gives up after 8 s');
  expect(stdout).toMatch(/userPromptSubmitted 30 s; a hook script gives up after 8 s/);
});

it('names the whole command of a client that runs hooks without a shell', async () => {
  const world = homeWith(PROMPT);
  await world.run('install', 'memo', '--yes', '--client', 'opencode');
  const { stdout } = await world.run('explain', 'memo');
  expect(stdout).toMatch(/^ {3}runs .*opencode[/\\]<event>/m);
});

it.runIf(LONG)(
  'says of a client without an install, and of other options, that it is no install',
  async () => {
    const world = homeWith(PROMPT, COMMIT);
    await world.run('install', 'memo', '--yes', '--client', 'codex');
    expect((await world.run('explain', 'memo')).stdout).toMatch(/^memo {2}2 hooks, installed since [\d-]+$/m);
    expect((await world.run('explain', 'memo', '--client', 'gemini-cli')).stdout).toContain(
      'memo  2 hooks, not installed (preview)',
    );
    expect((await explained(world, '--client', 'gemini-cli')).since).toBeUndefined();
    expect((await world.run('explain', 'memo', '--only', '2')).stdout).toMatch(
      /^memo {2}1 of 2 hooks, installed since [\d-]+, shown with other options$/m,
    );
  },
);

it.runIf(LONG)('names the date of the install only for what is installed', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'codex');
  const title = async (...more: string[]) =>
    (await world.run('explain', 'memo', ...more)).stdout.split('\n')[0];
  expect(await title()).toContain('installed since');
  const file = world.write('home/other.json', JSON.stringify({ declarations: [START] }));
  for (const more of [['--declarations', file], ['--reset'], ['--from', 'claude-code']])
    expect(await title(...more), more.join(' ')).not.toContain('installed since');
});
