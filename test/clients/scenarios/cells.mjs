/** Every cell of the table in docs/clients.md: six events, static and dynamic, in real sessions. */
import { makeBench } from '../bench.mjs';
import { logHolds } from '../logged.mjs';
import { OF } from '../of.mjs';
import { count, follows, ownHooksFire } from '../requests.mjs';
import { fidelityOn, TABLES } from '../tables.mjs';

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
  fidelityOn(variant.client, event) === 'unsupported'
    ? [[r.every((_, i) => count(r, i, m) === 0), 'in no request']]
    : EXPECT[event]({ r, m, at: at(variant, r, m) });

/**
 * Whether a request has the text at a prompt: behind it, or, where the client gives texts first, behind what stands
 * before the prompt.
 */
const at = (variant, r, m) => (i, prompt, before) => {
  const first = OF[variant.client.id].textFirst;
  return first ? before === undefined || follows(r, i, m, before) : follows(r, i, m, prompt);
};

/**
 * When each fidelity says that the text comes. Requests: 0 the first prompt, 1 after its tool call, 2 the second prompt
 * of the same session.
 */
const EXPECT = {
  session_start: ({ r, m }) => [
    [count(r, 0, m) === 1, 'in the first request, once'],
    [count(r, 1, m) === 1, 'not again after a tool call'],
  ],
  pre_request: ({ r, m, at }) => [
    [count(r, 0, m) === 1 && at(0, 'PROMPT-ONE'), 'with the first prompt'],
    [count(r, 1, m) === 1, 'not again after a tool call'],
    [count(r, 2, m) === 2 && at(2, 'PROMPT-TWO', 'ANSWER-ONE'), 'with the second prompt, once'],
  ],
  pre_tool_use: ({ r, m }) => [
    [count(r, 0, m) === 0, 'not before the tool call'],
    [count(r, 1, m) === 1, 'with the result of the tool call, once'],
  ],
  post_tool_use: ({ r, m }) => [
    [count(r, 0, m) === 0, 'not before the tool call'],
    [count(r, 1, m) === 1, 'after the tool call, once'],
  ],
  post_request: ({ r, m, at }) => [
    [count(r, 0, m) + count(r, 1, m) === 0, 'not before the turn has ended'],
    [count(r, 2, m) === 1 && at(2, 'PROMPT-TWO', 'ANSWER-ONE'), 'with the second prompt, once'],
  ],
};

export const PROMPTS = [
  { prompt: 'PROMPT-ONE', turns: [{ calls: [COMMIT] }, { say: 'ANSWER-ONE' }] },
  { prompt: 'PROMPT-TWO', turns: [{ say: 'ANSWER-TWO' }] },
];

const cells = (kind) => ({
  name: `cells ${kind}`,
  cells: true,
  async run(variant, t) {
    const events = EVENTS.slice(0, -1);
    const bench = await makeBench(variant, EVENTS.map(KINDS[kind]));
    try {
      const installed = await bench.install();
      const talked = await bench.talk(PROMPTS);
      const r = talked.requests;
      // Where some events come at a terminal only, the others are proved in both ways.
      const { atTerminal = [] } = OF[variant.client.id];
      const without = atTerminal.length > 0 ? await bench.talk(PROMPTS, { terminal: false }) : undefined;
      for (const { code, unused, requests } of [talked, ...(without ? [without] : [])])
        t.ok(
          'the session ends normally',
          code === 0 && unused === 0 && requests.length === 3,
          `exit ${code}, ${requests.length} requests`,
        );
      for (const [i, event] of events.entries()) {
        const both = without && !atTerminal.includes(event) ? [r, without.requests] : [r];
        const { client } = variant;
        t.cell(event, kind, fidelityOn(client, event), [
          planned(variant, event, fidelity(installed, i + 1)),
          ...both.flatMap((each) => expected(variant, event, { r: each, m: mark(kind, event) })),
        ]);
      }
      t.ok('session_end is not given by default', ![0, 1, 2].some((i) => count(r, i, 'MARK-session_end')));
      t.ok('tool results intact', r[1] && JSON.stringify(r[1].body).includes('TOOL-RAN-42'));
      t.ok("the user's own hooks fire", ownHooksFire(talked));
      const { holds, detail } = await logHolds(bench, [talked, ...(without ? [without] : [])]);
      t.ok('log and stats say what the model received', holds, detail);
    } finally {
      bench.remove();
    }
  },
});

const sessionEnd = (kind) => ({
  name: `session_end ${kind}, deferred`,
  perClient: true,
  cells: true,
  when: (variant) => claimed(variant, 'session_end') !== 'unsupported',
  async run(variant, t) {
    const bench = await makeBench(variant, [KINDS[kind]('session_end')]);
    const m = mark(kind, 'session_end');
    try {
      const installed = await bench.install('mem', '--session-end', 'defer');
      const how = OF[variant.client.id].endsAtTerminal ? { terminal: true } : {};
      const first = await bench.talk([PROMPTS[0]], how);
      const second = await bench.talk([PROMPTS[1]], how);
      const third = await bench.talk([{ prompt: 'PROMPT-THREE', turns: [{ say: 'x' }] }], how);
      const given = fidelityOn(variant.client, 'session_end') === 'unsupported' ? 0 : 1;
      t.cell('session_end', kind, fidelityOn(variant.client, 'session_end'), [
        planned(variant, 'session_end', fidelity(installed, 1)),
        [first.code === 0 && second.code === 0, 'both sessions end normally'],
        [count(first.requests, 0, m) + count(first.requests, 1, m) === 0, 'not in the session that ends'],
        [count(second.requests, 0, m) === given, `in the project's next session, ${given} times`],
        [count(third.requests, 0, m) === given, `and again after that session, ${given} times`],
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
