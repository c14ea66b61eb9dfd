/** `mcphooks export`: each client takes the folder by its own means, and the hooks in it fire. */

import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBench } from '../bench.mjs';
import { delivered, HOOKS } from '../delivered.mjs';
import { OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { PROMPTS } from './cells.mjs';

const fixture = join(dirname(fileURLToPath(import.meta.url)), '../fixture-server.mjs');
/**
 * Each client's `plugin` says its `format`, how it takes one from the folder `market/it's here` and what it has to say of
 * it (`take`), where it then has it (`root`), how it names a plugin's server, and formats that share a folder with its own.
 */
const formatOf = (variant) => said(variant, 'plugin.format');

/** Exports `name` and lets the client take it; `options`: after `--format`. */
async function taken(bench, variant, name, formats, ...options) {
  const { world } = bench;
  world.at = { cwd: world.project, env: world.env };
  const folder = join(world.dir, "market/it's here");
  const made = await bench.mcphooks(
    'export',
    name,
    '--format',
    formats,
    '--out',
    folder,
    '--yes',
    ...options,
  );
  if (made.code !== 0) throw new Error(`export: exit ${made.code}: ${made.stderr}`);
  const take = said(variant, 'plugin.take');
  return { folder, ...(await take(variant.client, world, folder, `mcphooks-${name}`)) };
}

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name));

const scenario = (name, body, options = { perClient: true }) => ({
  name,
  ...options,
  async run(variant, t) {
    // `kit` is not in the client's own configuration.
    const bench = await makeBench(variant, HOOKS, { more: { 'kit.json': { declarations: HOOKS } } });
    try {
      await body(bench, variant, t);
    } finally {
      bench.remove();
    }
  },
});

export const scenarios = [
  scenario('export, the server is known', async (bench, variant, t) => {
    const { folder, ok, told, client } = await taken(bench, variant, 'mem', formatOf(variant));
    t.ok('the client takes it', ok, told);
    const all = files(folder).map((file) => readFileSync(file, 'utf8'));
    t.ok('nothing of this machine stands in it', !all.some((content) => content.includes(bench.world.dir)));
    const session = await bench.talk(PROMPTS, { client });
    delivered(t, session);
    const tag = join(bench.world.home, '.local/state/mcphooks/tag');
    t.ok('the machine has a tag of its own', existsSync(tag) && (statSync(tag).mode & 0o777) === 0o600);
    t.ok(
      'which stands in no text: each fire has its own',
      count(session.requests, 0, readFileSync(tag, 'utf8')) === 0,
    );
    bench.changeDefinition();
    const { requests: changed } = await bench.talk(PROMPTS, { client });
    t.ok('a tool of a server that was not approved is not called', count(changed, 0, 'ECHO MARK-TOOL') === 0);
    t.ok('but its texts are given', count(changed, 1, 'MARK-AFTER in project.') === 1);
  }),

  scenario('export --with-server', async (bench, variant, t) => {
    const start = ['--with-server', '--', process.execPath, fixture, join(bench.world.dir, 'kit.json')];
    const { ok, told, client } = await taken(bench, variant, 'kit', formatOf(variant), ...start);
    t.ok('the client takes it', ok, told);
    delivered(t, await bench.talk(PROMPTS, { client }));
    const server = said(variant, 'plugin').server?.('kit') ?? 'kit';
    const calls = [{ mcp: [server, 'echo'], args: { text: 'CALLED' } }];
    const { requests } = await bench.talk([{ prompt: 'P', turns: [{ calls }, { say: 'x' }] }], {
      client,
      allow: [`mcp__${server}__echo`],
    });
    t.ok("the plugin's own server answers", count(requests, 1, 'ECHO CALLED') >= 1);
    t.ok('and a matcher that means it fires', count(requests, 1, 'MARK-SELF here.') === 1);
  }),

  scenario('export --with-server, which the user has too', async (bench, variant, t) => {
    const start = ['--with-server', '--', process.execPath, fixture, join(bench.world.dir, 'mem.json')];
    const { client } = await taken(bench, variant, 'mem', formatOf(variant), ...start);
    delivered(t, await bench.talk(PROMPTS, { client }));
    const calls = [{ mcp: ['mem', 'echo'], args: { text: 'CALLED' } }];
    const { requests } = await bench.talk([{ prompt: 'P', turns: [{ calls }, { say: 'x' }] }], { client });
    t.ok('the server answers', count(requests, 1, 'ECHO CALLED') >= 1);
    t.ok('and a matcher that means it fires', count(requests, 1, 'MARK-SELF here.') === 1);
  }),

  scenario(
    'export, one folder for two clients',
    async (bench, variant, t) => {
      const { ok, told, client } = await taken(bench, variant, 'mem', said(variant, 'plugin.together'));
      t.ok('the client takes it', ok, told);
      delivered(t, await bench.talk(PROMPTS, { client }));
    },
    { when: ({ client }) => Boolean(OF[client.id].plugin?.together) },
  ),

  scenario(
    'export, for the user too',
    async (bench, variant, t) => {
      await bench.install();
      const { client } = await taken(bench, variant, 'mem', formatOf(variant));
      delivered(t, await bench.talk(PROMPTS, { client }));
      await bench.mcphooks('uninstall', 'mem');
      delivered(t, await bench.talk(PROMPTS, { client }));
    },
    { anywhere: true },
  ),

  scenario(
    'export, damaged',
    async (bench, variant, t) => {
      const { folder, client } = await taken(bench, variant, 'mem', formatOf(variant));
      const root = said(variant, 'plugin.root')(bench.world, folder);
      const calm = async (what) => {
        const { code, requests: r } = await bench.talk(PROMPTS, { client });
        t.ok(`${what}: the session is as without hooks`, code === 0 && r.length === 3, `exit ${code}`);
        t.ok(`${what}: nothing is said`, ![0, 1, 2].some((i) => count(r, i, 'MARK-') > 0));
        t.ok(`${what}: the tool ran`, JSON.stringify(r[1]?.body ?? {}).includes('TOOL-RAN-42'));
      };
      for (const file of files(join(root, 'shims'))) chmodSync(file, 0o600);
      delivered(t, await bench.talk(PROMPTS, { client }));
      rmSync(join(root, 'runtime'), { recursive: true });
      await calm('no runtime');
      rmSync(join(root, 'shims'), { recursive: true });
      await calm('no shims');
    },
    { anywhere: true },
  ),
];
