import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith, installClients } from './home.ts';
import { cleanWorlds, madeOnce, serverEntry, type World } from './world.ts';

cleanWorlds();

interface Found {
  code: string;
  server?: string;
  client?: string;
}

async function examine(world: World, ...words: string[]) {
  const { code, stdout } = await world.run('doctor', '--json', ...words);
  const document = JSON.parse(stdout) as {
    exit: number;
    status: string;
    servers: string[];
    clients: { client: string }[];
    findings: Found[];
    remarks: Found[];
    log: { server: string }[];
    texts: { server: string }[];
    faults: Found[];
  };
  expect(OUTPUTS.doctor.safeParse(document).error).toBeUndefined();
  expect(document).toMatchObject({ exit: code });
  return document;
}

const codes = (found: readonly Found[]): string[] =>
  found.map(({ code, server, client }) => [code, server, client].filter(Boolean).join(' '));

/** `memo` is installed on Claude Code and Gemini CLI, `other` on Claude Code alone. */
const twoServers = madeOnce(async () => {
  const world = homeWith(COMMIT);
  installClients(world, { claude: '2.1.329 (Claude Code)', gemini: '0.61.0' });
  world.write('home/other.json', JSON.stringify({ declarations: [COMMIT] }));
  const claude = JSON.parse(world.read('home/.claude.json'));
  claude.mcpServers.other = serverEntry(join(world.home, 'other.json'), join(world.home, 'other.log'));
  world.write('home/.claude.json', JSON.stringify(claude));
  const trusted = JSON.stringify({ [world.project]: 'TRUST_FOLDER' });
  world.write('home/.gemini/trustedFolders.json', trusted);
  for (const [server, clients] of [
    ['memo', 'claude-code,gemini-cli'],
    ['other', 'claude-code'],
  ] as const)
    expect((await world.run('install', server, '--yes', '--client', clients)).code).toBe(0);
  return world;
});

it.runIf(LONG)('says of one server only what concerns it', async () => {
  const world = await twoServers();
  expect(await examine(world, 'memo')).toMatchObject({ status: 'well', servers: ['memo'], findings: [] });
  const shim =
    Object.keys(world.files()).find((path) => /\/hooks\/other\/.*PostToolUse(\.\w+)?$/.test(path)) ?? '';
  world.write(shim, `${world.read(shim)}# mine\n`);
  expect(codes((await examine(world)).findings)).toEqual(['doctor.own-altered other claude-code']);
  expect(await examine(world, 'memo')).toMatchObject({ status: 'well', findings: [], remarks: [] });
  const other = await examine(world, 'other');
  expect(codes(other.findings)).toEqual(['doctor.own-altered other claude-code']);
  expect(other).toMatchObject({ status: 'ill', servers: ['other'], clients: [{ client: 'claude-code' }] });
  expect(other.texts).toMatchObject([{ server: 'other' }]);
  const { stdout } = await world.run('doctor', 'memo');
  expect(stdout).toContain('Nothing found that would stop its hooks from firing here.');
  expect(stdout).toContain("'mcphooks doctor memo --check'");
  expect(stdout).not.toContain('other');
});

it.runIf(LONG)('says what concerns every server of a client only of those that this client has', async () => {
  const world = await twoServers();
  const settings = world.read('home/.gemini/settings.json');
  world.write(
    'home/.gemini/settings.json',
    settings.replace('{', () => '{ "hooksConfig": { "enabled": false },'),
  );
  expect(codes((await examine(world, 'memo')).findings)).toContain('doctor.hooks-off gemini-cli');
  expect((await examine(world, 'other')).findings).toEqual([]);
});

it('asks only that server with --check', async () => {
  const world = await twoServers();
  const [memo, other] = [world.files()['home/started.log'], world.files()['home/other.log']];
  expect((await examine(world, 'other', '--check')).findings).toEqual([]);
  expect(world.files()['home/started.log']).toBe(memo);
  expect(world.files()['home/other.log']).not.toBe(other);
});

it.runIf(LONG)('shows log lines, and the package that is being installed, of that server', async () => {
  const world = await twoServers();
  const at = new Date(Date.now() + 1_000).toISOString();
  const line = {
    format: 1,
    at,
    incident: 'tool.slow',
    client: 'claude-code',
    native: 'PostToolUse',
    n: 1,
  };
  const lines = ['memo', 'other'].map((server) => JSON.stringify({ ...line, server }));
  world.write('home/.local/state/mcphooks/hooks.log', `${lines.join('\n')}\n`);
  const install = { format: 1, runner: 'npx', package: 'a-server', since: at, nonce: '' };
  const held = { ...install, holders: [{ pid: process.pid }] };
  world.write(`home/.local/state/mcphooks/installing/${'0'.repeat(16)}.json`, JSON.stringify(held));
  expect(codes((await examine(world)).remarks)).toEqual(['doctor.installing']);
  const { log, remarks } = await examine(world, 'other');
  expect(remarks).toEqual([]);
  expect((await examine(world)).log.map(({ server }) => server)).toEqual(['memo', 'other']);
  expect(log.map(({ server }) => server)).toEqual(['other']);
});

it('names what it does not know, and a near name, as explain does', async () => {
  const world = await twoServers();
  const { code, stderr } = await world.run('doctor', 'memmo');
  expect(code).toBe(1);
  expect(stderr).toContain("no hooks from 'memmo' are installed");
  expect(stderr).toContain("'memo'");
  const failed = await examine(world, 'memmo');
  expect(failed).toMatchObject({ status: 'failed', faults: [{ code: 'plan.not-installed' }] });
  expect(await examine(world, '')).toMatchObject({ exit: 1, faults: [{ code: 'usage.empty-name' }] });
});

it('says that hooks without a record are there, and that the record is damaged', async () => {
  const world = await twoServers();
  world.write('home/.local/state/mcphooks/record.json', '{');
  const { findings } = await examine(world, 'other');
  expect(codes(findings)).toEqual(['doctor.record', 'doctor.unknown other claude-code']);
});
