/**
 * A real server that stays running between hooks (`--keep-warm`): one process answers the hooks of two sessions, the
 * second one with what was stored meanwhile, and nothing is left after `uninstall`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBench } from '../bench.mjs';
import { OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { leftovers, put } from '../world.mjs';

const SERVER = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
);
const hooks = (event) => [{ event, context_tool: 'read_graph', priority: 'suggestion' }];
const PROMPT = [{ prompt: 'PROMPT-ONE', turns: [{ say: 'ANSWER-ONE' }] }];

const entity = (name) =>
  `${JSON.stringify({ type: 'entity', name, entityType: 'note', observations: ['kept'] })}\n`;

/** Names of variables in which the servers of keepers differ: what a client sets for each session. */
function differences(keepers) {
  const environments = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
        if (!keepers.includes(Number(parent))) return [];
        const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
        const marked = variables.some((one) => one.startsWith('MCPHOOKS_SERVER='));
        return marked ? [new Map(variables.map((one) => one.split(/=(.*)/s)))] : [];
      } catch {
        return [];
      }
    });
  const names = new Set(environments.flatMap((one) => [...one.keys()]));
  return [...names].filter((name) => new Set(environments.map((one) => one.get(name))).size > 1).join(', ');
}

export const scenarios = [
  {
    name: 'a server that stays running',
    perClient: true,
    when: ({ client }) => !client.older,
    async run(variant, t) {
      // At a terminal the variables of its window and of the model's port differ between sessions.
      const { atTerminal = [] } = OF[variant.client.id];
      const event = ['pre_request', 'session_start'].find((one) => !atTerminal.includes(one));
      if (!event) return t.skip('its events with a text at once come at a terminal only');
      const how = atTerminal.length > 0 ? { terminal: false } : {};
      const bench = await makeBench(variant, []);
      const { world } = bench;
      const env = { MEMORY_FILE_PATH: join(world.dir, 'memory.jsonl') };
      put(world, {
        ...said(variant, 'files.servers')({ mem: { command: process.execPath, args: [SERVER], env } }),
        'hooks.json': { declarations: hooks(event) },
        'memory.jsonl': entity('MARK-FIRST'),
      });
      const folder = join(world.home, '.local/state/mcphooks/warm');
      const kept = () =>
        existsSync(folder)
          ? readdirSync(folder)
              .filter((name) => name.endsWith('.json'))
              .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).pid)
          : [];
      try {
        await bench.install('mem', '--declarations', join(world.dir, 'hooks.json'), '--keep-warm', '5');
        const one = await bench.talk(PROMPT, how);
        t.ok('its text reaches the model', one.code === 0 && count(one.requests, 0, 'MARK-FIRST') === 1);
        const [pid] = kept();
        t.ok('it stays running after the session', pid > 1 && kept().length === 1, String(kept()));
        put(world, { 'memory.jsonl': entity('MARK-SECOND') });
        // Some clients tell servers where their model is.
        const two = await bench.talk(PROMPT, { ...how, port: one.port });
        t.ok(
          'the next session reads what was stored meanwhile',
          two.code === 0 && count(two.requests, 0, 'MARK-SECOND') === 1,
        );
        t.ok('from the same process', String(kept()) === String(pid), differences(kept()));
        await bench.uninstall();
        const left = await leftovers(world);
        t.ok('no process is left after uninstall', left.length === 0, left.join('; '));
        t.ok('and no file of it', !existsSync(folder));
      } finally {
        bench.remove();
      }
    },
  },
];
