/** Scenarios that only Copilot CLI can have. */
import { join } from 'node:path';
import { makeBench } from '../bench.mjs';
import { delivered, silent } from '../delivered.mjs';
import { count } from '../requests.mjs';
import { PROMPTS } from '../scenarios/cells.mjs';
import { scenario as team } from '../scenarios/teams.mjs';

const say = (event, context) => ({ event, context, priority: 'suggestion' });

/** Refuses the end of the first turn. */
const ONCE = '[ -e "$HOME/once" ] || { : >"$HOME/once"; printf \'{"decision":"block","reason":"GO-ON"}\'; }';

/** Two texts of a server at each of these events, which fill the 10,000 characters that it has there. */
const long = (name) =>
  ['session_start', 'pre_request'].flatMap((event) =>
    ['1', '2'].map((n) => say(event, `${'word '.repeat(970)}END-${name}-${event}-${n}.`)),
  );

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
  {
    name: 'the texts of all servers reach the model up to 60,000 characters together',
    async run(variant, t) {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      const bench = await makeBench(variant, Object.fromEntries(names.map((name) => [name, long(name)])));
      try {
        for (const name of names) await bench.install(name);
        const { requests: r } = await bench.talk([{ turns: [{ say: 'ONE' }] }]);
        for (const event of ['session_start', 'pre_request']) {
          const given = names.map((name) =>
            ['1', '2'].map((n) => count(r, 0, `END-${name}-${event}-${n}.`)).join(''),
          );
          t.ok(`${event}: six servers`, given.join() === '11,11,11,11,11,11,00', given.join());
        }
        const { stdout } = await bench.mcphooks('log', 'g');
        const told = stdout.match(/no room beside the texts of other servers/g) ?? [];
        t.ok('the log says what had no room', told.length === 4, stdout);
      } finally {
        bench.remove();
      }
    },
  },
  team('a worktree of which only the main checkout is trusted', async ({ ada, t }) => {
    await ada.install();
    ada.commit();
    const tree = join(ada.world.dir, 'tree');
    ada.git('worktree', 'add', '-q', '-b', 'tree', tree);
    const states = async () => {
      const { servers } = JSON.parse((await ada.mcphooks(['list', '--json'], tree)).stdout);
      return servers.flatMap(({ clients }) => clients.map(({ state }) => state)).join();
    };
    t.ok('list says that nobody trusts it', (await states()) === 'untrusted');
    silent(t, 'then', await ada.talk(PROMPTS, { cwd: tree }));
    ada.trust();
    delivered(t, await ada.talk(PROMPTS, { cwd: tree }));
    t.ok('list says that the hooks fire', (await states()) === 'current');
  }),
];
