/**
 * A server that stays running between hooks (`--keep-warm`): one process answers the hooks of two sessions, the second
 * one with what was stored meanwhile, and nothing is left after `uninstall`. A real server at one event; one that tells
 * its process at every event, while the model's shell changes its folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBench } from '../bench.mjs';
import { OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { session } from '../session.mjs';
import { noTerminal } from '../tui.mjs';
import { leftovers, put } from '../world.mjs';

const SERVER = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
);
const hooks = (event) => [{ event, context_tool: 'read_graph', priority: 'suggestion' }];
const PROMPT = [{ prompt: 'PROMPT-ONE', turns: [{ say: 'ANSWER-ONE' }] }];

const entity = (name) =>
  `${JSON.stringify({ type: 'entity', name, entityType: 'note', observations: ['kept'] })}\n`;

/** Processes of the keepers that run for this world. */
function keepersOf(world) {
  const folder = warmFolder(world);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).pid);
}
const warmFolder = (world) => join(world.home, '.local/state/mcphooks/warm');

/** Whether the system shows the environment of a process (Linux). */
const SHOWN = existsSync('/proc/self/environ');

/** Environments of the servers that these keepers started, without our own mark of each. */
function serversOf(keepers) {
  return (SHOWN ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
        if (!keepers.includes(Number(parent))) return [];
        const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
        const environment = new Map(variables.map((one) => one.split(/=(.*)/s)));
        return environment.delete('MCPHOOKS_SERVER') ? [environment] : [];
      } catch {
        return [];
      }
    });
}

/** Names of variables in which the servers of keepers differ: what a client sets for each session. */
function differences(keepers) {
  const environments = serversOf(keepers);
  const names = new Set(environments.flatMap((one) => [...one.keys()]));
  return [...names].filter((name) => new Set(environments.map((one) => one.get(name))).size > 1).join(', ');
}

/** Every event at which a text can come; at each one the server tells what its file says then, and its process. */
const EVENTS = ['session_start', 'pre_request', 'pre_tool_use', 'post_tool_use', 'post_request'];
const note = (event) => ({
  event,
  context_tool: 'note',
  context_tool_args: { text: event },
  ...(event.endsWith('tool_use') && { matcher: { tool_name: 'Bash' } }),
  priority: 'suggestion',
});
/** What the server told in these requests, without repetition. */
const told = (requests, form) => [
  ...new Set([...JSON.stringify(requests).matchAll(/NOTE (\w+) (\w+) (\d+)\./g)].map(form)),
];
const processes = (...sessions) =>
  told(
    sessions.flatMap(({ requests }) => requests.map(({ body }) => body)),
    ([, , , pid]) => pid,
  );

/** A bench whose server tells what `write` wrote, and `tells`: holds that the texts of these events say so in a request. */
async function notingBench(variant, t, events) {
  const bench = await makeBench(variant, events.map(note));
  const write = (text) => put(bench.world, { 'mem.json.note': text });
  write('FIRST');
  const tells = (what, { requests }, i, text, expected) => {
    const found = told(requests[i]?.body ?? '', ([, event, said]) => `${event} ${said}`);
    const lacking = expected.filter((event) => events.includes(event) && !found.includes(`${event} ${text}`));
    t.ok(what, requests[i] !== undefined && lacking.length === 0, `not ${lacking}; ${found}`);
  };
  /** The model's shell changes its folder, and then, with a call beside it, what the server reads. */
  const prompts = [
    {
      turns: [
        { calls: [{ bash: 'mkdir -p sub && cd sub' }] },
        { calls: [{ bash: 'pwd' }, { bash: `printf SECOND >'${join(bench.world.dir, 'mem.json.note')}'` }] },
        { say: 'ANSWER-ONE' },
      ],
    },
    { turns: [{ calls: [{ bash: 'pwd' }] }, { say: 'ANSWER-TWO' }] },
  ];
  const holds = async (how) => {
    const ended = await bench.talk(prompts, how);
    t.ok('the session ends normally', ended.code === 0 && ended.requests.length === 5, ended.stderr);
    tells('the first prompt', ended, 0, 'FIRST', ['session_start', 'pre_request']);
    tells('a tool', ended, 1, 'FIRST', ['pre_tool_use', 'post_tool_use']);
    tells('the next prompt, with what changed', ended, 3, 'SECOND', ['pre_request', 'post_request']);
    tells('a tool, with what changed', ended, 4, 'SECOND', ['post_tool_use']);
    single(t, 'at all events', bench.world, [ended]);
    return ended;
  };
  const gone = async () => {
    await bench.uninstall();
    const left = await leftovers(bench.world);
    t.ok('no process is left after uninstall', left.length === 0, left.join('; '));
  };
  return { ...bench, write, tells, holds, gone };
}

/** Holds that one process told everything, and that there is no other. */
function single(t, what, world, sessions) {
  const keepers = keepersOf(world);
  const servers = serversOf(keepers).length;
  const pids = processes(...sessions);
  t.ok(`one process ${what}`, pids.length === 1, `${pids}`);
  t.ok(
    `one keeper, one server ${what}`,
    keepers.length === 1 && (servers === 1 || !SHOWN),
    `${keepers.length} keepers, ${servers} servers: ${differences(keepers)}`,
  );
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
      const kept = () => keepersOf(world);
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
        t.ok('and no file of it', !existsSync(warmFolder(world)));
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'a server that stays running, at every event',
    perClient: true,
    when: ({ client }) => !client.older,
    async run(variant, t) {
      const { atTerminal = [] } = OF[variant.client.id];
      const events = EVENTS.filter((event) => !atTerminal.includes(event));
      const how = atTerminal.length > 0 ? { terminal: false } : {};
      const bench = await notingBench(variant, t, events);
      const { world } = bench;
      try {
        const another = variant.another();
        if (another.client.missing) return t.skip(another.client.missing);
        bench.alsoElsewhere();
        await bench.install('mem', '--client', another.client.id, '--keep-warm', '5');
        const first = await bench.holds(how);
        // Some clients tell servers where their model is.
        const again = (options) => bench.talk(PROMPT, { ...how, port: first.port, ...options });
        const prompt = ['session_start', 'pre_request'];
        bench.write('THIRD');
        const second = await again();
        bench.tells('the next session', second, 0, 'THIRD', prompt);
        single(t, 'in two sessions', world, [first, second]);

        bench.write('FOURTH');
        const { client, model, trust } = another;
        const other = await session(client, { world, prompts: PROMPT, model, trust, allow: [] });
        bench.tells('a session of another client', other, 0, 'FOURTH', prompt);
        bench.write('FIFTH');
        const third = await again();
        bench.tells('a session after it', third, 0, 'FIFTH', prompt);
        t.ok('is served by its own process', String(processes(third)) === String(processes(first)));
        const keepers = keepersOf(world);
        const environments = serversOf(keepers).map((all) => JSON.stringify([...all].sort()));
        t.ok(
          'one process for each environment',
          processes(other).length === 1 &&
            keepers.length === processes(first, other).length &&
            new Set(environments).size === environments.length,
          `${keepers.length} keepers: ${differences(keepers)}`,
        );
        await bench.gone();
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'a server that stays running, at a terminal',
    perClient: true,
    when: ({ client }) => !client.older,
    async run(variant, t) {
      said(variant, 'terminal');
      if (noTerminal) return t.skip(noTerminal);
      const bench = await notingBench(variant, t, EVENTS);
      try {
        await bench.install('mem', '--keep-warm', '5');
        const { port } = await bench.holds({ terminal: true });
        // Some clients tell servers where their model is.
        await bench.talk(PROMPT, { terminal: true, port });
        const different = differences(keepersOf(bench.world));
        t.ok(
          'a server of the next session differs by the window alone',
          ['', 'TMUX'].includes(different),
          different,
        );
        await bench.gone();
      } finally {
        bench.remove();
      }
    },
  },
];
