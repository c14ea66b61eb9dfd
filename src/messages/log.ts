import { valuesByKey } from '../base/grouped.ts';
import { listed } from '../base/listed.ts';
import { oneLine } from '../base/visible.ts';
import { countOf } from './plan.ts';
import { costsText, incidentText, loggedCode } from './silences.ts';
import { commandOn, thousands, word } from './words.ts';

/** When an event is, in the list of what hooks gave. */
const MOMENTS: Readonly<Record<string, string>> = {
  session_start: 'session start',
  pre_request: 'prompt',
  pre_tool_use: 'before a tool',
  post_tool_use: 'after a tool',
  post_request: 'end of a turn',
  session_end: 'session end',
};

export const momentText = (event: string): string => loggedCode(MOMENTS, event);

/** Why a hook that matched gave no text, by the code in the log. */
const SILENCES: Readonly<Record<string, string>> = {
  cooldown: 'its cooldown is not over',
  'cooldown.session': 'it already fired in this session (once per session)',
  'when.outcome': 'the outcome of the tool does not match',
  'when.outcome-unknown': 'the client does not report whether the tool failed',
  'when.source': 'the source of the session does not match',
  'when.files': 'the project has none of the files that it needs',
  'when.command': 'the command does not match',
  'when.path': 'the file does not match',
  'when.called': "one of the server's own tools was called",
  kept: 'its text is kept for later',
  'client.drops': 'the client drops text given with this result, so it is kept for later',
  'session.unknown': 'the client sent no session id',
  'tool.empty': 'its tool answered without text',
  'answer.nothing': "its tool's answer has nothing at the selected place (when.answer)",
  'answer.no-json': "its tool's answer is not JSON, so nothing was selected (when.answer)",
  'answer.blank': "the selected part of its tool's answer is blank (when.answer)",
  said: 'another hook gave the same text',
};

/** Below texts of declarations: what the log didn't keep. */
export const AS_DECLARED =
  'Texts with {…} are shown as declared. To keep the filled-in ones from now on, set "texts": true in the configuration file (docs/privacy.md).';

/** Returns why a line of the log holds no text, or what went wrong beside one. */
export function causeText({
  silence,
  incident,
  detail,
}: Record<'silence' | 'incident' | 'detail', string | undefined>): string {
  if (incident !== undefined)
    return `${costsText(incident) ? 'no text: ' : ''}${incidentText(incident)}${detail ? ` (${oneLine(detail)})` : ''}`;
  return `no text: ${loggedCode(SILENCES, silence ?? '')}`;
}

/** Returns what hooks gave in all. */
export const totalText = (
  since: string,
  { fired, texts, tokens }: Record<'fired' | 'texts' | 'tokens', number>,
): string =>
  `Since ${since.slice(0, 10)}: ${countOf(fired, 'fire')}, ${countOf(texts, 'text')}, about ${thousands(tokens)} tokens`;

export const lengthText = (chars: number, tokens: number): string =>
  `${thousands(chars)} characters, about ${countOf(tokens, 'token')}`;

/** Headings of statistics. */
export const STATS_WORDS = {
  picture: 'What hooks gave',
  clients: 'Tokens by client',
  days: 'Tokens by day',
} as const;

/** Says that a user's try fired a hook. */
export const TRIED = 'by mcphooks fire';

/** Heading of the incidents that a doctor shows. */
export const LATEST_LINES = 'Latest log lines';
export const NOTHING_LOGGED = 'No hook has given a text yet.';
export const NOTHING_COUNTED =
  'No hook has given a text in a client yet. Runs of mcphooks fire are not counted.';
export const NOTHING_FITS = 'No line in the log matches.';
export const LOG_OFF = `The log is off ("log": false in the configuration file).`;

export const earlierLines = (lines: number): string =>
  `${lines} earlier ${lines === 1 ? 'line' : 'lines'} not shown; --since 30d shows the last 30 days.`;

/** Returns how long ago a time was, in the largest fitting unit. */
function ago(at: string, now: string): string {
  const minutes = Math.floor((Date.parse(now) - Date.parse(at)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2 * 24 * 60
    ? `${Math.floor(minutes / 60)} h ago`
    : `${Math.floor(minutes / 24 / 60)} days ago`;
}

/**
 * Returns when a server's hooks last gave a text, by client. `last`: ISO 8601; without it there was none since the install,
 * whose time is empty in a project's lock file.
 */
export function lastTextsText(
  clients: readonly { client: string; last?: string; since: string }[],
  now: string,
): string {
  const named = valuesByKey(
    clients.map(({ client, last, since }) => {
      const none = since ? `no text in <> since the install on ${since.slice(0, 10)}` : 'no text in <> yet';
      return [last === undefined ? none : `last text ${ago(last, now)} in <>`, client];
    }),
  );
  return `${[...named].map(([text, titles]) => text.replace('<>', listed(titles))).join('; ')}.`;
}

/** What advice rests on: a hook of a server, and the numbers. */
interface AdviceArgs {
  server: string;
  n: number;
  event: string;
  scope?: string;
  /** Hooks to leave out: those that are already, and those that the numbers suggest. */
  skipped: readonly string[];
  fired: number;
  ms?: number;
  /** Each call starts the server. */
  cold: boolean;
}

/** Returns what a number in the statistics suggests, with a command to paste. */
export function adviceText(
  code: 'never' | 'always' | 'slow',
  a: AdviceArgs,
): { text: string; command: string } {
  const install = (options: string): string =>
    commandOn('install', { name: a.server, ...(a.scope && { scope: a.scope }) }, options);
  const hook = `Hook ${a.n} of ${word(a.server)} (${a.event})`;
  if (code === 'always')
    return {
      text: `${hook} gave a text at every prompt, ${a.fired} times. With a cooldown it gives fewer:`,
      command: install('--cooldown 10m'),
    };
  if (code === 'slow' && a.cold)
    return {
      text: `${hook} takes ${a.ms} ms because its tool is slow. To keep the server running between hooks:`,
      command: install('--keep-warm 10'),
    };
  if (code === 'slow')
    return {
      text: `${hook} takes ${a.ms} ms because its tool is slow. With a cooldown, fewer fires wait for it:`,
      command: install('--cooldown 10m'),
    };
  return {
    text: `${hook} fired ${a.fired} times and gave no text. To leave it out:`,
    command: install(`--skip ${a.skipped.join(',')}`),
  };
}
