import { cpSync, existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundledCatalogue, entryIds } from '../../src/servers/catalogue/load.ts';
import { ALL, LONG } from '../effort.ts';
import { nodeProgram, pathWith } from '../platform.ts';
import { homeWithMemory, MEMORY, startOf } from './catalogued.ts';
import { starts } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const FIXTURES = join(import.meta.dirname, '../fixtures');

const json = async (world: World, ...words: string[]) => {
  const { code, stdout } = await world.runAs({ folder: 'home' }, 'catalogue', ...words, '--json');
  const document = JSON.parse(stdout);
  return { code, document, codes: document.faults.map((fault: { code: string }) => fault.code) };
};

describe('mcphooks catalogue', () => {
  it('lists every entry, and shows one with its texts', async () => {
    const world = makeWorld();
    const { document } = await json(world, 'list');
    expect(document.entries.map(({ id }: { id: string }) => id)).toEqual(entryIds(bundledCatalogue()));
    const { stdout } = await world.run('catalogue', 'show', 'memory');
    const call = 'open_nodes(names: ["{project_name}"])';
    for (const part of [
      MEMORY,
      'open_nodes (reads)',
      'add_observations',
      call,
      "only when it runs 'git commit'",
    ])
      expect(stdout).toContain(part);
    expect((await json(world, 'show', 'memory')).document.entries[0].declarations.length).toBeGreaterThan(0);
    expect((await world.run('catalogue', 'list')).code).toBe(0);
  });

  it('says what it takes', async () => {
    const world = makeWorld();
    expect(await json(world, 'show')).toMatchObject({ code: 1, codes: ['usage.goes-with'] });
    expect(await json(world, 'shwo', 'memory')).toMatchObject({ code: 1, codes: ['usage.unknown-word'] });
    const { stderr } = await world.run('catalogue', 'show', 'memry');
    expect(stderr).toContain("'memory'");
  });

  it('says of verify how long it waits, and what -y approves', async () => {
    const { stdout } = await makeWorld().run('catalogue', '--help');
    expect(stdout).toContain('(default: 120)');
    expect(stdout).not.toContain('plan');
  });

  it.each([
    [['show', 'memory', '--url', 'http://127.0.0.1:1/'], '--url needs verify'],
    [['list', '--timeout', '5'], '--timeout needs verify'],
    [['list', '--allow-start', 'a'.repeat(64)], '--allow-start needs verify'],
    [['show', 'memory', '--', 'node', 'x'], '-- <command> needs verify'],
    [['verify', '--url', 'http://127.0.0.1:1/'], '--url needs <id>'],
    [['verify', 'memory', '--url', 'http://127.0.0.1:1/', '--', 'node', 'x'], "can't be used together"],
  ])('refuses what it would not use: %j', async (words, says) => {
    const { code, stderr } = await makeWorld().run('catalogue', ...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
  });
});

/** A repository with a catalogue of its own: copies of the entry for the memory server. */
function projectWith(...ids: string[]): World {
  const world = makeWorld();
  world.write('project/.git/HEAD', '');
  for (const id of ids)
    cpSync(join(bundledCatalogue(), 'memory'), join(world.project, '.mcphooks/catalogue', id), {
      recursive: true,
    });
  return world;
}

describe("entries of a project's own catalogue", () => {
  const entries = async (world: World, ...words: string[]) => {
    const { code, stdout } = await world.run('catalogue', '--json', ...words);
    const document = JSON.parse(stdout);
    return {
      code,
      ids: document.entries.map(({ id, project }: { id: string; project?: true }) => [id, project]),
      codes: document.faults.map((fault: { code: string }) => fault.code),
    };
  };

  it('are listed, shown and completed, marked as such, and hide none that comes with mcphooks', async () => {
    const world = projectWith('memory', 'notes');
    const { ids } = await entries(world, 'list');
    const bundled = entryIds(bundledCatalogue()).map((id) => [id, undefined]);
    expect(ids).toEqual([['memory', true], ['notes', true], ...bundled]);
    expect((await world.run('catalogue', 'show', 'notes')).stdout).toContain("from the project's catalogue");
    expect((await entries(world, 'show', 'memory')).ids).toEqual([
      ['memory', true],
      ['memory', undefined],
    ]);
    const completed = await world.run('__complete', 'catalogue', 'show', '');
    expect(completed.stdout.match(/^(?:notes|memory)\t/gm)).toEqual(['memory\t', 'notes\t']);
    expect((await world.runAs({ folder: 'home' }, 'catalogue', 'show', 'notes')).code).toBe(1);
  });

  it('are verified with a command, and none starts a package that it names, even with --yes', async () => {
    const world = projectWith('notes');
    const npx = world.write('bin/npx.mjs', "import fs from 'node:fs'; fs.writeFileSync('ran', '');");
    nodeProgram(join(world.home, '../bin/npx'), npx);
    world.env.PATH = pathWith(join(world.home, '../bin'));
    const alone = await world.run('catalogue', 'verify', 'notes', '--yes');
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('-- <command>')]);
    expect(Object.keys(world.files()).filter((file) => file.endsWith('/ran'))).toEqual([]);
    const { command, args } = startOf(homeWithMemory(), MEMORY, 'open_nodes:reads');
    const given = await entries(world, 'verify', 'notes', '--', command, ...args);
    expect(given.codes).toEqual(['catalogue.tool-gone', 'catalogue.tool-gone']);
  });

  it('that cannot be read are named, and the others listed', async () => {
    const world = projectWith('notes');
    world.write('project/.mcphooks/catalogue/bad/entry.json', '{');
    world.write('project/.mcphooks/catalogue/bad/hooks.json', '[]');
    const { code, ids, codes } = await entries(world, 'list');
    expect([code, codes, ids[0]]).toEqual([1, ['catalogue.syntax'], ['notes', true]]);
    expect((await entries(world, 'show', 'memory')).code).toBe(0);
  });

  it('behind a link are named, and those that come with mcphooks listed', async () => {
    const world = projectWith('notes');
    renameSync(join(world.project, '.mcphooks/catalogue'), join(world.home, 'catalogue'));
    symlinkSync(join(world.home, 'catalogue'), join(world.project, '.mcphooks/catalogue'));
    const { code, ids, codes } = await entries(world, 'list');
    expect([code, codes, ids.length > 5]).toEqual([1, ['catalogue.unreadable'], true]);
    expect(ids.flat()).not.toContain('notes');
    const { stdout } = await world.run('catalogue', 'show', 'notes', '--json');
    expect(JSON.parse(stdout).faults).toMatchObject([{ code: 'catalogue.unreadable' }]);
    expect((await world.run('__complete', 'catalogue', 'show', 'mem')).stdout).toContain('memory');
  });

  it('print no control characters of the name of their folder', async () => {
    const { stdout } = await projectWith('a\u001b[31mb').run('catalogue', 'list');
    expect(stdout).not.toContain('\u001b[31m');
  });
});

describe('catalogue verify', () => {
  const READS = 'open_nodes:reads,add_observations,create_entities';
  const command = (world: World, tools: string, name = 'memory-server'): string[] => {
    const { command, args } = startOf(world, MEMORY, tools);
    return ['--', command, ...args.slice(0, 3), name, tools];
  };

  it('asks the server that is configured here', async () => {
    const world = homeWithMemory(READS);
    const { code, stdout } = await world.runAs({ folder: 'home' }, 'catalogue', 'verify', 'memory');
    expect(code).toBe(0);
    expect(stdout).toContain('memory matches');
    expect(starts(world)).toBeGreaterThan(0);
  });

  it('starts a typed command in the working folder, as other commands do', async () => {
    const world = homeWithMemory();
    const { command, args } = startOf(world, MEMORY, READS);
    cpSync(join(FIXTURES, 'servers/declares.mjs'), join(world.project, 'srv.mjs'));
    const words = ['--', command, 'srv.mjs', ...args.slice(1)];
    const { code, stderr } = await world.run('catalogue', 'verify', 'memory', ...words);
    expect([code, stderr]).toEqual([0, '']);
  });

  it.each(
    (
      [
        ['a tool is gone', 'open_nodes:reads,create_entities', 'memory-server', ['catalogue.tool-gone']],
        ['a tool writes', READS.replace(':reads', ''), 'memory-server', ['catalogue.tool-writes']],
        ['it has another name', READS, 'memory', ['catalogue.server-name']],
      ] as const
    ).slice(0, LONG ? undefined : 1),
  )('fails when %s', async (_, tools, name, codes) => {
    const world = homeWithMemory();
    const { code, stdout } = await world.runAs(
      { folder: 'home' },
      ...['catalogue', 'verify', 'memory', '--json'],
      ...command(world, tools, name),
    );
    expect(JSON.parse(stdout).faults.map((fault: { code: string }) => fault.code)).toEqual(codes);
    expect(code).toBe(1);
  });

  it.runIf(ALL)(
    'starts a package with the words, variables and files that it needs, and leaves none of these',
    async () => {
      const world = makeWorld();
      const [seen, server] = [join(world.home, 'seen'), join(FIXTURES, 'servers/declares.mjs')];
      const script = world.write(
        'bin/npx.mjs',
        `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
      const config = existsSync('backlog/config.yml') ? readFileSync('backlog/config.yml', 'utf8') : '';
      const { argv, env } = process;
      const lines = [argv.slice(2).join(' '), env.LINEAR_API_TOKEN ?? '', config + process.cwd()];
      appendFileSync(${JSON.stringify(seen)}, lines.map((line) => line + '\\n').join(''));
      argv.splice(2, Infinity, '', '', 'x', 'x');
      await import(${JSON.stringify(pathToFileURL(server).href)});`,
      );
      nodeProgram(join(world.home, '../bin/npx'), script);
      world.env.PATH = pathWith(join(world.home, '../bin'));
      await world.runAs({ folder: 'home' }, 'catalogue', 'verify', 'backlog', '--yes');
      await world.runAs({ folder: 'home' }, 'catalogue', 'verify', 'linear', '--yes');
      const lines = readFileSync(seen, 'utf8').split('\n');
      const [words, , config, folder = ''] = lines;
      const other = lines.indexOf('-y @tacticlaunch/mcp-linear@latest');
      expect([words, config]).toEqual(['-y backlog.md@latest mcp start', 'project_name: "example"']);
      expect(existsSync(folder)).toBe(false);
      expect(lines[other + 1]).toBe('none');
    },
  );

  it('runs no package without a yes, and asks no server behind a login', async () => {
    const world = makeWorld();
    expect(await json(world, 'verify', 'memory')).toMatchObject({ code: 3, codes: ['catalogue.not-run'] });
    const { code, stdout } = await world.run('catalogue', 'verify', 'notion');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'notion follows the rules; to compare it with its server, give your own command',
    );
  });
});
