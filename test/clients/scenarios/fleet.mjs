/** What docs/fleet.md says: its commands as they stand there, its managed settings, and what doctor says of them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, makeBench } from '../bench.mjs';
import { byClient } from '../by-client.mjs';
import { canManage, managed } from '../managed.mjs';
import { put, run } from '../world.mjs';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/fleet.md'), 'utf8');
const blocks = (language, having) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
    .map((m) => m[1])
    .filter((text) => text.includes(having));

const HOOKS = [{ event: 'pre_request', context: 'MARK-FLEET stands here.', priority: 'suggestion' }];
const AGAIN = [{ ...HOOKS[0], context: 'MARK-AGAIN stands here.' }];
const PROMPT = [{ prompt: 'P', turns: [{ say: 'x' }] }];
const EXPORT = blocks('sh', 'mcphooks export').join('');
const [MARKETPLACE, REQUIRED] = ['"plugins"', 'enabledPlugins'].map((word) =>
  JSON.parse(blocks('json', word)[0]),
);
/** What takes the plugin and what takes it out, as the page has it. */
const CHANNEL = byClient('scenarios/fleet.mjs', {
  'claude-code': [blocks('sh', 'claude plugin install'), blocks('sh', 'claude plugin uninstall')],
  codex: [blocks('sh', 'codex plugin add'), blocks('sh', 'codex plugin remove')],
  'gemini-cli': [blocks('sh', 'gemini extensions install'), blocks('sh', 'gemini extensions uninstall')],
});

const scenario = (name, body, more = {}) => ({
  name,
  when: ({ client }) => !client.older,
  ...more,
  async run(variant, t) {
    const bench = await makeBench(variant, { notebook: HOOKS });
    const { world } = bench;
    const quoted = (command) => command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const client = variant.client.command;
    const program = { 'claude-code': 'claude', codex: 'codex', 'gemini-cli': 'gemini' }[variant.client.id];
    put(world, {
      'bin/mcphooks': `#!/bin/sh\nexec ${quoted([process.execPath, join(root, 'dist/mcphooks.cjs')])} "$@"\n`,
      [`bin/${program}`]: `#!/bin/sh\nexec ${quoted(client)} "$@"\n`,
      'project/market/.claude-plugin/marketplace.json': MARKETPLACE,
    });
    const env = {
      ...world.env,
      PATH: `${join(world.dir, 'bin')}:${world.env.PATH}`,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    };
    /** Runs a block of the page, where an administrator has put `etc`. */
    const sh = (script, etc) => {
      const command = ['sh', '-ec', script];
      return run(etc ? managed(world, etc, command) : command, { cwd: world.project, env });
    };
    /** How often the model reads the hook's text in a new session. */
    const heard = async (etc, options = {}) => {
      const command = etc ? managed(world, etc, client) : client;
      const { code, requests } = await bench.talk(PROMPT, {
        client: { ...variant.client, command },
        ...options,
      });
      if (code !== 0) throw new Error(`the session ended with ${code}`);
      return Object.fromEntries(
        ['MARK-FLEET', 'MARK-AGAIN', 'USER-PROMPT'].map((mark) => [mark, count(requests, 0, mark)]),
      );
    };
    try {
      await body({ bench, world, variant, t, sh, heard });
    } finally {
      bench.remove();
    }
  },
});

const CLAUDE = 'claude-code/managed-settings.json';
/** [client, file under /etc, setting as the page has it, hooks of install are heard, hooks of a plugin are]. */
const SETTINGS = [
  ['claude-code', CLAUDE, '"disableAllHooks": true', false, false],
  ['claude-code', 'claude-code/managed-settings.d/10.json', '"disableAllHooks": true', false, false],
  ['claude-code', CLAUDE, '"allowManagedHooksOnly": true', false, false],
  ['codex', 'codex/requirements.toml', 'allow_managed_hooks_only = true', false, false],
  ['codex', 'codex/requirements.toml', 'hooks = false', false, false],
  ['codex', 'codex/managed_config.toml', 'hooks = false', false, false],
  ['gemini-cli', 'gemini-cli/settings.json', '"hooksConfig": { "enabled": false }', false, false],
];
const textOf = (file, setting) => {
  if (file.endsWith('.json')) return `{ ${setting} }`;
  return setting.startsWith('hooks') ? `[features]\n${setting}\n` : `${setting}\n`;
};

// Where hooks are off, Codex has none to review.
const manages = (...ids) => ({
  when: ({ client, trust }) => canManage && !client.older && ids.includes(client.id) && trust !== 'review',
});

export const scenarios = [
  scenario('fleet, a plugin by its own channel', async ({ bench, variant, t, sh, heard }) => {
    const [[take], [drop]] = CHANNEL[variant.client.id];
    const made = await sh(EXPORT);
    t.ok('it is exported', made.code === 0, made.stderr);
    const taken = await sh(take);
    t.ok('the client takes it', taken.code === 0, taken.stdout + taken.stderr);
    t.ok('its hooks are heard', (await heard())['MARK-FLEET'] === 1);
    bench.declare(AGAIN, 'notebook');
    const again = await sh(EXPORT);
    t.ok('it is exported again', again.code === 0, again.stderr);
    const stale = await heard();
    // Claude Code reads the marketplace's folder; the others have copied it.
    const atOnce = variant.client.id === 'claude-code';
    t.ok(
      'what was exported again is heard at once, or not',
      stale['MARK-AGAIN'] === (atOnce ? 1 : 0),
      JSON.stringify(stale),
    );
    const dropped = await sh(drop);
    t.ok('the client drops it', dropped.code === 0, dropped.stdout + dropped.stderr);
    t.ok('nothing is heard', Object.values(await heard()).join() === '0,0,1');
    const retaken = await sh(take);
    t.ok('and takes it again', retaken.code === 0, retaken.stdout + retaken.stderr);
    t.ok('as it is now', (await heard())['MARK-AGAIN'] === 1);
  }),

  scenario(
    'fleet, managed settings',
    async ({ bench, variant, t, sh, heard }) => {
      const { id } = variant.client;
      await bench.install('notebook');
      for (const [, file, setting, ...expected] of SETTINGS.filter(([client]) => client === id)) {
        const etc = { [file]: textOf(file, setting) };
        const name = `${file}: ${setting}`;
        t.ok(
          `${name}: the page has it`,
          page.includes(setting) && page.includes(`/etc/${file.split('/')[0]}/`),
        );
        const said = await heard(etc);
        t.ok(`${name}: hooks of install`, (said['MARK-FLEET'] === 1) === expected[0], JSON.stringify(said));
        const { findings } = JSON.parse((await sh('mcphooks doctor --json || true', etc)).stdout);
        const off = findings.find((f) => f.code === 'doctor.hooks-off');
        t.ok(`${name}: doctor names the file`, off?.where === `/etc/${file}`, JSON.stringify(findings));
      }
      await bench.uninstall('notebook');
      await bench.install('notebook', '--target', 'plugin');
      for (const [, file, setting, expected] of SETTINGS.filter(([client]) => client === id)) {
        const said = await heard({ [file]: textOf(file, setting) });
        const ok = (said['MARK-FLEET'] === 1) === expected;
        t.ok(`${file}: ${setting}: --target plugin`, ok, JSON.stringify(said));
      }
      await bench.uninstall('notebook');
      const [[take]] = CHANNEL[id];
      const taken = await sh(EXPORT + take);
      t.ok('the client takes the plugin', taken.code === 0, taken.stderr);
      for (const [, file, setting, , expected] of SETTINGS.filter(([client]) => client === id)) {
        const said = await heard({ [file]: textOf(file, setting) });
        t.ok(
          `${file}: ${setting}: hooks of a plugin`,
          (said['MARK-FLEET'] === 1) === expected,
          JSON.stringify(said),
        );
      }
    },
    manages('claude-code', 'codex', 'gemini-cli'),
  ),

  scenario(
    'fleet, a plugin that managed settings demand',
    async ({ world, t, sh, heard }) => {
      await sh(EXPORT);
      const market = join(world.project, 'market');
      const text = JSON.stringify(REQUIRED).replace('/srv/market', market);
      t.ok('the page names the folder', text.includes(market));
      const said = await heard({ [CLAUDE]: text });
      t.ok('it is heard, and nothing else', Object.values(said).join() === '1,0,0', JSON.stringify(said));
    },
    manages('claude-code'),
  ),

  scenario(
    'fleet, marketplaces that managed settings know',
    async ({ world, t, sh, heard }) => {
      await sh(EXPORT);
      const [[take]] = CHANNEL['claude-code'];
      const none = { [CLAUDE]: '{ "strictKnownMarketplaces": [] }' };
      t.ok('none: the page has it', page.includes('"strictKnownMarketplaces": []'));
      t.ok('none: it is refused', (await sh(take, none)).code !== 0);
      t.ok("none: the user's own hooks act", (await heard(none))['USER-PROMPT'] === 1);
      const setting = '"strictKnownMarketplaces": [{ "source": "directory", "path": "/srv/market" }]';
      t.ok('one: the page has it', page.includes(setting));
      const one = { [CLAUDE]: `{ ${setting.replace('/srv/market', join(world.project, 'market'))} }` };
      const taken = await sh(take, one);
      t.ok('one: it is taken', taken.code === 0, taken.stdout + taken.stderr);
      t.ok('one: and heard', (await heard(one))['MARK-FLEET'] === 1);
    },
    manages('claude-code'),
  ),

  scenario(
    "fleet, folders that needn't be trusted",
    async ({ bench, t, heard }) => {
      await bench.install('notebook');
      const setting = '"security": { "folderTrust": { "enabled": false } }';
      t.ok('the page has it', page.includes(setting));
      const options = { env: { GEMINI_CLI_TRUST_WORKSPACE: undefined } };
      const said = await heard({ 'gemini-cli/settings.json': `{ ${setting} }` }, options);
      t.ok('hooks of install act', said['MARK-FLEET'] === 1, JSON.stringify(said));
    },
    manages('gemini-cli'),
  ),
];
