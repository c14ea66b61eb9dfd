/** Which tool calls a hook hears of, with each client's own tool names. */
import { count, makeBench } from '../bench.mjs';

const on = (mark, matcher) => ({
  event: 'post_tool_use',
  matcher,
  context: `MARK-${mark} here.`,
  priority: 'suggestion',
});

/** A declaration, and whether it should fire in the session below; `except`: clients on which it can't. */
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

export const scenarios = [
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
        for (const { fires, hook } of CASES) {
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
  {
    name: 'a failed tool result keeps its text for later',
    only: ['gemini-cli'],
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
];
