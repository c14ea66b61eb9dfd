/** Several servers at one event, of one scope and of two: their texts all reach the model, each once. */
import { makeBench } from '../bench.mjs';
import { NothingSaid, OF, said } from '../of.mjs';
import { count } from '../requests.mjs';
import { fidelityOn, TABLES } from '../tables.mjs';
import { put } from '../world.mjs';
import { PROMPTS } from './cells.mjs';

const text = (event, mark, priority = 'suggestion') => ({ event, context: `${mark} here.`, priority });
const hooks = (name, priority) => [
  text('session_start', `MARK-${name}-START`, priority),
  text('pre_request', `MARK-${name}-PROMPT`, priority),
  {
    ...text('post_tool_use', `MARK-${name}-TOOL`, priority),
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  },
];
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Holds that these servers' texts, and no others, are in the requests of PROMPTS, once for each firing. */
const teller =
  (t, { client }) =>
  (what, { code, requests: r }, names) => {
    t.ok(
      `${what}: the session ends normally`,
      code === 0 && r.length === 3,
      `exit ${code}, ${r.length} requests`,
    );
    for (const name of ['ONE', 'TWO']) {
      const times = names.includes(name) ? 1 : 0;
      const given = (event) => (fidelityOn(client, event) === 'native' ? times : 0);
      const prompts = given('pre_request');
      const seen = [
        count(r, 0, `MARK-${name}-START`),
        count(r, 0, `MARK-${name}-PROMPT`),
        count(r, 2, `MARK-${name}-PROMPT`),
        count(r, 1, `MARK-${name}-TOOL`),
      ];
      t.ok(`${what}: ${name}`, same(seen, [given('session_start'), prompts, 2 * prompts, times]), `${seen}`);
    }
  };

/** Only clients whose servers share entries, and that give both texts, have something to prove here. */
const able = ({ client: { id } }) =>
  Object.values(TABLES[id].natives).some(({ textsUsed }) => textsUsed) &&
  ['pre_request', 'post_tool_use'].every((event) => TABLES[id].events[event].fidelity === 'native');

export const scenarios = [
  {
    name: 'joint: two servers at the same events',
    when: able,
    async run(variant, t) {
      const told = teller(t, variant);
      const bench = await makeBench(variant, { one: hooks('ONE'), two: hooks('TWO', 'important') });
      try {
        await bench.install('one');
        await bench.install('two');
        told('both', await bench.talk(PROMPTS), ['ONE', 'TWO']);
        await bench.uninstall('one');
        told('one left', await bench.talk(PROMPTS), ['TWO']);
        await bench.install('one');
        told('back', await bench.talk(PROMPTS), ['ONE', 'TWO']);
        const during = bench.homeFiles();
        await bench.uninstall('two');
        await bench.uninstall('one');
        const after = bench.homeFiles();
        // A client's own log of a session may tell which hooks ran.
        const ours = (files) =>
          Object.keys(files).filter(
            (file) => !file.endsWith('l') && /mcphooks\/(hooks|joint)\//.test(files[file]),
          );
        t.ok(
          'the last out leaves no trace',
          ours(during).length > 0 && ours(after).length === 0,
          ours(after).join(),
        );
        told('none', await bench.talk(PROMPTS), []);
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'joint: the user’s server and one of the project at the same events',
    // An older client gives the project's text after a tool alone.
    when: (variant) => able(variant) && fidelityOn(variant.client, 'pre_request') === 'native',
    async run(variant, t) {
      const told = teller(t, variant);
      const { id } = variant.client;
      if (!OF[id].team) throw new NothingSaid(`of/${id}.mjs says nothing of team`);
      const bench = await makeBench(variant, { one: hooks('ONE'), two: hooks('TWO', 'important') });
      try {
        put(bench.world, said(variant, 'files.project')({ two: bench.server('two') }));
        await bench.install('one');
        const project = ['install', 'two', '--scope', 'project', '--client', id];
        const asked = await bench.mcphooks(...project, '--dry-run');
        const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr)?.[1];
        const ended = await bench.mcphooks(...project, '--yes', ...(hash ? ['--allow-start', hash] : []));
        t.ok('installs', ended.code === 0, ended.stderr);
        said(variant, 'team.trust')(bench.world, bench.world.project);
        const { env } = said(variant, 'team');
        told('both', await bench.talk(PROMPTS, { env }), ['ONE', 'TWO']);
        await bench.mcphooks('disable', 'one');
        told('the project’s alone', await bench.talk(PROMPTS, { env }), ['TWO']);
        await bench.mcphooks('enable', 'one');
        await bench.mcphooks('uninstall', 'two', '--scope', 'project');
        told('the user’s alone', await bench.talk(PROMPTS, { env }), ['ONE']);
      } finally {
        bench.remove();
      }
    },
  },
];
