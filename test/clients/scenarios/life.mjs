/** Install, update, uninstall around real sessions; several servers; size limits; prompts that aren't the user's. */
import { makeBench } from '../bench.mjs';
import { OF } from '../of.mjs';
import { count, seen } from '../requests.mjs';
import { COMMIT } from './cells.mjs';

export const say = (event, context, more = {}) => ({ event, context, priority: 'suggestion', ...more });
export const ONE = [{ prompt: 'PROMPT-ONE', turns: [{ calls: [COMMIT] }, { say: 'x' }] }];
export const using = (declarations, body, options) => async (variant, t) => {
  const bench = await makeBench(variant, declarations, options);
  try {
    await body({ bench, t, variant });
  } finally {
    bench.remove();
  }
};

const calls = (event) => ({
  event,
  context_tool: 'echo',
  context_tool_args: { text: 'MARK-DYNAMIC' },
  priority: 'suggestion',
});

/** Of clients whose payloads have the main agent's session, and the sub-agent's id. */
export const ownMarks = {
  name: "a sub-agent's calls use up nothing of the main agent's",
  run: using([say('post_tool_use', 'MARK-A', { matcher: { tool_name: 'Bash' } })], async ({ bench, t }) => {
    await bench.install('mem', '--cooldown', '600');
    const turns = [{ calls: [{ agent: 'SUBTASK' }] }, { calls: [{ bash: 'sleep 1' }] }, { say: 'x' }];
    const sub = [{ calls: [{ bash: 'true' }] }, { say: 'SUB-DONE' }];
    const { requests } = await bench.talk([{ turns, sub }]);
    const last = (kind) => requests.findLastIndex((r) => r.kind === kind);
    t.ok('the sub-agent reads the text', last('sub') >= 0 && count(requests, last('sub'), 'MARK-A') === 1);
    t.ok('and the main agent, too', count(requests, last('main'), 'MARK-A') === 1);
  }),
};

export const scenarios = [
  {
    name: 'a changed server definition',
    anywhere: true,
    run: using([calls('pre_request'), say('pre_request', 'MARK-STATIC')], async ({ bench, t }) => {
      await bench.install();
      const before = await bench.talk(ONE);
      t.ok(
        'the tool is called while it is the approved one',
        count(before.requests, 0, 'ECHO MARK-DYNAMIC') === 1,
      );
      bench.changeDefinition();
      const { requests, code } = await bench.talk(ONE);
      t.ok('and no more when it has changed', code === 0 && count(requests, 0, 'ECHO MARK-DYNAMIC') === 0);
      t.ok('static text still arrives', count(requests, 0, 'MARK-STATIC') === 1);
    }),
  },
  {
    name: 'a server that was removed from this client, and that another client has',
    run: using([calls('pre_request')], async ({ bench, t }) => {
      bench.alsoElsewhere();
      await bench.install();
      bench.removeDefinition();
      const differs = await bench.mcphooks('diff', 'mem');
      t.ok('diff says what to do', differs.code === 2 && differs.stdout.includes('mcphooks install mem'));
      const { requests, code } = await bench.talk(ONE);
      t.ok('its tool is still called', code === 0 && count(requests, 0, 'ECHO MARK-DYNAMIC') === 1);
      await bench.install();
      t.ok('and nothing differs after an install', (await bench.mcphooks('diff', 'mem')).code === 0);
    }),
  },
  {
    name: "a project's file takes the server's name over",
    run: using([calls('pre_request')], async ({ bench, t }) => {
      await bench.install();
      bench.takeOver();
      const { requests, code } = await bench.talk(ONE, { trustProject: true });
      t.ok('the approved server is asked', code === 0 && count(requests, 0, 'ECHO MARK-DYNAMIC') === 1);
      t.ok('the other one is not', seen(requests, 'permissionDecision').length === 0);
    }),
  },
  {
    name: 'MCPHOOKS_DISABLE',
    perClient: true,
    run: using([say('pre_request', 'MARK-STATIC'), calls('pre_request')], async ({ bench, t }) => {
      await bench.install();
      const { requests, code } = await bench.talk(ONE, { env: { MCPHOOKS_DISABLE: '1' } });
      t.ok(
        'silences every hook',
        code === 0 && requests.length === 2 && seen(requests, 'MARK-').length === 0,
      );
      const other = await bench.talk(ONE, { env: { MCPHOOKS_DISABLE: 'other' } });
      t.ok("another server's name doesn't", count(other.requests, 0, 'MARK-STATIC') === 1);
    }),
  },
  {
    name: 'uninstall',
    run: using(
      [say('pre_request', 'MARK-A'), say('post_tool_use', 'MARK-B')],
      async ({ bench, t, variant }) => {
        const before = bench.homeFiles();
        await bench.install();
        await bench.uninstall();
        t.ok(
          'files are byte for byte what they were',
          JSON.stringify(bench.homeFiles()) === JSON.stringify(before),
        );
        await bench.install();
        const during = await bench.talk(ONE);
        t.ok(
          'injected while installed',
          count(during.requests, 1, 'MARK-A') === 1 && count(during.requests, 1, 'MARK-B') === 1,
        );
        await bench.uninstall();
        // What the user had reviewed before is still reviewed.
        const after = await bench.talk(ONE, variant.trust === 'review' ? { trust: 'none' } : {});
        t.ok(
          'nothing is injected after uninstall',
          after.code === 0 && seen(after.requests, 'MARK-').length === 0,
        );
        t.ok(
          "the user's own hooks fire",
          count(after.requests, 0, 'USER-PROMPT') === 1 && count(after.requests, 1, 'USER-TOOL') === 1,
        );
      },
    ),
  },
  {
    name: '--cooldown',
    anywhere: true,
    run: using([say('post_tool_use', 'MARK-A', { matcher: { tool_name: 'Bash' } })], async ({ bench, t }) => {
      await bench.install('mem', '--cooldown', '600');
      const twice = [{ turns: [{ calls: [COMMIT] }, { calls: [{ bash: 'true' }] }, { say: 'x' }] }];
      const first = await bench.talk(twice);
      t.ok(
        'silent for the second call',
        count(first.requests, 1, 'MARK-A') === 1 && count(first.requests, 2, 'MARK-A') === 1,
      );
      const second = await bench.talk(twice);
      t.ok('but not in another session', count(second.requests, 1, 'MARK-A') === 1);
    }),
  },
  {
    name: '--cooldown, and a session that goes on',
    run: using([say('session_start', 'MARK-START')], async ({ bench, t, variant }) => {
      // Where a second prompt is another session, the text is given anew.
      if (OF[variant.client.id].untold?.includes('resume')) return;
      await bench.install('mem', '--cooldown', '600');
      const { requests: r } = await bench.talk([{ turns: [{ say: 'x' }] }, { turns: [{ say: 'y' }] }]);
      const marks = r.map((_, i) => seen([r[i]], 'MARK-START').length).join(' ');
      t.ok('the text of the start stays, once', marks === '1 1', marks);
    }),
  },
  {
    name: 'two servers on one event',
    run: using(
      {
        mem: [say('pre_request', 'MARK-MEM'), say('post_tool_use', 'MARK-MEM-TOOL')],
        log: [say('pre_request', 'MARK-LOG'), say('post_tool_use', 'MARK-LOG-TOOL')],
      },
      async ({ bench, t }) => {
        await bench.install('mem');
        await bench.install('log');
        const both = await bench.talk(ONE);
        for (const mark of ['MARK-MEM', 'MARK-LOG'])
          t.ok(
            `${mark} arrives`,
            count(both.requests, 0, mark) === 1 && count(both.requests, 1, `${mark}-TOOL`) === 1,
          );
        await bench.uninstall('mem');
        const one = await bench.talk(ONE);
        t.ok(
          'the other stays when one goes',
          count(one.requests, 0, 'MARK-LOG') === 1 && count(one.requests, 0, 'MARK-MEM') === 0,
        );
      },
    ),
  },
  {
    name: 'changed declarations',
    anywhere: true,
    run: using([say('pre_request', 'MARK-OLD')], async ({ bench, t }) => {
      const { plan } = await bench.install();
      await bench.talk(ONE);
      bench.declare([say('pre_request', 'MARK-NEW')]);
      const refused = await bench.mcphooks('install', 'mem', '--yes');
      t.ok('are refused without approval', refused.code === 3, `exit ${refused.code}`);
      const still = await bench.talk(ONE);
      t.ok(
        'and what was approved stays',
        count(still.requests, 0, 'MARK-OLD') === 1 && count(still.requests, 0, 'MARK-NEW') === 0,
      );
      const edited = bench.editEntries(plan.clients[0].file);
      await bench.install('mem', '--accept-changed');
      t.ok('the timeouts that the user raised in our entries stay', edited.any && edited.stand());
      const { requests } = await bench.talk(ONE);
      t.ok(
        'once approved, only the new ones fire',
        count(requests, 0, 'MARK-NEW') === 1 && count(requests, 0, 'MARK-OLD') === 0,
      );
    }),
  },
  {
    name: 'texts at the size limit',
    run: using(
      [1, 2].flatMap((n) => [
        say('pre_request', `BEGIN-P${n}${'ä'.repeat(2_300)}END-P${n}`),
        say('post_tool_use', `BEGIN-T${n}${'t'.repeat(2_300)}END-T${n}`),
      ]),
      async ({ bench, t }) => {
        await bench.install();
        const { requests } = await bench.talk(ONE);
        for (const n of [1, 2])
          for (const [i, what, letter] of [
            [0, 'P', 'ä'],
            [1, 'T', 't'],
          ])
            t.ok(
              `${what}${n} arrives whole`,
              count(requests, i, `BEGIN-${what}${n}${letter.repeat(2_300)}END-${what}${n}`) === 1,
            );
      },
    ),
  },
  {
    name: 'one text of 8,000 characters',
    run: using([say('pre_request', `BEGIN${'a'.repeat(7_990)}END`)], async ({ bench, t }) => {
      await bench.install();
      const { requests } = await bench.talk(ONE);
      t.ok('arrives whole', count(requests, 0, `BEGIN${'a'.repeat(7_990)}END`) === 1);
    }),
  },
  {
    name: "a sub-agent's prompt is not the user's",
    when: (variant) => OF[variant.client.id].subAgents?.(variant) ?? false,
    run: using([say('pre_request', 'MARK-PROMPT')], async ({ bench, t }) => {
      await bench.install();
      const turns = [{ calls: [{ agent: 'SUBTASK' }] }, { calls: [{ bash: 'sleep 1' }] }, { say: 'x' }];
      const { requests } = await bench.talk([{ turns, sub: [{ say: 'SUB-DONE' }] }]);
      const sub = requests.findIndex((r) => r.kind === 'sub');
      t.ok('the sub-agent ran', sub >= 0);
      t.ok('and was told nothing', sub >= 0 && count(requests, sub, 'MARK-PROMPT') === 0);
    }),
  },
];
