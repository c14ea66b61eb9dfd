import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declarationsHash } from '../../src/declarations/canonical-json.ts';
import { bundledCatalogue, readCatalogueEntry } from '../../src/servers/catalogue/load.ts';
import { LONG, sample } from '../effort.ts';
import { homeWithMemory, MEMORY, MEMORY_TOOLS, putPackage, quickPath, startOf } from './catalogued.ts';
import { COMMIT, declare, starts } from './home.ts';
import { cleanWorlds, type Ended, madeOnce, makeWorld, type World } from './world.ts';

cleanWorlds();

const RECORD = 'home/.local/state/mcphooks/record.json';
const entry = readCatalogueEntry(bundledCatalogue(), 'memory');

/** In the home folder, where a server is asked for all of its tools without a word. */
const atHome = (world: World, ...words: string[]): Promise<Ended> =>
  world.runAs({ folder: 'home' }, ...words);
const said = (world: World, says: boolean, ...words: string[]): Promise<Ended> =>
  world.runAs({ folder: 'home', says }, ...words);
const recorded = (world: World) => JSON.parse(world.read(RECORD)).servers[0];
const installedMemory = madeOnce(async () => {
  const world = homeWithMemory();
  expect((await atHome(world, 'install', 'memo', '--catalogue', '--yes')).code).toBe(0);
  return world;
});
const wroteNothing = (world: World): boolean =>
  !Object.keys(world.files()).some((file) => file.includes('/mcphooks/'));
const json = async (world: World, ...words: string[]) => {
  const { code, stdout } = await atHome(world, ...words, '--json');
  const document = JSON.parse(stdout);
  const { faults = [] } = document as { faults?: { code: string; message: string }[] };
  return { code, document, codes: faults.map((fault) => fault.code), text: faults[0]?.message ?? '' };
};

describe('install --catalogue', () => {
  it('installs the entry, says all about it in the plan, and pins it', async () => {
    const world = homeWithMemory();
    const { code, stdout } = await atHome(world, 'install', 'memo', '--catalogue', '--yes');
    expect(code).toBe(0);
    for (const part of ["'memory'", entry.title, entry.reviewed, entry.version, entry.hash.slice(0, 12)])
      expect(stdout).toContain(part);
    const { from, declarations, declarationsHash: hash } = recorded(world);
    expect(from).toMatchObject({ kind: 'catalogue', entry: 'memory', hash: entry.hash, checked: 'server' });
    expect(declarations).toEqual(entry.declarations);
    expect(hash).toBe(declarationsHash(declarations));
    expect(from.unchecked).toBeUndefined();
    expect((await atHome(world, 'diff')).code).toBe(0);
    expect((await atHome(world, 'diff', '--offline')).code).toBe(0);
    expect((await atHome(world, 'install', 'memo', '--yes')).stderr).toContain('Nothing to do');
    const { stdout: fired } = await atHome(world, 'fire', 'memo', 'session_start', '--client', 'claude-code');
    expect(fired).toContain('noted {\\"names\\":[\\"home\\"]}'.replaceAll('\\"', '"'));
    expect((await atHome(world, 'uninstall', 'memo')).code).toBe(0);
    expect(world.read('home/.claude/settings.json')).toBe('{\n  "model": "opus"\n}\n');
  });

  it('is explained by its id, though other hooks are installed', async () => {
    const world = await installedMemory();
    const { code, text } = await json(world, 'explain', 'memo', '--catalogue', 'nonsense');
    expect([code, text]).toEqual([
      1,
      expect.stringContaining("catalogue entry 'nonsense' is not for 'memo'"),
    ]);
  });

  it.runIf(LONG)('takes the id alone, and the name of the server behind the option', async () => {
    const world = homeWithMemory();
    expect((await json(world, 'install', 'memo', '--catalogue', 'memory', '--dry-run')).code).toBe(2);
    expect((await json(world, 'install', '--catalogue', 'memo', '--dry-run')).code).toBe(2);
    const other = await json(world, 'install', 'memo', '--catalogue', 'context7', '--yes');
    expect(other).toMatchObject({ code: 1, codes: ['catalogue.no-match'] });
    expect(other.text).toContain(`npm:${MEMORY}`);
  });

  it.runIf(LONG)('gives nothing to another server of that name, and ends with 4', async () => {
    const world = homeWithMemory();
    putPackage(world, 'my-memory');
    const mcpServers = { memory: startOf(world, 'my-memory', MEMORY_TOOLS) };
    world.write('home/.claude.json', JSON.stringify({ mcpServers }));
    expect(await json(world, 'install', 'memory', '--catalogue', '--yes')).toMatchObject({
      code: 4,
      codes: ['server.no-hooks'],
      text: expect.stringContaining('The catalogue has none either for npm:my-memory'),
    });
    const { text } = await json(world, 'install', 'memory', '--yes');
    expect(text).not.toContain('has none either');
    const example = /\{"declarations[\s\S]*?\]\}/.exec(text)?.[0] ?? '';
    expect(JSON.parse(example).declarations).toHaveLength(1);
    expect(example.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(wroteNothing(world)).toBe(true);
  });

  it('stands back where the server declares its own hooks', async () => {
    const world = homeWithMemory();
    declare(world, COMMIT);
    expect((await atHome(world, 'install', 'memo', '--catalogue', '--yes')).code).toBe(0);
    expect(recorded(world).from.kind).toBe('server');
    expect(recorded(world).declarations).toEqual([COMMIT]);
  });

  it('is refused beside --declarations', async () => {
    const world = homeWithMemory();
    const words = ['install', 'memo', '--catalogue', '--declarations', 'x.json'];
    expect(await json(world, ...words)).toMatchObject({ code: 1, codes: ['usage.exclusive'] });
  });
});

describe('without --catalogue', () => {
  it('a script is told of the entry, and nothing is installed', async () => {
    const world = homeWithMemory();
    const found = await json(world, 'install', 'memo', '--yes');
    expect(found).toMatchObject({ code: 4, codes: ['server.no-hooks'] });
    expect(found.text).toContain('mcphooks install memo --catalogue');
    const nobody = await atHome(world, 'install', 'memo');
    expect([nobody.code, nobody.stderr]).toEqual([
      4,
      expect.stringContaining('mcphooks install memo --catalogue'),
    ]);
    const local = await world.run('install', 'memo', '--yes', '--scope', 'local');
    expect(local.stderr).toContain('mcphooks install --scope local memo --catalogue');
    expect(wroteNothing(world)).toBe(true);
  });

  it('a person is asked, and a no writes nothing', async () => {
    const world = homeWithMemory();
    const no = await said(world, false, 'install', 'memo');
    expect(no.code).toBe(3);
    expect(wroteNothing(world)).toBe(true);
    expect((await said(world, true, 'install', 'memo')).code).toBe(0);
    expect(recorded(world).from.kind).toBe('catalogue');
  });

  it('nobody is asked for a dry run', async () => {
    const world = homeWithMemory();
    expect((await said(world, true, 'install', 'memo', '--dry-run')).code).toBe(4);
  });
});

describe('a server with hooks of its own', () => {
  it('says that --catalogue changes nothing', async () => {
    const world = homeWithMemory();
    declare(world, COMMIT);
    const { code, stdout } = await atHome(world, 'install', 'memo', '--catalogue', 'nosuch', '--dry-run');
    expect(code).toBe(2);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'the server declares its own hooks, which are used instead',
    );
    expect((await atHome(world, 'install', 'memo', '--dry-run')).stdout).not.toContain('its own hooks');
  });
});

describe('later', () => {
  it.runIf(LONG)(
    'hooks that the server declares itself count: diff ends with 2, install switches when it is approved',
    async () => {
      const world = await installedMemory();
      declare(world, COMMIT);
      const { code, stdout } = await atHome(world, 'diff');
      expect(code).toBe(2);
      expect(stdout).toContain('now declares its own hooks');
      expect((await atHome(world, 'install', 'memo', '--yes')).code).toBe(3);
      expect((await atHome(world, 'install', 'memo', '--yes', '--accept-changed')).code).toBe(0);
      expect(recorded(world).from.kind).toBe('server');
      expect(recorded(world).declarations).toEqual([COMMIT]);
    },
  );
});

/** A repository whose `.mcp.json` starts a package that has hooks in the project's own catalogue. */
function projectWithEntry(): World {
  const world = makeWorld();
  world.write('project/.git/HEAD', '');
  world.env.PATH = quickPath();
  putPackage(world, 'notes', {}, 'project');
  const args = ['node_modules/notes/index.mjs', 'declared.json', '', 'notes-server', 'recall'];
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: { command: 'node', args } } }));
  putEntry(world, {});
  return world;
}

const START = { event: 'session_start', context: 'Ask recall first.', priority: 'suggestion' };
const ENTRY = {
  title: 'Notes of the team',
  match: { npm: ['notes'] },
  serverName: 'notes-server',
  tools: { recall: 'reads' },
  version: '1.0.0',
  checked: 'server',
  options: { cooldown: 90 },
  reviewed: '2026-11-22',
};
function putEntry(world: World, entry: object, hooks: object = [START], id = 'notes'): void {
  world.write(`project/.mcphooks/catalogue/${id}/entry.json`, JSON.stringify({ ...ENTRY, ...entry }));
  world.write(`project/.mcphooks/catalogue/${id}/hooks.json`, JSON.stringify(hooks));
}

describe("a project's own catalogue", () => {
  const SCOPE = ['--scope', 'project', '--client', 'claude-code'];
  const install = async (world: World, ...words: string[]): Promise<Ended> => {
    const all = ['install', 'memo', ...SCOPE, '--yes', '--catalogue', ...words];
    const first = await world.run(...all);
    const hash = /--allow-start ([0-9a-f]{64})/.exec(first.stderr)?.[1];
    return hash === undefined ? first : world.run(...all, '--allow-start', hash);
  };
  const installed = madeOnce(async () => {
    const world = projectWithEntry();
    expect((await install(world)).code).toBe(0);
    return world;
  });
  const diff = async (world: World, ...words: string[]) => {
    const { code, stdout } = await world.run('diff', '--scope', 'project', ...words, '--json');
    const { servers, faults } = JSON.parse(stdout);
    return { code, notes: servers[0]?.plan?.notes ?? [], faults };
  };

  it('is installed, pinned in the lock file and taken from there, and is no file that nobody knows', async () => {
    const world = projectWithEntry();
    const { code, stdout } = await install(world);
    expect(code).toBe(0);
    expect(stdout).toContain("from the project's catalogue: 'notes'");
    const lock = JSON.parse(world.read('project/mcphooks.lock.json'));
    const from = { kind: 'catalogue', entry: 'notes', project: true, hash: declarationsHash([START]) };
    expect(lock.servers[0].from).toMatchObject(from);
    expect(lock.servers[0].options).toEqual({ cooldown: 90 });
    expect(await diff(world)).toMatchObject({ code: 0, notes: [], faults: [] });
    expect((await world.run('install', '--scope', 'project', '--frozen', '--yes')).code).toBe(0);
    world.write('project/.mcphooks/catalogue/run.sh', '');
    expect(await diff(world)).toMatchObject({ code: 2, faults: [{ code: 'project.unknown-files' }] });
  });

  it.each([
    ['texts that are not the entry', { declarations: [{ ...START, context: 'Obey.' }] }, {}, 'lock.edited'],
    ['a path for an entry', {}, { entry: '../../../notes' }, 'lock.damaged'],
  ])('a lock file that claims an entry for %s is not believed', async (_, more, claim, code) => {
    const world = await installed();
    const lock = JSON.parse(world.read('project/mcphooks.lock.json'));
    const [server] = lock.servers;
    Object.assign(server, more);
    Object.assign(server.from, claim);
    server.declarationsHash = declarationsHash(server.declarations);
    world.write('project/mcphooks.lock.json', JSON.stringify(lock));
    for (const words of [['diff'], ['install', '--frozen', '--yes']]) {
      const { code: exit, stdout } = await world.run(...words, '--scope', 'project', '--json');
      expect([exit, JSON.parse(stdout).faults[0].code]).toEqual([1, code]);
    }
  });

  it.each<[string, object, string]>([
    ['an entry that there is not', { entry: 'official', project: undefined }, "no entry 'official'"],
    [
      "an entry that isn't the project's",
      { entry: 'official' },
      "project's catalogue has no entry 'official'",
    ],
    [
      "another server's entry",
      { entry: 'memory', project: undefined },
      "doesn't show that it is the one of entry 'memory'",
    ],
    [
      'a package that nothing starts',
      { kind: 'package', package: 'npm:trusted' },
      "doesn't show that it starts npm:trusted",
    ],
  ])('a lock file that claims %s is told apart from one that shows it', async (_, claim, says) => {
    const world = await installed();
    const lock = JSON.parse(world.read('project/mcphooks.lock.json'));
    const { from } = lock.servers[0];
    const more = 'kind' in claim ? { version: '1.0.0', hash: from.hash } : from;
    lock.servers[0].from = { ...more, ...claim };
    world.write('project/mcphooks.lock.json', JSON.stringify(lock));
    for (const words of [[], ['--offline']]) {
      const { code, notes } = await diff(world, ...words);
      expect([code, notes]).toEqual([0, [expect.objectContaining({ code: 'catalogue.unproven' })]]);
    }
    for (const command of ['diff', 'install memo --dry-run']) {
      const { stdout } = await world.run(...command.split(' '), '--scope', 'project');
      expect(stdout, command).toContain(says);
    }
  });

  it('an entry of the same texts is told apart where the server is started in another way', async () => {
    const world = await installed();
    putEntry(world, { match: { npm: ['another'] } });
    expect(await diff(world)).toMatchObject({ code: 0, notes: [{ code: 'catalogue.unproven' }] });
    const { stdout } = await world.run('diff', '--scope', 'project');
    expect(stdout).toContain("doesn't show that it is the one of entry 'notes', whose texts these are");
    expect(stdout).not.toContain("anybody's");
  });

  it('a review alone is brought by --catalogue, and alters nothing', async () => {
    const world = await installed();
    putEntry(world, { reviewed: '2026-11-25' });
    expect(await diff(world)).toMatchObject({ code: 0, notes: [] });
    const { code, stdout } = await install(world);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('missing or changed')]);
    expect(world.read('project/mcphooks.lock.json')).toContain('2026-11-25');
  });

  it.runIf(LONG)('newer texts are a note, and --catalogue brings them', async () => {
    const world = await installed();
    putEntry(world, {}, [{ ...START, context: 'Ask recall, then go on.' }]);
    expect(await diff(world)).toMatchObject({ code: 0, notes: [{ code: 'catalogue.newer' }] });
    expect(await diff(world, '--offline')).toMatchObject({ code: 0, notes: [{ code: 'catalogue.newer' }] });
    const command = 'mcphooks install --scope project memo --catalogue notes --dry-run';
    expect((await world.run('diff', '--scope', 'project')).stdout).toContain(command);
    const { stdout } = await world.run('diff', '--scope', 'project', '--format', 'markdown');
    expect(stdout).toContain('agree with `mcphooks.lock.json`');
    expect(stdout).toContain(command);
    expect((await install(world)).code).toBe(3);
    expect((await install(world, '--accept-changed')).code).toBe(0);
    expect(await diff(world)).toMatchObject({ code: 0, notes: [] });
  });

  it.runIf(LONG)(
    'an entry that was withdrawn is named with the reason, and is offered to nobody',
    async () => {
      const world = await installed();
      putEntry(world, { withdrawn: { on: '2026-12-01', reason: 'it spoke too often' } });
      expect(await diff(world)).toMatchObject({ code: 0, notes: [{ code: 'catalogue.withdrawn' }] });
      const doctor = JSON.parse((await world.run('doctor', '--json')).stdout);
      expect(doctor.remarks).toContainEqual(
        expect.objectContaining({
          code: 'doctor.withdrawn',
          message: expect.stringContaining('it spoke too often'),
        }),
      );
      expect((await world.run('uninstall', 'memo', '--scope', 'project')).code).toBe(0);
      expect((await install(world)).code).toBe(4);
    },
  );

  it.runIf(LONG)('is for no install of all projects, of a server that the user configured', async () => {
    const world = homeWithMemory();
    world.write('project/.git/HEAD', '');
    putEntry(world, { match: { npm: [MEMORY] }, tools: {} });
    expect((await world.run('install', 'memo', '--catalogue', '--yes')).code).toBe(0);
    expect(recorded(world).from).toMatchObject({ entry: 'memory' });
    expect(recorded(world).from.project).toBeUndefined();
  });

  const written = (world: World): boolean =>
    Object.keys(world.files()).some((file) => file.endsWith('lock.json'));
  it.runIf(LONG)('two entries that match: one message, and the id tells which', async () => {
    const world = projectWithEntry();
    putEntry(world, {}, [START], 'other');
    const { code, stderr } = await install(world);
    expect(code).toBe(1);
    expect(stderr).toContain('notes, other');
    expect(written(world)).toBe(false);
    expect((await install(world, 'other')).code).toBe(0);
  });

  it.each([
    ['an entry that is none', (world: World) => putEntry(world, { match: {} }), /no valid 'match'/],
    [
      'a text that is none',
      (world: World) => putEntry(world, {}, [{ ...START, context: 3 }]),
      /hooks\.json:1:/,
    ],
    [
      'a file that is cut off',
      (world: World) => world.write('project/.mcphooks/catalogue/notes/entry.json', '{"title": '),
      /entry\.json:1:11/,
    ],
  ])('%s: one message, nothing installed', async (_, spoil, says) => {
    const world = projectWithEntry();
    spoil(world);
    const { code, stderr } = await install(world);
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(stderr.match(/mcphooks:/g)).toHaveLength(1);
    expect(written(world)).toBe(false);
  });

  it.each(sample(['.mcphooks', '.mcphooks/catalogue', '.mcphooks/catalogue/notes'], 2))(
    'a folder that is a link is not followed: %s',
    async (link) => {
      const world = projectWithEntry();
      renameSync(join(world.project, link), join(world.home, 'elsewhere'));
      symlinkSync(join(world.home, 'elsewhere'), join(world.project, link));
      expect((await install(world)).code).toBe(link.endsWith('notes') ? 4 : 1);
      expect(existsSync(join(world.project, 'mcphooks.lock.json'))).toBe(false);
    },
  );

  it('a link is not followed', async () => {
    const world = projectWithEntry();
    const file = join(world.project, '.mcphooks/catalogue/notes/hooks.json');
    rmSync(file);
    symlinkSync(world.write('home/secret.json', JSON.stringify([START])), file);
    expect(await install(world)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a regular file'),
    });
  });
});

describe('hooks that a package brings', () => {
  const BROUGHT = { event: 'session_start', context: 'The package says so.', priority: 'suggestion' };
  const withBrought = (path = 'hooks.json'): World => {
    const world = homeWithMemory();
    putPackage(world, MEMORY, { mcphooks: path });
    world.write(`home/node_modules/${MEMORY}/hooks.json`, JSON.stringify([BROUGHT]));
    return world;
  };

  it('count before the catalogue and after what the server declares, with a yes of their own', async () => {
    const world = withBrought();
    expect(await json(world, 'install', 'memo', '--yes')).toMatchObject({
      code: 4,
      text: expect.stringContaining(`Its package npm:${MEMORY} has hooks`),
    });
    const { code, stdout } = await atHome(world, 'install', 'memo', '--catalogue', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain(`from its package npm:${MEMORY} 1.0.0`);
    expect(recorded(world)).toMatchObject({
      from: { kind: 'package', hash: declarationsHash([BROUGHT]) },
      declarations: [BROUGHT],
    });
    expect((await atHome(world, 'diff')).code).toBe(0);
    declare(world, COMMIT);
    expect((await atHome(world, 'diff')).code).toBe(2);
  });

  it.runIf(LONG)('stay pinned when the package changes', async () => {
    const world = withBrought();
    await atHome(world, 'install', 'memo', '--catalogue', '--yes');
    world.write(
      `home/node_modules/${MEMORY}/hooks.json`,
      JSON.stringify([{ ...BROUGHT, context: 'Other.' }]),
    );
    for (const more of [[], ['--offline'], ['--format', 'markdown']]) {
      const { code, stdout } = await atHome(world, 'diff', ...more);
      expect([code, stdout]).toEqual([0, expect.stringContaining('now has other hooks')]);
      expect(stdout).toContain('mcphooks install memo --catalogue --dry-run');
    }
    expect((await atHome(world, 'install', 'memo', '--catalogue', '--yes')).code).toBe(3);
    await atHome(world, 'install', 'memo', '--catalogue', '--yes', '--accept-changed');
    expect((await atHome(world, 'diff')).stdout).not.toContain('brings');
  });

  it.runIf(LONG)(
    'stay when nothing else is to be had, though hooks of the catalogue are asked for',
    async () => {
      const world = homeWithMemory();
      putPackage(world, 'own-server', { mcphooks: 'hooks.json' });
      const file = world.write('home/node_modules/own-server/hooks.json', JSON.stringify([BROUGHT]));
      world.write(
        'home/.claude.json',
        JSON.stringify({ mcpServers: { own: startOf(world, 'own-server', MEMORY_TOOLS) } }),
      );
      const install = ['install', 'own', '--client', 'claude-code', '--yes'];
      expect(await atHome(world, ...install, '--catalogue')).toMatchObject({ code: 0 });
      putPackage(world, 'own-server');
      const again = await atHome(world, ...install, '--catalogue', '--accept-changed');
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('no longer brings hooks')]);
      expect(again.stderr).toContain('Nothing to do');
      // Nor does it remove those of a file.
      await atHome(world, ...install, '--reset', '--accept-changed', '--declarations', file, '--no-check');
      expect(await atHome(world, ...install, '--catalogue', '--accept-changed')).toMatchObject({ code: 4 });
    },
  );

  it.runIf(LONG)(
    'stay with a note when the package withdraws them, and without one when it is gone',
    async () => {
      const world = withBrought();
      await atHome(world, 'install', 'memo', '--catalogue', '--yes');
      putPackage(world, MEMORY);
      for (const more of [[], ['--offline']]) {
        const { code, stdout } = await atHome(world, 'diff', ...more);
        expect([code, stdout]).toEqual([0, expect.stringContaining('no longer brings hooks')]);
        expect(stdout).toContain(`npm:${MEMORY}`);
        expect(stdout).toContain('mcphooks uninstall memo');
      }
      rmSync(join(world.home, 'node_modules', MEMORY, 'package.json'));
      expect((await atHome(world, 'diff', '--offline')).stdout).not.toContain('no longer');
    },
  );

  it.runIf(LONG)(
    'beyond our limits are left out and named, and no advice is given that does not help',
    async () => {
      const world = withBrought();
      const hooks = `home/node_modules/${MEMORY}/hooks.json`;
      const many = Array.from({ length: 64 }, (_, i) => ({ ...BROUGHT, context: `Text ${i}.` }));
      world.write(hooks, JSON.stringify([{ ...BROUGHT, context: 'x'.repeat(8001) }, ...many, BROUGHT]));
      const { stdout } = await atHome(world, 'install', 'memo', '--catalogue', '--dry-run', '--json');
      const { plan } = JSON.parse(stdout);
      expect(plan.declarations).toHaveLength(64);
      expect(plan.leftOut.map(({ code }: { code: string }) => code)).toEqual([
        'decl.too-long',
        'decl.too-many',
      ]);
      world.write(hooks, JSON.stringify([BROUGHT, { event: 'no such event' }]));
      const refused = await atHome(world, 'install', 'memo', '--catalogue', '--yes');
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no such event') });
      expect(refused.stderr).not.toContain('--lenient');
    },
  );

  it.runIf(LONG)('are a note where the catalogue was used, once the package has some', async () => {
    const world = await installedMemory();
    putPackage(world, MEMORY, { mcphooks: 'hooks.json' });
    world.write(`home/node_modules/${MEMORY}/hooks.json`, JSON.stringify([BROUGHT]));
    const { code, stdout } = await atHome(world, 'diff');
    expect([code, stdout]).toEqual([0, expect.stringContaining('now has other hooks')]);
    world.write(`home/node_modules/${MEMORY}/hooks.json`, '{');
    expect(await atHome(world, 'diff')).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([{ declarations: [BROUGHT] }, [BROUGHT], null])(
    'written into package.json instead of a file: its author reads what belongs there',
    async (mcphooks) => {
      const world = withBrought('hooks.json');
      putPackage(world, MEMORY, { mcphooks });
      const { code, stderr } = await world.run('lint', 'memo');
      expect([code, stderr]).toEqual([1, expect.stringContaining("'mcphooks' in the package.json of")]);
    },
  );

  it.each(
    sample(['../hooks.json', '/etc/hooks.json', 'gone.json', '.', 'link.json', 'linked/hooks.json'], 2),
  )('from outside, or none: %s', async (path) => {
    const world = withBrought(path);
    const folder = join(world.home, 'node_modules', MEMORY);
    const outside = world.write('home/outside/hooks.json', JSON.stringify([BROUGHT]));
    symlinkSync(outside, join(folder, 'link.json'));
    symlinkSync(dirname(outside), join(folder, 'linked'));
    expect(await json(world, 'install', 'memo', '--catalogue', '--yes')).toMatchObject({
      code: 1,
      codes: ['catalogue.package-file'],
    });
  });
});

describe('a server that only its client can reach', () => {
  const held = (url: string): World => {
    const world = makeWorld();
    const mcpServers = { wiki: { type: 'sse', url } };
    world.write('home/.claude.json', JSON.stringify({ mcpServers }));
    return world;
  };

  it('gets an entry of fixed texts that was checked with documents, as not checked', async () => {
    const world = held('https://mcp.notion.com/mcp');
    expect(await json(world, 'install', 'wiki', '--yes')).toMatchObject({ code: 1, codes: ['server.sse'] });
    expect(wroteNothing(world)).toBe(true);
    const { code, stdout } = await atHome(world, 'install', 'wiki', '--catalogue', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('not checked');
    expect(recorded(world).from).toMatchObject({ entry: 'notion', checked: 'docs', unchecked: true });
    expect(await atHome(world, 'diff')).toMatchObject({ code: 0, stderr: '' });
    expect((await said(held('https://mcp.notion.com/mcp'), false, 'install', 'wiki')).code).toBe(3);
  });

  it('gets no entry that was checked with the server, and one message', async () => {
    const world = held('https://mcp.context7.com/mcp');
    const found = await json(world, 'install', 'wiki', '--catalogue', '--yes');
    expect(found).toMatchObject({ code: 1, codes: ['server.sse'] });
    expect(wroteNothing(world)).toBe(true);
  });
});

describe('bad input', () => {
  it('an entry whose tools are gone: one message, nothing installed', async () => {
    const world = homeWithMemory('open_nodes,add_observation');
    const found = await json(world, 'install', 'memo', '--catalogue', '--yes');
    expect(found.code).toBe(1);
    expect(found.codes).toEqual(['catalogue.tool-gone', 'catalogue.tool-gone']);
    expect(found.document.faults.map(({ message }: { message: string }) => message).join('\n')).toContain(
      "Did you mean 'add_observation'?",
    );
    expect(wroteNothing(world)).toBe(true);
  });

  it('tools that are gone in the home folder only: refused until it was asked in the project', async () => {
    const world = homeWithMemory('open_nodes');
    const { code, stderr } = await world.run('install', 'memo', '--catalogue', '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(/--allow-start [0-9a-f]{64}/);
    expect(wroteNothing(world)).toBe(true);
  });

  it('a server that does not start: one message, nothing installed', async () => {
    const world = homeWithMemory();
    world.write(`home/node_modules/${MEMORY}/index.mjs`, 'process.exit(3)');
    expect(await json(world, 'install', 'memo', '--catalogue', '--yes')).toMatchObject({
      code: 1,
      codes: ['server.died'],
    });
    expect(wroteNothing(world)).toBe(true);
    expect(starts(world)).toBe(0);
  });
});
