import type { Context } from '../../app/context.ts';
import { barred, hanging } from '../../base/text-style.ts';
import { excerpt, oneLine, visible } from '../../base/visible.ts';
import { clientById, isClient } from '../../clients/index.ts';
import { isGiven, type LogEntry } from '../../inspect/entries.ts';
import { causeText, lengthText, momentText, TRIED } from '../../messages/log.ts';
import { thousands } from '../../messages/words.ts';

/** Most characters of a text in the list; a session is shown whole. */
const EXCERPT = 240;
/** Columns of the time. */
const TIME = 10;
/**
 * Characters of a session's id. Some clients begin ids with the time, to a millisecond in 13 characters (Codex 0.171.0)
 * or 16 (OpenCode 1.18.33): fewer would be those of other sessions, too.
 */
const SESSION = 18;

export const clientTitle = (id = ''): string => (isClient(id) ? clientById(id).title : oneLine(id));

/** Returns a function that prints lines of the log: a heading for each day, or for the session, then a line each. */
export function linePrinter({ out, style, columns }: Context, inSession: boolean): (line: LogEntry) => void {
  let heading = '';
  return (line) => {
    const day = `${line.at.slice(0, 10)} (UTC)`;
    const where = [clientTitle(line.client), line.project ?? '', line.session ?? ''];
    const title = inSession ? [day, ...where.map(oneLine)].filter(Boolean).join('  ') : day;
    if (title !== heading) out(style('bold', hanging(title, 2, columns)));
    heading = title;
    const time = style('dim', line.at.slice(11, 19));
    out(`${time}  ${hanging(words(line, inSession).join('  '), TIME, columns)}`);
    if (line.text === undefined) return;
    const text = inSession ? visible(line.text) : excerpt(line.text.replace(/\s+/g, ' '), EXCERPT);
    out(barred(text, style, columns, TIME).join('\n'));
  };
}

function words(line: LogEntry, inSession: boolean): string[] {
  const { server = '', client, event, n, session = '', tokens = 0, chars = 0, ms, fidelity } = line;
  return [
    oneLine(server),
    ...(inSession ? [] : [clientTitle(client)]),
    ...(event ? [momentText(event)] : []),
    ...(n ? [`hook ${n}`] : []),
    ...(inSession || session === '' ? [] : [`session ${oneLine(session.slice(0, SESSION))}`]),
    isGiven(line)
      ? lengthText(chars, tokens)
      : causeText({ silence: line.silence, incident: line.incident, detail: line.detail }),
    ...(fidelity && fidelity !== 'native' ? [fidelity] : []),
    ...(ms === undefined ? [] : [`${thousands(ms)} ms`]),
    ...(line.try ? [TRIED] : []),
  ];
}
