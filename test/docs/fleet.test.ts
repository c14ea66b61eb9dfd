import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { installClients } from '../cli/home.ts';
import { cleanWorlds, type Ended, madeOnce, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { block, blocks, page, root, sh as run, worldWithProgram, writeNotebook } from './page.ts';

cleanWorlds();

let world: World;
const sh = (script: string): Promise<Ended> => run(world, script);
const pin = block('fleet.md', 'sh', 'reviewed.json');
const rollout = block('fleet.md', 'sh', '/opt/mcphooks/notebook.hooks.json');
const sum = block('fleet.md', 'sh', 'readdirSync');

/** A user with a server, as a machine has it, and its declarations as the page has them pinned. */
const pinned = madeOnce(async () => {
  world = worldWithProgram();
  writeNotebook(world, 'project/server.mjs');
  const entry = { command: process.execPath, args: [join(world.project, 'server.mjs')] };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { notebook: entry } }));
  world.env.HOOKS = join(world.project, 'notebook.hooks.json');
  expect((await sh(pin)).code).toBe(0);
  return world;
});
beforeEach(async () => {
  world = await pinned();
});

it.runIf(LONG)('pins the declarations that were shown', () => {
  const { declarations } = JSON.parse(readFileSync(join(root, 'examples/declarations.json'), 'utf8'));
  expect(JSON.parse(world.read('project/notebook.hooks.json')).declarations).toEqual(declarations);
});

it.runIf(ALL)(
  'rolls out, repeats, refuses what changed, takes it with --accept-changed, and rolls back',
  async () => {
    const said = async (script = rollout): Promise<[number | null, string]> => {
      const { code, stdout } = await sh(script);
      return [code, stdout.trim()];
    };
    expect(await said()).toEqual([0, 'hooks of notebook: as reviewed']);
    rmSync(join(world.project, 'server.mjs'));
    expect(await said()).toEqual([0, 'hooks of notebook: as reviewed']);
    const pinned = world.read('project/notebook.hooks.json');
    writeFileSync(world.env.HOOKS ?? '', pinned.replaceAll('notebook', 'diary'));
    expect(await said()).toEqual([
      3,
      expect.stringContaining('hooks of notebook: refused, earlier ones stay; see '),
    ]);
    const accepting = rollout.replace('--yes', '--yes --accept-changed');
    expect((await said(accepting))[0]).toBe(0);
    writeFileSync(world.env.HOOKS ?? '', pinned);
    expect((await said(accepting))[0]).toBe(0);
    world.write('home/.claude/settings.json', '{ broken');
    expect(await said()).toEqual([1, expect.stringContaining('failed, see ')]);
    rmSync(join(world.home, '.claude/settings.json'));
    const roll = block('fleet.md', 'sh', 'mcphooks disable');
    expect((await sh(`set -e\n${roll}`)).code).toBe(0);
    expect((await said())[0]).toBe(0);
  },
);

it.runIf(ALL)('sums what the machines report', async () => {
  const { PATH } = world.env;
  installClients(world, { claude: '2.1.329', codex: '0.169.0' });
  world.env.PATH = PATH ?? '';
  expect((await sh(rollout)).code).toBe(0);
  for (const machine of ['one ann', 'two ben']) {
    const to = join(world.project, 'reports', machine);
    mkdirSync(to, { recursive: true });
    cpSync(join(world.home, '.local/state/mcphooks-reports'), to, { recursive: true });
  }
  const { code, stdout } = await sh(sum);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    '2\tdiff: current',
    '2\tdoctor.untrusted',
    '2\tnotebook on claude-code: current',
    '2\tnotebook on codex: untrusted',
  ]);
});

it.runIf(LONG)('exports what its other commands take', async () => {
  expect((await sh(`set -e\n${block('fleet.md', 'sh', 'mcphooks export')}`)).code).toBe(0);
  const [marketplace = ''] = blocks('fleet.md', 'json');
  const [plugin] = JSON.parse(marketplace).plugins;
  const manifest = JSON.parse(world.read(`project/market/${plugin.source}/.claude-plugin/plugin.json`));
  expect(manifest.name).toBe(plugin.name);
  const extension = JSON.parse(world.read('project/extensions/mcphooks-notebook/gemini-extension.json'));
  for (const line of page('fleet.md').split('\n'))
    if (/^(claude|codex) plugin (install|add|uninstall|remove) /.test(line))
      expect(line).toContain(`${plugin.name}@${JSON.parse(marketplace).name}`);
    else if (line.startsWith('gemini extensions uninstall')) expect(line).toContain(extension.name);
});
