import { dirname, join } from 'node:path';
import { jsonOrUndefined } from '../../base/json-value.ts';
import { pause } from '../../base/pause.ts';
import { quietly } from '../../base/quietly.ts';
import { jsonIn, readTail } from '../../base/read-file.ts';
import type { EventLog, LineSign, PromptLog } from '../../clients/protocol.ts';
import type { PayloadShape } from '../format.ts';
import { at, type Payload, textAt } from '../payload.ts';
import type { Session } from './session.ts';

/** True when the client, not the user, made this prompt. The marker `ended` has what the last turn's end told. */
export function isContinuation(payload: Payload, { continuation }: PayloadShape, session: Session): boolean {
  const ended = session.read('ended');
  if (!continuation || !ended) return false;
  return 'line' in continuation
    ? isRefusal(payload, continuation, ended, session.counted('ended').last)
    : session.read('armed') !== undefined && isUnlogged(payload, continuation, ended);
}

/** True when nothing that the user wrote is in the log since a turn ended. */
function isUnlogged(payload: Payload, { beside, log, time, withinMs }: PromptLog, ended: string): boolean {
  const path = textAt(payload, beside);
  const gap = Date.parse(textAt(payload, time) ?? '') - Date.parse(ended);
  if (path === undefined || Number.isNaN(gap)) return false;
  return gap <= withinMs && !promptTimes(join(dirname(path), log)).some((one) => one > ended);
}

/**
 * Returns the times of all prompts in the project's log. After /clear, prompts are under the id the session had before
 * (Gemini CLI 0.61.0).
 */
function promptTimes(file: string): string[] {
  const entries = jsonIn(file);
  return (Array.isArray(entries) ? entries : [])
    .filter((entry) => at(entry, 'type') === 'user')
    .map((entry) => String(at(entry, 'timestamp') ?? ''));
}

/** The client writes its log late: 50 to 90 ms after the hook began (Copilot CLI 1.0.83 to 1.0.102). */
const WAIT = { mostMs: 400, stepMs: 10 };
/** Bytes at the log's end that are read: what follows a turn's end is short. */
const TAIL = 64 * 1024;

/** True when the log tells, right before this prompt, that a hook refused the end of the turn. */
function isRefusal(payload: Payload, log: EventLog, file: string, endedMs: number): boolean {
  const time = at(payload, log.time);
  if (time === undefined || Date.now() - endedMs > log.withinMs) return false;
  for (const last = Date.now() + WAIT.mostMs; Date.now() < last; pause(WAIT.stepMs)) {
    const lines = linesOf(file);
    const prompt = lines.findLastIndex((line) => at(line, log.line) === time);
    if (prompt < 0) continue;
    const before = lines.slice(0, prompt);
    const turn = before.findLast((line) => fits(line, log.turnEnd) || fits(line, log.prompt));
    return fits(turn, log.refused);
  }
  return false;
}

const fits = (line: unknown, { at: path, is }: LineSign): boolean => at(line, path) === is;

/** Returns the last lines of a log that are whole; none while the log isn't there yet. */
const linesOf = (file: string): unknown[] =>
  quietly(() => readTail(file, TAIL).split('\n').map(jsonOrUndefined)) ?? [];
