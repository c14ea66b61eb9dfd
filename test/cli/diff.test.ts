import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG, sample } from '../effort.ts';
import { slashed } from '../platform.ts';
import { COMMIT, declare, homeWith, own } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const SERVED = {
  event: 'post_tool_use',
  matcher: { tool_name: 'mcp__*' },
  context: 'A.',
  priority: 'suggestion',
};
const RECORD = 'home/.local/state/mcphooks/record.json';
const CLAUDE = 'home/.claude/settings.json';
const CODEX = 'home/.codex/config.toml';
const GEMINI = 'home/.gemini/settings.json';

const edit =
  (path: string, from: string | RegExp, to: string) =>
  (world: World): void => {
    const text = world.read(path);
    expect(text).toMatch(from);
    world.write(path, text.replace(from, to));
  };
const editOwn =
  (tail: string, act: (path: string, world: World) => void) =>
  (world: World): void =>
    act(own(world, tail), world);
const memoElsewhere = (world: World): void =>
  edit('home/.claude.json', '"memo":', '"memo":{"command":"true"},"other":')(world);

/** What may happen to a home after an install. */
const CHANGES: [string, (world: World) => void][] = [
  ['nothing', () => {}],
  ['an own file is gone', editOwn('PostToolUse', (path, world) => rmSync(join(world.home, '..', path)))],
  [
    'an own file is longer',
    editOwn('PostToolUse.json', (path, world) => world.write(path, `${world.read(path)} `)),
  ],
  [
    'a shim may not be run',
    editOwn('PostToolUse', (path, world) => chmodSync(join(world.home, '..', path), 0o644)),
  ],
  [
    'an own file is a folder',
    editOwn('PostToolUse.json', (path, world) => {
      rmSync(join(world.home, '..', path));
      mkdirSync(join(world.home, '..', path));
    }),
  ],
  ['an own file is no JSON', editOwn('PostToolUse.json', (path, world) => world.write(path, '{'))],
  ['the runtime is altered', editOwn('fire.cjs', (path, world) => world.write(path, '1'))],
  [
    'an own folder is closed',
    editOwn('PostToolUse.json', (path, world) => chmodSync(join(world.home, '..', path, '..'), 0)),
  ],
  ['the timeout of an entry is another', edit(CLAUDE, '"timeout": 10', '"timeout": 11')],
  ['the matcher of an entry listens for less', edit(CLAUDE, /Bash\|/, 'Bas|')],
  ['the matcher of an entry is another', edit(GEMINI, '"matcher"', '"matcher": "x", "was"')],
  ['the command of an entry is another', edit(CODEX, '|| exit 0', '|| exit 1')],
  ['an entry is gone', edit(CLAUDE, 'PostToolUse', 'Stop')],
  [
    'an entry stands twice',
    (world) => world.write(CODEX, `${world.read(CODEX)}\n${/\[\[hooks[\s\S]*/.exec(world.read(CODEX))?.[0]}`),
  ],
  ['a file is gone', (world) => rmSync(join(world.home, '.claude/settings.json'))],
  ['a JSON file is broken', edit(CLAUDE, '{', '{,')],
  ['a JSON file has a comment', edit(CLAUDE, '{', '{ // mine\n')],
  ['a JSON file with comments is broken behind one', edit(GEMINI, /\s*$/, ' /*')],
  ['a TOML file is broken', edit(CODEX, /^/, 'x = = 1\n')],
  ['a TOML key stands twice', edit(CODEX, /^/, 'x = 1\nx = 2\n')],
  ['a file is not UTF-8', (world) => world.write(CLAUDE, '{"a":"\ud800"}')],
  [
    'another file of the client has hooks',
    (world) => world.write('home/.codex/hooks.json', '{"hooks":{"Stop":[{"hooks":[]}]}}'),
  ],
  ['another file of the client is broken', (world) => world.write('home/.codex/hooks.json', '{')],
  [
    'another server has come',
    edit(CODEX, '[mcp_servers.memo]', '[mcp_servers.new]\ncommand = "x"\n[mcp_servers.memo]'),
  ],
  ['the server has another name there', edit(CODEX, '[mcp_servers.memo]', '[mcp_servers.memos]')],
  [
    'the server is gone everywhere',
    (world) => {
      world.write('home/.claude.json', '{}');
      edit(CODEX, '[mcp_servers.memo]', '[mcp_servers.memos]')(world);
      edit(GEMINI, '"memo"', '"memos"')(world);
    },
  ],
  ['the server is started in another way', memoElsewhere],
  ['the list of servers is broken', (world) => world.write('home/.claude.json', '{')],
  ['hooks were declared otherwise', edit(RECORD, 'You committed', 'He committed')],
  ['another digest is remembered', edit(RECORD, /"digest": ".{4}/, '"digest": "0000')],
  ['another hash is remembered', edit(RECORD, /("declarationsHash": ").{4}/, '$10000')],
  ['an option is remembered', edit(RECORD, '"cooldown": 0', '"cooldown": 5')],
  ['an entry is remembered otherwise', edit(RECORD, '"key": "PostToolUse"', '"key": "Stop"')],
  ['the record is damaged', (world) => world.write(RECORD, '{')],
  ['the record is of a later version', edit(RECORD, '"schema": 1', '"schema": 2')],
  [
    'the user has another default',
    (world) => world.write('home/.config/mcphooks/config.json', '{"cooldown":7}'),
  ],
  ["the user's defaults are broken", (world) => world.write('home/.config/mcphooks/config.json', '{')],
  [
    'it was disabled',
    (world) => world.write(join(own(world, 'claude-code/PostToolUse'), '../../../disabled'), ''),
  ],
];

/**
 * Three ways to ask: the text comes from comparing alone, the document from the plan of a whole install, and without
 * the bases that the record remembers all is compiled.
 */
async function asked(world: World) {
  const [text, json] = await Promise.all([
    world.run('diff', '--offline'),
    world.run('diff', '--offline', '--json'),
  ]);
  const record = readFileSync(join(world.home, '..', RECORD));
  writeFileSync(join(world.home, '..', RECORD), String(record).replaceAll(/^ *"basis": .*\n/gm, ''));
  const compiled = await world.run('diff', '--offline');
  const { servers = [] } = JSON.parse(json.stdout) as { servers?: { exit: number }[] };
  return {
    text: { code: text.code, same: isSame(text) },
    compiled: { code: compiled.code, same: isSame(compiled) },
    plan: { code: json.code, same: servers.some(({ exit }) => exit === 0) },
  };
}

const isSame = ({ stdout }: { stdout: string }): boolean => stdout.startsWith('memo: as installed');

/** Makes changes to an installed home, each in turn, and asks after each. */
async function mismatches(changes: readonly (typeof CHANGES)[number][]): Promise<unknown[]> {
  const world = homeWith(COMMIT, SERVED);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  const kept = join(world.project, 'kept');
  cpSync(world.home, kept, { recursive: true });
  const wrong: unknown[] = [];
  let installed = 0;
  for (const [name, change] of changes) {
    change(world);
    const { text, ...others } = await asked(world);
    if (text.same) installed++;
    if (Object.values(others).some(({ code, same }) => code !== text.code || same !== text.same))
      wrong.push({ name, text, ...others });
    // Whoever isn't root can remove no closed folder.
    execFileSync('chmod', ['-R', 'u+rwX', world.home]);
    rmSync(world.home, { recursive: true });
    cpSync(kept, world.home, { recursive: true });
  }
  expect(installed).toBeGreaterThan(0);
  expect(installed).toBeLessThan(changes.length);
  return wrong;
}

describe('diff without --json says "as installed" where the plan of an install finds nothing to change', () => {
  it(
    'after one change',
    async () => expect(await mismatches(sample(CHANGES, LONG ? 7 : 14))).toEqual([]),
    60_000,
  );

  it.runIf(LONG)(
    'after two',
    async () => {
      const pairs = CHANGES.map(([name, change], i): (typeof CHANGES)[number] => {
        const [second, also] = CHANGES[(i * 11 + 5) % CHANGES.length] as (typeof CHANGES)[number];
        return [
          `${name}, and ${second}`,
          (world) => {
            change(world);
            try {
              also(world);
            } catch {
              // What it wants to change is no longer there.
            }
          },
        ];
      });
      expect(await mismatches(sample(pairs, 6, 1))).toEqual([]);
    },
    60_000,
  );
});

it.runIf(LONG)('sees that shims are to lie in another folder than the one that entries name', async () => {
  const world = homeWith(COMMIT);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
  expect(await world.run('diff', '--offline')).toMatchObject({ code: 2 });
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  expect(world.read(CLAUDE)).toMatch(/elsewhere[/\\]+mcphooks[/\\]+hooks[/\\]+memo/);
  expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
});

it.runIf(LONG)('with several servers, 1 goes before 3 and 3 before 2, and all are compared', async () => {
  const world = makeWorld();
  const entry = (name: string) => serverEntry(join(world.home, `${name}.json`));
  const declares = (name: string, context: string): string =>
    world.write(`home/${name}.json`, JSON.stringify({ declarations: [{ ...COMMIT, context }] }));
  const project = (name: string): string =>
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { asks: entry(name) } }));
  for (const name of ['drifts', 'asks', 'asks-else', 'fails']) declares(name, name);
  const mine = { drifts: entry('drifts'), fails: entry('fails') };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: mine }));
  project('asks');
  for (const name of ['drifts', 'asks', 'fails']) {
    const install = ['install', name, '--yes', '--client', 'claude-code'];
    const { code, stderr } = await world.run(...install);
    const [, hash = ''] = /--allow-start (\w+)/.exec(stderr) ?? [];
    if (code === 3) expect(await world.run(...install, '--allow-start', hash)).toMatchObject({ code: 0 });
  }
  const compared = async () => {
    const { code, stdout } = await world.run('diff', '--json');
    const { exit, servers, faults } = JSON.parse(stdout);
    expect(exit).toBe(code);
    return [code, servers.length, ...faults.map((fault: { code: string }) => fault.code)];
  };
  declares('drifts', 'else');
  expect(await compared()).toEqual([2, 3]);
  project('asks-else');
  expect(await compared()).toEqual([3, 3, 'gate.project-start']);
  world.write('home/fails.json', JSON.stringify({ declarations: [{}] }));
  const [code, count, ...faults] = await compared();
  expect([code, count]).toEqual([1, 3]);
  expect(faults).toContain('gate.project-start');
});

it('says of an entry that was edited by hand in which file it is, and what brings back the approved one', async () => {
  const world = homeWith(COMMIT);
  const before = world.read(CLAUDE);
  expect(await world.run('install', 'memo', '--cooldown', '5m', '--yes')).toMatchObject({ code: 0 });
  const approved = world.read(CLAUDE);
  edit(CLAUDE, '"timeout": 10', '"timeout": 11')(world);
  const { code, stdout } = await world.run('diff', '--offline');
  expect(code).toBe(2);
  expect(slashed(stdout)).toContain(
    'Claude Code  ~/.claude/settings.json\n  ~ the entry for PostToolUse was edited by hand',
  );
  const remedy =
    'Edited by hand: nothing to do if that is intended; else remove each edited entry from its file, then';
  expect(stdout).toContain(`${remedy} mcphooks install memo`);
  const marked = await world.run('diff', '--offline', '--format', 'markdown');
  expect(marked.stdout).toContain(`${remedy} \`mcphooks install memo\`.`);
  expect(marked.stdout).not.toContain('To restore');
  world.write(CLAUDE, before);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  // With the options as before, which are part of the path.
  expect(world.read(CLAUDE)).toBe(approved);
});

it('shows no files of ours where only an entry was edited, though an install would write them otherwise', async () => {
  const world = homeWith(COMMIT);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  // Hook scripts know the names of the client's other servers.
  edit('home/.claude.json', '"memo":', '"other":{"command":"true"},"memo":')(world);
  const changed = async (): Promise<string> => (await world.run('install', 'memo', '--dry-run')).stdout;
  expect(await changed()).toMatch(/^ {2}~ 3 files \(.*\n(?:.*\n)+ +PostToolUse\.json/m);
  expect(await world.run('diff', '--offline')).toMatchObject({ code: 0, stdout: 'memo: as installed\n' });
  edit(CLAUDE, '"timeout": 10', '"timeout": 11')(world);
  const { code, stdout } = await world.run('diff', '--offline');
  expect([code, stdout]).toEqual([2, expect.stringContaining('PostToolUse was edited by hand')]);
  expect(stdout).not.toContain('PostToolUse.json');
  expect(stdout).not.toContain('To bring it up to date');
});

it('says what brings back an edited entry also where more was altered, which an install brings back', async () => {
  const world = homeWith(COMMIT);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  edit(CLAUDE, '"timeout": 10', '"timeout": 11')(world);
  editOwn('PostToolUse', (path) => rmSync(join(world.home, '..', path)))(world);
  for (const format of ['text', 'markdown']) {
    const { stdout } = await world.run('diff', '--offline', '--format', format);
    expect(stdout).toMatch(/(?::|run) `?mcphooks install memo\b/);
    expect(stdout).toMatch(/from its file, then `?mcphooks install memo\b/);
  }
});

it('says of an entry that was edited by hand also where the server declares others now', async () => {
  const world = homeWith(COMMIT);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  edit(CLAUDE, '"timeout": 10', '"timeout": 11')(world);
  declare(world, { ...COMMIT, context: 'You did.' });
  for (const [format, event] of [
    ['text', 'PostToolUse'],
    ['markdown', '`PostToolUse`'],
  ] as const) {
    const { stdout } = await world.run('diff', '--format', format);
    expect(stdout).toContain(`${event} was edited by hand`);
    expect(stdout).toMatch(/from its file, then `?mcphooks install memo\b/);
  }
});

it('names the other file where an entry that the client copied there was edited', async () => {
  const world = homeWith(COMMIT);
  world.write('home/.factory/settings.json', '{}');
  expect(await world.run('install', 'memo', '--yes', '--client', 'droid')).toMatchObject({ code: 0 });
  const { hooks } = JSON.parse(world.read('home/.factory/settings.json'));
  const copied = JSON.stringify(hooks).replace('"timeout":30', '"timeout":31');
  world.write('home/.factory/hooks.json', copied);
  const { code, stdout } = await world.run('diff', '--offline');
  expect(code).toBe(2);
  expect(slashed(stdout)).toMatch(
    /^ *~\/\.factory\/hooks\.json\n *~ the entry for PostToolUse was edited by hand/m,
  );
  const marked = await world.run('diff', '--offline', '--format', 'markdown');
  expect(marked.stdout).toContain('.factory/hooks.json`: `PostToolUse` was edited by hand');
});
