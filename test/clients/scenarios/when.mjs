/** Conditions (`when`): what keeps a hook from printing, on the real clients. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeBench } from '../bench.mjs';
import { OF } from '../of.mjs';
import { count } from '../requests.mjs';
import { TABLES } from '../tables.mjs';
import { put } from '../world.mjs';

const on = (mark, when, more = {}) => ({
  event: 'post_tool_use',
  context: `MARK-${mark} here.`,
  priority: 'suggestion',
  when,
  ...more,
});
const bash = { matcher: { tool_name: 'Bash' } };
const atPrompt = { event: 'pre_request' };
const any = (...tools) => ({ tools, otherwise: 'drop' });

/** Installs from a file of declarations, holds one session, and asks how often each mark stands in its last request. */
const holding = (declarations, body) => async (variant, t) => {
  const bench = await makeBench(variant, []);
  try {
    const list = declarations(variant);
    put(bench.world, { 'when.json': { declarations: list } });
    const { plan } = await bench.install(
      'mem',
      '--send-tool-data',
      '--declarations',
      `${bench.world.dir}/when.json`,
    );
    await body({ bench, t, variant, cells: plan.clients[0].hooks });
  } finally {
    bench.remove();
  }
};

const isUntold = ({ client }, what) => OF[client.id].untold?.includes(what) ?? false;

const COMMIT = { bash: 'git commit --allow-empty -m x && printf TOOL-%s-42 RAN' };
const FAIL = { bash: 'git commit -m nothing || exit 3' };

/** In one session: [mark, times in the last request] for declarations that this client carries. */
function tally(t, { code, requests }, expected) {
  const last = requests.length - 1;
  t.ok('the session ends normally', code === 0, `exit ${code}`);
  for (const [mark, times] of Object.entries(expected)) {
    const n = count(requests, last, `MARK-${mark} `);
    t.ok(`${mark}: ${times === 0 ? 'silent' : `${times} times`}`, n === times, `${n} times`);
  }
}

/** Tools that a client offers and that search or edit by their names, in whatever form it offers them. */
const OFFERED = /^(?!mcp)(?:.*(?:grep|glob|search_file|edit|write_file|replace|apply_patch).*|write)$/i;
function offered(body) {
  const names = new Set();
  const walk = (value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === 'object') {
      if (typeof value.name === 'string') names.add(value.name);
      for (const key of ['tools', 'functionDeclarations', 'function']) walk(value[key]);
    }
  };
  walk(body.tools);
  return [...names].filter((name) => OFFERED.test(name)).sort();
}

/** As the tables in src/clients say; older versions offer fewer. */
const known = ({ client }) => Object.values(TABLES[client.id].conditions.kinds).flat();

const EXAMPLES = join(dirname(fileURLToPath(import.meta.url)), '../../../examples/patterns');

/** The one declaration of an example. */
const example = (name) => JSON.parse(readFileSync(join(EXAMPLES, `${name}.json`), 'utf8')).declarations[0];

/** How often each example speaks in the session below; where nothing tells whether a commit failed, once more. */
const SPOKEN = {
  commit: 2,
  'commit-ticket': 1,
  'push-release': 1,
  'start-recall': 1,
  'start-vault': 1,
  compaction: 0,
  'prompt-rubric': 1,
  'search-index': 1,
  'web-page': 0,
  'web-failed': 0,
  'edit-check': 1,
};
const EITHER = ['commit-ticket'];

export const scenarios = [
  {
    name: 'when: examples/patterns',
    run: holding(
      () => Object.keys(SPOKEN).map(example),
      async ({ bench, t, variant }) => {
        const files = { 'wiki/hot.md': 'At hand.', '.codegraph/graph': '', 'src/a.ts': 'export {};' };
        put(
          bench.world,
          Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/${name}`, text])),
        );
        const calls = [
          COMMIT,
          FAIL,
          { bash: 'git init -q --bare ../remote.git && git push -q ../remote.git HEAD' },
          { bash: 'git push nowhere HEAD' },
          { bash: 'grep -rn export src' },
          { write: `${bench.world.project}/src/b.ts`, text: 'export {};' },
          { write: `${bench.world.project}/note.md`, text: 'a note' },
        ];
        const { code, requests } = await bench.talk([
          { turns: [...calls.map((call) => ({ calls: [call] })), { say: 'x' }] },
        ]);
        t.ok('the session ends normally', code === 0, `exit ${code}`);
        for (const [name, times] of Object.entries(SPOKEN)) {
          const begin = example(name).context.split('{')[0];
          const twice = isUntold(variant, 'shell outcome') && EITHER.includes(name);
          const wanted = isUntold(variant, 'failures') ? Math.min(times, 1) : times + Number(twice);
          const n = count(requests, requests.length - 1, begin);
          t.ok(`${name}: ${wanted} times`, n === wanted, `${n} times`);
        }
      },
    ),
  },
  {
    name: 'when: outcome',
    run: holding(
      () => [
        on('success', { outcome: 'success' }, bash),
        on('failure', { outcome: 'failure' }, bash),
        on('either', { outcome: 'success', if_unknown: 'fire', command: ['git', 'commit'] }),
        on('own', { outcome: 'success', ...any('mcp__mem__*') }),
        on('own-failed', { outcome: 'failure', ...any('mcp__mem__*') }),
      ],
      async ({ bench, t, variant, cells }) => {
        const fidelities = cells.map(({ fidelity }) => fidelity).join(' ');
        const call = (text) => ({ mcp: ['mem', 'echo'], args: { text } });
        // Where a client drops what is added to an error, the next result takes it.
        const calls = [COMMIT, FAIL, call('FAIL'), call('CALLED')];
        const talked = await bench.talk([
          { turns: [...calls.map((one) => ({ calls: [one] })), { say: 'x' }] },
        ]);
        const [told, failed] = ['shell outcome', 'failures'].map((what) => !isUntold(variant, what));
        const [success, failure] = [told, told && failed].map((tells) => (tells ? 'native' : 'unsupported'));
        t.ok(
          'the plan says what the client tells',
          fidelities === [success, failure, 'native', 'native', failure].join(' '),
          fidelities,
        );
        const [once, again] = [Number(told), Number(told && failed)];
        tally(t, talked, {
          success: once,
          failure: again,
          either: told ? 1 : 2,
          own: 1,
          'own-failed': again,
        });
      },
    ),
  },
  {
    name: 'when: command, path, tools',
    run: holding(
      () => [
        on('commit', { command: ['git', 'commit'] }),
        on('push', { command: ['git', 'push'] }),
        on('path', { path: ['*.md'] }),
        on('other-path', { path: ['src/**'] }),
        on('search', any('any:search')),
        on('edit', any('any:edit')),
        on('listed', any('Write', 'mcp__mem__echo')),
      ],
      async ({ bench, t, variant }) => {
        const note = `${bench.world.project}/note.md`;
        const calls = [
          { bash: 'cd . && FOO=1 git -C . commit --allow-empty -m "git push"' },
          { bash: "echo git push; bash -c 'true git push'" },
          { bash: 'grep -rn nothing . || true' },
          { bash: 'ls | grep nothing || true' },
          { write: note, text: 'a note' },
          { mcp: ['mem', 'echo'], args: { text: 'CALLED' } },
        ];
        const talked = await bench.talk([
          { turns: [...calls.map((call) => ({ calls: [call] })), { say: 'x' }] },
        ]);
        tally(t, talked, { commit: 1, push: 0, path: 1, 'other-path': 0, search: 1, edit: 1, listed: 2 });
        const tools = offered(talked.requests[0].body);
        const unknown = tools.filter((name) => !known(variant).includes(name));
        t.ok('every tool that searches or edits is in the table', unknown.length === 0, unknown.join());
      },
    ),
  },
  {
    name: 'when: files, cooldown, unless_called',
    run: holding(
      () => [
        on('there', { files: ['marker.txt', '*.sln'] }, bash),
        on('nowhere', { files: ['nothing.txt'] }, bash),
        on('once', { cooldown: 'session' }, bash),
        on('rest', { cooldown: 600 }, bash),
        on('nag', { unless_called: { tools: ['echo'] } }, bash),
        on('lately', { unless_called: { tools: ['e*'], within: 600 } }, bash),
        on('never-called', { unless_called: { tools: ['document'] } }, bash),
      ],
      async ({ bench, t }) => {
        put(bench.world, { 'project/marker.txt': 'here' });
        const calls = [
          { bash: 'printf one' },
          { bash: 'printf two' },
          { mcp: ['mem', 'echo'], args: { text: 'CALLED' } },
          { bash: 'printf three' },
        ];
        const talked = await bench.talk([
          { turns: [...calls.map((call) => ({ calls: [call] })), { say: 'x' }] },
        ]);
        const times = { there: 3, nowhere: 0, once: 1, rest: 1, nag: 2, lately: 2, 'never-called': 3 };
        tally(t, talked, times);
      },
    ),
  },
  {
    name: 'when: source',
    run: holding(
      () => [
        on('startup', { source: 'startup' }, { event: 'session_start' }),
        on('resume', { source: ['resume', 'clear'] }, { event: 'session_start' }),
        on('compact', { source: 'compact' }, { event: 'session_start' }),
      ],
      async ({ bench, t, variant, cells }) => {
        const { code, requests: r } = await bench.talk([
          { turns: [{ say: 'x' }] },
          { prompt: 'PROMPT-TWO', turns: [{ say: 'y' }] },
        ]);
        t.ok('the session ends normally', code === 0, `exit ${code}`);
        t.ok('startup', count(r, 0, 'MARK-startup ') === 1 && count(r, 0, 'MARK-resume ') === 0);
        const resumed = isUntold(variant, 'resume') ? 0 : 1;
        t.ok('resume', count(r, 1, 'MARK-resume ') === resumed, `${count(r, 1, 'MARK-resume ')} times`);
        t.ok('no second startup', count(r, 1, 'MARK-startup ') <= 1);
        t.ok('compact', count(r, 1, 'MARK-compact ') === 0);
        t.ok(
          'the plan says it',
          cells[2].fidelity === (isUntold(variant, 'compact') ? 'unsupported' : 'native'),
        );
      },
    ),
  },
  {
    name: 'when: templates and answers',
    run: holding(
      () => [
        on('dir', undefined, { ...bash, context: 'MARK-dir {project_dir} {tool_input.command} here.' }),
        on('name', undefined, { ...atPrompt, context: 'MARK-name {tool:echo} here.' }),
        {
          event: 'pre_request',
          context_tool: 'echo',
          context_tool_args: { text: 'MARK-asked {prompt} END' },
          priority: 'important',
          when: { answer: { max: 60 } },
        },
        {
          event: 'pre_request',
          context_tool: 'document',
          context_tool_args: { event: 'none', text: 'MARK-picked END' },
          priority: 'important',
          when: { answer: { select: '/hookSpecificOutput/additionalContext' } },
        },
      ],
      async ({ bench, t, variant }) => {
        const { code, requests: r } = await bench.talk(
          [{ prompt: 'PROMPT-ONE', turns: [{ calls: [{ bash: 'printf one' }] }, { say: 'x' }] }],
          {},
        );
        t.ok('the session ends normally', code === 0, `exit ${code}`);
        const dir = `MARK-dir ${bench.world.project} printf one here.`;
        t.ok('project_dir and a field of the input', count(r, 1, dir) === 1);
        const name = TABLES[variant.client.id].tools.mcp.name
          .replace('{alias}', 'mem')
          .replace('{tool}', 'echo');
        t.ok('the name of an own tool', count(r, 0, `MARK-name ${name} here.`) === 1);
        t.ok('what a pointer selects', count(r, 0, 'DOCUMENT MARK-picked END') === 1);
        t.ok('and nothing around it', count(r, 0, 'additionalContext') === 0);
        t.ok('the prompt', count(r, 0, 'ECHO MARK-asked PROMPT-ONE END') === 1);
      },
    ),
  },
];
