import { oneLine } from '../base/visible.ts';
import type { FaultArgs } from './args.ts';
import { otherInstall } from './overlaps.ts';
import { commandOn, named, shownArgs } from './words.ts';

/** Sentences for incidents in the log of fires, by code. */
const INCIDENTS: Readonly<Record<string, string>> = {
  'data.unreadable': 'the data file of its hook script cannot be read',
  'payload.unreadable': 'what the client sent cannot be parsed',
  'text.sanitised': 'invisible characters were removed',
  'text.cut': 'the text was cut',
  'text.dropped': 'the text was dropped to make room for others',
  'value.cut': 'a template value was cut',
  'budget.session': 'the limit for one session is used up',
  'definition.changed': "the server's definition changed since it was approved",
  'definition.missing': "the server's definition is gone",
  'definition.unset': "the server's definition refers to a variable that is not set",
  'definition.elsewhere':
    'the server is defined for another project, or depends on the folder and is not approved here',
  'url.refused': 'its URL is not allowed: use https, or http on this machine',
  'tool.failed': 'its tool failed',
  'tool.slow': 'its tool was too slow',
  'tool.installing': 'its package is still being installed in the background',
  'tool.paused': 'its tool gave no answer in time in three sessions in a row and is paused for a day',
  'tool.resting': 'its tool failed three times and is paused for ten minutes',
  'fire.failed': 'the hook failed',
};

/** Incidents that stand beside a text, or whose words say what became of it. */
const BESIDE = ['text.sanitised', 'text.cut', 'text.dropped', 'value.cut'];

/** True for an incident with which a hook gave no text. */
export const costsText = (incident: string): boolean =>
  Object.hasOwn(INCIDENTS, incident) && !BESIDE.includes(incident);

/** True for an incident, or a reason of `mcphooks fire`, with which a hook failed to give a text. */
export const isFailure = (code: string): boolean =>
  (costsText(code) && code !== 'budget.session') || code.startsWith('shim.');

/** Returns that a client doesn't run hooks that ran here. */
export const stopsText = (client: string, why: string): string =>
  `${client} itself does not run it now: ${why}`;

/**
 * Sentences on why `mcphooks fire` shows no text of a hook; incidents are above. `a.detail`: the argument of the code.
 */
const SILENCES: Readonly<Record<string, (a: FaultArgs) => string>> = {
  disabled: (a) => `'${a.name}' is disabled; run ${commandOn('enable', named(a))}`,
  environment: (a) => `MCPHOOKS_DISABLE=${a.detail} turns it off; unset it`,
  'install.other': otherInstall,
  'client.other': (a) => `not ${a.client} but another program runs the hook: ${a.detail} is set`,
  'client.calls': (a) =>
    `${a.client} calls the tool itself, so there is no hook script to run (--grant-control)`,
  'client.drops': (a) =>
    `${a.client} drops text given with this result (${a.detail}), so it is kept for later`,
  'client.no-tool': (a) => `${a.client} has no tool like '${a.detail}', so the hook never fires for it`,
  'call.unknown': () => 'no tool call is known here that a hook accepts; give one with --tool and --input',
  'client.not-installed': (a) =>
    a.detail === 'local'
      ? `no hooks from '${a.name}' are installed for ${a.client}, which has no scope local`
      : `no hooks from '${a.name}' are installed for ${a.client}; run ${commandOn('install', a, `--client ${a.id}`)}`,
  'event.other': (a) => `it fires at ${a.detail}, but the payload is for another event`,
  'event.undeclared': (a) => `'${a.name}' declares no hook for ${a.event}`,
  'prompt.sub-agent': (a) => `the prompt comes from a sub-agent (${a.detail})`,
  'prompt.again': () => 'this prompt already got its text: the client is calling its model again',
  'prompt.none': (a) => `${a.client} sends this when it calls its model, not when the user enters a prompt`,
  'turn.no-end': () => 'the turn was interrupted or failed, so it has no end',
  'prompt.continuation': (a) =>
    `${a.client} created this prompt itself, after a hook kept the turn from ending`,
  'matcher.tool': (a) => `it needs ${a.wants}, but ${a.detail ? `this is '${a.detail}'` : 'there is none'}`,
  'matcher.server': (a) =>
    `it needs a tool from the server '${a.wants}', but this is ${a.detail ? `one from '${a.detail}'` : 'not an MCP tool'}`,
  'matcher.input': (a) =>
    `it needs '${a.wants}' in the input, ${a.detail ? `but as JSON that is '${a.detail}'` : 'which is missing'}`,
  'session.unknown': () => 'the payload names no session (session_id)',
  'session.had-it': () => 'this session already got it: it is given once, at the start',
  'session.no-turn': () => 'the session had no turn, and such sessions get no text',
  'cooldown.session': () => 'it already fired in this session (once per session)',
  'when.outcome': (a) =>
    `it needs a tool that ${a.wants === 'failure' ? 'failed, but this one did not' : 'succeeded, but this one failed'}`,
  'when.outcome-unknown': (a) => `${a.client} does not report whether this tool failed`,
  'when.source': (a) =>
    `it needs a session started by ${a.wants}, but this one ${a.detail ? `started by ${a.detail}` : 'names none that is known'}`,
  'when.files': (a) => `it needs ${a.wants} in the project, but ${a.detail} has none`,
  'when.command': (a) =>
    `it needs the command '${a.wants}', but ${a.detail ? `this runs '${a.detail}'` : 'none is run'}`,
  'when.path': (a) =>
    `it needs a file that matches ${a.wants}, but ${a.detail ? `this is ${a.detail}` : 'no tool for files names one'}`,
  'when.called': (a) =>
    `${a.wants} was called in this session${a.within === undefined ? '' : ` less than ${a.within} s ago`}`,
  cooldown: (a) => `it fired in this session less than ${a.detail} s ago`,
  kept: (a) => `its text is kept ${a.until}`,
  'kept.nothing': () => 'no text was kept for this moment',
  'tool.failed': (a) => `its tool failed: ${a.detail}`,
  'tool.installing': (a) => `${incidentWithDetail('tool.installing', a)}; run this again later`,
  'tool.empty': (a) => `its tool ${a.detail} answered without text`,
  'answer.nothing': (a) => `its tool's answer has nothing at ${a.detail} (when.answer)`,
  'answer.no-json': (a) => `its tool's answer is not JSON, so it has nothing at ${a.detail} (when.answer)`,
  'answer.blank': (a) =>
    `the first ${a.detail} characters of its tool's answer contain no word (when.answer)`,
  'answer.cut': (a) => `its tool's answer was cut: at most ${a.detail} characters are taken (when.answer)`,
  said: (a) => `hook ${a.detail} gave the same text`,
  'noted.start': () => 'no text expected here: it records that a session starts',
  'noted.turn': () => 'no text expected here: it records that the session had a turn',
  'noted.call': () => "no text expected here: it records a call of one of the server's own tools",
  'shim.gone': (a) => `its hook script is missing; run ${commandOn('install', a)}`,
  'shim.failed': () => 'its hook script printed nothing; run mcphooks doctor',
  'shim.below': (a) =>
    `its hook script printed nothing below ${a.detail}; run this in that folder, since not every client starts a project's hooks in a folder below`,
  'shim.output': (a) =>
    `its hook script printed something that ${a.client} does not accept; run mcphooks doctor`,
};

/** How long a text is kept, by its event. */
const KEPT_UNTIL: Readonly<Record<string, string>> = {
  post_request: 'for the next prompt',
  session_end: "for the project's next session",
};

/** Returns the sentence on why there is no text. Incidents add their detail. */
export function silenceText(code: string, args: FaultArgs): string {
  const a = shownArgs({
    ...args,
    until: KEPT_UNTIL[String(args.event)] ?? 'for the next tool call or prompt',
  });
  const wording = SILENCES[code];
  if (wording) return wording(a);
  return incidentWithDetail(code, a);
}

const incidentWithDetail = (incident: string, { detail }: FaultArgs): string =>
  `${incidentText(incident)}${detail ? ` (${detail})` : ''}`;

/** Returns the words for a code in the log; one of a later version stays as it is, on one line. */
export const loggedCode = (words: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(words, code) && words[code]) || oneLine(code);

export const incidentText = (incident: string): string => loggedCode(INCIDENTS, incident);

/** Says that a client runs no hook at the event that was tried. */
export const NO_HOOK_FIRES = 'no hook fires';
