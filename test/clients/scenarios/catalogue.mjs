/**
 * A real server of npm that declares no hooks: `scan` recognises it by its package, `install --catalogue` gives it the
 * reviewed hooks, and their texts and the tool's answer reach the model. Needs the npm registry.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBench } from '../bench.mjs';
import { OF, said } from '../of.mjs';
import { count, seen } from '../requests.mjs';
import { put } from '../world.mjs';
import { COMMIT } from './cells.mjs';

const PACKAGE = '@modelcontextprotocol/server-memory';
const MARK = 'MARK-that-was-remembered';
const entry = new URL('../../../catalogue/memory/hooks.json', import.meta.url);
const { declarations } = JSON.parse(readFileSync(entry, 'utf8'));
/** What a session at the folder `project` is told after a commit: the first words, which no other text has. */
const afterCommit = declarations.find(
  ({ event, when }) => event === 'post_tool_use' && when?.command?.includes('commit'),
);
const told = afterCommit?.context.replaceAll('{project_name}', 'project').split('{')[0];

/** The end of mcphooks' log: why a hook said nothing. */
function logOf({ home }) {
  const file = join(home, '.local/state/mcphooks/hooks.log');
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-600) : 'no log';
}

/** Installs packages of npm, once for all runs; returns their `node_modules`. */
function packages(specs) {
  const folder = fileURLToPath(new URL('../installed/servers', import.meta.url));
  const modules = join(folder, 'node_modules');
  const missing = specs.filter((spec) => !existsSync(join(modules, spec.replace(/(?<=.)@.*/, ''))));
  if (missing.length > 0) {
    const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    const { status, stderr } = spawnSync('npm', [...words, ...specs], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr.slice(-300)}`);
  }
  return modules;
}

const TASK = `---
id: TASK-1
title: MARK-of-the-task
status: To Do
assignee: []
created_date: '2026-11-22 12:00'
labels: []
dependencies: []
---

## Description
`;

/** The first words of an entry's text at the start of a session. */
const startOf = (id) => {
  const file = new URL(`../../../catalogue/${id}/hooks.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).declarations.find((d) => d.event === 'session_start').context;
};

export const scenarios = [
  {
    name: 'catalogue: a text alone, and a server that has its tools in a project',
    when: ({ client }) => !client.older,
    anywhere: true,
    async run(variant, t) {
      const modules = packages(['@upstash/context7-mcp@4.1.1', 'backlog.md@1.52.0']);
      const bench = await makeBench(variant, []);
      const { world } = bench;
      const node = (...args) => ({ command: process.execPath, args });
      const servers = {
        docs: node(join(modules, '@upstash/context7-mcp/dist/index.js')),
        tasks: node(join(modules, 'backlog.md/cli.js'), 'mcp', 'start'),
      };
      put(world, {
        ...said(variant, 'files.user')(servers, variant),
        'project/backlog/config.yml': 'project_name: "project"\n',
        'project/backlog/tasks/task-1 - mark.md': TASK,
      });
      try {
        await bench.install('docs', '--catalogue');
        const asked = await bench.mcphooks(
          'install',
          'tasks',
          '--catalogue',
          '--client',
          variant.client.id,
          '--dry-run',
        );
        const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr)?.[1];
        t.ok(
          'its tools are asked for in the project, with a yes',
          asked.code !== 2 && hash,
          asked.stderr.slice(-300),
        );
        await bench.install('tasks', '--catalogue', '--allow-start', `${hash}`);
        const { requests, code } = await bench.talk([
          { prompt: 'PROMPT-ONE', turns: [{ say: 'ANSWER-ONE' }] },
        ]);
        const text = startOf('context7').split('{')[0];
        t.ok('the text reaches the model', code === 0 && seen(requests, text).length > 0, `exit ${code}`);
        t.ok("the project's tasks reach it", seen(requests, 'MARK-of-the-task').length > 0, logOf(world));
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'catalogue: a real server that declares no hooks',
    when: ({ client }) => !client.older,
    anywhere: true,
    async run(variant, t) {
      const bench = await makeBench(variant, []);
      const { world } = bench;
      const env = {
        npm_config_cache: join(world.dir, 'npm cache'),
        MEMORY_FILE_PATH: join(world.dir, 'memory.jsonl'),
      };
      const files = said(variant, 'files.user')(
        { mem: { command: 'npx', args: ['-y', PACKAGE], env } },
        variant,
      );
      put(world, {
        ...files,
        'memory.jsonl': `${JSON.stringify({ type: 'entity', name: 'project', entityType: 'project', observations: [MARK] })}\n`,
      });
      // A client that holds its sessions at a terminal asks a person there first, and writes down what they answer.
      const { atTerminal, terminal } = OF[variant.client.id];
      if (atTerminal) terminal.settle?.(world, world.env);
      const before = bench.clientFiles();
      try {
        const scanned = JSON.parse((await bench.mcphooks('scan', '--json')).stdout).servers;
        const row = scanned.find(({ alias }) => alias === 'mem');
        t.ok(
          'scan recognises it by its package',
          row?.state === 'catalogue' && row.entry === 'memory' && row.identity[0] === `npm:${PACKAGE}`,
          JSON.stringify(scanned),
        );
        const without = await bench.mcphooks('install', 'mem', '--yes', '--timeout', '180');
        t.ok(
          'without --catalogue nothing is installed, and the way is told',
          without.code === 4 && without.stderr.includes('--catalogue'),
          `${without.code} ${without.stderr.slice(-300)}`,
        );
        const { plan } = await bench.install('mem', '--catalogue', '--timeout', '180');
        t.ok('the plan names the entry', plan.from.entry === 'memory' && plan.from.checked === 'server');
        const verified = await bench.mcphooks('catalogue', 'verify', 'memory');
        t.ok(
          'the entry holds against the real server',
          verified.code === 0,
          verified.stdout + verified.stderr,
        );
        const { requests, code } = await bench.talk([
          { prompt: 'PROMPT-ONE', turns: [{ calls: [COMMIT] }, { say: 'ANSWER-ONE' }] },
          { prompt: 'PROMPT-TWO', turns: [{ say: 'ANSWER-TWO' }] },
        ]);
        t.ok(
          'what was remembered reaches the model at the start',
          code === 0 && count(requests, 0, MARK) === 1,
          `exit ${code}, ${count(requests, 0, MARK)} times; ${logOf(world)}`,
        );
        t.ok('what to do after a commit reaches it, too', seen(requests, told).length > 0, told);
        t.ok('nothing differs', (await bench.mcphooks('diff', 'mem')).code === 0);
        await bench.uninstall();
        // The file that held ours; clients write into others themselves.
        const [file] = Object.keys(files);
        t.ok('what is taken out leaves no trace', bench.clientFiles()[file] === before[file], file);
      } finally {
        bench.remove();
      }
    },
  },
];
