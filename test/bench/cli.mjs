// What the command line costs, against a node that does nothing, and how planning grows.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundled } from './bundled.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'dist/mcphooks.cjs');
const CLIENTS = 'claude-code,codex,gemini-cli';

const declarations = [
  { event: 'session_start', priority: 'important', context: 'Read the notes of {project_name} first.' },
  { event: 'pre_request', priority: 'suggestion', context: 'Keep answers short.' },
  {
    event: 'pre_tool_use',
    priority: 'important',
    matcher: { tool_name: 'Write' },
    context: 'Check the style.',
  },
  {
    event: 'post_tool_use',
    priority: 'suggestion',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'Store what you learned.',
  },
  { event: 'post_request', priority: 'suggestion', context: 'Note what is left to do.' },
];

/**
 * Rows as in run.mjs. Installs three servers first: into one client of one home, into three clients of another, and of a
 * third, in which every other client is used, too, but has no hooks.
 */
export async function cliRows(home, env) {
  const file = join(home, 'declarations.json');
  writeFileSync(file, JSON.stringify({ declarations }));
  const against = { name: 'node -e 0', run: { command: process.execPath, args: ['-e', '0'] } };
  const commandsIn = (name, clients) => {
    const own = { ...env, HOME: join(home, name) };
    const from = ['--declarations', file, '--no-check', '--client', clients];
    for (const name of ['one', 'two', 'three']) install(cli(own, 'install', name, ...from, '--yes'));
    return {
      'diff --offline': { ...cli(own, 'diff', '--offline'), prints: 'three: as installed' },
      'install --dry-run --declarations': {
        ...cli(own, 'install', 'four', ...from, '--dry-run'),
        prints: 'Keep answers',
        ends: 2,
      },
      list: cli(own, 'list'),
    };
  };
  const row = (name, run, bound) => ({ name, run, against, bound });
  const version = row('--version', { ...cli(env, '--version'), prints: '.' }, 1.5);
  for (const name of ['one', 'three', 'all']) mkdirSync(join(home, name));
  const one = commandsIn('one', 'claude-code');
  const three = commandsIn('three', CLIENTS);
  const others = await useOthers(join(home, 'all'));
  const all = commandsIn('all', CLIENTS);
  const rows = [
    ['1 client', one],
    ['3 clients', three],
  ].flatMap(([title, { 'diff --offline': diff, 'install --dry-run --declarations': plan }]) => [
    row(`diff --offline, 3 servers, ${title}`, diff, 2.5),
    row(`install --dry-run --declarations, ${title}`, plan, 3),
  ]);
  const present = Object.entries(all).map(([name, run]) => ({
    name: `${name}, ${others} more are used`,
    run,
    against: { name: 'where they are not', run: three[name] },
    bound: 1.1,
  }));
  return [version, ...rows, ...present];
}

/** Puts empty lists of servers where all other clients have them; returns how many clients these are. */
async function useOthers(home) {
  const { CLIENTS: all } = await bundled('clients', "export { CLIENTS } from './src/clients/index.ts';");
  const others = all.filter(({ id }) => !CLIENTS.split(',').includes(id));
  for (const { mcp } of others)
    for (const file of mcp.files) {
      if (file.scope !== 'user' || !file.in.home || !/\.jsonc?$/.test(file.path)) continue;
      const path = join(home, file.in.home, file.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${JSON.stringify({ [file.at[0]]: {} })}\n`);
    }
  return others.length;
}

const cli = (env, ...args) => ({ command: process.execPath, args: [program, ...args], env });

function install({ command, args, env }) {
  const ran = spawnSync(command, args, { env, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
}

const SIZES = [10, 100, 1000];

/** Milliseconds that planning takes per declaration, for each size and client; the plan is made, not written. */
export async function planningRows(runs) {
  const { inputFor, planInstall } = await parts();
  // Half of them with a matcher of their own, and so an entry of their own.
  const many = (n) =>
    Array.from({ length: n }, (_, i) => {
      const own = i % 2 && { event: 'post_tool_use', matcher: { tool_name: `mcp__notebook__tool${i}` } };
      const like = declarations[i % declarations.length];
      return { ...like, ...own, context: `Note ${i}: ${like.context}` };
    });
  const inputs = SIZES.map((n) => CLIENTS.split(',').map((id) => inputFor({ declarations: many(n) }, id)));
  const times = SIZES.map(() => []);
  for (let i = 0; i < runs + 3; i++)
    for (const [k, ofSize] of inputs.entries()) {
      const begin = process.hrtime.bigint();
      for (const input of ofSize) planInstall(input);
      if (i >= 3) times[k].push(Number(process.hrtime.bigint() - begin) / 1e6 / SIZES[k]);
    }
  return SIZES.map((n, k) => ({ n, times: times[k] }));
}

/** The planner from source, with the input that the golden trees are made from. */
async function parts() {
  return bundled(
    'plan',
    "export { inputFor } from './test/plan/golden.ts'; export { planInstall } from './src/plan/install.ts';",
  );
}
