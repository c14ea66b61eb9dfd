import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { captured, type Fired, world } from './world.ts';

const w = world({ node: nodeHere() });
const START = { n: 1, event: 'session_start' } as const;
const ONCE = { n: 2, event: 'pre_request' } as const;
const shim = (native: string, hooks: Parameters<typeof w.shim>[2]): Fired =>
  w.shim('gemini-cli', native, hooks, { server: 'undone' });
const start = shim('SessionStart', [{ ...START, does: 'start-session' }]);
const before = shim('BeforeAgent', [
  { ...START, at: 'start', text: 'Begin.' },
  { ...ONCE, cooldownMs: null, text: 'Once.' },
]);
const after = shim('AfterAgent', [{ ...ONCE, does: 'mark-turn' }]);

/** Lines of a transcript as the client writes them (0.61.0). */
const DATED = '"lastUpdated":"2026-11-27T18:18:12.446Z"}}';
const message = (type: string, rest: string): string =>
  `{"id":"62d8da27","timestamp":"2026-11-27T18:18:12.503Z","type":"${type}","content":${rest}}\n`;
const noted = `{"$set":{${DATED}\n`;
const prompt = message('user', '[{"text":"Go on."}]') + noted;
const answer = message('gemini', `"[],${DATED.replaceAll('"', '\\"')}","thoughts":[]`) + noted;
const cancelled = message('info', '"Request cancelled."') + noted;
const left = `{"$set":{"messages":[${message('user', '[{"text":"<session_context>"}]').trim()}],${DATED}\n`;

let sessions = 0;
/** Lets a session have turns that end with these lines; returns the texts of each prompt, and of one more. */
async function turns(...ends: string[]): Promise<string[]> {
  const folder = join(w.home, '.gemini/tmp/shop/chats');
  const file = join(folder, `${sessions}.jsonl`);
  mkdirSync(folder, { recursive: true });
  // Too long after each other for a prompt of the client's own.
  let minutes = 0;
  const fire = (of: Fired, native: string) => {
    minutes += 2;
    const own = { session_id: `undone-${sessions}`, transcript_path: file };
    const timestamp = new Date(minutes * 60_000).toISOString();
    return w.fire(of, { ...captured('gemini-cli', native), ...own, timestamp });
  };
  const given: string[] = [];
  const ask = async (): Promise<void> => {
    const { text = '' } = await fire(before, 'BeforeAgent');
    given.push(['Begin.', 'Once.'].filter((one) => text.includes(one)).join(' '));
  };
  await fire(start, 'SessionStart');
  for (const end of ends) {
    await ask();
    writeFileSync(file, end, { flag: 'a' });
    await fire(after, 'AfterAgent');
  }
  await ask();
  sessions++;
  return given;
}

const AGAIN = ['Begin. Once.', 'Begin. Once.'];

it('gives texts again that the client took out of the conversation with their turn', async () => {
  expect(await turns(prompt + cancelled + left)).toEqual(AGAIN);
});

it.runIf(LONG)('gives them again where notes to the user follow, and once', async () => {
  expect(await turns(prompt + answer + left + cancelled)).toEqual(AGAIN);
  expect(await turns(prompt + left + message('error', '"[API Error]"') + noted + cancelled)).toEqual(AGAIN);
  expect(await turns(prompt + left, prompt + answer)).toEqual([...AGAIN, '']);
});

it.runIf(LONG)('gives no text again that the model still has', async () => {
  expect(await turns(prompt + answer)).toEqual(['Begin. Once.', '']);
  expect(await turns(left + prompt + answer)).toEqual(['Begin. Once.', '']);
  expect(await turns(prompt + answer, prompt + cancelled + left)).toEqual(['Begin. Once.', '', '']);
});

it('keeps no text of post_request for a turn that has no end', async () => {
  const kept = { event: 'post_request', does: 'defer', text: 'Ended.' } as const;
  const given = { event: 'post_request', does: 'emit-deferred' } as const;
  const ends = w.shim('cursor', 'stop', [kept], { server: 'unfinished' });
  const next = w.shim('cursor', 'beforeSubmitPrompt', [given], { server: 'unfinished' });
  const said: Record<string, boolean> = {};
  for (const status of ['aborted', 'error', 'completed']) {
    const session = { conversation_id: status, session_id: status };
    await w.fire(ends, { ...captured('cursor', 'stop'), ...session, status });
    const { text = '' } = await w.fire(next, { ...captured('cursor', 'beforeSubmitPrompt'), ...session });
    said[status] = text.includes('Ended.');
  }
  expect(said).toEqual({ aborted: false, error: false, completed: true });

  const [stop, prompted] = [shim('AfterAgent', [kept]), shim('BeforeAgent', [given])];
  const file = join(w.project, 'unfinished.jsonl');
  const own = { session_id: 'unfinished', transcript_path: file };
  const asked = async (end: string): Promise<string> => {
    writeFileSync(file, end);
    await w.fire(stop, { ...captured('gemini-cli', 'AfterAgent'), ...own });
    return (await w.fire(prompted, { ...captured('gemini-cli', 'BeforeAgent'), ...own })).text ?? '';
  };
  expect(await asked(prompt + cancelled + left)).toBe('');
  expect(await asked(prompt + answer)).toContain('Ended.');
});
