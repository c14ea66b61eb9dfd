/** What docs/fleet.md says: its commands as they stand there, its managed settings, and what doctor says of them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { canManage, managed } from '../managed.mjs';
import { OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { TABLES } from '../tables.mjs';
import { put, run } from '../world.mjs';

const root = join(import.meta.dirname, '../../..');
export const page = readFileSync(join(root, 'docs/fleet.md'), 'utf8');
export const blocks = (language, having) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
    .map((m) => m[1])
    .filter((text) => text.includes(having));

const HOOKS = [{ event: 'pre_request', context: 'MARK-FLEET stands here.', priority: 'suggestion' }];
const AGAIN = [{ ...HOOKS[0], context: 'MARK-AGAIN stands here.' }];
const PROMPT = [{ prompt: 'P', turns: [{ say: 'x' }] }];
export const EXPORT = blocks('sh', 'mcphooks export').join('');
export const [MARKETPLACE, REQUIRED] = ['"plugins"', 'enabledPlugins'].map((word) =>
  JSON.parse(blocks('json', word)[0]),
);
/** What takes the plugin and what takes it out, as the page has it. */
export const channel = (variant) =>
  ['take', 'drop'].map((what) => blocks('sh', said(variant, `fleet.${what}`))[0]);

export const scenario = (name, body, more = {}) => ({
  name,
  perClient: true,
  when: ({ client }) => !client.older,
  ...more,
  async run(variant, t) {
    const bench = await makeBench(variant, { notebook: HOOKS });
    const { world } = bench;
    const quoted = (command) => command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const client = variant.client.command;
    const program = TABLES[variant.client.id].program.binary;
    put(world, {
      'bin/mcphooks': `#!/bin/sh\nexec ${quoted([process.execPath, join(root, 'dist/mcphooks.cjs')])} "$@"\n`,
      [`bin/${program}`]: `#!/bin/sh\nexec ${quoted(client)} "$@"\n`,
      'project/market/.claude-plugin/marketplace.json': MARKETPLACE,
    });
    const env = {
      ...world.env,
      PATH: `${join(world.dir, 'bin')}:${world.env.PATH}`,
      ...said(variant, 'fleet').env,
    };
    /** Runs a block of the page, where an administrator has put `etc`. */
    const sh = (script, etc) => {
      const command = ['sh', '-ec', script];
      return run(etc ? managed(world, etc, command) : command, { cwd: world.project, env });
    };
    /** How often the model reads the hook's text in a new session. */
    const hears = async (etc, options = {}) => {
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
      await body({ bench, world, variant, t, sh, hears });
    } finally {
      bench.remove();
    }
  },
});

/** For scenarios with an administrator's files. Where hooks are off, there are none to review. */
export const manages = {
  when: ({ client, trust }) =>
    canManage && !client.older && Boolean(OF[client.id].fleet?.settings) && trust !== 'review',
};
/** Setting -> its file's text. */
const textsOf = (variant) =>
  said(variant, 'fleet.settings').map(([file, setting, text = `{ ${setting} }`]) => ({
    file,
    setting,
    text,
  }));

export const scenarios = [
  scenario('fleet, a plugin by its own channel', async ({ bench, variant, t, sh, hears }) => {
    const [take, drop] = channel(variant);
    const made = await sh(EXPORT);
    t.ok('it is exported', made.code === 0, made.stderr);
    const taken = await sh(take);
    t.ok('the client takes it', taken.code === 0, taken.stdout + taken.stderr);
    t.ok('its hooks are heard', (await hears())['MARK-FLEET'] === 1);
    bench.declare(AGAIN, 'notebook');
    const again = await sh(EXPORT);
    t.ok('it is exported again', again.code === 0, again.stderr);
    const stale = await hears();
    const { atOnce } = said(variant, 'fleet');
    t.ok(
      'what was exported again is heard at once, or not',
      stale['MARK-AGAIN'] === (atOnce ? 1 : 0),
      JSON.stringify(stale),
    );
    const dropped = await sh(drop);
    t.ok('the client drops it', dropped.code === 0, dropped.stdout + dropped.stderr);
    t.ok('nothing is heard', Object.values(await hears()).join() === '0,0,1');
    const retaken = await sh(take);
    t.ok('and takes it again', retaken.code === 0, retaken.stdout + retaken.stderr);
    t.ok('as it is now', (await hears())['MARK-AGAIN'] === 1);
  }),

  scenario(
    'fleet, managed settings',
    async ({ bench, variant, t, sh, hears }) => {
      const settings = textsOf(variant);
      await bench.install('notebook');
      for (const { file, setting, text } of settings) {
        const etc = { [file]: text };
        const name = `${file}: ${setting}`;
        t.ok(
          `${name}: the page has it`,
          page.includes(setting) && page.includes(`/etc/${file.split('/')[0]}/`),
        );
        const heard = await hears(etc);
        t.ok(`${name}: no hooks of install`, heard['MARK-FLEET'] === 0, JSON.stringify(heard));
        const { findings } = JSON.parse((await sh('mcphooks doctor --json || true', etc)).stdout);
        const off = findings.find((f) => f.code === 'doctor.hooks-off');
        t.ok(`${name}: doctor names the file`, off?.where === `/etc/${file}`, JSON.stringify(findings));
      }
      await bench.uninstall('notebook');
      await bench.install('notebook', '--target', 'plugin');
      for (const { file, setting, text } of settings) {
        const heard = await hears({ [file]: text });
        t.ok(`${file}: ${setting}: nor of --target plugin`, heard['MARK-FLEET'] === 0, JSON.stringify(heard));
      }
      await bench.uninstall('notebook');
      const [take] = channel(variant);
      const taken = await sh(EXPORT + take);
      t.ok('the client takes the plugin', taken.code === 0, taken.stderr);
      for (const { file, setting, text } of settings) {
        const heard = await hears({ [file]: text });
        t.ok(`${file}: ${setting}: nor of a plugin`, heard['MARK-FLEET'] === 0, JSON.stringify(heard));
      }
    },
    manages,
  ),
];
