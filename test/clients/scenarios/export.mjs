/** `mcphooks export`: each client takes the folder by its own means, and the hooks in it fire. */

import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, makeBench } from '../bench.mjs';
import { byClient } from '../by-client.mjs';
import { delivered, HOOKS } from '../delivered.mjs';
import { put, run } from '../world.mjs';
import { PROMPTS } from './cells.mjs';

const fixture = join(dirname(fileURLToPath(import.meta.url)), '../fixture-server.mjs');
const FORMATS = byClient('scenarios/export.mjs', {
  'claude-code': 'claude-plugin',
  codex: 'codex-plugin',
  'gemini-cli': 'gemini-extension',
});
/** How a client takes a plugin from the folder `market/it's here`, and what it has to say of it. */
const TAKE = {
  'claude-code': async (client, world, folder) => {
    const validate = (...more) => run([...client.command, 'plugin', 'validate', folder, ...more], world.at);
    const strict = await validate('--strict');
    const validated = strict.stderr.includes('unknown option') ? await validate() : strict; // 2.1.118
    return {
      ok: validated.code === 0,
      said: validated.stdout + validated.stderr,
      client: { ...client, command: [...client.command, '--plugin-dir', folder] },
    };
  },
  codex: async (client, world, folder, name) => {
    const plugin = { name, source: `./${folder.split('/').at(-1)}`, description: 'x' };
    put(world, {
      'market/.claude-plugin/marketplace.json': { name: 'm', owner: { name: 'x' }, plugins: [plugin] },
    });
    const codex = (...args) => run([...client.command, 'plugin', ...args], world.at);
    const added = await codex('marketplace', 'add', join(world.dir, 'market'), '--json');
    const taken = await codex('add', `${name}@m`, '--json');
    return { ok: added.code === 0 && taken.code === 0, said: added.stderr + taken.stderr, client };
  },
  'gemini-cli': async (client, world, folder) => {
    const gemini = (input, ...args) =>
      run([...client.command, 'extensions', ...args], {
        ...world.at,
        env: { ...world.env, GEMINI_CLI_NO_RELAUNCH: 'true' },
        input,
      });
    const validated = await gemini('', 'validate', folder);
    // It asks whether the folder is trusted, whatever --consent says.
    const installed = await gemini('y\n', 'install', folder, '--consent');
    return {
      ok: validated.code === 0 && installed.code === 0,
      said: validated.stderr + installed.stderr,
      client,
    };
  },
};

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
  return { folder, ...(await TAKE[variant.client.id](variant.client, world, folder, `mcphooks-${name}`)) };
}

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name));

const scenario = (name, only, body) => ({
  name,
  ...(only && { only }),
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
  scenario('export, the server is known', undefined, async (bench, variant, t) => {
    const { folder, ok, said, client } = await taken(bench, variant, 'mem', FORMATS[variant.client.id]);
    t.ok('the client takes it', ok, said);
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

  scenario('export --with-server', undefined, async (bench, variant, t) => {
    const start = ['--with-server', '--', process.execPath, fixture, join(bench.world.dir, 'kit.json')];
    const { ok, said, client } = await taken(bench, variant, 'kit', FORMATS[variant.client.id], ...start);
    t.ok('the client takes it', ok, said);
    delivered(t, await bench.talk(PROMPTS, { client }));
    const server = variant.client.id === 'claude-code' ? 'plugin_mcphooks-kit_kit' : 'kit';
    const calls = [{ mcp: [server, 'echo'], args: { text: 'CALLED' } }];
    const { requests } = await bench.talk([{ prompt: 'P', turns: [{ calls }, { say: 'x' }] }], {
      client,
      allow: [`mcp__${server}__echo`],
    });
    t.ok("the plugin's own server answers", count(requests, 1, 'ECHO CALLED') >= 1);
    t.ok('and a matcher that means it fires', count(requests, 1, 'MARK-SELF here.') === 1);
  }),

  scenario('export --with-server, which the user has too', undefined, async (bench, variant, t) => {
    const start = ['--with-server', '--', process.execPath, fixture, join(bench.world.dir, 'mem.json')];
    const { client } = await taken(bench, variant, 'mem', FORMATS[variant.client.id], ...start);
    delivered(t, await bench.talk(PROMPTS, { client }));
    const calls = [{ mcp: ['mem', 'echo'], args: { text: 'CALLED' } }];
    const { requests } = await bench.talk([{ prompt: 'P', turns: [{ calls }, { say: 'x' }] }], { client });
    t.ok('the server answers', count(requests, 1, 'ECHO CALLED') >= 1);
    t.ok('and a matcher that means it fires', count(requests, 1, 'MARK-SELF here.') === 1);
  }),

  scenario('export, one folder for two clients', ['claude-code', 'codex'], async (bench, variant, t) => {
    const { ok, said, client } = await taken(bench, variant, 'mem', 'claude-plugin,codex-plugin');
    t.ok('the client takes it', ok, said);
    delivered(t, await bench.talk(PROMPTS, { client }));
  }),

  scenario('export, for the user too', undefined, async (bench, variant, t) => {
    await bench.install();
    const { client } = await taken(bench, variant, 'mem', FORMATS[variant.client.id]);
    delivered(t, await bench.talk(PROMPTS, { client }));
    await bench.mcphooks('uninstall', 'mem');
    delivered(t, await bench.talk(PROMPTS, { client }));
  }),

  scenario('export, damaged', undefined, async (bench, variant, t) => {
    const { folder, client } = await taken(bench, variant, 'mem', FORMATS[variant.client.id]);
    const root = {
      'claude-code': folder,
      codex: join(bench.world.home, '.codex/plugins/cache/m/mcphooks-mem/1.0.0'),
      'gemini-cli': join(bench.world.home, '.gemini/extensions/mcphooks-mem'),
    }[variant.client.id];
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
  }),
];
