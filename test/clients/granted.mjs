/** `--grant-control`: the client calls the server's tool itself, where that delivers. */
import { makeBench } from './bench.mjs';
import { count } from './requests.mjs';
import { COMMIT } from './scenarios/cells.mjs';

const GRANT = ['--grant-control', 'mem'];
const ONE = [{ prompt: 'PROMPT-ONE', turns: [{ calls: [COMMIT] }, { say: 'x' }] }];

/** `check`: (requests, codes of the plan's notes by declaration) => [whether, what]. */
export const granted = (declarations, check) => ({
  name: 'handler mcp_tool',
  async run(variant, t) {
    const bench = await makeBench(variant, declarations);
    try {
      const { plan } = await bench.install('mem', ...GRANT);
      const { code, requests } = await bench.talk(ONE);
      const codes = plan.clients[0].hooks.map((hook) => hook.notes.map((note) => note.code));
      t.ok(
        'the session ends normally',
        code === 0 && requests.length === 2,
        `exit ${code}, ${requests.length}`,
      );
      for (const [ok, what] of check(requests, codes)) t.ok(what, ok);
      await bench.uninstall();
      const after = await bench.talk(ONE);
      t.ok(
        'nothing after uninstall',
        count(after.requests, 0, 'MARK-') + count(after.requests, 1, 'MARK-') === 0,
      );
    } finally {
      bench.remove();
    }
  },
});

export const call = (event, tool, args, more = {}) => ({
  event,
  context_tool: tool,
  context_tool_args: args,
  priority: 'suggestion',
  ...more,
});
export const at = (codes, n, code) => codes[n]?.includes(code);
