/** `install --target plugin`: the client loads the hooks by itself, from a folder that goes as a whole. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { count, ownHooksFire } from '../requests.mjs';
import { TABLES } from '../tables.mjs';
import { PROMPTS } from './cells.mjs';

export const text = (event, mark, more = {}) => ({ event, context: mark, priority: 'suggestion', ...more });
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
const settings = (bench) =>
  JSON.stringify(Object.entries(bench.clientFiles()).filter(([file]) => file.endsWith('/settings.json')));
export const plugin = (bench) => bench.install('mem', '--target', 'plugin');

const autoLoad = ({ client }) => TABLES[client.id].plugin?.autoLoad;
const numbers = (version) =>
  version
    .split('.')
    .map((n) => n.padStart(6, '0'))
    .join();
/** Whether the client, in this version, loads plugins from a folder by itself. */
const loads = (variant) => {
  const { since = '0' } = autoLoad(variant) ?? {};
  return Boolean(autoLoad(variant)) && numbers(variant.client.version) >= numbers(since);
};

const delivered = (t, when, session) => {
  const { code, requests: r } = session;
  const ok = (what, holds) => t.ok(`${when}: ${what}`, holds);
  ok('the session ends normally', code === 0 && r.length === 3);
  ok('session_start', count(r, 0, 'MARK-START here.') === 1);
  ok('post_tool_use', count(r, 0, 'MARK-AFTER') === 0 && count(r, 1, 'MARK-AFTER in project.') === 1);
  ok('post_request, kept', count(r, 1, 'MARK-DEFERRED') === 0 && count(r, 2, 'MARK-DEFERRED here.') === 1);
  ok('a tool of the server', count(r, 0, 'ECHO MARK-TOOL of project') === 1);
  ok("the user's own hooks fire", ownHooksFire(session));
};
export const silent = (t, when, { code, requests: r }) => {
  t.ok(`${when}: the session ends normally`, code === 0 && r.length === 3);
  t.ok(`${when}: nothing is said`, ![0, 1, 2].some((i) => count(r, i, 'MARK-') > 0));
  t.ok(`${when}: the user's own hooks fire`, count(r, 0, 'USER-PROMPT') === 1);
};

/** `folder`: where the client loads the plugin from. */
export const scenario = (name, when, body) => ({
  name,
  when,
  async run(variant, t) {
    const bench = await makeBench(variant, HOOKS);
    try {
      const { home } = TABLES[variant.client.id].home;
      const folder = join(bench.world.home, home, autoLoad(variant)?.folder ?? '', 'mcphooks-mem');
      await body({ bench, variant, t, folder });
    } finally {
      bench.remove();
    }
  },
});

export const scenarios = [
  scenario('target plugin', loads, async ({ bench, t, folder }) => {
    const before = settings(bench);
    await plugin(bench);
    t.ok("the client's settings stay", settings(bench) === before);
    delivered(t, 'installed', await bench.talk(PROMPTS));
    await bench.mcphooks('disable', 'mem');
    silent(t, 'disabled', await bench.talk(PROMPTS));
    await bench.mcphooks('enable', 'mem');
    await bench.uninstall();
    // A client may have put something of its own beside it.
    const beside = existsSync(join(folder, '..')) ? readdirSync(join(folder, '..')) : ['none'];
    t.ok('the folder is gone', !existsSync(folder) && beside.length > 0, beside.join());
    silent(t, 'uninstalled', await bench.talk(PROMPTS));
  }),

  scenario('target plugin, moved from settings and back', loads, async ({ bench, t }) => {
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
    'target plugin, a client without such a folder',
    (variant) => !autoLoad(variant),
    async ({ bench, t }) => {
      const { plan } = await plugin(bench);
      t.ok(
        'the plan says so',
        plan.clients[0].notes.some(({ code }) => ['target.none', 'target.already'].includes(code)),
      );
      delivered(t, 'installed', await bench.talk(PROMPTS));
    },
  ),
];
