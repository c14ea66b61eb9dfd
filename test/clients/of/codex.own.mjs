/** Scenarios that only Codex can have. */
import { join } from 'node:path';
import { delivered, silent } from '../delivered.mjs';
import { at, call, granted } from '../granted.mjs';
import { count, seen } from '../requests.mjs';
import { PROMPTS } from '../scenarios/cells.mjs';
import { interrupted } from '../scenarios/interactive.mjs';
import { ONE, ownMarks, say, using } from '../scenarios/life.mjs';
import { scenario as team } from '../scenarios/teams.mjs';

export const scenarios = [
  { ...ownMarks, when: ({ model }) => model === 'gpt-5.5' },
  interrupted([0, 1]),
  granted(
    [
      call('session_start', 'echo', { text: 'MARK-START {unknown}' }),
      call('pre_request', 'echo', { text: 'MARK-PROMPT of {session_id}' }),
      call('post_tool_use', 'echo', { text: 'MARK-AFTER' }, { matcher: { tool_name: 'Bash' } }),
      call('pre_request', 'echo', { text: 'MARK-DOLLAR ${HOME}' }),
    ],
    (r, codes) => [
      [count(r, 0, 'ECHO MARK-START {unknown}') === 1, 'session_start is given by the client itself'],
      [count(r, 0, 'ECHO MARK-PROMPT of ') === 1, 'pre_request too'],
      [count(r, 0, '{session_id}') === 0, 'with its template filled in'],
      [count(r, 1, 'ECHO MARK-AFTER') === 1, 'post_tool_use by a shim'],
      [count(r, 0, 'ECHO MARK-DOLLAR ${HOME}') === 1, 'what Codex would replace by a shim'],
      [at(codes, 0, 'handler.control') && at(codes, 1, 'handler.control'), 'the plan says what is granted'],
      [at(codes, 2, 'handler.not-here') && at(codes, 3, 'handler.dollar'), 'and why others stay shims'],
    ],
  ),

  {
    name: 'hooks that nobody has reviewed',
    run: using([say('pre_request', 'MARK-MEM')], async ({ bench, t }) => {
      await bench.install();
      const { code, requests } = await bench.talk(ONE, { trust: 'none' });
      t.ok('stay silent', code === 0 && requests.length === 2 && seen(requests, 'MARK-').length === 0);
    }),
  },
  {
    name: "a user's hook behind ours stays reviewed",
    run: using([say('pre_request', 'MARK-MEM')], async ({ bench, t }) => {
      await bench.install();
      bench.addUserHook('UserPromptSubmit', 'USER-LATER');
      const during = await bench.talk(ONE, { trust: 'review' });
      t.ok(
        'both arrive',
        count(during.requests, 0, 'MARK-MEM') === 1 && count(during.requests, 0, 'USER-LATER') === 1,
      );
      await bench.uninstall();
      const { requests } = await bench.talk(ONE, { trust: 'none' });
      t.ok(
        "the user's two hooks fire without another review",
        count(requests, 0, 'USER-PROMPT') === 1 && count(requests, 0, 'USER-LATER') === 1,
      );
      await bench.install();
      const again = await bench.talk(ONE, { trust: 'none' });
      t.ok(
        'and after another install',
        count(again.requests, 0, 'USER-PROMPT') === 1 && count(again.requests, 0, 'USER-LATER') === 1,
      );
    }),
  },
  team('a trusted folder whose hooks nobody has reviewed', async ({ ada, t }) => {
    await ada.install();
    ada.trust();
    silent(t, 'unreviewed', await ada.talk(PROMPTS, { trust: 'none' }), { own: false });
  }),
  team('a worktree of which only the main checkout is trusted', async ({ ada, t }) => {
    await ada.install();
    ada.commit();
    const tree = join(ada.world.dir, 'tree');
    ada.git('worktree', 'add', '-q', '-b', 'tree', tree);
    ada.trust();
    const states = async () => {
      const { servers } = JSON.parse((await ada.mcphooks(['list', '--json'], tree)).stdout);
      return servers.flatMap(({ clients }) => clients.map(({ state }) => state)).join();
    };
    t.ok('list says that nobody has reviewed the hooks', (await states()) === 'untrusted');
    delivered(t, await ada.talk(PROMPTS, { cwd: tree, trust: 'review' }));
    t.ok('and then that they fire', (await states()) === 'current');
  }),
  team('hooks that only a worktree has', async ({ ada, t }) => {
    const tree = join(ada.world.dir, 'tree');
    ada.git('worktree', 'add', '-q', '-b', 'tree', tree);
    ada.trust();
    const install = ['install', 'mem', '--client', 'codex', '--scope', 'project'];
    const hash = /--allow-start ([0-9a-f]{64})/.exec(
      (await ada.mcphooks([...install, '--dry-run'], tree)).stderr,
    )[1];
    const { code } = await ada.mcphooks([...install, '--yes', '--allow-start', hash], tree);
    t.ok('are installed', code === 0);
    silent(t, 'in the worktree', await ada.talk(PROMPTS, { cwd: tree, trust: 'review' }));
    const said = (await ada.mcphooks(['doctor'], tree)).stdout;
    t.ok('doctor says that Codex takes those of the main checkout', said.includes('main checkout'));
  }),
];
