/** Scenarios that only Copilot CLI can have. */
import { makeBench } from '../bench.mjs';
import { delivered, silent } from '../delivered.mjs';
import { count } from '../requests.mjs';
import { PROMPTS } from '../scenarios/cells.mjs';
import { scenario as team } from '../scenarios/teams.mjs';

const say = (event, context) => ({ event, context, priority: 'suggestion' });

/** Refuses the end of the first turn. */
const ONCE = '[ -e "$HOME/once" ] || { : >"$HOME/once"; printf \'{"decision":"block","reason":"GO-ON"}\'; }';

const scenario = (name, declarations, more, body) => ({
  name,
  async run(variant, t) {
    const bench = await makeBench(variant, declarations, { more });
    try {
      await bench.install('mem');
      await body(bench, t);
    } finally {
      bench.remove();
    }
  },
});

export const scenarios = [
  scenario(
    'a turn that another hook forces is no prompt of the user',
    [say('pre_request', 'MARK-PROMPT'), say('post_request', 'MARK-AFTER')],
    {
      'home/.copilot/hooks/stop.json': {
        version: 1,
        hooks: { agentStop: [{ type: 'command', command: ONCE }] },
      },
    },
    async (bench, t) => {
      const { requests: r } = await bench.talk([
        { prompt: 'PROMPT-ONE', turns: [{ say: 'ONE' }, { say: 'TWO' }] },
        { prompt: 'PROMPT-TWO', turns: [{ say: 'THREE' }] },
      ]);
      t.ok('the turn was forced', r.length === 3 && count(r, 1, 'GO-ON') === 1, `${r.length} requests`);
      const marks = (text) => r.map((_, i) => count(r, i, text)).join(' ');
      t.ok("the user's prompts alone are answered", marks('MARK-PROMPT') === '1 1 2', marks('MARK-PROMPT'));
      t.ok('what was kept waits for them', marks('MARK-AFTER') === '0 0 1', marks('MARK-AFTER'));
    },
  ),

  team('a variable lets hooks of a project run with -p where nobody trusts it', async ({ ada, t }) => {
    await ada.install();
    const allow = (value) => ada.talk(PROMPTS, { env: { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: value } });
    silent(t, 'another value', await allow('1'));
    delivered(t, await allow('true'));
  }),
];
