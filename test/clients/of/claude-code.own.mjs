/** Scenarios that only Claude Code can have. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { at, call, granted } from '../granted.mjs';
import { count } from '../requests.mjs';
import { PROMPTS } from '../scenarios/cells.mjs';
import { channel, EXPORT, scenario as fleet, manages, page, REQUIRED } from '../scenarios/fleet.mjs';
import { interrupted } from '../scenarios/interactive.mjs';
import { ownMarks, say, using } from '../scenarios/life.mjs';
import { plugin, silent, scenario as target } from '../scenarios/target.mjs';
import { scenario as team } from '../scenarios/teams.mjs';
import { put, run } from '../world.mjs';

const SETTINGS = 'claude-code/managed-settings.json';

export const scenarios = [
  // Requests of 2.1.118 don't say that they are a sub-agent's; its payloads do.
  { ...ownMarks, when: ({ client }) => client.version !== '2.1.118' },
  interrupted([0, 0]),
  {
    name: 'a task in the background that ended is no prompt',
    run: using([say('pre_request', 'MARK-PROMPT')], async ({ bench, t }) => {
      await bench.install();
      const input = { command: 'sleep 1; echo done', description: 'run', run_in_background: true };
      const turns = [{ calls: [{ native: { name: 'Bash', input } }] }, { say: 'one' }, { say: 'two' }];
      const { requests } = await bench.talk([{ turns }]);
      const told = requests.findIndex((_, i) => count(requests, i, '<task-notification>') > 0);
      t.ok('the model is told that it ended', told > 0);
      t.ok('and reads the text once', told > 0 && count(requests, told, 'MARK-PROMPT') === 1);
    }),
  },
  {
    name: 'a fork is a session that is resumed',
    // What 2.1.118 and 2.1.250 say of a fork was not tried.
    when: ({ client }) => client.version === '2.1.329',
    run: using([], async ({ bench, t }) => {
      const on = (source) => say('session_start', `MARK-${source}`, { when: { source } });
      const declarations = ['startup', 'resume'].map(on);
      put(bench.world, { 'hooks.json': { declarations } });
      await bench.install('mem', '--declarations', join(bench.world.dir, 'hooks.json'));
      await bench.talk([{ turns: [{ say: 'x' }] }]);
      const fork = ['--continue', '--fork-session'];
      const { requests: r } = await bench.talk([{ turns: [{ say: 'y' }] }], { more: fork });
      t.ok('its start is told as a resume', count(r, 0, 'MARK-resume') === 1);
      t.ok('and not as a startup', count(r, 0, 'MARK-startup') === 1);
    }),
  },
  team("servers that 'claude mcp add' keeps for a worktree", async ({ ada, t, variant }) => {
    const tree = join(ada.world.dir, 'tree');
    ada.git('worktree', 'add', '-q', '-b', 'tree', tree);
    const claude = (cwd, name) =>
      run([...variant.client.command, 'mcp', 'add', '-s', 'local', name, '--', 'true'], {
        cwd,
        env: ada.world.env,
      });
    await claude(tree, 'in-tree');
    await claude(ada.world.project, 'in-main');
    for (const cwd of [tree, ada.world.project]) {
      const { servers } = JSON.parse((await ada.mcphooks(['scan', '--json'], cwd)).stdout);
      const found = servers.map(({ alias }) => alias);
      t.ok('scan finds them', found.includes('in-tree') && found.includes('in-main'), found.join());
    }
  }),
  granted(
    [
      call('session_start', 'document', { event: 'SessionStart', text: 'MARK-START' }),
      call('pre_request', 'document', { event: 'UserPromptSubmit', text: 'MARK-PROMPT' }),
      call('pre_request', 'echo', { text: 'MARK-PLAIN' }),
      call(
        'post_tool_use',
        'document',
        { event: 'PostToolUse', text: 'MARK-AFTER {tool_name}' },
        { matcher: { tool_name: 'Bash' } },
      ),
    ],
    (r, codes) => [
      [count(r, 0, 'DOCUMENT MARK-PROMPT') === 1, 'pre_request is given by the client itself'],
      [count(r, 1, 'DOCUMENT MARK-AFTER Bash') === 1, 'post_tool_use too, with its template filled in'],
      [count(r, 0, 'ECHO MARK-PLAIN') === 1, 'plain text by a shim'],
      [count(r, 0, 'MARK-START') === 1, 'session_start by a shim, its answer as text'],
      [at(codes, 1, 'handler.control') && at(codes, 3, 'handler.control'), 'the plan says what is granted'],
      [at(codes, 0, 'handler.not-here') && at(codes, 2, 'handler.no-document'), 'and why others stay shims'],
    ],
  ),

  target(
    'target plugin, a client that is too old',
    ({ client }) => client.version === '2.1.118',
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

  fleet(
    'fleet, a plugin that managed settings demand',
    async ({ world, t, sh, hears }) => {
      await sh(EXPORT);
      const market = join(world.project, 'market');
      const text = JSON.stringify(REQUIRED).replace('/srv/market', market);
      t.ok('the page names the folder', text.includes(market));
      const heard = await hears({ [SETTINGS]: text });
      t.ok('it is heard, and nothing else', Object.values(heard).join() === '1,0,0', JSON.stringify(heard));
    },
    manages,
  ),

  fleet(
    'fleet, marketplaces that managed settings know',
    async ({ world, variant, t, sh, hears }) => {
      await sh(EXPORT);
      const [take] = channel(variant);
      const none = { [SETTINGS]: '{ "strictKnownMarketplaces": [] }' };
      t.ok('none: the page has it', page.includes('"strictKnownMarketplaces": []'));
      t.ok('none: it is refused', (await sh(take, none)).code !== 0);
      t.ok("none: the user's own hooks act", (await hears(none))['USER-PROMPT'] === 1);
      const setting = '"strictKnownMarketplaces": [{ "source": "directory", "path": "/srv/market" }]';
      t.ok('one: the page has it', page.includes(setting));
      const one = { [SETTINGS]: `{ ${setting.replace('/srv/market', join(world.project, 'market'))} }` };
      const taken = await sh(take, one);
      t.ok('one: it is taken', taken.code === 0, taken.stdout + taken.stderr);
      t.ok('one: and heard', (await hears(one))['MARK-FLEET'] === 1);
    },
    manages,
  ),
];
