/** Scenarios that only Gemini CLI can have. */
import { makeBench } from '../bench.mjs';
import { count } from '../requests.mjs';
import { scenario as fleet, manages, page } from '../scenarios/fleet.mjs';
import { answers, ask, scenario as interactive, interrupted } from '../scenarios/interactive.mjs';
import { say, using } from '../scenarios/life.mjs';
import { on } from '../scenarios/matching.mjs';
import { plugin, text } from '../scenarios/target.mjs';
import { noTerminal, openTui } from '../tui.mjs';
import { put } from '../world.mjs';

/** A hook that refuses the end of each turn once. */
const ONCE_MORE = {
  hooks: {
    AfterAgent: [
      {
        hooks: [
          {
            type: 'command',
            name: 'again',
            command: `case $(cat) in *'"stop_hook_active":false'*) printf '{"decision":"deny","reason":"GO ON"}';; esac`,
          },
        ],
      },
    ],
  },
};

export const scenarios = [
  interrupted([0, 1]),
  {
    name: 'a failed tool result keeps its text for later',
    async run(variant, t) {
      const bench = await makeBench(variant, [on('read', { tool_name: 'Read' })]);
      try {
        await bench.install();
        const missing = { read: `${bench.world.project}/missing.txt` };
        const { code, requests: r } = await bench.talk([
          { turns: [{ calls: [missing] }, { say: 'x' }] },
          { prompt: 'PROMPT-TWO', turns: [{ say: 'y' }] },
        ]);
        t.ok('the session ends normally', code === 0, `exit ${code}`);
        t.ok(
          'with the next prompt, once',
          count(r, 1, 'MARK-read') === 0 && count(r, 2, 'MARK-read') === 1,
          `${[0, 1, 2].map((i) => count(r, i, 'MARK-read'))}`,
        );
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: "a continuation is not the user's prompt",
    run: using(
      [say('pre_request', 'MARK-PROMPT')],
      async ({ bench, t }) => {
        await bench.install();
        const turns = [{ say: 'A' }, { say: 'B' }];
        const { requests } = await bench.talk([{ turns }, { turns }]);
        t.ok('the other hook forced two more turns', requests.length === 4, `${requests.length} requests`);
        t.ok(
          'one text a prompt',
          count(requests, 1, 'MARK-PROMPT') === 1 && count(requests, 3, 'MARK-PROMPT') === 2,
          `${[0, 1, 2, 3].map((i) => count(requests, i, 'MARK-PROMPT'))}`,
        );
      },
      {
        more: {
          'project/.gemini/settings.json': ONCE_MORE,
        },
      },
    ),
  },
  {
    name: 'interactive: target plugin in a folder that is not trusted',
    async run(variant, t) {
      if (noTerminal) return t.skip(noTerminal);
      const bench = await makeBench(variant, [text('pre_request', 'MARK-EACH')]);
      const { world } = bench;
      put(world, { 'home/.gemini/trustedFolders.json': { [world.project]: 'DO_NOT_TRUST' } });
      /** Whether the hook and the user's own one spoke. On a busy machine those of extensions can miss the first prompt. */
      const spoke = async () => {
        const tui = await openTui(variant.client, {
          world,
          turns: [{ say: 'ANSWER-ONE' }, { say: 'ANSWER-TWO' }],
          env: { GEMINI_CLI_TRUST_WORKSPACE: undefined },
        });
        try {
          for (const name of ['ONE', 'TWO']) {
            await tui.enter(`PROMPT-${name}`);
            await tui.shows(`ANSWER-${name}`);
          }
          const r = tui.requests.filter(({ kind }) => kind === 'main');
          return ['PROMPT-TWO', 'MARK-EACH', 'USER-PROMPT']
            .map((mark) => count(r, r.length - 1, mark) > 0)
            .join();
        } finally {
          await tui.close();
        }
      };
      try {
        await bench.install();
        const inSettings = await spoke();
        t.ok('hooks in settings are silent', inSettings === 'true,false,false', inSettings);
        await plugin(bench);
        const extension = await spoke();
        t.ok('those of the extension speak', extension === 'true,true,false', extension);
      } finally {
        bench.remove();
      }
    },
  },
  interactive(
    'a prompt that the user interrupts',
    [say('session_start', 'MARK-START')],
    async ({ hold, counts }) => {
      const turns = [{ ...answers('ONE')[0], when: new Promise(() => {}) }, ...answers('TWO', 'THREE')];
      await hold({ turns }, async (tui) => {
        await tui.enter('PROMPT-ONE');
        await tui.shows('esc to cancel');
        await tui.until('request', () => tui.requests.length === 1);
        tui.keys('Escape');
        await tui.shows('Request cancelled');
        await ask(tui, 'TWO');
        await ask(tui, 'THREE');
        await tui.quit();
      });
      counts({ 'PROMPT-': [1, 1, 2], 'MARK-START': [1, 1, 1] });
    },
  ),
  interactive(
    'a command that the user cancels',
    [on('run', { tool_name: 'Bash' })],
    async ({ hold, counts }) => {
      const turns = [{ calls: [{ bash: 'echo BEGUN | tr A-Z a-z; sleep 60' }] }, ...answers('TWO')];
      await hold({ turns }, async (tui) => {
        await tui.enter('PROMPT-ONE');
        await tui.until('output', () => /\bbegun\b/.test(tui.screen()));
        tui.keys('Escape');
        await tui.until('prompt', tui.atRest);
        await ask(tui, 'TWO');
        await tui.quit();
      });
      counts({ 'PROMPT-': [1, 2], 'MARK-run': [0, 1] });
    },
  ),
  interactive(
    'a prompt that waits in line',
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
  interactive(
    "a continuation is not the user's prompt",
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
  fleet(
    "fleet, folders that needn't be trusted",
    async ({ bench, t, hears }) => {
      await bench.install('notebook');
      const setting = '"security": { "folderTrust": { "enabled": false } }';
      t.ok('the page has it', page.includes(setting));
      const options = { env: { GEMINI_CLI_TRUST_WORKSPACE: undefined } };
      const heard = await hears({ 'gemini-cli/settings.json': `{ ${setting} }` }, options);
      t.ok('hooks of install act', heard['MARK-FLEET'] === 1, JSON.stringify(heard));
    },
    manages,
  ),
];
