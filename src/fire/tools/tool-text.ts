import { type CallTool, type Firing, silent } from '../firing.ts';
import type { FireHook, HookToolCall } from '../format.ts';
import { hashOf } from '../own-folders.ts';
import type { Marker } from '../session/markers.ts';
import { cut } from '../text/cut.ts';
import { sanitise } from '../text/sanitise.ts';
import { isBlank, joined } from './answer.ts';
import { hasJson, selected } from './select.ts';
import { watchTool } from './tool-state.ts';

/** Failures in a session after which a tool isn't called for `REST_MS`. */
const FAILURES = 3;
const REST_MS = 10 * 60_000;

/** Returns the text of a tool's answer; undefined when the answer is empty or the call failed. */
export async function answerOf(
  firing: Firing,
  hook: FireHook,
  { tool, args, answer = {} }: HookToolCall,
  callTool: CallTool,
): Promise<string | undefined> {
  const { session, note } = firing;
  const watch = watchTool(firing, tool);
  const until = firing.byHand ? undefined : watch.pausedUntil();
  if (until !== undefined) return note('tool.paused', hook.n, `${tool}, until ${until}`);
  const failures: Marker = `failed.${hashOf(tool)}`;
  const { times, last } = session?.counted(failures) ?? { times: 0, last: 0 };
  if (times >= FAILURES) {
    if (Math.abs(Date.now() - last) < REST_MS) return note('tool.resting', hook.n, tool);
    session?.clear(failures);
  }
  const result = await callTool(tool, args);
  if ('incident' in result) {
    // Waiting for an install started by another fire is not a failure of this fire.
    if (result.incident !== 'tool.installing' || result.late) session?.count(failures);
    if (result.late && !firing.byHand) watch.late();
    watch.failed();
    return note(result.incident, hook.n, result.detail, result.said);
  }
  if (times > 0) session?.clear(failures);
  watch.answered();
  const { select, max } = answer;
  const chosen = select === undefined ? result.text : selected(result.text, select);
  if (chosen === undefined && result.text.trim() !== '')
    return silent(firing, hook, hasJson(result.text) ? 'answer.nothing' : 'answer.no-json', select);
  const { text, removed } = sanitise(joined([chosen ?? '']));
  if (removed > 0) note('text.sanitised', hook.n, tool);
  if (isBlank(text)) return silent(firing, hook, 'tool.empty', tool);
  if (max === undefined) return text;
  const short = cut(text, max, 'code-points');
  if (short === '') return silent(firing, hook, 'answer.blank', `${max}`);
  if (short !== text) firing.why({ code: 'answer.cut', n: hook.n, detail: `${max}` });
  return short;
}
