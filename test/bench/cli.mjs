// What the command line costs, against a node that does nothing, and how planning grows.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

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

/** Rows as in run.mjs. Installs three servers first: into one client of one home, into three clients of another. */
export function cliRows(home, env) {
  const file = join(home, 'declarations.json');
  writeFileSync(file, JSON.stringify({ declarations }));
  const against = { name: 'node -e 0', run: { command: process.execPath, args: ['-e', '0'] } };
  const rows = [{ name: '--version', run: { ...cli(env, '--version'), prints: '.' }, against, bound: 1.5 }];
  for (const [title, clients] of [
    ['1 client', 'claude-code'],
    ['3 clients', CLIENTS],
  ]) {
    const own = { ...env, HOME: join(home, clients) };
    mkdirSync(own.HOME);
    const from = ['--declarations', file, '--no-check', '--client', clients];
    for (const name of ['one', 'two', 'three']) install(cli(own, 'install', name, ...from, '--yes'));
    const diff = { ...cli(own, 'diff', '--offline'), prints: 'three: as installed' };
    const plan = { ...cli(own, 'install', 'four', ...from, '--dry-run'), prints: 'Keep answers', ends: 2 };
    rows.push(
      { name: `diff --offline, 3 servers, ${title}`, run: diff, against, bound: 2.5 },
      { name: `install --dry-run --declarations, ${title}`, run: plan, against, bound: 3 },
    );
  }
  return rows;
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
  const outfile = join(root, 'dist/bench/plan.mjs');
  mkdirSync(join(root, 'dist/bench'), { recursive: true });
  await build({
    stdin: {
      contents:
        "export { inputFor } from './test/plan/golden.ts'; export { planInstall } from './src/plan/install.ts';",
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return import(pathToFileURL(outfile).href);
}
