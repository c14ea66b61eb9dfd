import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { recordedProcess } from '../../src/base/process.ts';
import {
  dropAddress,
  isPrivate,
  type KeeperFile,
  keeperFilePath,
  lasting,
} from '../../src/fire/warm/keeper-file.ts';
import { register } from '../../src/fire/warm/register.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { KEEP, machines } from './warm-world.ts';
import { isAlive } from './world.ts';

const { machine } = machines();
const servers: Server[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'warm-'));
  folders.push(folder);
  return folder;
}

/** Listens at an address, and answers each message; returns what has arrived there. */
async function listening(address: string, reply = ''): Promise<() => string> {
  let got = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      got += chunk;
      socket.write(reply);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(address, resolve));
  return () => got;
}

it.runIf(LONG)(
  'a process in the place of a keeper gets no call without a proof, and another process gets no signal',
  async () => {
    const m = machine();
    const shim = m.shimOf();
    await m.fireIt(shim, { TOKEN: 'mine' });
    const kept = m.keeper();
    await m.end(kept);
    const { started: _, ...unknown } = kept;
    const address = `${kept.address}x`;
    const got = await listening(address, `${JSON.stringify({ nonce: 'ff', proof: '00'.repeat(16) })}\n`);
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const pid = other.pid ?? 0;
      const file = { ...unknown, address, pid };
      writeFileSync(keeperFilePath(m.folder, kept.id), JSON.stringify(file), { mode: 0o600 });
      expect((await m.fireIt(shim, { TOKEN: 'mine' })).text).toContain('one\ntwo');
      expect(got()).toMatch(/^\{"nonce":"[0-9a-f]{32}"\}\n$/);
      expect(isAlive(pid)).toBe(true);
    } finally {
      other.kill('SIGKILL');
    }
  },
);

it.skipIf(WINDOWS)('of what the file of a keeper names, only a socket beside it is removed', async () => {
  const [folder, other] = [newFolder(), newFolder()];
  const kept = (path: string) => ({ address: path }) as KeeperFile;
  const [own, elsewhere, text] = [join(folder, 's'), join(other, 's'), join(folder, 'text')];
  for (const address of [own, elsewhere]) await listening(address);
  writeFileSync(text, '');
  for (const address of [own, elsewhere, text]) dropAddress(folder, kept(address));
  expect([own, elsewhere, text].map((path) => existsSync(path))).toEqual([false, true, true]);
});

it('a keeper takes the place of one that is gone, not of one that runs', () => {
  const folder = newFolder();
  const texts = { server: 'annal', folder, since: '', address: '', shim: '', runtime: '' };
  const kept = (secret: string, pid: number): KeeperFile => ({
    ...{ format: 1, id: 'a', secret, ...texts },
    ...recordedProcess(pid),
  });
  const secret = (): string => JSON.parse(readFileSync(keeperFilePath(folder, 'a'), 'utf8')).secret;
  // No system has this process.
  expect(register(folder, kept('gone', 2 ** 30))).toBe(true);
  expect(register(folder, kept('one', process.pid))).toBe(true);
  expect(register(folder, kept('two', process.pid))).toBe(false);
  expect(secret()).toBe('one');
});

it('variables and PATH of the definition itself stay, also those that a client sets for each session', () => {
  const [session] = KEEP.omit as [string];
  const PATH = '/bin:/session-1';
  const env = { [session]: 'x', PATH, SHLVL: '1', OTHER: 'y' };
  const to = { command: 'x', args: [], cwd: '/', env };
  expect(lasting({ to, variables: [session, 'PATH'] }, KEEP).env).toEqual({
    [session]: 'x',
    PATH,
    OTHER: 'y',
  });
  expect(Object.keys(lasting({ to, variables: [] }, KEEP).env)).toEqual(['PATH', 'OTHER']);
});

it.skipIf(process.getuid?.() !== 0)('nothing of another user is private', () => {
  const folder = join(newFolder(), 'warm');
  mkdirSync(folder, { mode: 0o700 });
  expect(isPrivate(folder, 'folder')).toBe(true);
  chownSync(folder, 65534, 65534);
  expect(isPrivate(folder, 'folder')).toBe(false);
});
