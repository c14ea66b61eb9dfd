/** Declarations of a server `fixture` for every way in which text is given, and what they come to in PROMPTS. */
import { count, ownHooksFire, seen } from './requests.mjs';

const text = (event, mark, more = {}) => ({ event, context: mark, priority: 'suggestion', ...more });
export const HOOKS = [
  text('session_start', 'MARK-START here.'),
  text('post_tool_use', 'MARK-AFTER in {project_name}.', {
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  }),
  text('post_request', 'MARK-DEFERRED here.'),
  text('post_tool_use', 'MARK-SELF here.', { matcher: { tool_server: 'fixture' } }),
  {
    event: 'pre_request',
    context_tool: 'echo',
    context_tool_args: { text: 'MARK-TOOL of {project_name}' },
    priority: 'suggestion',
  },
];

/**
 * What HOOKS come to in a session of PROMPTS: each text once, or `times` times. `project`: its name; `tool`: whether
 * the server's tool can be reached; `what`: stands before each claim.
 */
export function delivered(t, session, { times = 1, project = 'project', tool = true, what = '' } = {}) {
  const { code, requests: r } = session;
  const ok = (name, ...rest) => t.ok(what ? `${what}: ${name}` : name, ...rest);
  const once = (i, mark) => count(r, i, mark) === times;
  ok('the session ends normally', code === 0 && r.length === 3, `exit ${code}, ${r.length} requests`);
  ok('session_start', once(0, 'MARK-START here.'), `${count(r, 0, 'MARK-START here.')} times`);
  ok(
    'post_tool_use',
    count(r, 0, 'MARK-AFTER') === 0 && once(1, `MARK-AFTER in ${project}.`),
    `${count(r, 1, 'MARK-AFTER')} times`,
  );
  ok('post_request, kept', count(r, 1, 'MARK-DEFERRED') === 0 && once(2, 'MARK-DEFERRED here.'));
  ok(
    'a tool of the server',
    count(r, 0, `ECHO MARK-TOOL of ${project}`) === (tool ? times : 0),
    `${count(r, 0, 'ECHO MARK-TOOL')} times`,
  );
  ok("the user's own hooks fire", ownHooksFire(session));
}

/** That a session of PROMPTS is as it is without HOOKS. `own`: whether the user's own hooks fire. */
export function silent(t, what, { code, requests: r }, { own = true } = {}) {
  t.ok(
    `${what}: the session ends normally`,
    code === 0 && r.length === 3,
    `exit ${code}, ${r.length} requests`,
  );
  t.ok(`${what}: nothing is said`, seen(r, 'MARK-').length === 0, seen(r, 'MARK-')[0]?.text);
  const result = JSON.stringify(r[1]?.body ?? {});
  t.ok(`${what}: the tool ran`, result.includes('TOOL-RAN-42'), result.slice(-600));
  if (own) t.ok(`${what}: the user's own hooks fire`, count(r, 0, 'USER-PROMPT') === 1);
}
