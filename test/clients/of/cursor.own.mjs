/** Scenarios that only Cursor can have. */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { count } from '../requests.mjs';
import { COMMIT } from '../scenarios/cells.mjs';
import { using } from '../scenarios/life.mjs';
import { put, run } from '../world.mjs';

const CORPUS = join(import.meta.dirname, '../../corpus');
const LOADER = join(import.meta.dirname, 'cursor.load.mjs');
const TEXT = { event: 'post_tool_use', context: 'MARK-HERE', priority: 'suggestion' };

/** What Cursor loads from these homes and projects. */
async function load({ command: [node, , sdk] }, world, places) {
  const { stdout, stderr } = await run([node, LOADER, sdk], { ...world, input: JSON.stringify(places) });
  try {
    return JSON.parse(stdout.trimEnd().split('\n').at(-1));
  } catch {
    throw new Error(`nothing was loaded: ${stderr.slice(-300)}`);
  }
}

const corpus = (folder) =>
  readdirSync(join(CORPUS, folder)).map((name) => ({
    name,
    bytes: readFileSync(join(CORPUS, folder, name)),
  }));
const once = { when: ({ model }) => model === 'stdin' };

/** Hooks by step, without those of mcphooks. */
const others = (hooks = {}) =>
  Object.fromEntries(
    Object.entries(hooks)
      .map(([step, list]) => [step, list.filter(({ command = '' }) => !command.includes('mcphooks/'))])
      .filter(([, list]) => list.length > 0),
  );
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Texts of one session, by how often they stand in its last request. */
const SAID = ['MARK-PROMPT', 'MARK-TOOL', 'MARK-CALLED', 'USER-CLAUDE'];
const DOUBLE = [
  { event: 'pre_request', context: 'MARK-PROMPT here.', priority: 'suggestion' },
  {
    event: 'post_tool_use',
    context: 'MARK-TOOL here.',
    matcher: { tool_name: 'Bash' },
    priority: 'suggestion',
  },
  {
    event: 'pre_request',
    context_tool: 'echo',
    context_tool_args: { text: 'MARK-CALLED' },
    priority: 'suggestion',
  },
];
/** A hook of the user's in Claude Code's settings, which Cursor runs. */
const CLAUDE = {
  hooks: {
    UserPromptSubmit: [
      {
        matcher: '',
        hooks: [{ type: 'command', command: `printf '{"additional_context":"USER-CLAUDE"}'` }],
      },
    ],
  },
};

export const scenarios = [
  ...['user', 'project', 'local'].map((scope) => ({
    name: `files of Claude Code, which it runs too: ${scope}`,
    async run(variant, t) {
      for (const targets of [['claude-code'], ['cursor'], ['claude-code', 'cursor']]) {
        const settings = {
          user: 'home/.claude/settings.json',
          project: 'project/.claude/settings.json',
          local: 'project/.claude/settings.local.json',
        }[scope];
        const bench = await makeBench(variant, DOUBLE, { more: { [settings]: CLAUDE } });
        const { world } = bench;
        const mem = JSON.parse(readFileSync(join(world.home, '.cursor/mcp.json'), 'utf8'));
        if (scope === 'project') put(world, { 'project/.mcp.json': mem });
        try {
          for (const client of targets) {
            const where = client === 'claude-code' ? scope : 'user';
            const args = ['install', 'mem', '--yes', '--client', client, '--scope', where];
            const refused = await bench.mcphooks(...args);
            // What a project's file defines is started once that was allowed.
            const [, hash] = /--allow-start ([0-9a-f]+)/.exec(refused.stderr + refused.stdout) ?? [];
            const { code, stderr } = hash ? await bench.mcphooks(...args, '--allow-start', hash) : refused;
            t.ok(`installs for ${client}`, code === 0, stderr.slice(-300));
          }
          const { code, requests } = await bench.talk([{ turns: [{ calls: [COMMIT] }, { say: 'x' }] }]);
          const told = SAID.map((mark) => count(requests, requests.length - 1, mark));
          const once = targets.includes('cursor') ? 1 : 0;
          t.ok(
            `hooks for ${targets.join(' and ')}: each text ${once} times`,
            code === 0 && same(told, [once, once, once, 1]),
            `exit ${code}, ${told}`,
          );
          const ran = readFileSync(join(world.dir, settings), 'utf8').includes('mcphooks/');
          t.ok('ours stand in that file', ran === targets.includes('claude-code'));
        } finally {
          bench.remove();
        }
      }
    },
  })),
  {
    name: 'a server is told by the names of its tools',
    run: using(
      {
        mem: [
          {
            event: 'post_tool_use',
            context: 'MARK-MEM',
            matcher: { tool_server: 'mem' },
            priority: 'suggestion',
          },
        ],
        other: [],
      },
      async ({ bench, t, variant }) => {
        const { plan } = await bench.install();
        const notes = JSON.stringify(plan.clients.find(({ client }) => client === variant.client.id));
        t.ok('the plan calls it approximate', notes.includes('server.by-tool'), notes.slice(0, 600));
        const called = (tool) => ({
          turns: [{ calls: [{ mcp: ['mem', tool], args: { text: 'x' } }] }, { say: 'x' }],
        });
        const own = await bench.talk([called('echo')]);
        t.ok('a tool of the server', count(own.requests, 1, 'MARK-MEM') === 1);
        // One that the server doesn't list is somebody else's.
        const others = await bench.talk([called('elsewhere')]);
        t.ok('a tool of another one', count(others.requests, 1, 'MARK-MEM') === 0);
      },
    ),
  },
  {
    name: 'a project whose .cursor is a link',
    ...once,
    async run(variant, t) {
      const bench = await makeBench(variant, [TEXT]);
      const { world } = bench;
      try {
        const text = '{"version":1,"hooks":{"stop":[{"command":"x"}]}}';
        put(world, { 'project/real/hooks.json': text });
        symlinkSync('real', join(world.project, '.cursor'));
        const place = { home: world.home, project: world.project };
        const [{ errors, project }] = await load(variant.client, { cwd: world.project, env: world.env }, [
          place,
        ]);
        const refuses = variant.client.version !== '1.0.18';
        t.ok('is not read', refuses ? errors.length === 1 && !project : Boolean(project), errors.join());
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'files that its loader takes',
    ...once,
    async run(variant, t) {
      const files = corpus('cursor');
      const bench = await makeBench(variant, [TEXT]);
      const { world } = bench;
      const home = (name, when) => `homes/${when}/${name}`;
      const at = (name, when) => ({ home: join(world.dir, home(name, when)), project: world.project });
      try {
        for (const { name, bytes } of files) {
          put(world, {
            'home/.cursor/hooks.json': bytes,
            [`${home(name, 'before')}/.cursor/hooks.json`]: bytes,
          });
          await bench.install();
          const installed = readFileSync(join(world.home, '.cursor/hooks.json'));
          put(world, { [`${home(name, 'after')}/.cursor/hooks.json`]: installed });
          await bench.uninstall();
          const left = readFileSync(join(world.home, '.cursor/hooks.json'));
          t.ok(`${name}: goes out byte for byte`, left.equals(bytes));
        }
        const states = ['before', 'after'].map((when) => files.map(({ name }) => at(name, when)));
        const [before, after] = await Promise.all(
          states.map((places) => load(variant.client, { cwd: world.project, env: world.env }, places)),
        );
        for (const [i, { name }] of files.entries()) {
          t.ok(`${name}: loads`, before[i].errors.length === 0, before[i].errors.join());
          t.ok(`${name}: loads with ours`, after[i].errors.length === 0, after[i].errors.join());
          t.ok(`${name}: ours are in`, after[i].user?.postToolUse?.at(-1).command.includes('mcphooks/'));
          t.ok(`${name}: others stay`, same(others(after[i].user), others(before[i].user)));
        }
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'files that its loader refuses',
    ...once,
    async run(variant, t) {
      const files = corpus('refused/cursor');
      const bench = await makeBench(variant, [TEXT]);
      const { world } = bench;
      try {
        for (const { name, bytes } of files) {
          put(world, { 'home/.cursor/hooks.json': bytes, [`homes/${name}/.cursor/hooks.json`]: bytes });
          const { code } = await bench.mcphooks('install', 'mem', '--yes', '--client', variant.client.id);
          t.ok(`${name}: is refused`, code === 1, `exit ${code}`);
          t.ok(`${name}: is left alone`, readFileSync(join(world.home, '.cursor/hooks.json')).equals(bytes));
        }
        const places = files.map(({ name }) => ({
          home: join(world.dir, 'homes', name),
          project: world.project,
        }));
        const loaded = await load(variant.client, { cwd: world.project, env: world.env }, places);
        for (const [i, { name, bytes }] of files.entries()) {
          const { errors, user } = loaded[i];
          // Hooks between two globs can be lost without an error.
          const lost = () => !same(user, JSON.parse(String(bytes)).hooks);
          t.ok(`${name}: hooks are lost`, errors.length > 0 ? !user : lost());
        }
      } finally {
        bench.remove();
      }
    },
  },
];
