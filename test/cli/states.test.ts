import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG, sample } from '../effort.ts';
import { commit, installForTeam, projectFiles, teamWorld } from '../project/team.ts';
import { COMMIT, declare, homeWith, own, START, trustCodex } from './home.ts';
import { cleanWorlds, madeOnce, type World } from './world.ts';

cleanWorlds();

/** What `list`, `diff` and `install --dry-run` make of one state: all must come to the same. */
interface Row {
  name: string;
  /** Of Claude Code, Codex and Gemini CLI as `list --check` has them; 1 where they can't be told. */
  states: string;
  /** The same of `list` alone, which asks no server. */
  offline?: string;
  /** Of all three; `list` ends with 0 where this is 2. */
  exit: 0 | 1 | 2;
  /** Of `install --dry-run`, where it can't do anything about the state. */
  dryRun?: 1;
  change: (world: World) => unknown;
}

const CLAUDE = 'home/.claude/settings.json';
const CODEX = 'home/.codex/config.toml';
const GEMINI = 'home/.gemini/settings.json';
const RECORD = 'home/.local/state/mcphooks/record.json';
const at = (world: World, path: string): string => join(world.home, '..', path);

function edit(world: World, path: string, from: string | RegExp, to: string): void {
  const text = world.read(path);
  const next = text.replace(from, () => to);
  if (next === text) throw new Error(`nothing to edit in ${path}`);
  world.write(path, next);
}

const ROWS: Row[] = [
  { name: 'as installed', states: 'current current current', exit: 0, change: () => {} },
  {
    name: 'not trusted in Codex',
    states: 'current untrusted current',
    exit: 0,
    change: (w) => edit(w, CODEX, /\n\[hooks\.state[\s\S]*/, '\n'),
  },
  {
    name: 'in a folder that Gemini CLI does not trust',
    states: 'current current untrusted',
    exit: 0,
    change: (w) => w.write('home/.gemini/trustedFolders.json', '{}'),
  },
  {
    name: 'the server declares another text',
    states: 'changed changed changed',
    offline: 'current current current',
    exit: 2,
    change: (w) => declare(w, { ...COMMIT, context: 'Other.' }, START),
  },
  {
    name: 'the server declares one hook more',
    states: 'changed changed changed',
    offline: 'current current current',
    exit: 2,
    change: (w) => declare(w, COMMIT, START, { event: 'pre_request', context: 'x', priority: 'suggestion' }),
  },
  {
    name: 'the server declares none any more',
    states: 'changed changed changed',
    offline: 'current current current',
    exit: 2,
    change: (w) => declare(w),
  },
  {
    name: 'the server does not answer',
    states: 'current current current',
    offline: 'current current current',
    exit: 1,
    change: (w) => w.write('home/declared.json', 'TELL'),
  },
  {
    name: 'the definition changed on all clients',
    states: 'changed changed changed',
    exit: 2,
    change: (w) => {
      for (const file of ['home/.claude.json', CODEX, GEMINI]) edit(w, file, 'started.log', 'other.log');
    },
  },
  {
    name: 'the server was removed from the client whose definition was approved',
    states: 'changed current current',
    exit: 2,
    change: (w) => w.write('home/.claude.json', '{}'),
  },
  {
    name: 'the server was removed from all clients',
    states: 'changed changed changed',
    exit: 2,
    change: (w) => {
      w.write('home/.claude.json', '{}');
      edit(w, GEMINI, '"memo"', '"other"');
      edit(w, CODEX, 'mcp_servers.memo', 'mcp_servers.other');
    },
  },
  {
    name: 'the file with the definition cannot be parsed',
    states: 'changed current current',
    exit: 2,
    change: (w) => w.write('home/.claude.json', '{ "mcpServers": '),
  },
  {
    name: 'another server came to be known',
    states: 'current current current',
    exit: 0,
    change: (w) => edit(w, CODEX, '# mine', '[mcp_servers.other]\ncommand = "x"\n'),
  },
  {
    name: 'entries are gone from one file',
    states: 'missing current current',
    exit: 2,
    change: (w) => w.write(CLAUDE, '{}\n'),
  },
  {
    name: 'one client has no file any more',
    states: 'missing current current',
    exit: 2,
    change: (w) => rmSync(at(w, CLAUDE)),
  },
  {
    name: 'the folder of a client is another now',
    states: 'missing current current',
    exit: 2,
    change: (w) => {
      w.env.CLAUDE_CONFIG_DIR = join(w.home, 'elsewhere');
    },
  },
  {
    name: 'an entry was edited by hand',
    states: 'current current edited',
    exit: 2,
    change: (w) => edit(w, GEMINI, /"timeout": ?\d+/, '"timeout": 1'),
  },
  {
    name: 'the matcher of an entry was edited by hand',
    states: 'edited current current',
    exit: 2,
    change: (w) => edit(w, CLAUDE, /"matcher": "Bash(?:\|PowerShell)?"/, '"matcher": "Bash|Read"'),
  },
  {
    name: 'entries of others came to stand beside ours',
    states: 'current current current',
    exit: 0,
    change: (w) =>
      edit(
        w,
        CLAUDE,
        '"hooks": {',
        '"hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }],',
      ),
  },
  {
    name: 'what stands beside a hook script was altered',
    states: 'edited current current',
    exit: 2,
    change: (w) => w.write(own(w, 'claude-code/PostToolUse.json'), '{}'),
  },
  {
    name: 'a hook script is gone',
    states: 'current missing current',
    exit: 2,
    change: (w) => rmSync(at(w, own(w, 'codex/PostToolUse'))),
  },
  {
    name: 'a hook script may not be run',
    states: 'current current edited',
    exit: 2,
    change: (w) => chmodSync(at(w, own(w, 'gemini-cli/AfterTool')), 0o600),
  },
  {
    name: 'the runtime was altered',
    states: 'edited edited edited',
    exit: 2,
    change: (w) => w.write(own(w, 'fire.cjs'), 'x'),
  },
  {
    name: 'the folder of all scripts is gone',
    states: 'missing missing missing',
    exit: 2,
    change: (w) => rmSync(at(w, 'home/.local/share/mcphooks'), { recursive: true }),
  },
  {
    name: 'disabled',
    states: 'disabled disabled disabled',
    exit: 0,
    change: (w) => w.run('disable', 'memo'),
  },
  {
    name: 'disabled, and the server declares something else',
    states: 'changed changed changed',
    offline: 'disabled disabled disabled',
    exit: 2,
    change: async (w) => {
      await w.run('disable', 'memo');
      declare(w, COMMIT);
    },
  },
  {
    name: 'silenced by the environment',
    states: 'disabled disabled disabled',
    exit: 0,
    change: (w) => {
      w.env.MCPHOOKS_DISABLE = '1';
    },
  },
  {
    name: 'one client runs no hooks at all',
    states: 'disabled current current',
    exit: 0,
    change: (w) => edit(w, CLAUDE, '{', '{ "disableAllHooks": true,'),
  },
  {
    name: 'a person switched one hook off in the client',
    states: 'current current disabled',
    exit: 0,
    change: (w) =>
      w.write(
        'project/.gemini/settings.json',
        '{ "hooksConfig": { "disabled": ["mcphooks:memo:AfterTool"] } }',
      ),
  },
  {
    name: 'the client rejects its file',
    states: 'missing current current',
    exit: 1,
    change: (w) => w.write(CLAUDE, '{\n // mine\n}\n'),
  },
  {
    name: "the client's file is a folder",
    states: 'missing current current',
    exit: 1,
    change: (w) => {
      rmSync(at(w, CLAUDE));
      mkdirSync(at(w, CLAUDE));
    },
  },
  {
    name: 'no record tells of the entries',
    states: 'changed changed changed',
    exit: 2,
    change: (w) => rmSync(at(w, RECORD)),
  },
  {
    name: "the user's defaults changed",
    states: 'changed changed changed',
    exit: 2,
    change: (w) => w.write('home/.config/mcphooks/config.json', '{ "cooldown": 5 }'),
  },
  {
    name: 'another version of mcphooks wrote the scripts',
    states: 'current current current',
    exit: 0,
    change: (w) => older(w),
  },
];

/** As if an older version had written the install: other scripts, which its record knows, behind the same entries. */
function older(world: World): void {
  const record = JSON.parse(world.read(RECORD));
  const { createHash } = process.getBuiltinModule('node:crypto');
  for (const client of Object.values(record.servers[0].clients) as { own: Record<string, string> }[])
    for (const path of Object.keys(client.own).filter((name) => !/\.\w+$/.test(name))) {
      const relative = path.slice(at(world, '').length);
      const text = `${world.read(relative)}# of an older version\n`;
      world.write(relative, text);
      client.own[path] = createHash('sha256').update(text).digest('hex');
    }
  world.write(RECORD, JSON.stringify(record));
}

/** Codex and Gemini CLI trust what is installed, and where. */
const installedWorld = madeOnce(async () => {
  const world = homeWith(COMMIT, START);
  world.write('home/.gemini/trustedFolders.json', JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
  expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
  trustCodex(world);
  return world;
});

interface Stated {
  clients: { client: string; state: string }[];
}

/** Exit code, and the states of all clients of the one server. */
async function verdict(world: World, ...command: string[]): Promise<{ exit: number; states?: string }> {
  const { code, stdout } = await world.run(...command, '--json');
  const document = JSON.parse(stdout) as { servers?: (Stated & { plan?: Stated })[]; plan?: Stated };
  const [server] = document.servers ?? [];
  const clients = command[0] === 'list' ? server?.clients : (server?.plan ?? document.plan)?.clients;
  return {
    exit: code ?? -1,
    ...(clients && { states: clients.map((c) => c.state).join(' ') }),
  };
}

/** Whether a hook is silenced or trusted is said by `list` alone. */
const differing = (states: string): string => states.replace(/untrusted|disabled/g, 'current');

/** Without MCPHOOKS_TEST=all one command is run beside `list`: that of `turn`. */
async function compare(world: World, row: Omit<Row, 'name' | 'change'>, turn: number): Promise<void> {
  const others = [['diff', '--offline'], ['list', '--check'], ['diff'], ['install', 'memo', '--dry-run']];
  const asked = sample(others, others.length, turn);
  const [listed, offline, checked, diff, dryRun] = await Promise.all([
    verdict(world, 'list'),
    ...others.map((command) => (asked.includes(command) ? verdict(world, ...command) : undefined)),
  ]);
  const { states, exit } = row;
  const unasked = row.offline ?? states;
  if (checked) expect(checked).toEqual({ exit: exit === 2 ? 0 : exit, states });
  expect(listed.states).toBe(unasked);
  if (diff) expect(diff.exit).toBe(exit);
  if (dryRun) expect(dryRun.exit).toBe(row.dryRun ?? exit);
  for (const said of [diff, dryRun]) if (said?.states) expect(said.states).toBe(differing(states));
  if (!offline) return;
  if (offline.states) expect(offline.states).toBe(differing(unasked));
  if (listed.exit === 0) expect(offline.exit).toBe(/changed|edited|missing/.test(unasked) ? 2 : 0);
  else expect(offline.exit).toBe(1);
}

/**
 * Without MCPHOOKS_TEST=all every other row, in a short run every sixteenth; with each the number by which `compare`
 * chooses.
 */
const someOf = (rows: readonly Row[]) => sample(rows, LONG ? 2 : 16).map((row, turn) => ({ ...row, turn }));

describe('list, diff and install --dry-run come to the same where', () => {
  it.each(someOf(ROWS))('$name', async ({ change, turn, ...row }) => {
    const world = await installedWorld();
    await change(world);
    await compare(world, row, turn);
  });
});

describe('with hooks from a file,', () => {
  const rows: Row[] = [
    { name: 'as installed', states: 'current current current', exit: 0, change: () => {} },
    {
      name: 'the file was changed',
      states: 'changed changed changed',
      exit: 2,
      change: (w) => w.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] })),
    },
    {
      name: 'the file is gone',
      states: 'changed changed changed',
      exit: 2,
      dryRun: 1,
      change: (w) => rmSync(at(w, 'project/hooks.json')),
    },
    {
      name: 'the file was moved',
      states: 'changed changed changed',
      exit: 2,
      dryRun: 1,
      change: (w) => renameSync(at(w, 'project/hooks.json'), at(w, 'project/moved.json')),
    },
    {
      name: 'the file has faults',
      states: 'changed changed changed',
      exit: 1,
      change: (w) => w.write('project/hooks.json', '{ "declarations": [{}] }'),
    },
  ];
  const installed = madeOnce(async () => {
    const world = homeWith();
    world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT, START] }));
    world.write('home/.gemini/trustedFolders.json', JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
    await world.run('install', 'memo', '--yes', '--declarations', 'hooks.json');
    trustCodex(world);
    return world;
  });
  it.each(someOf(rows))('$name', async ({ change, turn, ...row }) => {
    const world = await installed();
    await change(world);
    await compare(world, row, turn);
  });
});

describe('in a project,', () => {
  const script = (world: World): string =>
    Object.keys(projectFiles(world)).find((path) => path.endsWith('/PostToolUse')) ?? '';
  const rows: Omit<Row, 'offline'>[] = [
    { name: 'as installed', states: 'current', exit: 0, change: () => {} },
    {
      name: 'a hook script was altered',
      states: 'edited',
      exit: 2,
      change: (w) => edit(w, `project/${script(w)}`, 'exit 0', 'exit 1'),
    },
    {
      name: 'a hook script is gone',
      states: 'missing',
      exit: 2,
      change: (w) => rmSync(join(w.project, script(w))),
    },
    {
      name: 'an entry is gone',
      states: 'missing',
      exit: 2,
      change: (w) => w.write('project/.claude/settings.json', '{\n  "model": "opus"\n}\n'),
    },
    {
      name: 'a file of nobody stands among the scripts',
      states: 'changed',
      exit: 2,
      change: (w) => w.write(`project/${script(w)}-2`, 'exit 0\n'),
    },
  ];
  const installed = madeOnce(async () => {
    const world = teamWorld();
    await installForTeam(world, '--client', 'claude-code');
    commit(world);
    return world;
  });
  it.each(LONG ? rows : rows.slice(1, 2))('$name', async ({ change, states, exit }) => {
    const world = await installed();
    await change(world);
    const flags = ['--scope', 'project'];
    const [listed, diff, dryRun] = await Promise.all([
      verdict(world, 'list'),
      verdict(world, 'diff', '--offline', ...flags),
      verdict(world, 'install', 'memo', '--frozen', '--dry-run', ...flags),
    ]);
    expect(listed).toEqual({ exit: 0, states });
    expect(diff).toEqual({ exit, states: differing(states) });
    expect(dryRun.exit).toBe(exit);
  });
});
