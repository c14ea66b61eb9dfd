/** At a terminal: one process with several prompts and sessions, /clear, resume, and prompts that wait in line. */
import { count, makeBench } from '../bench.mjs';
import { noTerminal, openTui } from '../tui.mjs';
import { leftovers, put } from '../world.mjs';
import { ONCE_MORE } from './life.mjs';

const say = (event, context) => ({ event, context, priority: 'suggestion' });
const answers = (...names) => names.map((name) => ({ say: `ANSWER-${name}` }));
async function ask(tui, name) {
  await tui.enter(`PROMPT-${name}`);
  await tui.shows(`ANSWER-${name}`);
}

/** `overlay`: hooks of a file, which may have conditions; the server then declares none. */
const scenario = (name, only, declarations, body, { more, overlay } = {}) => ({
  name: `interactive: ${name}`,
  ...(only && { only: [only].flat() }),
  async run(variant, t) {
    if (noTerminal) return t.skip(noTerminal);
    const { client, model, trust } = variant;
    const bench = await makeBench(variant, declarations, { more });
    const requests = [];
    /** Holds a session, and adds what its model was sent to `requests`. */
    const hold = async (options, talk) => {
      const tui = await openTui(client, { world: bench.world, model, trust, ...options });
      try {
        await talk(tui);
      } finally {
        await tui.close();
        requests.push(...tui.requests);
      }
    };
    /** `expected`: how often each text stands in each request, undefined where it doesn't matter. */
    const counts = (expected) => {
      const r = requests.filter((x) => x.kind === 'main');
      for (const [text, wanted] of Object.entries(expected)) {
        const found = r.map((_, i) => count(r, i, text));
        t.ok(
          `${text} ${wanted.map((n) => n ?? '-').join(' ')}`,
          r.length === wanted.length && wanted.every((n, i) => n === undefined || n === found[i]),
          `${r.length} requests: ${found.join(' ')}`,
        );
      }
    };
    try {
      if (overlay) put(bench.world, { 'hooks.json': { declarations: overlay } });
      const from = overlay ? ['--declarations', `${bench.world.dir}/hooks.json`] : [];
      await bench.install('mem', '--session-end', 'defer', ...from);
      await body({ variant, t, hold, counts, requests });
      const left = await leftovers(bench.world);
      t.ok('no process is left behind', left.length === 0, left.join('; '));
    } finally {
      bench.remove();
    }
  },
});

/** Claude Code mostly doesn't inject a SessionStart text again that a resumed session holds already (since 2.1.250). */
const EACH_START = { 'MARK-START': [1, 1, 1, 1, 2], 'MARK-END': [0, 0, 1, 1, 2] };
const STARTS = {
  'claude-code': { 'MARK-START': [1, 1, 1, 1, undefined], 'MARK-END': [0, 0, 1, 1, undefined] },
  'claude-code 2.1.118': EACH_START,
  // A session that was cleared ends with the process.
  codex: { 'MARK-START': [1, 1, 1, 1, 2], 'MARK-END': [0, 0, 0, 0, 1] },
  'gemini-cli': EACH_START,
};

export const scenarios = [
  scenario(
    '/clear and resume',
    undefined,
    [
      say('session_start', 'MARK-START'),
      say('pre_request', 'MARK-EACH'),
      say('post_request', 'MARK-AFTER'),
      say('session_end', 'MARK-END'),
    ],
    async ({ variant: { client }, hold, counts }) => {
      await hold({ turns: answers('ONE', 'TWO', 'THREE', 'FOUR') }, async (tui) => {
        await ask(tui, 'ONE');
        await ask(tui, 'TWO');
        await tui.clear('ANSWER-TWO');
        await ask(tui, 'THREE');
        await ask(tui, 'FOUR');
        await tui.quit();
      });
      await hold({ turns: answers('FIVE'), again: true }, async (tui) => {
        await ask(tui, 'FIVE');
        await tui.quit();
      });
      counts({
        'PROMPT-': [1, 2, 1, 2, 3],
        'MARK-EACH': [1, 2, 1, 2, 3],
        'MARK-AFTER': [0, 1, 0, 1, 2],
        ...(STARTS[`${client.id} ${client.version}`] ?? STARTS[client.id]),
      });
    },
  ),
  scenario(
    'when: source',
    undefined,
    [],
    async ({ hold, counts }) => {
      await hold({ turns: answers('ONE', 'TWO') }, async (tui) => {
        await ask(tui, 'ONE');
        await tui.clear('ANSWER-ONE');
        await ask(tui, 'TWO');
        await tui.quit();
      });
      await hold({ turns: answers('THREE'), again: true }, async (tui) => {
        await ask(tui, 'THREE');
        await tui.quit();
      });
      counts({
        'PROMPT-': [1, 1, 2],
        'MARK-STARTED': [1, 0, 0],
        'MARK-CLEARED': [0, 1, undefined],
        'MARK-RESUMED': [0, 0, 1],
      });
    },
    {
      overlay: [
        ['startup', 'MARK-STARTED'],
        ['clear', 'MARK-CLEARED'],
        ['resume', 'MARK-RESUMED'],
      ].map(([source, text]) => ({ ...say('session_start', text), when: { source } })),
    },
  ),
  scenario(
    'when: source compact',
    ['claude-code', 'codex'],
    [],
    async ({ t, hold, requests }) => {
      // How many requests a compaction takes is the client's affair.
      await hold({ turns: answers('ONE', 'TWO', 'TWO', 'TWO') }, async (tui) => {
        await ask(tui, 'ONE');
        await tui.enter('/compact');
        await tui.shows('ompacted');
        await ask(tui, 'TWO');
        await tui.quit();
      });
      const main = requests.filter(({ kind }) => kind === 'main');
      const marks = (i) => ['MARK-STARTED', 'MARK-COMPACTED'].map((text) => count(main, i, text)).join(' ');
      t.ok('before: as started', marks(0) === '1 0', marks(0));
      t.ok('after: as compacted', /^[01] 1$/.test(marks(main.length - 1)), marks(main.length - 1));
    },
    {
      overlay: [
        ['startup', 'MARK-STARTED'],
        ['compact', 'MARK-COMPACTED'],
      ].map(([source, text]) => ({ ...say('session_start', text), when: { source } })),
    },
  ),
  scenario(
    'a prompt that waits in line',
    'gemini-cli',
    [say('pre_request', 'MARK-EACH'), say('post_request', 'MARK-AFTER')],
    async ({ hold, counts }) => {
      let release;
      const when = new Promise((done) => (release = done));
      const [one, two] = answers('ONE', 'TWO');
      await hold({ turns: [{ ...one, when }, two] }, async (tui) => {
        await tui.enter('PROMPT-ONE');
        await tui.until('request', () => tui.requests.length === 1);
        await tui.type('PROMPT-TWO');
        release();
        await tui.shows('ANSWER-TWO');
        await tui.quit();
      });
      counts({ 'PROMPT-TWO': [0, 1], 'MARK-EACH': [1, 2], 'MARK-AFTER': [0, 1] });
    },
  ),
  scenario(
    "a continuation is not the user's prompt",
    'gemini-cli',
    [say('pre_request', 'MARK-EACH')],
    async ({ hold, counts }) => {
      const turns = ['ONE', 'TWO', 'THREE'].flatMap((name) => [{ say: 'HALF' }, ...answers(name)]);
      await hold({ turns }, async (tui) => {
        await ask(tui, 'ONE');
        await ask(tui, 'TWO');
        await tui.clear('ANSWER-TWO');
        await ask(tui, 'THREE');
        await tui.quit();
      });
      counts({ 'GO ON': [0, 1, 1, 2, 0, 1], 'MARK-EACH': [1, 1, 2, 2, 1, 1] });
    },
    { more: { 'project/.gemini/settings.json': ONCE_MORE } },
  ),
];
