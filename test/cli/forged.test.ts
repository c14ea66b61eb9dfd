import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';
import { EXPORT_MARK } from '../../src/inspect/exported-plugins.ts';
import type { RecordDocument, ServerRecord } from '../../src/store/types.ts';
import { LONG, sample } from '../effort.ts';
import { slashed } from '../platform.ts';
import { recordBytes } from '../store/server-record.ts';
import { declare, homeWith } from './home.ts';
import { cleanWorlds, madeOnce, type World } from './world.ts';

cleanWorlds();

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const DIGEST = '0123456789abcdef';
const DATA = 'home/.local/share/mcphooks';
const STATE = 'home/.local/state/mcphooks';

/** Files that are no concern of ours, with contents that anybody knows. */
const MINE = [
  'home/.ssh/id_ed25519',
  'home/.ssh/authorized_keys',
  'home/.bashrc',
  `home/.ssh/${DIGEST}/claude-code/Stop`,
  'home/.claude/CLAUDE.md',
  'home/.claude/notes.old',
  'home/.other/settings.json',
  'home/.other/hooks/hooks.json',
  'home/work/src/index.ts',
  'home/work/mcphooks/hooks/use.ts',
  'home/work/disabled',
  'project/src/index.ts',
  'project/.mcp.json',
];
const mine = (path: string): string =>
  path.endsWith('.json') ? '{ "mcpServers": {} }\n' : `mine: ${path}\n`;

const installed = madeOnce(async () => {
  const world = homeWith(SAY);
  for (const path of MINE) world.write(path, mine(path));
  mkdirSync(join(world.home, 'empty/deep'), { recursive: true });
  mkdirSync(join(world.project, 'empty'));
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  return world;
});

/** All but our own folders, no link followed. */
function theirs(world: World): Record<string, string> {
  const base = dirname(world.home);
  return Object.fromEntries(
    readdirSync(base, { recursive: true, withFileTypes: true })
      .map((e) => [e, slashed(join(e.parentPath, e.name).slice(base.length + 1))] as const)
      .filter(
        ([, path]) =>
          !path.startsWith(DATA) && !path.startsWith(STATE) && !/^home\/\.local(\/\w+)?$/.test(path),
      )
      .filter(([, path]) => !/^home\/(?:\.claude|\.codex|\.gemini)\/\w+\.(?:json|toml)$/.test(path))
      // Where the server notes its starts.
      .filter(([, path]) => path !== 'home/started.log')
      .map(([e, path]) => [
        path,
        e.isSymbolicLink()
          ? readlinkSync(join(base, path))
          : e.isFile()
            ? readFileSync(join(base, path), 'latin1')
            : '/',
      ]),
  );
}

type Forge = (record: RecordDocument, server: ServerRecord, world: World) => void;

/** Writes a record as this version does, its check included. */
function forge(world: World, change: Forge): void {
  const record: RecordDocument & { check?: string } = JSON.parse(world.read(`${STATE}/record.json`));
  delete record.check;
  change(record, record.servers[0] as ServerRecord, world);
  world.write(`${STATE}/record.json`, Buffer.from(recordBytes(record)).toString());
}

const COMMANDS = [
  ['list'],
  ['doctor'],
  ['diff'],
  ['disable', 'memo'],
  ['enable', 'memo'],
  ['install', 'memo', '--yes', '--accept-changed'],
  ['install', 'memo', '--yes', '--client', 'claude-code', '--cooldown', '5'],
  ['install', 'other', '--yes', '--declarations', '../home/hooks.json', '--client', 'codex'],
  ['uninstall', 'other'],
  ['uninstall', 'memo'],
  ['uninstall', '--all'],
];

/** Without MCPHOOKS_TEST=all each `of`th command is run: those of `turn`. */
async function harmless(world: World, of = 2, turn = 0): Promise<void> {
  world.write('home/hooks.json', JSON.stringify({ declarations: [SAY] }));
  const before = theirs(world);
  for (const args of sample(COMMANDS, of, turn)) {
    await world.run(...args);
    expect(theirs(world), args.join(' ')).toEqual(before);
  }
}

/** What each of our own may be said to be. */
const FILES = (world: World): Record<string, string> =>
  Object.fromEntries(
    [
      ...MINE,
      `${DATA}/hooks/memo/../../../../../.bashrc`,
      `${DATA}/hooks/memo/${DIGEST}/claude-code/../../../../../../../.bashrc`,
    ].map((path) => [join(dirname(world.home), '/') + path, sha256(mine(path))]),
  );

const FORGED: readonly (readonly [string, Forge])[] = [
  [
    'own files',
    (_, server, world) => {
      for (const client of Object.values(server.clients)) Object.assign(client.own, FILES(world));
    },
  ],
  [
    'own files alone',
    (_, server, world) => {
      for (const client of Object.values(server.clients)) client.own = FILES(world);
    },
  ],
  [
    'folders',
    (record, _, world) => {
      for (const path of [
        'home/empty',
        'home/empty/deep',
        'project/empty',
        'home/.ssh',
        'home',
        'project',
        '/',
      ])
        record.folders.push(path === '/' ? '/' : join(dirname(world.home), path));
    },
  ],
  [
    "a client's file that is another's",
    (record, server, world) => {
      for (const client of Object.values(server.clients))
        client.file = join(world.home, '.other/settings.json');
      record.files[join(world.home, '.other/settings.json')] = { created: true, containers: {} };
    },
  ],
  [
    "a client's file that is none",
    (_, server, world) => {
      for (const client of Object.values(server.clients)) client.file = join(world.home, '.bashrc');
    },
  ],
  [
    'what the removal of a file gives back',
    (record, _, world) => {
      for (const path of [...MINE, 'home/.claude/settings.json'])
        record.files[join(dirname(world.home), path)] = { created: true, blank: '', containers: {} };
    },
  ],
  [
    'a slug that leads away',
    (_, server) => {
      server.slug = '../../../..';
    },
  ],
  [
    'a slug of a folder',
    (_, server) => {
      server.slug = '../../../../.ssh';
    },
  ],
  [
    'digests that lead away',
    (_, server) => {
      for (const client of Object.values(server.clients)) client.digest = '../../../../../.ssh';
    },
  ],
  [
    'a root',
    (record, server, world) => {
      record.servers.push({ ...server, scope: 'local', root: join(world.home, 'work') });
      record.servers.push({ ...server, scope: 'project', root: world.project });
    },
  ],
  [
    'a name that leads away',
    (_, server) => {
      server.server = '../../../../.ssh';
    },
  ],
  [
    'no list of servers',
    (record) => {
      Object.assign(record, { servers: { length: 1 } });
    },
  ],
];

describe('a record that somebody wrote', () => {
  const rows = FORGED.map(([name, change], turn) => [name, change, turn] as const);
  it.each(sample(rows, LONG ? 1 : 8))(
    'removes and changes nothing that is not ours: %s',
    async (_, change, turn) => {
      const world = await installed();
      forge(world, change);
      await harmless(world, 6, turn);
    },
  );

  it('lets our own be removed all the same', async () => {
    const world = await installed();
    forge(world, (_, server) => {
      for (const client of Object.values(server.clients)) Object.assign(client.own, FILES(world));
    });
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual([]);
    for (const path of MINE) expect(world.read(path), path).toBe(mine(path));
  });
});

/** What of ours is a link, and to what. */
const LINKS: readonly (readonly [string, string])[] = [
  [`${DATA}/hooks`, 'home/.ssh'],
  [`${DATA}/hooks/memo`, 'home/.ssh'],
  [`${DATA}/runtime`, 'home/.ssh'],
  [`${STATE}/sessions`, 'home/.ssh'],
  [`${STATE}/kept`, 'home/work'],
  [`${STATE}/record.json`, 'home/.bashrc'],
];

describe('links in our own folders', () => {
  const rows = LINKS.map(([path, to], turn) => [path, to, turn] as const);
  it.each(sample(rows, LONG ? 1 : 6))(
    'lead to nothing that is removed or changed: %s',
    async (path, to, turn) => {
      const world = await installed();
      const base = dirname(world.home);
      rmSync(join(base, path), { recursive: true, force: true });
      symlinkSync(join(base, to), join(base, path));
      await harmless(world, 6, turn);
    },
  );

  it('of a script lead to nothing that is removed or changed', async () => {
    const world = await installed();
    const scripts = Object.keys(world.files()).filter(
      (path) => /\/[0-9a-f]{16}\/[a-z-]+\/\w+$/.test(path) && path.startsWith(DATA),
    );
    expect(scripts.length).toBeGreaterThan(1);
    for (const path of scripts) {
      rmSync(join(dirname(world.home), path));
      symlinkSync(join(world.home, '.bashrc'), join(dirname(world.home), path));
    }
    await harmless(world);
  });

  it.runIf(LONG)('of a superseded folder lead to nothing that is removed', async () => {
    const world = await installed();
    symlinkSync(
      join(world.home, '.ssh'),
      join(world.home, `.local/share/mcphooks/hooks/memo/fedcba9876543210`),
    );
    utimesSync(join(world.home, '.ssh'), 0, 0);
    declare(world, { ...SAY, context: 'Another word.' });
    await harmless(world);
  });

  it.each(['hooks/memo', 'runtime'])('keep what is old behind them from being removed: %s', async (name) => {
    const world = await installed();
    const [ours, theirs] = [join(world.home, '.local/share/mcphooks', name), join(world.home, 'theirs')];
    renameSync(ours, theirs);
    symlinkSync(theirs, ours);
    const old = world.write('home/theirs/fedcba9876543210/codex/Stop', 'mine');
    for (const folder of [dirname(old), dirname(dirname(old))]) utimesSync(folder, 1, 1);
    await world.run('install', 'memo', '--yes');
    declare(world, { ...SAY, context: 'Another word.' });
    await world.run('install', 'memo', '--yes', '--accept-changed');
    expect(readFileSync(old, 'utf8')).toBe('mine');
  });

  it.runIf(LONG)('to a data folder that was moved to another disk are fine', async () => {
    const world = homeWith(SAY);
    mkdirSync(join(world.home, '.local/share'), { recursive: true });
    mkdirSync(join(world.home, 'disk/hooks of mine'), { recursive: true });
    symlinkSync(join(world.home, 'disk/hooks of mine'), join(world.home, '.local/share/mcphooks'));
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    declare(world, { ...SAY, context: 'Another word.' });
    expect(await world.run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(readdirSync(join(world.home, 'disk/hooks of mine'))).toEqual([]);
  });
});

describe('a journal that somebody wrote', () => {
  const PHASES = ['preparing', 'commit', 'undo', 'done'];
  const op = (world: World, path: string, more: object = {}) => {
    const target = join(dirname(world.home), path);
    const beside = join(dirname(target), '.mcphooks-0123456789ab-0');
    return {
      path: target,
      target,
      fresh: `${beside}.new`,
      old: `${beside}.old`,
      before: sha256(mine(path)),
      after: sha256('evil'),
      ...more,
    };
  };
  const cases: [string, (world: World) => object][] = [
    ...MINE.flatMap((path): [string, (world: World) => object][] => [
      [`removes ${path}`, (w) => ({ ops: [op(w, path, { after: null })] })],
      [`replaces ${path}`, (w) => ({ ops: [op(w, path)] })],
      [`takes ${path} back`, (w) => ({ ops: [op(w, path, { before: null, after: sha256(mine(path)) })] })],
    ]),
    [
      'removes settings without hooks of ours',
      (w) => ({ ops: [op(w, 'home/.other/settings.json', { after: null })] }),
    ],
    [
      'removes settings without leaving what is theirs',
      (w) => {
        const path = 'home/.claude/settings.json';
        return { ops: [op(w, path, { before: sha256(w.read(path)), after: null })] };
      },
    ],
    [
      'leads by a file of ours to another',
      (w) => ({
        ops: [op(w, 'home/.bashrc', { path: join(w.home, '.claude/settings.json') })],
      }),
    ],
    [
      'has temporary files elsewhere',
      (w) => ({
        ops: [
          op(w, 'home/.claude/settings.json', {
            old: join(w.home, '.bashrc'),
            fresh: join(w.home, '.ssh/authorized_keys'),
          }),
        ],
      }),
    ],
    [
      'has a temporary file beside that is none of ours',
      (w) => ({ ops: [op(w, 'home/.claude/settings.json', { old: join(w.home, '.claude/notes.old') })] }),
    ],
    [
      'has one of ours elsewhere',
      (w) => ({
        ops: [
          op(w, 'home/.claude/settings.json', { fresh: join(w.home, '.ssh/.mcphooks-0123456789ab-0.new') }),
        ],
      }),
    ],
    ['leads away by ..', (w) => ({ ops: [op(w, 'home/.bashrc', { path: `${w.home}/.claude/../.bashrc` })] })],
    ['made folders', (w) => ({ ops: [], made: [join(w.home, 'empty/deep'), join(w.home, '.ssh')] })],
    ['emptied a folder', (w) => ({ ops: [], emptied: [join(w.project, 'empty')] })],
    [
      'replaces home/.other/ as a part of an export that it writes',
      (w) => ({
        ops: [op(w, 'home/.other/hooks/hooks.json'), op(w, `home/.other/${EXPORT_MARK}`, { before: null })],
      }),
    ],
    ['clears folders', (w) => ({ ops: [], cleared: [join(w.home, '.claude')] })],
    ['clears our scripts', (w) => ({ ops: [], cleared: [join(w.home, '.local/share/mcphooks/hooks/memo')] })],
  ];

  it.each([...PHASES.entries()])('is not followed: %i, %s', async (turn, phase) => {
    const world = await installed();
    const before = theirs(world);
    for (const [i, [name, journal]] of sample([...cases.entries()], PHASES.length, turn)) {
      const beside = '.mcphooks-0123456789ab-0.new';
      world.write(`home/.ssh/${beside}`, 'evil');
      world.write(`home/${beside}`, 'evil');
      const file = `${STATE}/journal.${phase}.json`;
      world.write(file, JSON.stringify({ format: 1, made: [], emptied: [], ...journal(world) }));
      // Of a file that could be a client's a run in this phase replaces nothing, so there is nothing to refuse.
      const replaces = phase === 'commit' || (phase === 'undo' && name.startsWith('takes'));
      const idle = !replaces && /\.other\/|settings without/.test(name);
      if (idle) await world.run('list');
      const all = [['list'], ['install', 'memo', '--yes'], ['uninstall', 'memo']];
      for (const args of idle ? [] : sample(all, all.length, i)) {
        const { code, stderr } = await world.run(...args);
        expect([name, args[0], code, stderr.includes('no mcphooks run here')]).toEqual([
          name,
          args[0],
          1,
          true,
        ]);
      }
      rmSync(join(world.home, `.ssh/${beside}`));
      rmSync(join(world.home, beside));
      rmSync(join(dirname(world.home), file), { force: idle });
      expect(theirs(world), name).toEqual(before);
    }
  });

  it.each(['commit', 'undo'])('of an export that was interrupted is ended: %s', async (phase) => {
    const world = homeWith(SAY);
    const out = join(world.home, 'plugin');
    const words = ['export', 'memo', '--format', 'claude-plugin', '--out', out, '--yes'];
    expect(await world.run(...words)).toMatchObject({ code: 0 });
    const files = Object.entries(world.files()).filter(([path]) => path.startsWith('home/plugin/'));
    const ops = files.map(([path, text]) =>
      op(world, path, { before: null, after: sha256(Buffer.from(text, 'latin1')) }),
    );
    expect(ops.some(({ path }) => path.endsWith('hooks.json'))).toBe(true);
    // Only the first file has its place yet.
    for (const [i, { target, fresh }] of ops.entries()) {
      Object.assign(ops[i] ?? {}, { fresh: fresh.replace('-0.new', `-${i}.new`) });
      if (!target.endsWith('hooks.json')) renameSync(target, ops[i]?.fresh ?? '');
    }
    world.write(`${STATE}/journal.${phase}.json`, JSON.stringify({ format: 1, ops, made: [], emptied: [] }));
    expect(await world.run('list')).toMatchObject({ code: 0 });
    const left = Object.entries(world.files()).filter(([path]) => path.startsWith('home/plugin/'));
    expect(left).toEqual(phase === 'commit' ? files : []);
  });

  it('of a run of ours is ended, wherever its files were', async () => {
    const world = await installed();
    world.env.CLAUDE_CONFIG_DIR = join(world.home, 'moved');
    const { hooks } = JSON.parse(world.read('home/.claude/settings.json'));
    world.write('home/moved/settings.json', JSON.stringify({ hooks }));
    const text = world.read('home/moved/settings.json');
    const settings = op(world, 'home/moved/settings.json', { before: sha256(text), after: null });
    world.write(
      `${STATE}/journal.commit.json`,
      JSON.stringify({ format: 1, ops: [settings], made: [], emptied: [] }),
    );
    delete world.env.CLAUDE_CONFIG_DIR;
    expect(await world.run('list')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).not.toContain('home/moved/settings.json');
    // The same file without hooks of ours isn't removed.
    world.write('home/moved/settings.json', '{}');
    const other = op(world, 'home/moved/settings.json', { before: sha256('{}'), after: null });
    world.write(
      `${STATE}/journal.commit.json`,
      JSON.stringify({ format: 1, ops: [other], made: [], emptied: [] }),
    );
    expect(await world.run('list')).toMatchObject({ code: 1 });
    expect(world.read('home/moved/settings.json')).toBe('{}');
    renameSync(join(world.home, 'moved'), join(world.home, 'gone'));
  });

  it('takes no file of a client back that holds more than hooks of ours', async () => {
    const world = await installed();
    const path = 'home/.claude/settings.json';
    const ours = world.read(path);
    const text = JSON.stringify({ ...JSON.parse(ours), model: 'opus' });
    world.write(path, text);
    const ops = [op(world, path, { before: null, after: sha256(text) })];
    const file = `${STATE}/journal.undo.json`;
    world.write(file, JSON.stringify({ format: 1, ops, made: [], emptied: [] }));
    expect(await world.run('list')).toMatchObject({ code: 1 });
    expect(world.files()[path]).toBe(text);
    rmSync(join(dirname(world.home), file));
    world.write(path, ours);
  });

  const THEIRS = '{ "model": "opus" }';
  it.each<[string, string, (ours: string) => Partial<Record<'now' | 'fresh' | 'old' | 'left', string>>]>([
    ['an install', 'commit', (ours) => ({ now: '{}', fresh: ours, old: '{}', left: ours })],
    ['an uninstall that is taken back', 'undo', (ours) => ({ now: '{}', old: ours, left: ours })],
    ['an install whose file was changed since', 'commit', () => ({ now: THEIRS, old: '{}', left: THEIRS })],
    ['an install whose file was removed since', 'commit', () => ({ old: '{}' })],
  ])('of ours is ended: %s', async (_, phase, files) => {
    const world = await installed();
    const path = 'home/.claude/settings.json';
    const ours = world.read(path);
    const { now, fresh, old, left } = files(ours);
    const [before, after] = phase === 'commit' ? ['{}', ours] : [ours, '{}'];
    const settings = op(world, path, { before: sha256(before), after: sha256(after) });
    const [beside] = settings.fresh.slice(dirname(world.home).length + 1).split('.new');
    for (const [at, text] of Object.entries({
      [path]: now,
      [`${beside}.new`]: fresh,
      [`${beside}.old`]: old,
    }))
      if (text === undefined) rmSync(join(dirname(world.home), at), { force: true });
      else world.write(at, text);
    const journal = { format: 1, ops: [settings], made: [], emptied: [] };
    world.write(`${STATE}/journal.${phase}.json`, JSON.stringify(journal));
    expect(await world.run('list')).toMatchObject({ code: 0 });
    expect(world.files()[path]).toBe(left);
    expect(Object.keys(world.files()).filter((file) => /journal|\.mcphooks-/.test(file))).toEqual([]);
    world.write(path, ours);
  });
});
