import { assemble, type Block } from './assemble.ts';
import type { CallResult } from './call.ts';
import { type Kept, keep, keptFolder, type Taken, take, tidy } from './kept.ts';
import { type Incident, log } from './log.ts';
import type { SettledData } from './machine.ts';
import {
  at,
  foreignSign,
  isContinuation,
  matched,
  type Payload,
  refusal,
  textAt,
  toolOf,
} from './payload.ts';
import { projectOf } from './project.ts';
import { documentFor, measure } from './render.ts';
import { sanitise } from './sanitise.ts';
import { hashOf, openSession, type Session, sessionsFolder } from './session.ts';
import { fill, fillArgs } from './template.ts';
import type { FireHook } from './types.ts';
import { factsOf, valuesFor } from './values.ts';
import type { Silence, TellWhy } from './why.ts';

/** What a fire came to. */
export interface Outcome {
  /** The client's output document; undefined: nothing to say. */
  document?: string;
  /** To be called when the document was handed over. */
  done: () => void;
}

/** Calls a tool of the declaring server; settles in time, never rejects. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<CallResult>;

const NOTHING: Outcome = { done: () => {} };

/** A tool that failed this often in a session rests. */
const FAILURES = 3;
const REST_MS = 10 * 60_000;

/** What a text that is given later was meant for. */
export const MEANT_FOR: Record<FireHook['event'], string> = {
  session_start: 'the start of the session',
  pre_request: 'an earlier prompt',
  pre_tool_use: 'an earlier tool call, which failed',
  post_tool_use: 'an earlier tool call, which failed',
  post_request: 'the end of an earlier turn',
  session_end: 'the end of an earlier session',
};

/** Everything that one firing of a shim does, but for reading its input and writing its output. */
export async function fire(
  data: SettledData,
  payload: Payload,
  env: NodeJS.ProcessEnv,
  startFolder: string,
  call: CallTool,
  why: TellWhy,
): Promise<Outcome> {
  const { payload: shape, state } = data;
  const nothing = (code: Silence, detail?: string): Outcome => {
    why({ code, ...(detail !== undefined && { detail }) });
    return NOTHING;
  };
  const disabled = (env.MCPHOOKS_DISABLE ?? '').split(',').map((name) => name.trim());
  if (disabled.includes('1') || disabled.includes(data.server))
    return nothing('environment', env.MCPHOOKS_DISABLE);
  const foreign = foreignSign(payload, shape, env);
  if (foreign !== undefined) return nothing('client.other', foreign);
  if (at(payload, shape.skipIf) !== undefined) return nothing('prompt.sub-agent', shape.skipIf);

  const id = textAt(payload, shape.session);
  const session = state && id ? openSession(sessionsFolder(state, data.client, data.server), id) : undefined;
  if (session?.read('armed') !== undefined && isContinuation(payload, shape, session.read('ended')))
    return nothing('prompt.continuation');
  const ended = textAt(payload, shape.turnEnd);
  if (ended) session?.set('ended', ended);

  const note = (incident: Incident, n: number, detail: string): void => {
    why({ code: incident, n, detail });
    log(state, { incident, server: data.server, client: data.client, native: data.native, n, detail });
  };
  const project = projectOf(startFolder);
  const facts = factsOf(payload, shape, project.name);
  const tool = toolOf(payload, shape);
  const folder = state && keptFolder(state, data.client, data.server);
  if (folder && data.hooks.some((hook) => hook.does === 'give-kept')) tidy(folder);
  const dropsNow = at(payload, shape.keepIf) !== undefined;

  /** The hook's text; undefined: none. */
  const speak = async (hook: FireHook, toolName: string): Promise<string | undefined> => {
    const values = valuesFor(hook, toolName, facts, (incident, detail) => note(incident, hook.n, detail));
    if (hook.text !== undefined) return fill(hook.text, values);
    if (!hook.call) return undefined;
    const failures = `failed.${hashOf(hook.call.tool)}`;
    const { times, last } = session?.counted(failures) ?? { times: 0, last: 0 };
    if (times >= FAILURES) {
      if (Date.now() - last < REST_MS) {
        note('tool.resting', hook.n, hook.call.tool);
        return undefined;
      }
      session?.clear(failures);
    }
    const result = await call(hook.call.tool, fillArgs(hook.call.args, values));
    if ('incident' in result) {
      session?.count(failures);
      note(result.incident, hook.n, result.detail);
      return undefined;
    }
    session?.clear(failures);
    const { text, removed } = sanitise(result.text);
    if (removed > 0) note('text.sanitised', hook.n, hook.call.tool);
    if (text.trim() !== '') return text;
    why({ code: 'tool.empty', n: hook.n, detail: hook.call.tool });
    return undefined;
  };

  const taken = new Map<Block, Taken>();
  const act = async (hook: FireHook): Promise<Block | undefined> => {
    const { event, priority, part } = hook;
    const heading = { server: data.server, event, priority, tag: data.tag, ...(part && { note: part }) };
    const silent = (code: Silence, detail?: string): undefined =>
      why({ code, n: hook.n, ...(detail !== undefined && { detail }) }) as undefined;
    if (hook.does === 'rearm') {
      rearm(session, hook);
      return silent('noted.start');
    }
    if (hook.does === 'mark-turn') {
      session?.set('turn');
      return silent('noted.turn');
    }
    const name = matched(hook, tool, facts.input);
    if (name === undefined) {
      const { code, got } = refusal(hook, tool, facts.input);
      return silent(code, got);
    }
    const starting = `started.${hook.n}`;
    if (hook.at === 'start' && !session?.claim(starting))
      return silent(session ? 'session.had-it' : 'session.unknown');

    if (hook.does === 'give-kept') {
      if (!folder || id === undefined) return silent('session.unknown');
      if (dropsNow) return silent('client.drops', shape.keepIf);
      const found = take(folder, project.root, { n: hook.n, event: hook.event, session: id, tag: data.tag });
      if (!found) return silent('kept.nothing');
      const { meantAt, text, priority } = found.item;
      const when = `${meantAt.slice(0, 16).replace('T', ' ')} UTC`;
      const block = {
        n: hook.n,
        heading: { ...heading, priority, note: `meant for ${MEANT_FOR[hook.event]}, ${when}` },
        text,
      };
      taken.set(block, found);
      return block;
    }

    if (hook.does === 'keep' && hook.event === 'session_end' && session?.read('turn') === undefined)
      return silent('session.no-turn');
    const mute = `cooldown.${hook.n}`;
    if (hook.cooldownMs && session?.claim(mute, hook.cooldownMs) === false)
      return silent('cooldown', `${hook.cooldownMs / 1_000}`);
    const text = await speak(hook, name);
    if (text === undefined) {
      if (hook.cooldownMs) session?.clear(mute);
      return undefined;
    }
    if (hook.does === 'give' && !dropsNow) return { n: hook.n, heading, text };
    if (!folder || id === undefined) return silent('session.unknown');
    const item: Kept = {
      format: 1,
      tag: data.tag,
      n: hook.n,
      event,
      priority,
      session: id,
      meantAt: now(),
      text,
    };
    keep(folder, project.root, item);
    if (event === 'session_end') session?.clear('turn');
    return silent('kept');
  };

  const settled = await Promise.allSettled(data.hooks.map(act));
  for (const [i, result] of settled.entries())
    if (result.status === 'rejected') note('fire.failed', data.hooks[i]?.n ?? 0, String(result.reason));
  const blocks = settled.flatMap((r) => (r.status === 'fulfilled' && r.value ? [r.value] : []));

  const left = session ? data.sessionBudget - session.spent() : data.sessionBudget;
  const most = Math.min(data.cap, data.eventBudget, left);
  const { text, cut, dropped } = assemble(blocks, most, data.unit);
  for (const n of cut) note('text.cut', n, `${most}`);
  for (const block of dropped) {
    note(left <= most ? 'budget.session' : 'text.dropped', block.n, `${most}`);
    taken.get(block)?.back();
    taken.delete(block);
  }
  if (text === '') return NOTHING;
  session?.spend(measure(text, data.unit));
  return {
    document: documentFor(data.native, text),
    done: () => {
      for (const { given } of taken.values()) given();
    },
  };
}

function rearm(session: Session | undefined, hook: FireHook): void {
  session?.set('armed');
  session?.clear('ended');
  session?.clear(`started.${hook.n}`);
}

const now = (): string => new Date().toISOString();
