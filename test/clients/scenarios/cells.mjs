/** Every cell of the table in docs/clients.md: six events, static and dynamic, in real sessions. */
import { count, follows, makeBench } from '../bench.mjs';
import { TABLES } from '../tables.mjs';

export const EVENTS = [
  'session_start',
  'pre_request',
  'pre_tool_use',
  'post_tool_use',
  'post_request',
  'session_end',
];
const ON_TOOLS = new Set(['pre_tool_use', 'post_tool_use']);
export const COMMIT = { bash: 'git commit --allow-empty -m x && printf TOOL-%s-42 RAN' };

const matcher = (event) =>
  ON_TOOLS.has(event) ? { matcher: { tool_name: 'Bash', input_contains: 'git commit' } } : {};
const KINDS = {
  context: (event) => ({
    event,
    ...matcher(event),
    context: `MARK-${event} stands here.`,
    priority: 'suggestion',
  }),
  context_tool: (event) => ({
    event,
    ...matcher(event),
    context_tool: 'echo',
    context_tool_args: { text: `MARK-${event} stands here, {project_name}.` },
    priority: 'important',
  }),
};
/** What only the tool can have said. */
const mark = (kind, event) =>
  kind === 'context' ? `MARK-${event} stands here.` : `ECHO MARK-${event} stands here, project.`;

/** What the plan called declaration `n` (from 1). */
const fidelity = ({ plan }, n) => plan.clients[0].hooks.find((h) => h.n === n)?.fidelity;

/** What the client's own table says. */
const claimed = ({ client }, event) => TABLES[client.id].events[event].fidelity;
const planned = (variant, event, found) => [
  found === claimed(variant, event),
  `planned as ${claimed(variant, event)}, but as ${found}`,
];
/** How a text comes out; one that the client can't carry is in no request. */
const expected = (variant, event, { r, m }) =>
  claimed(variant, event) === 'unsupported'
    ? [[r.every((_, i) => count(r, i, m) === 0), 'in no request']]
    : EXPECT[event]({ r, m });

/** When each fidelity says that the text comes. Requests: 0 the first prompt, 1 after its tool call, 2 the second prompt of the same session. */
const EXPECT = {
  session_start: ({ r, m }) => [
    [count(r, 0, m) === 1, 'in the first request, once'],
    [count(r, 1, m) === 1, 'not again after a tool call'],
  ],
  pre_request: ({ r, m }) => [
    [count(r, 0, m) === 1 && follows(r, 0, m, 'PROMPT-ONE'), 'after the first prompt'],
    [count(r, 1, m) === 1, 'not again after a tool call'],
    [count(r, 2, m) === 2 && follows(r, 2, m, 'PROMPT-TWO'), 'after the second prompt, once'],
  ],
  pre_tool_use: ({ r, m }) => [
    [count(r, 0, m) === 0, 'not before the tool call'],
    [count(r, 1, m) === 1, 'with the result of the tool call, once'],
  ],
  post_tool_use: ({ r, m }) => [
    [count(r, 0, m) === 0, 'not before the tool call'],
    [count(r, 1, m) === 1, 'after the tool call, once'],
  ],
  post_request: ({ r, m }) => [
    [count(r, 0, m) + count(r, 1, m) === 0, 'not before the turn has ended'],
    [count(r, 2, m) === 1 && follows(r, 2, m, 'PROMPT-TWO'), 'with the second prompt, once'],
  ],
};

export const PROMPTS = [
  { prompt: 'PROMPT-ONE', turns: [{ calls: [COMMIT] }, { say: 'ANSWER-ONE' }] },
  { prompt: 'PROMPT-TWO', turns: [{ say: 'ANSWER-TWO' }] },
];

const cells = (kind) => ({
  name: `cells ${kind}`,
  async run(variant, t) {
    const events = EVENTS.slice(0, -1);
    const bench = await makeBench(variant, EVENTS.map(KINDS[kind]));
    try {
      const installed = await bench.install();
      const { code, requests: r, unused } = await bench.talk(PROMPTS);
      t.ok(
        'the session ends normally',
        code === 0 && unused === 0 && r.length === 3,
        `exit ${code}, ${r.length} requests`,
      );
      for (const [i, event] of events.entries())
        t.cell(event, kind, fidelity(installed, i + 1), [
          planned(variant, event, fidelity(installed, i + 1)),
          ...expected(variant, event, { r, m: mark(kind, event) }),
        ]);
      t.ok('session_end is not given by default', ![0, 1, 2].some((i) => count(r, i, 'MARK-session_end')));
      t.ok('tool results intact', r[1] && JSON.stringify(r[1].body).includes('TOOL-RAN-42'));
      t.ok("the user's own hooks fire", count(r, 0, 'USER-PROMPT') === 1 && count(r, 1, 'USER-TOOL') === 1);
    } finally {
      bench.remove();
    }
  },
});

const sessionEnd = (kind) => ({
  name: `session_end ${kind}, deferred`,
  async run(variant, t) {
    if (claimed(variant, 'session_end') === 'unsupported')
      return t.skip('the client says that it tells no hook of the end of a session');
    const bench = await makeBench(variant, [KINDS[kind]('session_end')]);
    const m = mark(kind, 'session_end');
    try {
      const installed = await bench.install('mem', '--session-end', 'defer');
      const first = await bench.talk([PROMPTS[0]]);
      const second = await bench.talk([PROMPTS[1]]);
      const third = await bench.talk([{ prompt: 'PROMPT-THREE', turns: [{ say: 'x' }] }]);
      t.cell('session_end', kind, fidelity(installed, 1), [
        planned(variant, 'session_end', fidelity(installed, 1)),
        [first.code === 0 && second.code === 0, 'both sessions end normally'],
        [count(first.requests, 0, m) + count(first.requests, 1, m) === 0, 'not in the session that ends'],
        [count(second.requests, 0, m) === 1, "in the project's next session, once"],
        [count(third.requests, 0, m) === 1, 'and again after that session, once'],
      ]);
    } finally {
      bench.remove();
    }
  },
});

export const scenarios = [
  cells('context'),
  cells('context_tool'),
  sessionEnd('context'),
  sessionEnd('context_tool'),
];
