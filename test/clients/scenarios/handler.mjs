/** `--grant-control`: the client calls the server's tool itself, where that delivers. */
import { count, makeBench } from '../bench.mjs';
import { COMMIT } from './cells.mjs';

const GRANT = ['--grant-control', 'mem'];
const ONE = [{ prompt: 'PROMPT-ONE', turns: [{ calls: [COMMIT] }, { say: 'x' }] }];

const scenario = (name, only, declarations, check) => ({
  name,
  only: [only],
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

const call = (event, tool, args, more = {}) => ({
  event,
  context_tool: tool,
  context_tool_args: args,
  priority: 'suggestion',
  ...more,
});
const at = (codes, n, code) => codes[n]?.includes(code);

export const scenarios = [
  scenario(
    'handler mcp_tool',
    'codex',
    [
      call('session_start', 'echo', { text: 'MARK-START {unknown}' }),
      call('pre_request', 'echo', { text: 'MARK-PROMPT of {session_id}' }),
      call('post_tool_use', 'echo', { text: 'MARK-AFTER' }, { matcher: { tool_name: 'Bash' } }),
      call('pre_request', 'echo', { text: 'MARK-DOLLAR ${HOME}' }),
    ],
    (r, codes) => [
      [count(r, 0, 'ECHO MARK-START {unknown}') === 1, 'session_start is given by the client itself'],
      [count(r, 0, 'ECHO MARK-PROMPT of ') === 1, 'pre_request too'],
      [count(r, 0, '{session_id}') === 0, 'with its template filled in'],
      [count(r, 1, 'ECHO MARK-AFTER') === 1, 'post_tool_use by a shim'],
      [count(r, 0, 'ECHO MARK-DOLLAR ${HOME}') === 1, 'what Codex would replace by a shim'],
      [at(codes, 0, 'handler.control') && at(codes, 1, 'handler.control'), 'the plan says what is granted'],
      [at(codes, 2, 'handler.not-here') && at(codes, 3, 'handler.dollar'), 'and why others stay shims'],
    ],
  ),
  scenario(
    'handler mcp_tool',
    'claude-code',
    [
      call('session_start', 'document', { event: 'SessionStart', text: 'MARK-START' }),
      call('pre_request', 'document', { event: 'UserPromptSubmit', text: 'MARK-PROMPT' }),
      call('pre_request', 'echo', { text: 'MARK-PLAIN' }),
      call(
        'post_tool_use',
        'document',
        { event: 'PostToolUse', text: 'MARK-AFTER {tool_name}' },
        { matcher: { tool_name: 'Bash' } },
      ),
    ],
    (r, codes) => [
      [count(r, 0, 'DOCUMENT MARK-PROMPT') === 1, 'pre_request is given by the client itself'],
      [count(r, 1, 'DOCUMENT MARK-AFTER Bash') === 1, 'post_tool_use too, with its template filled in'],
      [count(r, 0, 'ECHO MARK-PLAIN') === 1, 'plain text by a shim'],
      [count(r, 0, 'MARK-START') === 1, 'session_start by a shim, its answer as text'],
      [at(codes, 1, 'handler.control') && at(codes, 3, 'handler.control'), 'the plan says what is granted'],
      [at(codes, 0, 'handler.not-here') && at(codes, 2, 'handler.no-document'), 'and why others stay shims'],
    ],
  ),
];
