/** `install --target plugin`: the client loads the hooks by itself, from a folder that goes as a whole. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { count, makeBench } from '../bench.mjs';
import { noTerminal, openTui } from '../tui.mjs';
import { put } from '../world.mjs';
import { PROMPTS } from './cells.mjs';

const LOADING = ['claude-code', 'gemini-cli'];
const text = (event, mark, more = {}) => ({ event, context: mark, priority: 'suggestion', ...more });
const HOOKS = [
  text('session_start', 'MARK-START here.'),
  text('post_tool_use', 'MARK-AFTER in {project_name}.', {
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  }),
  text('post_request', 'MARK-DEFERRED here.'),
  {
    event: 'pre_request',
    context_tool: 'echo',
    context_tool_args: { text: 'MARK-TOOL of {project_name}' },
    priority: 'suggestion',
  },
];
const FOLDER = {
  'claude-code': '.claude/skills/mcphooks-mem',
  'gemini-cli': '.gemini/extensions/mcphooks-mem',
};
const settings = (bench) =>
  JSON.stringify(Object.entries(bench.clientFiles()).filter(([file]) => file.endsWith('/settings.json')));
const plugin = (bench) => bench.install('mem', '--target', 'plugin');

/** Claude Code loads plugins of its skills folder from 2.1.157 on. */
const loads = ({ client }) => client.id !== 'claude-code' || client.version !== '2.1.118';

const delivered = (t, when, { code, requests: r }) => {
  const ok = (what, holds) => t.ok(`${when}: ${what}`, holds);
  ok('the session ends normally', code === 0 && r.length === 3);
  ok('session_start', count(r, 0, 'MARK-START here.') === 1);
  ok('post_tool_use', count(r, 0, 'MARK-AFTER') === 0 && count(r, 1, 'MARK-AFTER in project.') === 1);
  ok('post_request, kept', count(r, 1, 'MARK-DEFERRED') === 0 && count(r, 2, 'MARK-DEFERRED here.') === 1);
  ok('a tool of the server', count(r, 0, 'ECHO MARK-TOOL of project') === 1);
  ok("the user's own hooks fire", count(r, 0, 'USER-PROMPT') === 1 && count(r, 1, 'USER-TOOL') === 1);
};
const silent = (t, when, { code, requests: r }) => {
  t.ok(`${when}: the session ends normally`, code === 0 && r.length === 3);
  t.ok(`${when}: nothing is said`, ![0, 1, 2].some((i) => count(r, i, 'MARK-') > 0));
  t.ok(`${when}: the user's own hooks fire`, count(r, 0, 'USER-PROMPT') === 1);
};

const scenario = (name, only, when, body) => ({
  name,
  only,
  when,
  async run(variant, t) {
    const bench = await makeBench(variant, HOOKS);
    try {
      await body({ bench, variant, t, folder: join(bench.world.home, FOLDER[variant.client.id] ?? '') });
    } finally {
      bench.remove();
    }
  },
});

export const scenarios = [
  scenario('target plugin', LOADING, loads, async ({ bench, t, folder }) => {
    const before = settings(bench);
    await plugin(bench);
    t.ok("the client's settings stay", settings(bench) === before);
    delivered(t, 'installed', await bench.talk(PROMPTS));
    await bench.mcphooks('disable', 'mem');
    silent(t, 'disabled', await bench.talk(PROMPTS));
    await bench.mcphooks('enable', 'mem');
    await bench.uninstall();
    t.ok('the folder is gone', !existsSync(join(folder, '..')));
    silent(t, 'uninstalled', await bench.talk(PROMPTS));
  }),

  scenario('target plugin, moved from settings and back', LOADING, loads, async ({ bench, t }) => {
    const before = settings(bench);
    await bench.install();
    const installed = settings(bench);
    await plugin(bench);
    t.ok('the entries leave the settings', settings(bench) === before);
    delivered(t, 'moved', await bench.talk(PROMPTS));
    await bench.install('mem', '--target', 'settings');
    t.ok('the entries come back', settings(bench) === installed);
    delivered(t, 'moved back', await bench.talk(PROMPTS));
  }),

  scenario(
    'target plugin, a client that is too old',
    ['claude-code'],
    (variant) => !loads(variant),
    async ({ bench, t, variant: { client } }) => {
      const { world } = bench;
      // As its own installer lays it out, for the version that the plan looks for.
      put(world, { [`versions/${client.version}`]: '#!/bin/sh\n' });
      mkdirSync(join(world.dir, 'bin'));
      symlinkSync(join(world.dir, 'versions', client.version), join(world.dir, 'bin/claude'));
      world.env.PATH = `${join(world.dir, 'bin')}:${world.env.PATH}`;
      const { plan } = await plugin(bench);
      t.ok(
        'the plan warned',
        plan.clients[0].notes.some((note) => note.code === 'target.too-old'),
      );
      silent(t, 'installed', await bench.talk(PROMPTS));
    },
  ),

  scenario('target plugin, a client without such a folder', ['codex'], undefined, async ({ bench, t }) => {
    const { plan } = await plugin(bench);
    t.ok(
      'the plan says so',
      plan.clients[0].notes.some((note) => note.code === 'target.none'),
    );
    delivered(t, 'installed', await bench.talk(PROMPTS));
  }),

  {
    name: 'interactive: target plugin in a folder that is not trusted',
    only: ['gemini-cli'],
    async run(variant, t) {
      if (noTerminal) return t.skip(noTerminal);
      const bench = await makeBench(variant, [text('pre_request', 'MARK-EACH')]);
      const { world } = bench;
      put(world, { 'home/.gemini/trustedFolders.json': { [world.project]: 'DO_NOT_TRUST' } });
      /** Whether the hook and the user's own one spoke. On a busy machine those of extensions can miss the first prompt. */
      const spoke = async () => {
        const tui = await openTui(variant.client, {
          world,
          turns: [{ say: 'ANSWER-ONE' }, { say: 'ANSWER-TWO' }],
          env: { GEMINI_CLI_TRUST_WORKSPACE: undefined },
        });
        try {
          for (const name of ['ONE', 'TWO']) {
            await tui.enter(`PROMPT-${name}`);
            await tui.shows(`ANSWER-${name}`);
          }
          const r = tui.requests.filter(({ kind }) => kind === 'main');
          return ['PROMPT-TWO', 'MARK-EACH', 'USER-PROMPT']
            .map((mark) => count(r, r.length - 1, mark) > 0)
            .join();
        } finally {
          await tui.close();
        }
      };
      try {
        await bench.install();
        const inSettings = await spoke();
        t.ok('hooks in settings are silent', inSettings === 'true,false,false', inSettings);
        await plugin(bench);
        const extension = await spoke();
        t.ok('those of the extension speak', extension === 'true,true,false', extension);
      } finally {
        bench.remove();
      }
    },
  },
];
