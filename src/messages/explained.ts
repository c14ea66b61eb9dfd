import { hooksOf } from './plan.ts';
import { thousands } from './words.ts';

/** What the first line says of a server's hooks. */
interface Explanation {
  /** Those that are left out count, too. */
  declared: number;
  /** Of an install those that fire, else those that are not left out. */
  used: number;
  /** Time of the install, ISO 8601; '': unknown, as in a project's lock file. */
  since?: string;
  /** Whether it is installed at another scope alone. */
  elsewhere: boolean;
  /** Whether the options differ from those of the install. */
  otherOptions: boolean;
}

export function explainedTitle({ declared, used, since, elsewhere, otherOptions }: Explanation): string {
  const hooks = hooksOf(used, declared);
  if (since === undefined) return `${hooks}${elsewhere ? '' : ', not installed'} (preview)`;
  const when = since === '' ? '' : ` since ${since.slice(0, 10)}`;
  return `${hooks}, installed${when}${otherOptions ? ', shown with other options' : ''}`;
}

export const ALL_CLIENTS = 'all clients';
export const INPUT_CHECKED = "the client can match only the tool's name; the hook script checks the input";

/** Stands for a text that only a tool's answer gives. `args`: as JSON. */
export const answerText = (tool: string, args: string): string =>
  `(what its tool ${tool} answers to ${args})`;

/** Stands in a text's naming lines for a tag that isn't known before. */
export const ANY_TAG = '00000000';
export const ANY_TAG_TEXT = `${ANY_TAG} stands for a tag that each fire makes at random`;

/** `samples`: by commas; `titles`: the clients that have them; empty: all. */
export const samplesText = (samples: string, titles: readonly string[]): string =>
  `with sample values${titles.length > 0 ? ` (${titles.join(', ')})` : ''}: ${samples}`;

/** Says of variables without a sample value when they get one. `names`: by commas; `whom`: the clients; '': all. */
export const unfilledText = (names: string, whom: string): string =>
  `without a sample value${whom && ` (${whom})`}: ${names}; a real call fills in what it has`;

/** `titles`: the clients whose model reads it; empty: all. */
export const readsText = (titles: readonly string[]): string =>
  `The model reads${titles.length > 0 ? ` (${titles.join(', ')})` : ''}`;

/** How long a client and its hook scripts wait (seconds), and how much text it takes. */
interface ShownLimits {
  calls: readonly number[];
  hooks: readonly (readonly [key: string, seconds: number])[];
  scripts: readonly number[];
  handler?: number;
  event: number;
  session: number;
  unit: string;
}

export function limitLines({ calls, hooks, scripts, handler, event, session, unit }: ShownLimits): string[] {
  const waits = hooks.map(([key, seconds]) => `${key} ${seconds} s`).join(', ');
  const most = [
    ...(handler === undefined ? [] : [`${thousands(handler)} a hook`]),
    `${thousands(event)} an event`,
    `${thousands(session)} a session`,
  ];
  return [
    ...(calls.length > 0 ? [`waits for a tool: ${calls.join(' or ')} s`] : []),
    ...(waits === ''
      ? []
      : [
          `waits for a hook: ${waits}${scripts.length > 0 ? `; a hook script gives up after ${scripts.join(' or ')} s` : ''}`,
        ]),
    `gives at most, in ${unit}: ${most.join(', ')}`,
  ];
}

/** When the model reads a text. */
export const READ_AT = {
  'first-prompt': 'with the first prompt of the session',
  prompt: 'with each prompt',
  result: "with the tool's result",
  'next-prompt': 'with the next prompt of the same session',
  'next-session': 'when the next session in the same project starts',
} as const;

export type DeliveryMoment = keyof typeof READ_AT;

/** What a native event does for a hook. */
export const STEP_DOES = {
  emit: 'gives the text',
  defer: 'keeps the text for later',
  'emit-deferred': 'gives what was kept',
  'mark-turn': 'records that the session had a turn',
  'start-session': 'records that a session starts',
  'note-call': "records calls of the server's own tools",
  call: 'the client calls the tool itself',
} as const;
