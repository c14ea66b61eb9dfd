/** Scenarios that only OpenCode can have. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, seen } from '../requests.mjs';
import { PROMPTS } from '../scenarios/cells.mjs';
import { ONE, say, using } from '../scenarios/life.mjs';
import { on } from '../scenarios/matching.mjs';
import { leftovers, makeWorld, put, run } from '../world.mjs';

const CONFIGURATIONS = JSON.parse(
  readFileSync(new URL('../../fixtures/opencode/configurations.json', import.meta.url), 'utf8'),
);
const QUIET = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
};

/** An entry as OpenCode shows it, in the form of the fixtures. */
function shown({ type, enabled, command, environment, url, headers }) {
  if (enabled === false) return 'off';
  return type === 'remote'
    ? { url, ...(headers && { headers }) }
    : { command, ...(environment && { environment }) };
}
/** It shows no header's value. */
const hidden = (servers) =>
  JSON.parse(JSON.stringify(servers), (key, value) => (key === 'Authorization' ? '***' : value));
const plain = (value) =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const pluginOf = ({ world }) => join(world.home, '.config/opencode/plugins/mcphooks-mem.js');
function change({ world }, path, by) {
  const file = path ?? pluginOf({ world });
  writeFileSync(file, by(readFileSync(file, 'utf8')));
}
/** Files of our scripts. */
const scripts = ({ world }) => {
  const folder = join(world.home, '.local/share/mcphooks/hooks');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\/opencode\/[A-Za-z]+$/.test(file));
};
const eachScript = (text) => (bench) => {
  for (const file of scripts(bench)) writeFileSync(file, text);
};

/** A PATH with all programs but node. */
function withoutNode({ world }) {
  const folder = join(world.dir, 'bin');
  mkdirSync(folder);
  for (const name of readdirSync('/usr/bin').filter((one) => !/^(node|bun)/.test(one)))
    symlinkSync(join('/usr/bin', name), join(folder, name));
  return folder;
}

/** What is wrong with the plugin, or with what it starts. */
const DAMAGE = {
  'a plugin cut in its line of data': (bench) =>
    change(bench, undefined, (text) => text.slice(0, text.indexOf('/* hooks */') + 60)),
  'a broken line of data': (bench) =>
    change(bench, undefined, (text) => text.replace('{"hooks":', '{"hooks":]')),
  'a line of data with other entries': (bench) =>
    change(bench, undefined, (text) =>
      text.replace(/\/\* hooks \*\/.*\/\* end/, '/* hooks */ {"hooks":{"UserPromptSubmit":[{}]}} /* end'),
    ),
  'scripts that hang': eachScript('#!/bin/sh\nsleep 600\n'),
  'scripts that chatter': eachScript('#!/bin/sh\nwhile :; do echo "{{{{{{{{ share/mcphooks"; done\n'),
  'scripts that end with 2': eachScript('#!/bin/sh\necho PRELOADED >&2; echo PRELOADED; exit 2\n'),
};

export const scenarios = [
  {
    name: 'configurations, as it reads them itself',
    async run({ client }, t) {
      for (const { name, files, env = {}, cwd = 'project', servers } of CONFIGURATIONS) {
        const world = makeWorld();
        try {
          put(world, files);
          const own = Object.entries(env).map(([key, value]) => [key, value.replace('<home>', world.home)]);
          const { code, stdout } = await run([...client.command, 'debug', 'config'], {
            cwd: join(world.dir, cwd),
            env: { ...world.env, ...QUIET, ...Object.fromEntries(own) },
          });
          if (!servers) {
            t.ok(`refused: ${name}`, code !== 0, `exit ${code}`);
            continue;
          }
          const found = code === 0 ? (JSON.parse(stdout).mcp ?? {}) : {};
          const all = Object.fromEntries(Object.entries(found).map(([key, one]) => [key, shown(one)]));
          t.ok(
            `accepted: ${name}`,
            code === 0 && plain(all) === plain(hidden(servers)),
            `exit ${code}: ${plain(all)}`,
          );
        } finally {
          world.remove();
        }
      }
    },
  },
  ...Object.entries(DAMAGE).map(([name, damage]) => ({
    name: `harmless: ${name}`,
    run: using([say('pre_request', 'STATIC'), on('bash', { tool_name: 'Bash' })], async ({ bench, t }) => {
      await bench.install();
      damage(bench);
      const { code, requests: r, unused, stdout } = await bench.talk(PROMPTS, { timeoutMs: 180_000 });
      t.ok(
        'the session ends normally',
        code === 0 && unused === 0 && r.length === 3,
        `exit ${code}, ${r.length}`,
      );
      t.ok('prompts intact', count(r, 0, 'PROMPT-ONE') > 0 && count(r, 2, 'PROMPT-TWO') > 0);
      t.ok('tool results intact', JSON.stringify(r[1].body).includes('TOOL-RAN-42'));
      t.ok('answers intact', stdout.includes('ANSWER-ONE') && stdout.includes('ANSWER-TWO'));
      t.ok(
        "the user's own plugin speaks",
        count(r, 0, 'USER-PROMPT') === 1 && count(r, 1, 'USER-TOOL') === 1,
      );
      t.ok(
        'nothing of the damage reaches the model',
        seen(r, 'PRELOADED').length === 0 && seen(r, 'share/mcphooks').length === 0,
      );
      const left = await leftovers(bench.world);
      t.ok('no process is left behind', left.length === 0, left.join('; '));
    }),
  })),
  {
    name: 'a tool that failed carries its text with the error',
    run: using(
      [on('read', { tool_name: 'Read' }), on('own', { tool_name: 'mcp__mem__echo' })],
      async ({ bench, t }) => {
        await bench.install();
        const calls = [
          { read: `${bench.world.project}/missing.txt` },
          { mcp: ['mem', 'echo'], args: { text: 'FAIL' } },
        ];
        const { code, requests: r } = await bench.talk([
          { turns: [{ calls }, { calls: [calls[0]] }, { say: 'x' }] },
        ]);
        t.ok('the session ends normally', code === 0 && r.length === 3, `exit ${code}, ${r.length} requests`);
        t.ok('once each', count(r, 1, 'MARK-read') === 1 && count(r, 1, 'MARK-own') === 1);
        t.ok('in later requests, too', count(r, 2, 'MARK-read') === 2 && count(r, 2, 'MARK-own') === 1);
      },
    ),
  },
  {
    name: "a server's large result leaves our text whole",
    run: using([on('own', { tool_name: 'mcp__mem__echo' })], async ({ bench, t }) => {
      await bench.install();
      const large = { mcp: ['mem', 'echo'], args: { text: 'line\n'.repeat(40_000) } };
      const { requests: r } = await bench.talk([{ turns: [{ calls: [large] }, { say: 'x' }] }]);
      const [hit] = seen([r[1]], 'MARK-own');
      t.ok('it stands in the result', hit?.text.includes('[/mcphooks'), hit?.text.slice(0, 200));
      t.ok('which was cut', (hit?.text.length ?? 0) < 190_000, `${hit?.text.length}`);
    }),
  },
  {
    name: 'without node, by the runtime in the client',
    run: using(
      [
        say('pre_request', 'MARK-STATIC {session_id}'),
        {
          event: 'pre_request',
          context_tool: 'echo',
          context_tool_args: { text: 'MARK-CALLED' },
          priority: 'suggestion',
        },
      ],
      async ({ bench, t }) => {
        await bench.install();
        // As if node had gone since, from its place and from PATH.
        for (const file of scripts(bench))
          change(bench, file, (text) => text.replace(/^( *node)='.*'$/m, "$1='/nonexistent/node'"));
        // Bun itself would run the one and read the other, in a hook as in OpenCode.
        const ran = join(bench.world.home, 'preloaded');
        const preload = `require('fs').appendFileSync('${ran}', process.env.BUN_BE_BUN + '\\n')`;
        writeFileSync(join(bench.world.project, 'preload.cjs'), preload);
        writeFileSync(join(bench.world.project, 'bunfig.toml'), 'preload = ["./preload.cjs"]\n');
        const { code, requests: r } = await bench.talk(ONE, { env: { PATH: withoutNode(bench) } });
        const preloads = existsSync(ran) ? readFileSync(ran, 'utf8') : '';
        t.ok("no program of the session's folder runs", !preloads.includes('1'), preloads);
        t.ok('the session ends normally', code === 0 && r.length === 2, `exit ${code}, ${r.length} requests`);
        t.ok('a template is filled in', count(r, 0, 'MARK-STATIC ses_') === 1);
        t.ok('a tool is called', count(r, 0, 'ECHO MARK-CALLED') === 1);
      },
    ),
  },
];
