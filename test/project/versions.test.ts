/** Two versions of mcphooks in one project: the lock file names the version of each server. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCK } from '../../src/base/paths.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { VERSION } from '../../src/base/version.ts';
import { madeOnce, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { HOOKS, projectFiles, START, teamWorld } from './team.ts';

const OLD = '0.0.9';
const PROJECT = ['--scope', 'project'];
const DIFF = ['diff', ...PROJECT, '--offline'];
const UNVERIFIED = 'could not be verified, because the lock file names another version of mcphooks\n';

interface Locked {
  mcphooks: string;
  servers: { server: string; mcphooks?: string; clients: Record<string, { own: Record<string, string> }> }[];
}

const lockOf = (world: World): Locked => JSON.parse(world.read(`project/${LOCK}`));

/** The version of the lock file, and of each server that names another one. */
const versionsOf = (world: World): unknown => {
  const { mcphooks, servers } = lockOf(world);
  return [mcphooks, Object.fromEntries(servers.map((one) => [one.server, one.mcphooks]))];
};

async function install(world: World, ...args: string[]): Promise<void> {
  const given = ['install', ...args, ...PROJECT, '--yes'];
  const first = await world.run(...given);
  const allowed = /--allow-start [0-9a-f]{64}/.exec(first.stderr)?.[0].split(' ') ?? [];
  const done = first.code === 0 ? first : await world.run(...given, ...allowed);
  expect(done.code, done.stderr).toBe(0);
}

/** Two servers, as an older version wrote them: its scripts and its runtime differ, and the lock file agrees. */
const olderProject = madeOnce(async () => {
  const world = teamWorld(HOOKS.slice(1));
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: START, todo: START } }));
  for (const server of ['memo', 'todo']) await install(world, server, '--client', 'claude-code,copilot');
  const lock = lockOf(world);
  lock.mcphooks = OLD;
  const texts = new Map<string, string>();
  for (const { clients } of lock.servers)
    for (const { own } of Object.values(clients))
      for (const path of Object.keys(own).filter((name) => /\/\w+$|\.cjs$/.test(name))) {
        const text = texts.get(path) ?? `${world.read(`project/${path}`)}\n# ${OLD}\n`;
        texts.set(path, text);
        own[path] = sha256(text);
      }
  for (const [path, text] of texts) world.write(`project/${path}`, text);
  world.write(`project/${LOCK}`, `${JSON.stringify(lock, null, 2)}\n`);
  return world;
});

it.runIf(LONG)(
  'an install names the version of the servers that another one wrote, and diff calls none of them altered',
  async () => {
    const world = await olderProject();
    expect(await world.run(...DIFF)).toMatchObject({
      code: 2,
      stdout: `memo: ${UNVERIFIED}todo: ${UNVERIFIED}`,
      stderr: expect.stringContaining(`npm install --global mcphooks@${OLD}, then mcphooks diff`),
    });
    const both = await world.run('install', ...PROJECT, '--frozen', '--yes');
    expect(both.stderr.match(/can't verify its scripts/g)).toHaveLength(1);
    const { stdout: planned, stderr: said } = await world.run('install', ...PROJECT, '--frozen', '--dry-run');
    expect([planned, said.includes(`todo: ${UNVERIFIED}`)]).toEqual(['', true]);
    const dry = await world.run('install', ...PROJECT, '--frozen', '--dry-run', '--json');
    for (const { plan } of JSON.parse(dry.stdout).servers) expect(plan).toBeUndefined();
    await install(world, 'todo');
    expect(versionsOf(world)).toEqual([VERSION, { memo: OLD }]);
    const { code, stdout, stderr } = await world.run(...DIFF);
    expect([code, stdout]).toEqual([2, `memo: ${UNVERIFIED}todo: as installed\n`]);
    expect(stderr).toContain(`mcphooks ${OLD} wrote the scripts of memo`);
    expect(stderr).toContain('mcphooks install --scope project memo\n');
    const frozen = await world.run('install', ...PROJECT, '--frozen', '--yes');
    expect(frozen).toMatchObject({ code: 0, stderr: expect.stringContaining(`memo: ${UNVERIFIED}`) });
    expect(frozen.stderr).toContain(`mcphooks ${OLD} wrote the scripts of memo`);
    expect(frozen.stderr.match(/already installed/g)).toHaveLength(1);
    const json = await world.run('install', ...PROJECT, '--frozen', '--yes', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ exit: 0, faults: [{ code: 'lock.other-versions' }] });
    expect(await world.run('fire', 'memo', 'pre_request', ...PROJECT)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`mcphooks ${OLD} wrote`),
    });
    await install(world, 'memo');
    expect(versionsOf(world)).toEqual([VERSION, {}]);
    expect(await world.run(...DIFF)).toMatchObject({
      code: 0,
      stdout: 'memo: as installed\ntodo: as installed\n',
      stderr: '',
    });
  },
);

it('names the version of a lock file that has what this one does not know, and leaves the file', async () => {
  const world = teamWorld(HOOKS.slice(1));
  await install(world, 'memo', '--client', 'claude-code');
  const lock = lockOf(world);
  const said = async (mcphooks: string, strange: object): Promise<string> => {
    const text = JSON.stringify({ ...lock, mcphooks, servers: [{ ...lock.servers[0], ...strange }] });
    world.write(`project/${LOCK}`, text);
    const { code, stderr } = await world.run('install', 'memo', ...PROJECT, '--yes');
    expect([code, world.read(`project/${LOCK}`)]).toEqual([1, text]);
    return stderr;
  };
  const source = { from: { kind: 'registry' } };
  const hook = { declarations: [{ event: 'later', context: 'A text.', priority: 'suggestion' }] };
  for (const strange of [source, hook])
    expect(await said('9.9.9', strange)).toContain(
      `mcphooks 9.9.9 wrote it, and this is ${VERSION}: use that version`,
    );
  for (const version of [VERSION, 'no version'])
    expect(await said(version, source)).toContain('Restore the file from git, or delete it');
  expect(await said(VERSION, hook)).toContain('"later" is not one of the allowed values');
});

it.runIf(LONG)('--frozen restores the servers of this version alone', async () => {
  const world = await olderProject();
  await install(world, 'todo');
  const files = projectFiles(world);
  const [script = ''] = Object.keys(files).filter((path) => /hooks\/todo\/.*\/UserPromptSubmit$/.test(path));
  const [old = ''] = Object.keys(files).filter((path) => /hooks\/memo\/.*\/UserPromptSubmit$/.test(path));
  const restore = () => world.run('install', ...PROJECT, '--frozen', '--yes');
  world.write(`project/${script}`, '# edited\n');
  expect((await world.run(...DIFF)).stdout).toContain('todo --frozen');
  expect(await restore()).toMatchObject({ code: 0 });
  expect(projectFiles(world)).toEqual(files);
  world.write(`project/${old}`, '# edited\n');
  const { stdout } = await world.run(...DIFF);
  expect(stdout).toContain('To bring it up to date: mcphooks install --scope project memo\n');
  expect((await world.run(...DIFF, '--format', 'markdown')).stdout).not.toContain('--frozen');
  expect(await restore()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`it was written by mcphooks ${OLD}, but this is ${VERSION}`),
  });
});

it.runIf(LONG)('--frozen has no doubt about scripts that it would write itself', async () => {
  const world = await olderProject();
  for (const server of ['memo', 'todo']) await install(world, server);
  const lock = lockOf(world);
  lock.mcphooks = OLD;
  world.write(`project/${LOCK}`, `${JSON.stringify(lock, null, 2)}\n`);
  rmSync(join(world.project, '.claude/settings.json'));
  const { code, stderr } = await world.run('install', ...PROJECT, '--frozen', '--yes');
  expect([code, stderr.includes("can't verify"), stderr.includes('Installed')]).toEqual([0, false, true]);
});

it.runIf(LONG)('an uninstall leaves the version of the others', async () => {
  const world = await olderProject();
  await world.run('uninstall', 'todo', ...PROJECT);
  expect(versionsOf(world)).toEqual([OLD, {}]);
  expect((await world.run(...DIFF)).stdout).toBe(`memo: ${UNVERIFIED}`);
  await world.run('uninstall', 'memo', ...PROJECT);
  expect(Object.keys(projectFiles(world)).filter((path) => path.includes('mcphooks'))).toEqual([]);
});

it.runIf(LONG)('does not verify scripts beside a runtime of another version', async () => {
  const world = await olderProject();
  await install(world, 'todo');
  const lock = lockOf(world);
  // As after an install of memo by another version.
  const servers = lock.servers.map((one) => ({
    ...one,
    mcphooks: one.server === 'todo' ? VERSION : undefined,
  }));
  world.write(`project/${LOCK}`, `${JSON.stringify({ ...lock, mcphooks: '9.9.9', servers }, null, 2)}\n`);
  const { code, stdout, stderr } = await world.run(...DIFF);
  expect([code, stdout]).toEqual([2, `memo: ${UNVERIFIED}todo: ${UNVERIFIED}`]);
  expect(stderr).toContain('written by mcphooks 9.9.9');
});
