import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as library from '../../src/api/index.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { isAlive } from '../fire/world.ts';

cleanWorlds();

const root = join(import.meta.dirname, '../..');
const built: typeof library = await import(pathToFileURL(join(root, 'dist/index.js')).href);
const { apply, defineHooks, Fault, Faults, lint, parse, plan, readDeclarations, uninstall, validate } = built;

const COMMIT: library.Hook = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'If you committed, note it.',
  priority: 'suggestion',
};
const SENDS: library.Hook = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context_tool: 'note',
  context_tool_args: { text: '{tool_output}' },
  priority: 'suggestion',
};

function worldWith(...declarations: library.Hook[]): World {
  const world = makeWorld();
  const file = world.write('home/declared.json', JSON.stringify({ declarations }));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry(file) } }));
  world.write('home/.claude/settings.json', '{ "model": "opus" }\n');
  return world;
}

const at = ({ env, project: cwd }: World): library.Surroundings => ({ env, cwd });

/** The code of the first fault that a call ends with. */
async function code(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (error instanceof Faults) return error.faults[0]?.code;
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

describe('errors', () => {
  const uncaught = (code: string) => {
    const world = makeWorld();
    const program = world.write(
      'project/fails.mjs',
      `import * as m from ${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)};\n${code}\n`,
    );
    return spawnSync(process.execPath, [program], { cwd: world.project, env: world.env, encoding: 'utf8' })
      .stderr;
  };

  const rows = [
    ["await m.plan({ server: 'nope' });", /^Fault: no server named 'nope'/m],
    ["m.parse({ declarations: [{ event: 'x' }] });", /^declarations\[0\]\.event: "x" is not/m],
    // test/api/with-hooks.test.ts tests it, too.
    ["m.defineHooks([{ event: 'x' }]);", /^declarations\[0\]\.event: "x" is not/m],
  ] as const;
  it.each(ALL ? rows : rows.slice(0, LONG ? 2 : 1))(
    'are sentences, and point to the call: %s',
    (code, sentence) => {
      const printed = uncaught(code);
      expect(printed).toMatch(sentence);
      expect(printed).toMatch(/at .*fails\.mjs:2:/);
      expect(printed.split('\n').filter((line) => line.length > 400)).toEqual([]);
      expect(printed).not.toMatch(/args:|where:|\[faults\]|dist/);
    },
  );

  it.runIf(LONG)('of validate have sentences, too', () => {
    expect(validate({ declarations: [{}] }).map(({ message }) => message)[0]).toContain(
      "required key 'event'",
    );
  });
});

describe('the library', () => {
  it('reads, plans, applies and takes back, and leaves every byte', async () => {
    const world = worldWith(COMMIT);
    const before = world.files();
    const request = { server: 'memo', ...at(world) };
    const declared = await readDeclarations(request);
    expect(declared).toMatchObject({ declarations: [COMMIT], serverName: 'declares' });
    const planned = await plan(request);
    expect(planned.plan.clients.map((c) => [c.client, c.cells[0]?.fidelity])).toEqual([
      ['claude-code', 'native'],
    ]);
    expect(world.files()).toEqual(before);
    await apply(planned);
    expect(world.read('home/.claude/settings.json')).toContain('PostToolUse');
    expect((await world.run('diff')).code).toBe(0);
    const removal = await uninstall('memo', { ...at(world), dryRun: true });
    expect(removal.clients.map((c) => c.client)).toEqual(['claude-code']);
    expect(world.read('home/.claude/settings.json')).toContain('PostToolUse');
    await uninstall('memo', at(world));
    expect(world.files()).toEqual(before);
  });

  it('reads anew what a caller has altered in an earlier result', async () => {
    const world = worldWith(COMMIT);
    const before = world.files();
    const request = { server: 'memo', ...at(world) };
    await apply(await plan(request));
    const { previous } = (await plan(request)).plan;
    expect(previous).toMatchObject({ server: 'memo', declarations: [COMMIT] });
    Object.assign(previous as object, { clients: {}, declarations: [] });
    const again = await plan(request);
    expect(again.plan).toMatchObject({ previous: { declarations: [COMMIT] }, changed: [], changes: [] });
    Object.assign(again.plan.previous as object, { clients: {}, declarations: [] });
    expect((await apply(again)).changes).toEqual([]);
    await uninstall('memo', at(world));
    expect(world.files()).toEqual(before);
  });

  it.runIf(LONG)('changes no file that the plan leaves as it is', async () => {
    const world = worldWith(COMMIT);
    await apply(await plan({ server: 'memo', ...at(world) }));
    const planned = await plan({ server: 'memo', ...at(world), clients: ['claude-code', 'codex'] });
    await uninstall('memo', at(world));
    const before = world.files();
    expect(await code(() => apply(planned))).toBe('apply.unshown');
    expect(world.files()).toEqual(before);
  });

  it.runIf(LONG)('installs for a server that is given, and for the clients that are named', async () => {
    const world = worldWith(COMMIT);
    const { command, args } = serverEntry(join(world.home, 'declared.json'));
    const planned = await plan({
      ...at(world),
      server: 'other',
      command: [command, ...args],
      clients: ['codex'],
      options: { cooldown: 60 },
    });
    expect(planned.plan.options.cooldown).toBe(60);
    await apply(planned);
    expect(world.read('home/.codex/config.toml')).toContain('PostToolUse');
    await uninstall('other', at(world));
    expect(Object.keys(world.files())).not.toContain('home/.codex/config.toml');
  });

  it.runIf(LONG)('asks for a further word where the command line does', async () => {
    const world = worldWith(SENDS);
    const request = { server: 'memo', ...at(world) };
    const before = world.files();
    expect(await code(async () => apply(await plan(request)))).toBe('consent.tool-data');
    expect(world.files()).toEqual(before);
    await apply(await plan({ ...request, options: { sendToolData: true } }));
    world.write('home/declared.json', JSON.stringify({ declarations: [COMMIT] }));
    const installed = world.files();
    const changed = await plan(request);
    expect(changed.plan.changed).toEqual(['declarations']);
    expect(await code(() => apply(changed))).toBe('consent.changed');
    expect(world.files()).toEqual(installed);
    await apply(changed, { acceptChanged: true });
    expect((await world.run('diff')).code).toBe(0);
  });

  it.each<[string, object]>([
    ['options.maxPriority: "huge" is not one of', { options: { maxPriority: 'huge' } }],
    ['options.hookTimeout: -3 is not a whole number from 2', { options: { hookTimeout: -3 } }],
    ['options.cooldown: "5m" is not a number', { options: { cooldown: '5m' } }],
    ["unknown key 'coldown'", { options: { coldown: 5 } }],
    ['clients.0: "x" is not one of', { clients: ['x'] }],
    ['scope: "x" is not one of', { scope: 'x' }],
    ['server: undefined is not a text', { server: undefined }],
    ["the server's name is empty", { server: ' ' }],
    ['url: 5 is not a text', { url: 5 }],
    ['check: "no" is not true or false', { check: 'no' }],
    ['timeout: 0 is not a number above 0', { timeout: 0 }],
    ['timeout: 5n is not a number', { timeout: 5n }],
    ['url: function is not a text', { url: () => {} }],
    ['timeout: 1000001 is not a whole number up to 1000000', { timeout: 1_000_001 }],
    ['timeout: Infinity is not a number', { timeout: Number.POSITIVE_INFINITY }],
    ['timeout: NaN is not a number', { timeout: Number.NaN }],
    ['allowStart: 5 is not a text or a list of texts', { allowStart: 5 }],
    ['allowStart: […] is not a text or a list of texts', { allowStart: ['x', 5] }],
    ['env: null is not an object of texts', { env: null }],
    ['env: {…} is not an object of texts', { env: { HOME: 5 } }],
    ['env: {…} is not an object of texts', { env: { HOME: '/a\0b' } }],
    ['cwd: "/a\\u0000b" is not a path', { cwd: '/a\0b' }],
    ['cwd: 5 is not a path', { cwd: 5 }],
    ['declarationsFile: "a\\u0000b" is not a path', { declarationsFile: 'a\0b' }],
    ['onMessage: "x" is not a function', { onMessage: 'x' }],
    ["command and url can't be used together", { command: ['node'], url: 'http://127.0.0.1' }],
    ['headers needs url', { headers: ['a: b'] }],
    ['headers needs url', { headers: ['a: b'], command: ['node', 'x.mjs'] }],
    ['options.target "plugin" needs scope "user"', { options: { target: 'plugin' }, scope: 'project' }],
    ['options.target "plugin" needs scope "user"', { options: { target: 'plugin' }, scope: 'local' }],
  ])('refuses values of other types, which plain JavaScript lets through: %s', async (message, more) => {
    const world = worldWith(COMMIT);
    const before = world.files();
    const request = { server: 'memo', ...at(world), ...more } as Parameters<typeof plan>[0];
    await expect(plan(request)).rejects.toThrow(message);
    expect(world.files()).toEqual(before);
  });

  it('refuses keys that it does not know, and names the one that was meant', async () => {
    const world = worldWith(COMMIT);
    const here = at(world);
    await apply(await plan({ server: 'memo', ...here }));
    const before = world.files();
    const loose = built as unknown as Record<string, (...args: unknown[]) => unknown>;
    const planned = await plan({ server: 'memo', ...here });
    const rows: [string, ...unknown[]][] = [
      ["uninstall 'dryRun'", 'memo', { ...here, dryrun: true }],
      ['uninstall', 'memo', { ...here, clients: ['codex'] }],
      ["plan 'clients'", { ...here, server: 'memo', client: ['codex'] }],
      ['plan', { ...here, server: 'memo', dryRun: true }],
      ["readDeclarations 'declarationsFile'", { ...here, server: 'memo', declarationFile: 'x' }],
      ["apply 'acceptChanged'", planned, { acceptchanged: true }],
      ["lint 'clients'", [COMMIT], { client: ['codex'] }],
      ["lint 'cooldown'", [COMMIT], { options: { coldown: 5 } }],
      ["parse 'when'", [COMMIT], { When: false }],
      ["validate 'cooldown'", [COMMIT], { coldown: 5 }],
    ];
    for (const [row, ...args] of rows) {
      const [name = '', meant] = row.split(' ');
      const call = async () => loose[name]?.(...args);
      await expect(call(), row).rejects.toThrow(/unknown key '\w+'/);
      if (meant) await expect(call(), row).rejects.toThrow(`Did you mean ${meant}?`);
    }
    expect(world.files()).toEqual(before);
    for (const name of ['plan', 'readDeclarations'])
      await expect((async () => loose[name]?.(null))()).rejects.toThrow('argument: null is not an object');
  });

  it('says that the current folder is gone, unless another is given', async () => {
    const { env, project: cwd } = worldWith(COMMIT);
    vi.spyOn(process, 'cwd').mockImplementation(() => {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' });
    });
    try {
      expect(await code(() => plan({ server: 'memo', env }))).toBe('internal.no-folder');
      expect((await plan({ server: 'memo', env, cwd })).plan.clients).not.toEqual([]);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('refuses a locate that is no function', () => {
    expect(() => lint([{}], { locate: 5 as never })).toThrow('locate: 5 is not a function');
  });

  it('takes the environment of the process, which is no plain object', () => {
    const { env, project: cwd } = worldWith(COMMIT);
    const program =
      `const { plan } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)});` +
      "const { plan: made } = await plan({ server: 'memo', env: process.env });" +
      'console.log(made.clients.length);';
    const args = ['--input-type=module', '--eval', program];
    expect(spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })).toMatchObject({
      stdout: '1\n',
      stderr: '',
    });
  });

  it.each([['lints'], [undefined], [5]])('refuses a schema that there is not: %j', async (name) => {
    expect(await code(() => built.jsonSchema(name as never))).toBe('usage.unknown-word');
  });

  it('refuses an empty name of a server to uninstall', async () => {
    expect(await code(() => uninstall('', at(makeWorld())))).toBe('usage.empty-name');
  });

  it('takes what the environment inherits, as child processes do', async () => {
    const { env, project: cwd } = worldWith(COMMIT);
    const inherited = Object.assign(Object.create(env), { UNSET: undefined }) as World['env'];
    expect((await plan({ server: 'memo', env: inherited, cwd })).plan.clients.map((c) => c.file)).toEqual(
      (await plan({ server: 'memo', env, cwd })).plan.clients.map((c) => c.file),
    );
  });

  it('works for a project, and leaves every byte of it', async () => {
    const world = makeWorld();
    const file = world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
    world.write('project/.git/HEAD', '');
    const before = world.files();
    const here = { ...at(world), scope: 'project' as const };
    const planned = await plan({ server: 'memo', declarationsFile: file, clients: ['codex'], ...here });
    expect([planned.plan.scope, planned.plan.root]).toEqual(['project', world.project]);
    expect(planned.plan.clients.map(({ client }) => client)).toEqual(['codex']);
    await apply(planned);
    expect(Object.keys(world.files())).toEqual(expect.arrayContaining(['project/mcphooks.lock.json']));
    expect((await world.run('diff', '--scope', 'project')).code).toBe(0);
    await uninstall('memo', here);
    expect(world.files()).toEqual(before);
  });

  it('names the hooks that are left out, in the plan and by a message', async () => {
    const long: library.Hook = { ...COMMIT, context: 'x'.repeat(8001) };
    const world = worldWith(COMMIT, long);
    const messages: string[] = [];
    const asked = { server: 'memo', clients: ['claude-code'] as const, ...at(world) };
    const { plan: made } = await plan({ ...asked, onMessage: (text) => messages.push(text) });
    expect(made.leftOut?.map((fault) => fault.code)).toEqual(['decl.too-long']);
    expect(made.declarations).toHaveLength(1);
    expect(messages.join('\n')).toContain('declarations[1].context: 8001 characters');
    await readDeclarations({ ...asked, onMessage: (text) => messages.push(text) });
    expect(messages).toHaveLength(2);
  });

  it('reports a damaged record at each call, also by the same function', async () => {
    const world = worldWith(COMMIT);
    world.write('home/.local/state/mcphooks/record.json', '{');
    const messages: string[] = [];
    const onMessage = (text: string): void => void messages.push(text);
    for (let call = 1; call <= 2; call++) {
      await plan({ server: 'memo', clients: ['claude-code'], ...at(world), onMessage });
      expect(messages.filter((text) => text.includes('record file is damaged'))).toHaveLength(call);
    }
  });

  it.each([undefined, true, false])(
    'checks a file with the server, unless `check` is false: %s',
    async (check) => {
      const world = makeWorld();
      const declarationsFile = world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
      const entry = serverEntry('', join(world.home, 'started'));
      world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
      const request = {
        server: 'memo',
        declarationsFile,
        ...(check !== undefined && { check }),
        ...at(world),
      };
      const { declarations } = await readDeclarations(request);
      expect(declarations).toEqual([COMMIT]);
      expect(Object.keys(world.files()).includes('home/started')).toBe(check !== false);
    },
  );

  it('starts nothing that a project defines, and prints nothing', async () => {
    const world = makeWorld();
    const log = join(world.home, 'started');
    const entry = serverEntry(join(world.home, 'declared.json'), log);
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: entry } }));
    expect(await code(() => readDeclarations({ server: 'memo', ...at(world) }))).toBe('gate.project-start');
    expect(Object.keys(world.files())).not.toContain('home/started');
  });

  it('says how the server is run, and takes no other object than a plan', async () => {
    const planned = await plan({ server: 'memo', ...at(worldWith(COMMIT)) });
    expect(planned.shown).toContain('declared.json');
    await expect(apply({ ...planned })).rejects.toThrow('apply takes a plan that plan() returned');
  });

  it('plans for a server at a URL, with headers', async () => {
    const world = makeWorld();
    const planned = await plan({
      server: 'memo',
      url: 'http://127.0.0.1:9/mcp',
      headers: ['Authorization: ${TOKEN}'],
      declarationsFile: world.write('home/hooks.json', JSON.stringify([COMMIT])),
      check: false,
      clients: ['codex'],
      ...at(world),
    });
    expect(planned.shown).toMatch(/http:\/\/127\.0\.0\.1:9\/mcp.*Authorization/s);
  });

  it('reads the hooks of a server where there is no client', async () => {
    const world = makeWorld();
    const { command, args } = serverEntry(
      world.write('home/a.json', JSON.stringify({ declarations: [COMMIT] })),
    );
    const request = { server: 'memo', command: [command, ...args], ...at(world) };
    expect((await readDeclarations(request)).declarations).toEqual([COMMIT]);
  });

  it('plans by the definition of the client that is named, where two differ', async () => {
    const world = worldWith(COMMIT);
    const other = { ...COMMIT, context: 'Of Gemini CLI.' };
    const entry = serverEntry(world.write('home/other.json', JSON.stringify({ declarations: [other] })));
    world.write('home/.gemini/settings.json', JSON.stringify({ mcpServers: { memo: entry } }));
    const request = { server: 'memo', ...at(world) };
    expect(await code(() => readDeclarations(request))).toBe('server.disagree');
    expect((await readDeclarations({ ...request, from: 'gemini-cli' })).declarations).toEqual([other]);
  });

  it('waits for a server no longer than it was told', async () => {
    const command = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    const request = { server: 'memo', command, timeout: 0.1, ...at(makeWorld()) };
    expect(await code(() => readDeclarations(request))).toBe('server.timeout');
  });

  it('keeps the options of an earlier install, unless they are reset', async () => {
    const request = { server: 'memo', ...at(worldWith(COMMIT)) };
    await apply(await plan({ ...request, options: { cooldown: 60 } }));
    expect((await plan(request)).plan.options.cooldown).toBe(60);
    expect((await plan({ ...request, reset: true })).plan.options.cooldown).toBe(0);
  });

  it('asks again for tool data when another hook sends them', async () => {
    const world = worldWith(SENDS);
    const request = { server: 'memo', ...at(world) };
    const sends = { ...request, options: { sendToolData: true } };
    await apply(await plan(sends));
    const more = { ...SENDS, context_tool_args: { text: '{tool_input}' } };
    world.write('home/declared.json', JSON.stringify({ declarations: [SENDS, more] }));
    const changed = await plan(request);
    expect(await code(() => apply(changed, { acceptChanged: true }))).toBe('consent.tool-data');
    await apply(await plan(sends), { acceptChanged: true });
    expect((await plan(request)).plan.changes).toEqual([]);
  });

  it('writes nothing where files can not be edited, and names each', async () => {
    const world = worldWith(COMMIT);
    for (const file of ['.claude/settings.json', '.codex/config.toml']) world.write(`home/${file}`, '{');
    const before = world.files();
    const clients = ['claude-code', 'codex', 'gemini-cli'] as const;
    const planned = await plan({ server: 'memo', clients, ...at(world) });
    await expect(apply(planned)).rejects.toThrow(/settings\.json.*config\.toml/s);
    expect(world.files()).toEqual(before);
  });

  it('tells which other install covers the one that is planned', async () => {
    const world = worldWith(COMMIT);
    world.write('project/.git/HEAD', '');
    const request = { server: 'memo', ...at(world) };
    await apply(await plan(request));
    const { plan: local } = await plan({ ...request, scope: 'local' });
    expect(local.clients.map(({ covered }) => covered?.by)).toEqual(['user']);
  });

  it('starts what a project defines once its hash is approved, and remembers that', async () => {
    const world = makeWorld();
    const entry = serverEntry(world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] })));
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: entry } }));
    world.write('project/.git/HEAD', '');
    const request = { server: 'memo', scope: 'project', ...at(world) } as const;
    const refused = await plan(request).catch((fault) => fault);
    expect(refused.code).toBe('gate.project-start');
    const { hash } = refused.args;
    await apply(await plan({ ...request, allowStart: hash }));
    expect((await plan(request)).plan.changes).toEqual([]);
  });

  it('installs hooks that call a server of a project only once its start is approved', async () => {
    const world = makeWorld();
    const call = { event: 'session_start', context_tool: 'note', priority: 'important' };
    const declarationsFile = world.write('home/hooks.json', JSON.stringify([call]));
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: serverEntry('x') } }));
    const request = { server: 'memo', declarationsFile, check: false, ...at(world) };
    const refused = await apply(await plan(request)).catch((fault) => fault);
    expect(refused.code).toBe('gate.project-start');
    await apply(await plan({ ...request, allowStart: [refused.args.hash] }));
    expect((await plan(request)).plan.changes).toEqual([]);
  });

  describe('uninstalls', () => {
    const SETTINGS = 'home/.claude/settings.json';
    const RECORD = 'home/.local/state/mcphooks/record.json';

    async function installed(): Promise<World> {
      const world = worldWith(COMMIT);
      await apply(await plan({ server: 'memo', ...at(world) }));
      return world;
    }

    it('an entry that was edited only when it is told to', async () => {
      const world = await installed();
      world.write(SETTINGS, world.read(SETTINGS).replace(/"timeout": \d+/, '"timeout": 77'));
      await uninstall('memo', at(world));
      expect(world.read(SETTINGS)).toContain('"timeout": 77');
      await uninstall('memo', { ...at(world), edited: true });
      expect(world.read(SETTINGS)).not.toContain('timeout');
    });

    it('and throws the fault of a file that can not be edited', async () => {
      const world = await installed();
      world.write(SETTINGS, `${world.read(SETTINGS)}}`);
      expect(await code(() => uninstall('memo', at(world)))).toBe('edit.unreadable');
    });

    it('and throws a fault for what stays: hooks of a client of a later version', async () => {
      const world = await installed();
      const record = JSON.parse(world.read(RECORD));
      const { clients } = record.servers[0];
      clients['later-client'] = { ...clients['claude-code'], own: {} };
      world.write(RECORD, JSON.stringify(record));
      expect(await code(() => uninstall('memo', at(world)))).toBe('record.client-unknown');
    });

    it('and says that the record is damaged, which is kept aside', async () => {
      const world = await installed();
      world.write(RECORD, '{');
      const messages: string[] = [];
      await uninstall('memo', { ...at(world), onMessage: (text) => messages.push(text) });
      expect(messages.join('\n')).toContain('record file is damaged');
      expect(messages).toHaveLength(1);
    });

    it('a server by the name that its clients know, which is no folder name', async () => {
      const world = worldWith(COMMIT);
      const before = world.files();
      const declarationsFile = join(world.home, 'declared.json');
      await apply(await plan({ server: 'My Memo', declarationsFile, check: false, ...at(world) }));
      expect(world.files()).not.toEqual(before);
      await uninstall('My Memo', at(world));
      expect(world.files()).toEqual(before);
    });

    it('in a dry run leaves an interrupted change as it is, and says so', async () => {
      const world = await installed();
      const journal = { format: 1, ops: [], made: [], emptied: [] };
      const path = world.write('home/.local/state/mcphooks/journal.commit.json', JSON.stringify(journal));
      const before = world.files();
      const messages: string[] = [];
      const onMessage = (text: string): void => void messages.push(text);
      await uninstall('memo', { ...at(world), onMessage, dryRun: true });
      expect(messages.join()).toContain(path);
      expect(world.files()).toEqual(before);
    });
  });
});

describe('authoring', () => {
  it('gives the value of the capability, or all faults', async () => {
    expect(defineHooks([COMMIT])).toEqual({ declarations: [COMMIT] });
    const bad = {
      declarations: [
        { ...COMMIT, event: 'later' },
        { event: 'session_start', priority: 'important' },
      ],
    };
    expect(validate({ declarations: [COMMIT] })).toEqual([]);
    expect(validate(bad).map((f) => f.code)).toEqual(['decl.choice', 'decl.neither']);
    expect(await code(() => parse(bad))).toBe('decl.choice');
    expect(await code(() => parse({ declarations: [{ ...COMMIT, context: 'x'.repeat(8001) }] }))).toBe(
      'decl.too-long',
    );
  });

  it.each<[string, (hook: unknown) => unknown, path: string]>([
    ['$schema', (hook) => ({ $schema: 'x', declarations: [hook] }), 'declarations[0].event'],
    ['hooks', (hook) => ({ hooks: { declarations: [hook] } }), 'hooks.declarations[0].event'],
    ['a list', (hook) => [hook], '[0].event'],
    ['one declaration', (hook) => hook, 'event'],
  ])('takes each form that a file may have: %s', (_, form, path) => {
    expect(validate(form(COMMIT))).toEqual([]);
    expect(parse(form(COMMIT))).toEqual([COMMIT]);
    expect(lint(form(COMMIT)).declarations).toEqual([COMMIT]);
    const bad = form({ ...COMMIT, event: 'later' });
    expect(validate(bad).map(({ where }) => where.path)).toEqual([path]);
    expect(() => lint(bad)).toThrow(Faults);
  });

  it.each([['note'], [undefined], [{}]])('refuses a tool without a name: %j', (tool) => {
    expect(() => lint([COMMIT], { tools: [tool as never] })).toThrow(/^\ntools\.0/);
  });

  it('refuses a key beside hooks', () => {
    const faults = validate({ hooks: { declarations: [] }, other: 1 });
    expect(faults.map(({ code, where }) => [code, where.path])).toEqual([['decl.unknown-key', 'other']]);
  });

  it('parses by what it is told of conditions, and leaves no bad declaration out', () => {
    const conditional = { ...COMMIT, when: { outcome: 'success' } };
    expect(parse([conditional])).toEqual([conditional]);
    expect(validate([conditional], { when: false }).map((f) => f.code)).toEqual(['decl.unknown-key']);
    const bad = [COMMIT, { ...COMMIT, event: 'later' }];
    expect(() => parse(bad, { lenient: true })).toThrow('[1].event');
  });

  it('lints by the name of the server, the options and the places that it is given', () => {
    const end = { event: 'session_end', context: 'Goodbye.', priority: 'suggestion' };
    const fidelity = (options: object) =>
      lint(end, { clients: ['codex'], options }).clients[0]?.hooks[0]?.fidelity;
    expect(fidelity({})).toBe('unsupported');
    expect(fidelity({ sessionEnd: 'defer' })).toBe('deferred');
    const own = { ...COMMIT, matcher: { tool_name: 'mcp__memo__nope' } };
    const codes = (server: string) =>
      lint(own, { server, tools: [{ name: 'note' }], clients: ['codex'] }).warnings.map(({ code }) => code);
    expect(codes('memo')).toEqual(['lint.own-tool-unknown']);
    expect(codes('other')).toEqual([]);
    const { warnings } = lint([], { locate: () => ({ file: 'hooks.json', line: 3 }) });
    expect(warnings).toMatchObject([{ code: 'lint.none', where: { file: 'hooks.json', line: 3 } }]);
  });

  it('lints as the command does', async () => {
    const call = { event: 'session_start', context_tool: 'note', priority: 'required' };
    const inputSchema = { type: 'object', properties: { q: {} }, required: ['q'] };
    const tools = [{ name: 'note', inputSchema: { ...inputSchema, required: [] } }];
    expect(await code(() => lint({ declarations: [call] }, { tools: [{ name: 'note', inputSchema }] }))).toBe(
      'tool.args-missing',
    );
    const { warnings, clients } = lint({ declarations: [COMMIT, call] }, { tools, clients: ['codex'] });
    expect(warnings.map((w) => [w.code, w.n])).toEqual([['lint.required', 2]]);
    expect(clients.map((c) => [c.client, c.hooks.map((h) => h.fidelity)])).toEqual([
      ['codex', ['native', 'native']],
    ]);
  });
});

describe('the types', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcphooks-types-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/mcphooks'), 'dir');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Codes of what the compiler says of a program that uses the package; its declarations are checked with it, the
   * compiler's own are not.
   */
  function errors(...lines: string[]): string[] {
    const file = join(folder, 'use.mts');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.join('\n'));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const use = ['--module', 'nodenext', '--target', 'es2022', '--types', '', file];
    const args = ['--noEmit', '--strict', '--skipDefaultLibCheck', '--singleThreaded', ...use];
    const { stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: folder, encoding: 'utf8' });
    return stdout.match(/^\S.*?TS\d+/gm) ?? [];
  }

  it.runIf(ALL)('take what SEP-2282 takes, and refuse what it refuses', () => {
    const good = [
      "import { apply, defineHooks, plan, type Fidelity } from 'mcphooks';",
      "defineHooks([{ event: 'session_start', context_tool: 'note', priority: 'important' }]);",
      "defineHooks([{ event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, context: 'x', priority: 'important' }]);",
      "const planned = await plan({ server: 'memo', clients: ['codex'], options: { cooldown: 60 } });",
      'const fidelities: string[] = planned.plan.clients.flatMap((c) => c.cells.map((cell) => cell.fidelity));',
      "const native: Fidelity = 'native';",
      'export const done: string = (await apply(planned)).server + fidelities + native;',
    ];
    const bad = [
      "{ event: 'later', context: 'x', priority: 'important' }",
      "{ event: 'session_start', priority: 'important' }",
      "{ event: 'session_start', context: 'x', context_tool: 'y', priority: 'important' }",
      "{ event: 'session_start', context: 'x', context_tool_args: {}, priority: 'important' }",
      "{ event: 'session_start', matcher: { tool_name: 'x' }, context: 'x', priority: 'important' }",
      "{ event: 'session_start', context: 'x', priority: 'high' }",
      "{ event: 'session_start', context: 'x' }",
    ];
    const found = errors(...good, ...bad.map((hook) => `defineHooks([${hook}]);`));
    const lines = new Set(found.map((line) => /^use\.mts\((\d+)/.exec(line)?.[1]));
    expect([...lines]).toEqual(bad.map((_, i) => String(good.length + i + 1)));
  });
});

it.runIf(LONG && process.platform !== 'win32')(
  'a signal leaves no server behind, also none that was to start after it',
  () => {
    const world = makeWorld();
    const server = world.write(
      'project/stays.mjs',
      `import { writeFileSync } from 'node:fs';
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});
writeFileSync('pid' + process.argv[2], String(process.pid));
setInterval(() => {}, 1000);`,
    );
    const program = world.write(
      'project/reads.mjs',
      `import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDeclarations } from ${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)};
const read = (n) => readDeclarations({ server: 'memo', command: ['node', ${JSON.stringify(server)}, n] });
read('A').catch(() => {});
while (!existsSync('pidA')) await sleep(20);
setTimeout(() => read('B').catch(() => {}), 30);
process.kill(process.pid, 'SIGTERM');
await sleep(20_000);`,
    );
    const { signal } = spawnSync(process.execPath, [program], { cwd: world.project, env: world.env });
    expect(signal).toBe('SIGTERM');
    const started = ['pidA', 'pidB'].filter((name) => existsSync(join(world.project, name)));
    const left = started.map((name) => Number(world.read(`project/${name}`))).filter(isAlive);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
  },
);
