// What the hooks of a session take: each prompt calls a tool of a server that npx starts. By hand, with mcphooks, with
// mcphooks and the installed file, and with mcphooks and a server that stays running, in turn.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hooksIn, minimal } from './fire.mjs';

export const PROMPTS = 50;
const NAME = 'annal-server';
const VERSION = '1.0.0';
const SERVER = fileURLToPath(new URL('../fixtures/servers/fire-server.mjs', import.meta.url));
const REGISTRY = fileURLToPath(new URL('registry.mjs', import.meta.url));

/** Returns [name, milliseconds of each prompt] for each way. `time` runs one hook. */
export async function sessions(home, hookEnv, time) {
  const folder = join(home, 'package');
  mkdirSync(folder, { recursive: true });
  const manifest = { name: NAME, version: VERSION, type: 'module', bin: { [NAME]: 'server.mjs' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const file = join(folder, 'server.mjs');
  writeFileSync(file, `#!/usr/bin/env node\n${readFileSync(SERVER, 'utf8')}`, { mode: 0o755 });
  const packed = spawnSync('npm', ['pack', '--pack-destination', home], {
    cwd: folder,
    env: hookEnv,
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(packed.stderr);
  const registry = spawn(process.execPath, [REGISTRY, join(home, `${NAME}-${VERSION}.tgz`), NAME, VERSION], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const address = await new Promise((resolve) => registry.stdout.once('data', resolve));
    const env = {
      ...hookEnv,
      npm_config_registry: String(address).trim(),
      npm_config_cache: join(home, 'npm'),
      npm_config_update_notifier: 'false',
    };
    const npx = ['npx', ['-y', `${NAME}@${VERSION}`]];
    const { shim, payload, servedBy } = await hooksIn(home);
    const hooks = [{ event: 'pre_request', call: { tool: 'two', args: {} } }];
    const hook = (...[command, args, keep]) => ({
      ...shim('UserPromptSubmit', hooks, {
        server_at: { ...servedBy(command, args), ...(keep && { keep }) },
      }),
      prints: 'one\\ntwo',
    });
    const ways = [
      ['by hand, with npx', { command: process.execPath, args: [minimal(home, ...npx)], prints: 'one' }],
      ['mcphooks, with npx', hook(...npx)],
      ['mcphooks, with the installed file', hook(process.execPath, [file])],
      ['mcphooks --keep-warm, with npx', hook(...npx, { ms: 60_000, omit: [] })],
    ].map(([name, run]) => [name, { ...run, input: Buffer.from(payload('ls')), env }, []]);
    // Installs the package, and starts the server that stays.
    for (const [, run] of ways) time(run);
    for (let i = 0; i < PROMPTS; i++)
      for (let k = 0; k < ways.length; k++) {
        const [, run, times] = ways[(i + k) % ways.length];
        times.push(time(run));
      }
    return ways.map(([name, , times]) => [name, times]);
  } finally {
    registry.kill();
  }
}
