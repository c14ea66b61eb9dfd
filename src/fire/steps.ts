import type { Block } from './assemble.ts';
import { type Firing, resting, silent, silentUnlogged } from './firing.ts';
import type { FireHook } from './format.ts';
import { acceptedName, refusal, sourceOf } from './payload.ts';
import { claimText, isKept, type KeptText, storeText } from './session/kept-texts.ts';
import { markOf } from './session/markers.ts';
import { claimMarks, clearMarks, holdMarks, type SessionMark } from './session/marks.ts';
import { hookText } from './text/hook-text.ts';
import type { Heading } from './text/render.ts';

/** By event, the words for what a kept text was meant for. */
const MEANT_FOR: Record<FireHook['event'], string> = {
  session_start: 'the start of the session',
  pre_request: 'an earlier prompt',
  pre_tool_use: 'an earlier tool call, which failed',
  post_tool_use: 'an earlier tool call, which failed',
  post_request: 'the end of an earlier turn',
  session_end: 'the end of an earlier session',
};

/** Returns the note of a text that was meant for `at`, ISO 8601. */
export const noteFor = (event: FireHook['event'], at: string): string =>
  `meant for ${MEANT_FOR[event]}, ${at.slice(0, 16).replace('T', ' ')} UTC`;

type RunStep = (firing: Firing, hook: FireHook) => Block | undefined | Promise<Block | undefined>;

/** By step (`Step`), the function that runs it; returns the block to print now, if any. */
const STEPS: Record<FireHook['does'], RunStep> = {
  emit: (firing, hook) => {
    const text = (): Promise<Block | undefined> => withText(firing, hook, firing.dropSign ? defer : emit);
    return hook.replacesKept ? inPlaceOfKept(firing, hook, text) : text();
  },
  defer: (firing, hook) => {
    const { session } = firing;
    // After a session without a turn, no text is kept.
    if (hook.event === 'session_end' && session?.read('turn') === undefined)
      return silentUnlogged(firing, hook, 'session.no-turn');
    return withText(firing, hook, defer);
  },
  'emit-deferred': (firing, hook) => ifAccepted(firing, hook, () => emitDeferred(firing, hook)),
  'mark-turn': (firing, hook) => {
    firing.session?.set('turn');
    return silentUnlogged(firing, hook, 'noted.turn');
  },
  'start-session': (firing, hook) => {
    const { session, payload, shape } = firing;
    session?.set('armed', sourceOf(payload, shape) ?? '');
    session?.clear('ended');
    session?.clear(`started.${markOf(hook)}`);
    return silentUnlogged(firing, hook, 'noted.start');
  },
  'note-call': (firing, hook) => {
    const { tool, facts, session } = firing;
    if (!refusal(hook, tool, facts.input)) session?.hold(`called.${markOf(hook)}`, hook.muteMs ?? null);
    return silentUnlogged(firing, hook, 'noted.call');
  },
};

export const runStep: RunStep = (firing, hook) => STEPS[hook.does](firing, hook);

function headingOf({ data, fireTag }: Firing, { event, priority }: FireHook): Heading {
  return { server: data.server, event, priority, tag: fireTag };
}

/** Returns the marks by which a hook gives its text once a session, and rests after a text. */
function marksOf(hook: FireHook): { start: SessionMark[]; rest: SessionMark[] } {
  const { at, cooldownMs } = hook;
  const mark = markOf(hook);
  return {
    start: at === 'start' ? [[`started.${mark}`, null]] : [],
    rest: cooldownMs === null || (cooldownMs ?? 0) > 0 ? [[`cooldown.${mark}`, cooldownMs ?? null]] : [],
  };
}

/**
 * Returns the block with these claimed marks, which then stay or go with its text. Where the hook has no text to give
 * now, they stay for their whole time at once.
 */
function withMarks(
  firing: Firing,
  marks: readonly SessionMark[],
  block: Block | undefined,
): Block | undefined {
  if (block) return { ...block, marks: [...(block.marks ?? []), ...marks] };
  holdMarks(firing, marks);
  return undefined;
}

/**
 * Returns the block that `give` returns, which gets the canonical tool name by which the hook's matcher accepts the
 * payload. Doesn't call it when the matcher refuses the payload, or when a once-per-session hook already ran.
 */
async function ifAccepted(
  firing: Firing,
  hook: FireHook,
  give: (name: string) => Block | undefined | Promise<Block | undefined>,
): Promise<Block | undefined> {
  const { tool, facts, session } = firing;
  const refused = refusal(hook, tool, facts.input);
  if (refused) return silentUnlogged(firing, hook, refused.code, refused.got);
  if (hook.at === 'start' && !session) return silent(firing, hook, 'session.unknown');
  const { start } = marksOf(hook);
  if (!claimMarks(firing, start)) return silentUnlogged(firing, hook, 'session.had-it');
  return withMarks(firing, start, await give(acceptedName(hook, tool) ?? ''));
}

/** Passes the hook's text to `use`, unless its matcher, conditions, cooldown or tool prevent a text. */
const withText = (
  firing: Firing,
  hook: FireHook,
  use: (firing: Firing, hook: FireHook, text: string) => Block | undefined,
): Promise<Block | undefined> =>
  ifAccepted(firing, hook, async (name) => {
    const reason = hook.when && firing.conditions().unmet(firing, hook);
    if (reason) return silent(firing, hook, reason.code, reason.detail);
    const { rest } = marksOf(hook);
    if (!claimMarks(firing, rest)) {
      const { code, detail } = resting(hook);
      return silent(firing, hook, code, detail);
    }
    const text = await hookText(firing, hook, name);
    if (text !== undefined) return withMarks(firing, rest, use(firing, hook, text));
    clearMarks(firing, rest);
    return undefined;
  });

function emit(firing: Firing, hook: FireHook, text: string): Block {
  return { n: hook.n, heading: headingOf(firing, hook), text, ...(hook.call && { fromTool: true }) };
}

/**
 * Claims the text stored for this hook first, as the event that prints it may fire at the same time. The stored text
 * stays where `give` has no text.
 */
async function inPlaceOfKept(
  firing: Firing,
  hook: FireHook,
  give: () => Promise<Block | undefined>,
): Promise<Block | undefined> {
  const want = wantOf(firing, hook);
  const replaced = want && claimText(firing.keptFolder, firing.projectDir, want);
  const block = await give();
  if (block && replaced) return { ...block, replaced };
  replaced?.release();
  return block;
}

/** Returns the values by which the text kept for a hook is found; undefined without a session. */
const wantOf = ({ id, data: { tag } }: Firing, { n, mark, event }: FireHook) =>
  id === undefined ? undefined : { tag, n, mark, event, session: id };

/** Stores the text for a later event. */
function defer(firing: Firing, hook: FireHook, text: string): undefined {
  const { event, priority, call } = hook;
  const { keptFolder, session, projectDir } = firing;
  const want = wantOf(firing, hook);
  if (!want) return silent(firing, hook, 'session.unknown');
  const item: KeptText = {
    format: 1,
    ...want,
    priority,
    meantAt: new Date().toISOString(),
    text,
    ...(call && { fromTool: true }),
  };
  storeText(keptFolder, projectDir, item);
  if (event === 'session_end') session?.clear('turn');
  return silent(firing, hook, 'kept');
}

/** Claims the text stored for this hook; the text counts as printed once the fire's document was handed over. */
function emitDeferred(firing: Firing, hook: FireHook): Block | undefined {
  const { keptFolder, projectDir } = firing;
  const want = wantOf(firing, hook);
  if (!want) return silent(firing, hook, 'session.unknown');
  if (firing.dropSign && isKept(keptFolder, projectDir, want))
    return silent(firing, hook, 'client.drops', firing.dropSign);
  const taken = firing.dropSign ? undefined : claimText(keptFolder, projectDir, want);
  if (!taken) return silentUnlogged(firing, hook, 'kept.nothing');
  const { meantAt, text, priority, fromTool } = taken.item;
  const heading = { ...headingOf(firing, hook), priority, note: noteFor(hook.event, meantAt) };
  return { n: hook.n, heading, text, taken, ...(fromTool && { fromTool }) };
}
