/**
 * A real server that npx installs: when its cache is gone, the hook gives up in time, the installation ends in the
 * background, the user's own npx starts the server, and the next hook gives the text. Needs the npm registry.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBench } from '../bench.mjs';
import { OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { leftovers, put, run } from '../world.mjs';

const PACKAGE = '@modelcontextprotocol/server-memory@2026.8.31';
const MARK = 'MARK-from-the-memory';
const PATIENCE_MS = 180_000;

const HOOKS = [{ event: 'pre_request', context_tool: 'read_graph', priority: 'suggestion' }];
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'user', version: '1' } },
};

async function until(what) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100)) if (what()) return true;
  return false;
}

export const scenarios = [
  {
    name: 'package runner: npx with a cold cache',
    // It is about the runner: one client shows it.
    when: ({ client }) => !client.older && Boolean(OF[client.id].promptHook),
    async run(variant, t) {
      const bench = await makeBench(variant, []);
      const { world } = bench;
      const cache = join(world.dir, 'npm cache');
      const env = { npm_config_cache: cache, MEMORY_FILE_PATH: join(world.dir, 'memory.jsonl') };
      const server = { command: 'npx', args: ['-y', PACKAGE], env };
      put(world, {
        ...said(variant, 'files.servers')({ mem: server }),
        'hooks.json': { declarations: HOOKS },
        'memory.jsonl': `${JSON.stringify({ type: 'entity', name: MARK, entityType: 'note', observations: ['kept'] })}\n`,
      });
      const state = join(world.home, '.local/state/mcphooks');
      const installing = () => {
        const folder = join(state, 'installing');
        return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));
      };
      const install = (...options) =>
        bench.install('mem', '--declarations', join(world.dir, 'hooks.json'), '--timeout', '120', ...options);
      /** The hook's own command, as the client runs it. */
      const fire = async (session) => {
        const { command, payload, env } = said(variant, 'promptHook')(world);
        const began = Date.now();
        const ran = await run(['/bin/sh', '-c', command], {
          cwd: world.project,
          env: { ...world.env, ...env },
          input: JSON.stringify({ session_id: session, ...payload }),
        });
        return { ...ran, ms: Date.now() - began };
      };
      try {
        // So little time that no installation fits in.
        const { firstCall } = await install('--hook-timeout', '3');
        t.ok('install says how long the first call took', firstCall?.ms > 0, JSON.stringify(firstCall));
        t.ok('the installation ends', await until(() => !installing()));
        rmSync(cache, { recursive: true, force: true });

        const cold = await fire('cold');
        t.ok(
          'a hook with a cold cache gives nothing, in time',
          cold.code === 0 && cold.stdout === '' && cold.ms < 6000,
          `${cold.ms} ms: ${cold.stdout}`,
        );
        t.ok('the installation goes on without the hook', installing());
        const log = readFileSync(join(state, 'hooks.log'), 'utf8');
        t.ok('the log says so', log.includes('tool.installing'), log.slice(-300));
        t.ok('it ends in the background', await until(() => !installing()));
        const left = await leftovers(world);
        t.ok('no process is left behind', left.length === 0, left.join('; '));

        const own = await run([server.command, ...server.args], {
          cwd: world.project,
          env: { ...world.env, ...env, npm_config_offline: 'true' },
          input: `${JSON.stringify(INITIALIZE)}\n`,
        });
        t.ok(
          "the user's own npx starts the server from what was installed",
          own.stdout.includes('"serverInfo"'),
          own.stderr.slice(-300),
        );

        await install('--hook-timeout', '30', '--accept-changed');
        const warm = await fire('warm');
        t.ok(
          'the next hook gives the text',
          warm.code === 0 && warm.stdout.includes(MARK),
          `${warm.ms} ms: ${warm.stdout}`,
        );
        const { code, requests } = await bench.talk([
          { prompt: 'PROMPT-ONE', turns: [{ say: 'ANSWER-ONE' }] },
        ]);
        t.ok('and it reaches the model', code === 0 && count(requests, 0, MARK) === 1, `exit ${code}`);
      } finally {
        bench.remove();
      }
    },
  },
];
