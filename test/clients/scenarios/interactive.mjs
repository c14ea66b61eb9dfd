/** At a terminal: one process with several prompts and sessions, /clear, resume, and prompts that wait in line. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { noTerminal, openTui } from '../tui.mjs';
import { leftovers, put } from '../world.mjs';

export const say = (event, context) => ({ event, context, priority: 'suggestion' });
export const answers = (...names) => names.map((name) => ({ say: `ANSWER-${name}` }));
export async function ask(tui, name) {
  await tui.enter(`PROMPT-${name}`);
  await tui.shows(`ANSWER-${name}`);
}

/** `overlay`: hooks of a file, which may have conditions; the server then declares none. */
export const scenario = (name, declarations, body, { more, overlay, when } = {}) => ({
  name: `interactive: ${name}`,
  when,
  async run(variant, t) {
    said(variant, 'terminal');
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
      await body({ variant, t, world: bench.world, hold, counts, requests });
      const left = await leftovers(bench.world);
      t.ok('no process is left behind', left.length === 0, left.join('; '));
    } finally {
      bench.remove();
    }
  },
});

/** `expected`: how often the text before the call stands in the first request and in that of the next prompt. */
export const interrupted = (expected, when) =>
  scenario(
    'a tool call that the user interrupts',
    [{ ...say('pre_tool_use', 'MARK-BEFORE'), matcher: { tool_name: 'Bash' } }],
    async ({ world, hold, counts }) => {
      const turns = [{ calls: [{ bash: 'touch begun; sleep 60' }] }, ...answers('TWO')];
      await hold({ turns }, async (tui) => {
        await tui.enter('PROMPT-ONE');
        await tui.until('command', () => existsSync(join(world.project, 'begun')));
        tui.keys('Escape');
        await tui.until('prompt', tui.atRest);
        await ask(tui, 'TWO');
        await tui.quit();
      });
      counts({ 'PROMPT-': [1, 2], 'MARK-BEFORE': expected });
    },
    { when },
  );

export const scenarios = [
  scenario(
    '/clear and resume',
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
      // Some clients don't keep the texts of hooks with a session.
      const [each, after] = OF[client.id].terminal.forgets ? [1, 1] : [3, 2];
      counts({
        'PROMPT-': [1, 2, 1, 2, 3],
        'MARK-EACH': [1, 2, 1, 2, each],
        'MARK-AFTER': [0, 1, 0, 1, after],
        ...said({ client }, 'terminal.starts')(client.version),
      });
    },
  ),
  scenario(
    'when: source',
    [],
    async ({ variant: { client }, hold, counts }) => {
      // Some clients begin a session after /clear as any other.
      const cleared = Number(!OF[client.id].untold?.includes('clear'));
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
        'MARK-STARTED': [1, 1 - cleared, 0],
        'MARK-CLEARED': [0, cleared, undefined],
        'MARK-RESUMED': [0, 0, 1],
      });
    },
    {
      when: ({ client }) => !OF[client.id].untold?.includes('resume'),
      overlay: [
        ['startup', 'MARK-STARTED'],
        ['clear', 'MARK-CLEARED'],
        ['resume', 'MARK-RESUMED'],
      ].map(([source, text]) => ({ ...say('session_start', text), when: { source } })),
    },
  ),
  scenario(
    'when: source compact',
    [],
    async ({ variant: { client }, t, hold, requests }) => {
      const { compact = '/compact', compacted = 'ompacted' } = said({ client }, 'terminal');
      // How many requests a compaction takes is the client's affair.
      await hold({ turns: answers('ONE', 'TWO', 'TWO', 'TWO') }, async (tui) => {
        await ask(tui, 'ONE');
        await tui.enter(compact);
        await tui.shows(compacted);
        await ask(tui, 'TWO');
        await tui.quit();
      });
      const main = requests.filter(({ kind }) => kind === 'main');
      const marks = (i) => ['MARK-STARTED', 'MARK-COMPACTED'].map((text) => count(main, i, text)).join(' ');
      t.ok('before: as started', marks(0) === '1 0', marks(0));
      t.ok('after: as compacted', /^[01] 1$/.test(marks(main.length - 1)), marks(main.length - 1));
    },
    {
      when: ({ client }) => !OF[client.id].untold?.includes('compact'),
      overlay: [
        ['startup', 'MARK-STARTED'],
        ['compact', 'MARK-COMPACTED'],
      ].map(([source, text]) => ({ ...say('session_start', text), when: { source } })),
    },
  ),
];
