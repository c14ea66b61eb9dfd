import { oneLine } from '../base/visible.ts';
import type { FaultArgs } from './args.ts';
import { shownArgs, word } from './words.ts';

/** Sentences for incidents in the log of fires, by code. */
const INCIDENTS: Readonly<Record<string, string>> = {
  'data.unreadable': 'what stands beside its shim cannot be read',
  'payload.unreadable': 'what the client sent makes no sense',
  'text.sanitised': 'invisible characters were taken out',
  'text.cut': 'the text was cut',
  'text.dropped': 'the text gave way to others',
  'value.cut': 'a value of a template was cut',
  'budget.session': 'the session has had all that a server may say',
  'definition.changed': 'the server is defined in another way than was approved',
  'definition.missing': "the server's definition is gone",
  'definition.elsewhere':
    'the server is defined for another project, or depends on the folder and was not approved to start here',
  'url.refused': 'its address is none that may be reached: https, or http on this machine',
  'tool.failed': 'its tool failed',
  'tool.slow': 'its tool was too slow',
  'tool.installing': 'its package is being installed, which goes on in the background',
  'tool.paused': 'its tool gave nothing in time in three sessions in a row and is paused for a day',
  'tool.resting': 'its tool failed three times and rests for ten minutes',
  'fire.failed': 'the hook failed',
};

/**
 * Sentences on why `mcphooks fire` shows no text of a hook; incidents are above. `a.detail`: the argument of the code.
 */
const SILENCES: Readonly<Record<string, (a: FaultArgs) => string>> = {
  disabled: (a) => `'${a.name}' is disabled; mcphooks enable ${word(a.name)} lets it speak again`,
  environment: (a) => `MCPHOOKS_DISABLE=${a.detail} silences it; unset it`,
  'client.other': (a) => `another program than ${a.client} runs the hook: there is ${a.detail}`,
  'client.calls': (a) => `${a.client} calls the tool itself, so there is no shim to run (--grant-control)`,
  'client.drops': (a) => `${a.client} drops what is given with this result (${a.detail}), so it waits`,
  'client.no-tool': (a) =>
    `${a.client} has no tool that does what '${a.detail}' does, so it never fires for it`,
  'client.not-installed': (a) =>
    `no hooks of '${a.name}' are installed for ${a.client}; mcphooks install ${word(a.name)} --client ${a.id}`,
  'event.other': (a) => `it speaks at ${a.detail}, and the payload is of another event`,
  'event.undeclared': (a) => `'${a.name}' declares no hook at ${a.event}`,
  'prompt.sub-agent': (a) => `the prompt is a sub-agent's (${a.detail})`,
  'prompt.again': () => 'the same prompt was answered already: the client asks its model once more',
  'prompt.none': (a) => `${a.client} says here that it asks its model, not that somebody wrote a prompt`,
  'prompt.continuation': (a) => `${a.client} made this prompt itself, after a hook kept the turn from ending`,
  'matcher.tool': (a) =>
    `it wants the tool '${a.wants}', and ${a.detail ? `this is '${a.detail}'` : 'there is none'}`,
  'matcher.server': (a) =>
    `it wants a tool of the server '${a.wants}', and this is ${a.detail ? `one of '${a.detail}'` : 'none of an MCP server'}`,
  'matcher.input': (a) =>
    `it wants ${JSON.stringify(a.wants)} in the input, which is ${a.detail || 'not there'}`,
  'session.unknown': () => 'the payload names no session (session_id)',
  'session.had-it': () => 'the session had it already: it is given once, at the start',
  'session.no-turn': () => 'the session had no turn, and such a session leaves no text',
  'cooldown.session': () => 'it fired in this session already (once a session)',
  'when.outcome': (a) =>
    `it wants a tool that ${a.wants === 'failure' ? 'failed, and this one did not' : 'succeeded, and this one failed'}`,
  'when.outcome-unknown': (a) => `${a.client} does not tell whether this tool failed`,
  'when.source': (a) =>
    `it wants a session that starts by ${a.wants}, and this one ${a.detail ? `started by ${a.detail}` : 'does not say how it started'}`,
  'when.files': (a) => `it wants ${a.wants} in the project, and ${a.detail} has none of that`,
  'when.command': (a) =>
    `it wants the command '${a.wants}', and ${a.detail ? `this runs '${a.detail}'` : 'none is run'}`,
  'when.path': (a) =>
    `it wants a file that fits ${a.wants}, and ${a.detail ? `this is ${a.detail}` : 'none is named'}`,
  'when.called': (a) =>
    `${a.wants} was called in this session${a.within === undefined ? '' : ` less than ${a.within} s ago`}`,
  cooldown: (a) => `it fired in this session less than ${a.detail} s ago`,
  kept: (a) => `its text is kept ${a.until}`,
  'kept.nothing': () => 'no text was kept for this moment',
  'tool.failed': (a) => `its tool failed: ${a.detail}`,
  'tool.empty': (a) => `its tool ${a.detail} answered without a text`,
  'answer.nothing': (a) => `the answer of its tool has nothing at ${a.detail} (when.answer)`,
  'answer.blank': (a) =>
    `the first characters of its tool's answer, ${a.detail} at most, hold no word (when.answer)`,
  'noted.start': () => 'notes only that a session starts',
  'noted.turn': () => 'notes only that the session had a turn',
  'noted.call': () => "notes only that one of the server's own tools was called",
  'shim.gone': (a) => `its shim is gone; mcphooks install ${word(a.name)}`,
  'shim.failed': () => 'its shim ended without an answer; mcphooks doctor may say why',
  'shim.output': (a) => `its shim said something that ${a.client} does not take; mcphooks doctor may say why`,
};

/** How long a text is kept, by its event. */
const KEPT_UNTIL: Readonly<Record<string, string>> = {
  post_request: 'for the next prompt',
  session_end: "for the project's next session",
};

/** Returns the sentence for a reason of silence. Incidents add their detail. */
export function silenceText(code: string, args: FaultArgs): string {
  const a = shownArgs({
    ...args,
    until: KEPT_UNTIL[String(args.event)] ?? 'for the next tool call or prompt',
  });
  const wording = SILENCES[code];
  if (wording) return wording(a);
  return `${incidentText(code)}${a.detail ? ` (${a.detail})` : ''}`;
}

export function incidentText(incident: string): string {
  return INCIDENTS[incident] ?? oneLine(incident);
}
