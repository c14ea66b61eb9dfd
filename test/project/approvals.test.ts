import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../../src/base/repository.ts';
import { cleanWorlds, type Ended, type World } from '../cli/world.ts';
import { LONG, sample } from '../effort.ts';
import {
  bringStranger,
  commit,
  git,
  installedTeams,
  installForTeam,
  installIn,
  START,
  teamWorld,
} from './team.ts';

cleanWorlds();
const teamWith = installedTeams();
const RECORD = 'home/.local/state/mcphooks/record.json';
const PROJECT = ['--scope', 'project'];
const hashIn = ({ stderr }: Ended): string => /--allow-start ([0-9a-f]{64})/.exec(stderr)?.[1] ?? '';
const approvals = (world: World) => JSON.parse(world.read(RECORD)).approvals ?? {};

/** A folder beside the project with the same words in its files, and a server of its own that says that it ran. */
function stranger(world: World, folder = 'stranger'): void {
  cpSync(join(world.project, '.mcp.json'), join(world.home, '..', folder, '.mcp.json'));
  bringStranger(world, folder);
}
const pwned = (world: World): boolean => existsSync(join(world.home, 'pwned'));

describe('an approval', () => {
  it('holds in its own repository, and in no other that says the same words', async () => {
    const world = teamWorld();
    await installIn(world, '--client', 'claude-code');
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(await world.runAs({ folder: 'project/tools' }, 'diff')).not.toMatchObject({ code: 3 });
    mkdirSync(join(world.home, '../stranger/.git'), { recursive: true });
    stranger(world);
    for (const args of [
      ['diff'],
      ['explain', 'memo'],
      ['lint', 'memo'],
      ['list', '--check'],
      ['doctor', '--check'],
      ['install', 'memo', '--yes'],
    ]) {
      await world.runAs({ folder: 'stranger' }, ...args);
      expect(pwned(world), args.join(' ')).toBe(false);
    }
    expect(await world.runAs({ folder: 'stranger' }, 'lint', 'memo')).toMatchObject({ code: 3 });
    expect(Object.keys(approvals(world))).toEqual([world.project]);
  });

  it.runIf(LONG)(
    'holds in worktrees that the repository lists, and where a stranger says so in none',
    async () => {
      const world = await teamWith();
      commit(world);
      git(world, 'worktree', 'add', '--quiet', '../tree');
      const diff = ['diff', ...PROJECT];
      expect(await world.runAs({ folder: 'tree' }, ...diff)).toMatchObject({ code: 0 });
      // Below, the server is started at the root.
      expect(await world.runAs({ folder: 'tree/tools' }, ...diff)).toMatchObject({ code: 0 });
      const own = readFileSync(join(world.home, '../tree/.git'), 'utf8');
      const gits: [string, (at: string) => void][] = [
        ["a worktree's own words", (at) => writeFileSync(at, own)],
        ['the folder of git itself', (at) => writeFileSync(at, `gitdir: ${world.project}/.git\n`)],
        ['a link to it', (at) => symlinkSync(join(world.project, '.git'), at)],
        ['a link to a worktree', (at) => symlinkSync(join(world.home, '../tree/.git'), at)],
        [
          'a worktree of its own making',
          (at) => {
            world.write('stranger/w/worktrees/x/gitdir', `${world.home}/../tree/.git\n`);
            world.write('stranger/w/worktrees/x/commondir', `${world.project}/.git\n`);
            writeFileSync(at, 'gitdir: w/worktrees/x\n');
          },
        ],
        [
          "a file of the approved repository's own",
          (at) => {
            for (const name of ['HEAD', 'objects/x', 'refs/x']) world.write(`project/${name}`, '');
            world.write('project/worktrees/x/gitdir', `${at}\n`);
            writeFileSync(at, 'gitdir: ../project/worktrees/x\n');
          },
        ],
        ['no folder', (at) => writeFileSync(at, 'gitdir: /nowhere\n')],
        ['nothing', (at) => writeFileSync(at, '')],
      ];
      for (const [what, make] of gits) {
        rmSync(join(world.home, '../stranger'), { recursive: true, force: true });
        stranger(world);
        make(join(world.home, '../stranger/.git'));
        expect(await world.runAs({ folder: 'stranger' }, 'lint', 'memo'), what).toMatchObject({ code: 3 });
        expect(pwned(world), what).toBe(false);
      }
      // One that was moved away is listed no more.
      git(world, 'worktree', 'remove', '--force', '../tree');
      stranger(world, 'tree');
      writeFileSync(join(world.home, '../tree/.git'), own);
      expect(await world.runAs({ folder: 'tree' }, 'lint', 'memo')).toMatchObject({ code: 3 });
    },
  );

  it.runIf(LONG)(
    'stays with an uninstall in one checkout while another of the repository has the hooks',
    async () => {
      const world = await teamWith('--client', 'claude-code');
      commit(world);
      git(world, 'worktree', 'add', '--quiet', '../tree');
      expect(Object.keys(approvals(world))).toEqual([world.project]);
      const there = await world.runAs({ folder: 'tree' }, 'uninstall', 'memo', ...PROJECT);
      expect(there, there.stderr).toMatchObject({ code: 0 });
      expect(Object.keys(approvals(world))).toEqual([world.project]);
      expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 0 });

      git(world, 'worktree', 'add', '--quiet', '../third');
      expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 0 });
      expect(Object.keys(approvals(world))).toEqual([world.project]);
      expect(await world.runAs({ folder: 'third' }, 'uninstall', 'memo', ...PROJECT)).toMatchObject({
        code: 0,
      });
      expect(existsSync(join(world.home, '../', RECORD)) ? approvals(world) : {}).toEqual({});
    },
  );

  it.runIf(LONG)(
    'without git holds for the project, and one in the home folder for nothing below it',
    async () => {
      const world = teamWorld();
      rmSync(join(world.project, '.git'), { recursive: true });
      await installForTeam(world);
      expect(await world.runAs({ folder: 'project/tools' }, 'diff', ...PROJECT)).toMatchObject({ code: 0 });
      stranger(world);
      expect(await world.runAs({ folder: 'stranger' }, 'lint', 'memo')).toMatchObject({ code: 3 });
      mkdirSync(join(world.home, '.git'));
      mkdirSync(join(world.home, 'a/b'), { recursive: true });
      expect(repositoryOf(join(world.home, 'a/b'), world.home).main).toBe(join(world.home, 'a/b'));
      expect(repositoryOf(world.home, world.home).main).toBe(world.home);
      git(world, 'init', '--quiet');
      mkdirSync(join(world.project, 'node_modules/evil/tools'), { recursive: true });
      expect(repositoryOf(join(world.project, 'tools'), world.home).main).toBe(world.project);
      const installed = join(world.project, 'node_modules/evil/tools');
      expect(repositoryOf(installed, world.home).main).toBe(installed);
    },
  );

  it.runIf(LONG)(
    'of an earlier version, which held everywhere, is asked for once more and stays for that version',
    async () => {
      const world = teamWorld();
      await installIn(world, '--client', 'claude-code');
      const record = JSON.parse(world.read(RECORD));
      const hash = Object.keys(record.approvals[world.project])[0] ?? '';
      const { approvals: _, check: _check, ...earlier } = record;
      world.write(RECORD, JSON.stringify({ ...earlier, starts: { [hash]: '2026-01-01T00:00:00.000Z' } }));
      const refused = await world.run('diff');
      expect(refused).toMatchObject({ code: 3 });
      expect(hashIn(refused)).toBe(hash);
      expect(await world.runAs({ says: true }, 'install', 'memo')).toMatchObject({ code: 0 });
      expect(await world.run('diff')).toMatchObject({ code: 0 });
      expect(JSON.parse(world.read(RECORD)).starts).toEqual({ [hash]: '2026-01-01T00:00:00.000Z' });
    },
  );

  it.runIf(LONG).each(['install', 'diff'])(
    'by %s holds where nothing had to be written, too',
    async (command) => {
      const world = await teamWith();
      const { approvals: _, check: _check, ...record } = JSON.parse(world.read(RECORD));
      world.write(RECORD, JSON.stringify(record));
      const words = [command, 'memo', ...PROJECT];
      expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 3 });
      expect(await world.runAs({ says: true }, ...words)).toMatchObject({ code: 0 });
      expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 0 });
    },
  );

  it('of the command line holds for one diff alone', async () => {
    const world = await teamWith();
    const { approvals: _, check: _check, ...record } = JSON.parse(world.read(RECORD));
    world.write(RECORD, JSON.stringify(record));
    const refused = await world.run('diff', 'memo', ...PROJECT);
    expect(await world.run('diff', 'memo', ...PROJECT, '--allow-start', hashIn(refused))).toMatchObject({
      code: 0,
    });
    await world.run('diff', 'memo', ...PROJECT, '--', 'sh', 'tools/server.sh', 'tools/hooks.json');
    expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 3 });
    expect(approvals(world)).toEqual({});
  });

  it.each(LONG ? [[PROJECT], [[]], [['--scope', 'local']]] : [[PROJECT]])(
    'is forgotten with the install: %j',
    async (scope) => {
      const world = teamWorld();
      const before = Object.keys(world.files());
      await installIn(world, ...scope, '--client', 'claude-code');
      expect(Object.keys(approvals(world))).toEqual([world.project]);
      expect(await world.run('uninstall', 'memo', ...scope)).toMatchObject({ code: 0 });
      expect(Object.keys(world.files())).toEqual(before);
      expect(await world.run('lint', 'memo')).toMatchObject({ code: 3 });
    },
  );

  it.runIf(LONG)('that an uninstall can’t forget is said, and forgotten by the next', async () => {
    const world = await teamWith('--client', 'claude-code');
    chmodSync(join(world.home, '../', RECORD), 0o400);
    const uninstall = ['uninstall', 'memo', ...PROJECT];
    const { code, stderr } = await world.run(...uninstall);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining(
        'the file is read-only; the hooks are removed, but approvals to start their server stay',
      ),
    ]);
    expect(Object.keys(world.files())).not.toContain('project/mcphooks.lock.json');
    expect(Object.keys(approvals(world))).toEqual([world.project]);
    expect(await world.run(...uninstall)).toMatchObject({ code: 1 });

    chmodSync(join(world.home, '../', RECORD), 0o600);
    // On another branch, a project's approvals are those of hooks that are installed there.
    expect(await world.run('uninstall', '--all', ...PROJECT)).toMatchObject({ code: 0, stdout: '' });
    const planned = await world.run(...uninstall, '--dry-run', '--json');
    expect(JSON.parse(planned.stdout)).toMatchObject({ exit: 2, removals: [{ forgets: ['approvals'] }] });
    expect(await world.run(...uninstall)).toEqual({
      code: 0,
      stdout: 'Approvals to start memo in this project are forgotten.\n',
      stderr: '',
    });
    expect(Object.keys(world.files())).not.toContain(RECORD);
    expect(await world.run(...uninstall)).toMatchObject({ code: 0, stdout: '' });
  });

  it.runIf(LONG)('stays where an uninstall fails', async () => {
    const world = await teamWith('--client', 'claude-code');
    const before = approvals(world);
    chmodSync(join(world.project, '.claude/settings.json'), 0o400);
    expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 1 });
    expect(approvals(world)).toEqual(before);
  });

  it('of a project alone is forgotten by uninstall --all outside the project, with the record', async () => {
    const world = await teamWith();
    world.write(
      RECORD,
      JSON.stringify({ ...JSON.parse(world.read(RECORD)), starts: { f96d: '2026-01-01' } }),
    );
    const { stdout } = await world.runAs({ folder: 'home' }, 'uninstall', '--all', '--dry-run', '--json');
    expect(JSON.parse(stdout).removals).toMatchObject([{ server: 'memo' }]);
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    const away = (...args: string[]) => world.runAs({ folder: 'home' }, 'uninstall', '--all', ...args);
    const none = await away('--client', 'codex', '--json');
    expect(JSON.parse(none.stdout)).toMatchObject({ exit: 0, removals: [] });
    expect(Object.keys(approvals(world))).toEqual([world.project]);
    expect(await away()).toEqual({
      code: 0,
      stdout: 'Approvals to start memo for projects are forgotten.\n',
      stderr: '',
    });
    expect(Object.keys(world.files())).not.toContain(RECORD);
    expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 3 });
  });

  it.runIf(LONG).each([
    ['local', 'user'],
    ['user', 'project'],
    ['project', 'local'],
  ])('stays at scope %s when the server is uninstalled at scope %s', async (stays, goes) => {
    const ada = teamWorld();
    for (const scope of [stays, goes]) await installIn(ada, '--scope', scope, '--client', 'claude-code');
    expect(await ada.run('uninstall', 'memo', '--scope', goes)).toMatchObject({ code: 0 });
    expect(await ada.run('diff', 'memo', '--scope', stays)).toMatchObject({ code: 0 });
    expect(await ada.run('uninstall', 'memo', '--scope', stays)).toMatchObject({ code: 0 });
    expect(Object.keys(ada.files())).not.toContain('home/.local/state/mcphooks/record.json');
  });

  it.runIf(LONG)('goes with the install of its repository, whatever is installed in another', async () => {
    const world = teamWorld();
    await installIn(world, '--scope', 'local', '--client', 'claude-code');
    const other = join(world.home, '..', 'other');
    cpSync(world.project, other, { recursive: true });
    const there = {
      ...world,
      project: other,
      run: (...args: string[]) => world.runAs({ folder: 'other' }, ...args),
    };
    await installIn(there, '--scope', 'local', '--client', 'claude-code');
    expect(Object.keys(approvals(world)).sort()).toEqual([other, world.project].sort());
    expect(await world.run('uninstall', 'memo', '--scope', 'local')).toMatchObject({ code: 0 });
    expect(Object.keys(approvals(world))).toEqual([other]);
  });

  it.runIf(LONG)('stays while another worktree has an install of the user’s own', async () => {
    const world = teamWorld();
    git(world, 'worktree', 'add', '--quiet', '../tree');
    const inTree = (...args: string[]) =>
      world.runAs({ folder: 'tree' }, ...args, 'memo', '--scope', 'local');
    await installIn(world, '--scope', 'local', '--client', 'claude-code');
    expect(await inTree('install', '--client', 'claude-code', '--yes')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo', '--scope', 'local')).toMatchObject({ code: 0 });
    expect(await inTree('diff')).toMatchObject({ code: 0 });
    expect(await inTree('uninstall')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).not.toContain(RECORD);
  });

  it.runIf(LONG)(
    "stops no uninstall of the project where this machine's record is that of a later version",
    async () => {
      const world = teamWorld();
      await installForTeam(world, '--client', 'claude-code');
      world.write(RECORD, JSON.stringify({ ...JSON.parse(world.read(RECORD)), format: 99 }));
      expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 0 });
      expect(Object.keys(world.files())).not.toContain('project/mcphooks.lock.json');
    },
  );

  it.runIf(LONG)('of another server stays when one is uninstalled', async () => {
    const world = teamWorld();
    const { memo } = JSON.parse(world.read('project/.mcp.json')).mcpServers;
    const also = { ...memo, args: [...memo.args, ''] };
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo, also } }));
    await installForTeam(world);
    const refused = await world.run('install', 'also', ...PROJECT, '--yes');
    const allowed = ['--yes', '--allow-start', hashIn(refused)];
    expect(await world.run('install', 'also', ...PROJECT, ...allowed)).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 0 });
    expect(await world.run('lint', 'memo')).toMatchObject({ code: 3 });
    expect(await world.run('lint', 'also')).toMatchObject({ code: 0 });
  });

  it.runIf(LONG)('is given for several servers at once', async () => {
    const world = teamWorld();
    const { memo } = JSON.parse(world.read('project/.mcp.json')).mcpServers;
    const also = { ...memo, args: [...memo.args, ''] };
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo, also } }));
    const names = ['memo', 'also'];
    const hashes: string[] = [];
    for (const name of names) {
      const hash = hashIn(await world.run('install', name, ...PROJECT, '--yes'));
      hashes.push('--allow-start', hash);
      const allowed = ['--yes', '--allow-start', hash];
      expect(await world.run('install', name, ...PROJECT, ...allowed)).toMatchObject({ code: 0 });
    }
    rmSync(join(world.home, '.local'), { recursive: true });
    for (const command of [
      ['diff', ...PROJECT],
      ['list', '--check'],
    ]) {
      expect(await world.run(...command)).toMatchObject({ code: 3 });
      expect(await world.run(...command, ...hashes.slice(0, 2))).toMatchObject({ code: 3 });
      expect(await world.run(...command, ...hashes)).toMatchObject({ code: 0 });
    }
  });

  it('never stands in a lock file', async () => {
    const world = await teamWith();
    expect(world.read('project/mcphooks.lock.json')).not.toContain('approvals');
    const lock = JSON.parse(world.read('project/mcphooks.lock.json'));
    const hash = lock.servers[0].definition.hash;
    const given = {
      approvals: { [world.project]: { [hash]: { server: 'memo', since: '' } } },
      starts: { [hash]: '' },
    };
    world.write('project/mcphooks.lock.json', JSON.stringify({ ...lock, ...given }));
    rmSync(join(world.home, '.local'), { recursive: true });
    expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 3 });
  });
});

describe('a lock file that names a command', () => {
  it('is approved with all that the command is given', async () => {
    const world = teamWorld();
    const given = ['--client', 'claude-code', '--yes', '--', START.command, ...START.args];
    expect(await world.run('install', 'memo', ...PROJECT, ...given)).toMatchObject({ code: 0 });
    expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 0 });
    const text = world.read('project/mcphooks.lock.json');
    for (const more of [
      { env: { NODE_OPTIONS: '--no-warnings' } },
      { cwd: 'tools' },
      { passEnv: ['AWS_SECRET'] },
    ]) {
      const lock = JSON.parse(text);
      lock.servers[0].given = { ...lock.servers[0].given, ...more };
      world.write('project/mcphooks.lock.json', JSON.stringify(lock));
      const refused = await world.run('diff', ...PROJECT);
      expect(refused).toMatchObject({ code: 3 });
      if ('env' in more) expect(refused.stderr).toContain('NODE_OPTIONS=--no-warnings');
    }
  });
});

it.each([
  5,
  {},
  { transport: 'stdio', command: 5, args: [], env: {} },
  { transport: 'stdio', command: 'x', args: 'y', env: {} },
  { transport: 'stdio', command: 'x', args: [], env: null },
  { transport: 'http', url: ['x'], headers: {} },
])('a lock file whose command is none is damaged: %j', async (given) => {
  const world = await teamWith();
  const lock = JSON.parse(world.read('project/mcphooks.lock.json'));
  world.write(
    'project/mcphooks.lock.json',
    JSON.stringify({ ...lock, servers: [{ ...lock.servers[0], given }] }),
  );
  const ran = await world.run('diff', ...PROJECT, '--json');
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stdout).faults[0].code).toBe('lock.damaged');
});

const OTHERWISE = [
  'https://evil.example\\@good.example/mcp',
  'https://user@good.example/mcp',
  'https://good.example/mcp\n',
  'https://${HOST:-evil.example/}@good.example/mcp',
  'https://good.example:${P}@evil.example/',
  'no url',
];
it.each(OTHERWISE.map((url, turn) => [url, turn] as const))(
  'an address that is read otherwise than it is written is refused before any question: %j',
  async (url, turn) => {
    const world = teamWorld();
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: { type: 'http', url } } }));
    const commands = [
      ['install', 'memo', '--dry-run'],
      ['lint', 'memo'],
      ['explain', 'memo'],
    ];
    for (const args of sample(commands, 3, turn)) {
      const ran = await world.runAs({ says: true }, ...args);
      expect(ran, args.join(' ')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('not a valid MCP server URL'),
      });
    }
  },
);

it.runIf(LONG)(
  'the same words in the file of a client that reads a secret in them are asked for once more',
  async () => {
    const world = teamWorld();
    world.env.TEAM_SECRET = 's3cr3t-value';
    const seen = new Set<unknown>();
    const hooks = { declarations: [{ event: 'pre_request', context: 'Hi.', priority: 'suggestion' }] };
    const server = createServer(async (request, response) => {
      seen.add(request.headers['x-team']);
      const { id, method } = JSON.parse((await request.toArray()).join('') || '{}');
      if (id === undefined) return response.writeHead(202).end();
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { hooks },
        serverInfo: { name: 's', version: '1' },
      };
      const said = method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } };
      return response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const trusted = `[projects.${JSON.stringify(world.project)}]\ntrust_level = "trusted"\n`;
    world.write('home/.codex/config.toml', trusted);
    rmSync(join(world.project, '.mcp.json'));
    world.write(
      'project/.codex/config.toml',
      `[mcp_servers.memo]\nurl = "${url}"\nhttp_headers = { "X-Team" = "$TEAM_SECRET" }\n`,
    );
    await installIn(world, '--client', 'codex');
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect([...seen]).toEqual(['$TEAM_SECRET']);
    seen.clear();
    rmSync(join(world.project, '.codex'), { recursive: true });
    world.write(
      'project/.gemini/settings.json',
      JSON.stringify({ mcpServers: { memo: { httpUrl: url, headers: { 'X-Team': '$TEAM_SECRET' } } } }),
    );
    for (const args of [
      ['explain', 'memo'],
      ['diff', 'memo'],
      ['lint', 'memo'],
      ['install', 'memo', '--dry-run'],
    ]) {
      await world.run(...args);
      expect([...seen], args.join(' ')).toEqual([]);
    }
    expect(await world.run('lint', 'memo')).toMatchObject({ code: 3 });
    server.close();
  },
);
