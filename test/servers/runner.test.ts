import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { readServer } from '../../src/servers/mcp/read-server.ts';
import { readInstalls } from '../../src/servers/packages/install-lock.ts';
import { ALL, LONG } from '../effort.ts';
import { homeEnv, pathWith } from '../platform.ts';

const WAIT = { timeout: 20_000 };
const FIXTURE = join(import.meta.dirname, '../fixtures/servers/declares.mjs');
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mcphooks-runner-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** An `npx` that installs for `seconds`, once: see test/fire/runner.test.ts. */
function prepare(seconds: number, server = `"${process.execPath}" "${FIXTURE}" '{"hooks":[]}'`) {
  const path = (name: string): string => join(home, name);
  mkdirSync(path('bin'));
  const script = `#!/bin/sh
echo "$npm_config_prefer_offline" >>"${path('starts')}"
echo "npm warn something" >&2
if [ ! -e "${path('installed')}" ]; then
  [ ! -e "${path('installing')}" ] || { echo broken >"${path('broken')}"; exit 1; }
  : >"${path('installing')}"
  sleep ${seconds} & wait $!
  echo "npm warn late words" >&2
  : >"${path('installed')}"
fi
exec ${server}
`;
  writeFileSync(path('bin/npx'), script, { mode: 0o755 });
  const env = { PATH: pathWith(path('bin')), ...homeEnv(home) };
  return {
    state: ownPaths(env).state,
    is: (name: string) => existsSync(path(name)),
    starts: () => readFileSync(path('starts'), 'utf8').split('\n').slice(0, -1),
    read: (timeoutMs = 20_000) =>
      readServer(
        {
          definition: { transport: 'stdio', command: 'npx', args: ['-y', 'a-server@1.0.0'], env: {} },
          source: { scope: 'command-line' },
        },
        { timeoutMs, env, cwd: home },
      ),
  };
}

it.runIf(ALL)(
  'a package runner that installs when time is up goes on, and the server is read later',
  async () => {
    const m = prepare(3);
    mkdirSync(m.state, { recursive: true });
    await expect(m.read(700)).rejects.toMatchObject({
      code: 'server.installing',
      args: { runner: 'npx', package: 'a-server@1.0.0', stderr: ['npm warn something'] },
    });
    expect(readInstalls(m.state)).toMatchObject([{ runner: 'npx', package: 'a-server@1.0.0' }]);
    // Another command waits for it.
    await expect(m.read(300)).rejects.toMatchObject({ code: 'server.installing' });
    expect(m.starts()).toHaveLength(1);
    expect(await m.read()).toMatchObject({ era: 'initialize' });
    expect(m.is('broken')).toBe(false);
    expect(m.starts()).toEqual(['true', 'true', 'true']);
    await expect.poll(() => readInstalls(m.state).length, WAIT).toBe(0);
  },
);

it.runIf(LONG)('reading leaves nothing of ours where there was nothing', async () => {
  const m = prepare(0);
  expect(await m.read()).toMatchObject({ era: 'initialize' });
  expect(existsSync(m.state)).toBe(false);
});

it('a package runner that fails says why', async () => {
  const m = prepare(0, `sh -c 'echo "npm error 404 a-server" >&2; exit 1'`);
  await expect(m.read()).rejects.toMatchObject({
    code: 'server.died',
    args: { how: 1, stderr: expect.arrayContaining(['npm error 404 a-server']) },
  });
});

it('a package runner that asks and never answers is given up in time', async () => {
  const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}';
  const m = prepare(0, `sh -c 'echo "$0"; sleep 8' '${ping}'`);
  const began = performance.now();
  await expect(m.read(700)).rejects.toMatchObject({ code: 'server.installing' });
  expect(performance.now() - began).toBeLessThan(5000);
});
