/** Which tool calls a hook hears of, with each client's own tool names. */
import { makeBench } from '../bench.mjs';
import { OF } from '../of.mjs';
import { count } from '../requests.mjs';
import { namesOf } from '../tables.mjs';

export const on = (mark, matcher) => ({
  event: 'post_tool_use',
  matcher,
  context: `MARK-${mark} here.`,
  priority: 'suggestion',
});

/** A declaration, and whether it should fire in the session below. */
const CASES = [
  { fires: true, hook: on('bash', { tool_name: 'Bash' }) },
  { fires: true, hook: on('write', { tool_name: 'Write' }) },
  { fires: true, hook: on('mcp-glob', { tool_name: 'mcp__mem__*' }) },
  { fires: true, hook: on('mcp-name', { tool_name: 'mcp__mem__echo' }) },
  { fires: true, hook: on('server', { tool_server: 'mem' }) },
  { fires: true, hook: on('own-name', { tool_server: 'fixture' }) },
  { fires: true, hook: on('failed', { tool_name: 'Bash', input_contains: 'exit 3' }) },
  {
    fires: true,
    hook: on('escaped', { tool_name: 'Bash', input_contains: 'say "ü/x'.replaceAll('"', '\\"') }),
  },
  { fires: false, hook: on('other-input', { tool_name: 'Bash', input_contains: 'git push' }) },
  { fires: false, hook: on('lower-case', { tool_name: 'bash' }) },
  { fires: false, hook: on('part', { tool_name: 'Bas' }) },
  { fires: false, hook: on('other-glob', { tool_name: 'mcp__memo__*' }) },
  { fires: false, hook: on('and', { tool_name: 'Write', input_contains: 'git commit' }) },
];

const PARALLEL = [
  { bash: 'git commit --allow-empty -m x && printf TOOL-%s-42 RAN' },
  { bash: 'printf FAILED-%s 42; exit 3' },
  { bash: "echo 'say \"ü/x'" },
  { write: 'note.txt', text: 'a note' },
  { mcp: ['mem', 'echo'], args: { text: 'CALLED' } },
];

/** On a tool whose name most clients write otherwise. */
const RESPELT = 'do-it.now';
const RESPELT_CASES = [
  { fires: true, hook: on('name', { tool_name: `mcp__mem__${RESPELT}` }) },
  { fires: true, hook: on('glob', { tool_name: 'mcp__mem__*-it.n*' }) },
  { fires: true, hook: on('end', { tool_name: 'mcp__mem__*.now' }) },
  { fires: true, hook: on('any-server', { tool_name: `mcp__*__${RESPELT}` }) },
  { fires: true, hook: on('bare', { tool_server: 'mem', tool_name: RESPELT }) },
  { fires: false, hook: on('other', { tool_name: 'mcp__mem__do-it.no' }) },
  { fires: false, hook: on('end-of-other', { tool_name: 'mcp__mem__*.later' }) },
];

export const scenarios = [
  {
    name: 'a tool whose name the client writes otherwise',
    cells: true,
    async run(variant, t) {
      const names = namesOf(variant.client.id, 'mem', RESPELT);
      const named = { event: 'post_tool_use', matcher: { tool_name: 'Bash' }, priority: 'suggestion' };
      const bench = await makeBench(variant, [
        ...RESPELT_CASES.map((c) => c.hook),
        { ...named, context: `MARK-named {tool:${RESPELT}} there.` },
      ]);
      try {
        await bench.install();
        const calls = [{ mcp: ['mem', names.own], args: { text: 'CALLED' } }, { bash: 'true' }];
        const { code, requests } = await bench.talk([{ turns: [{ calls }, { say: 'x' }] }]);
        const last = requests.length - 1;
        const sent = JSON.stringify(requests.at(-1)?.body ?? '');
        t.ok('the tool runs under that name', code === 0 && sent.includes('ECHO CALLED'), `exit ${code}`);
        for (const { fires, hook } of RESPELT_CASES) {
          const n = count(requests, last, `${hook.context.split(' ')[0]} `);
          t.ok(
            `${JSON.stringify(hook.matcher)} ${fires ? 'fires' : 'is silent'}`,
            fires === n > 0,
            `${n} times`,
          );
        }
        t.ok(
          'a text names the tool so',
          count(requests, last, `MARK-named ${names.whole} there.`) > 0,
          names.whole,
        );
      } finally {
        bench.remove();
      }
    },
  },
  {
    name: 'matching, parallel calls',
    async run(variant, t) {
      const bench = await makeBench(
        variant,
        CASES.map((c) => c.hook),
      );
      try {
        await bench.install();
        const calls = PARALLEL.map((c) =>
          c.write ? { ...c, write: `${bench.world.project}/${c.write}` } : c,
        );
        const { code, requests } = await bench.talk([{ turns: [{ calls }, { say: 'x' }] }]);
        const last = requests.length - 1;
        const sent = JSON.stringify(requests.at(-1)?.body ?? '');
        t.ok('the session ends normally', code === 0, `exit ${code}`);
        t.ok(
          'tool results intact',
          ['TOOL-RAN-42', 'FAILED-42', 'ECHO CALLED'].every((x) => sent.includes(x)),
        );
        const untold = OF[variant.client.id].untold?.includes('failures');
        for (const { fires: wanted, hook } of CASES) {
          const fires = wanted && !(untold && hook.matcher?.input_contains === 'exit 3');
          const mark = hook.context.split(' ')[0];
          const n = count(requests, last, `${mark} `);
          t.ok(
            `${mark.slice(5)} ${JSON.stringify(hook.matcher)} ${fires ? 'fires' : 'is silent'}`,
            fires ? n > 0 : n === 0,
            `${n} times`,
          );
        }
        t.ok('not before the tools ran', count(requests, 0, 'MARK-') === 0);
      } finally {
        bench.remove();
      }
    },
  },
];
