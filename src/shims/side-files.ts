import { join } from 'node:path';
import { FIRE_VARIABLE } from '../declarations/variables.ts';
import { distinct } from '../fire/assemble.ts';
import { claimsKept, type FireData, type FireHook } from '../fire/format.ts';
import type { LogLine } from '../fire/log.ts';
import { keptTextsFolder, LOG_FILE, sessionsFolder } from '../fire/own-folders.ts';
import { markOf } from '../fire/session/markers.ts';
import { ascii, BETWEEN, documentFor, envelope, measure, outputOf, sizeOf } from '../fire/text/render.ts';
import { maskMessage } from '../servers/masking/mask-message.ts';
import { conditionFiles, runsOf } from './condition-files.ts';
import { needlesFile } from './prefilter.ts';

/** Files beside the shim by which the shell decides alone, by suffix (templates/shim.sh). */
interface SideFiles {
  /** Texts, of which the payload must contain at least one; otherwise the hook is silent (prefilter.ts). */
  needles?: string;
  /** The document, when it is always the same. */
  out?: string;
  /** Payload keys and texts with which the shell must not print `out`. */
  unless?: string;
  /** Folder of the sessions, units of `out`, and the session's budget. */
  budget?: string;
  /** Path of the log, and for each hook of `out` its line in the log but for time, session and project. */
  log?: string;
  /**
   * Path of the log, then for each hook whose text the shell alone may withhold what names its marks, and its log line
   * without the cause.
   */
  quiet?: string;
  /** Folder of kept texts. */
  kept?: string;
  /** Like `needles`, for further conditions that must hold too. */
  also?: string;
  /** Patterns, of which at least one must name something in the project. */
  files?: string;
  /** Folder of the sessions, and the markers that keep the hooks silent. */
  marks?: string;
  /** Payload keys of a prompt's text, of its id and of what a new prompt has, and the folder of the sessions. */
  once?: string;
  /** Folder of the sessions, and the markers to set when one of the server's own tools was called. */
  called?: string;
}

/** Returns the texts of the files beside a hook script, from which the shell decides without Node. */
export function sideFiles(data: FireData): SideFiles {
  const { state, owner, client, native, server, tag, yields } = data;
  const files: SideFiles = {};
  const hooks = data.hooks.filter((hook) => hook.does !== 'emit-deferred');
  const runs = hooks.map((hook) => runsOf(hook, data));
  const needles = needlesFile(runs.map(([first]) => first ?? null));
  const also = runs.some(([, second]) => second)
    ? needlesFile(runs.map(([, second]) => second ?? null))
    : null;
  const needsKept = data.hooks.some(claimsKept);
  if (state && needsKept) files.kept = `${keptTextsFolder(state, client, server, owner)}\n`;
  // Without the folder's name the shell can't find out whether a text is waiting.
  if (state || !needsKept) {
    if (needles !== null) files.needles = needles;
    if (also !== null) files.also = `${also}\n`;
    Object.assign(files, conditionFiles(hooks, data));
  }

  const { skipUnless = '', skipLike, keepLike, oncePer = '', newIf = '' } = data.payload;
  const sessions = state ? sessionsFolder(state, client, server, owner) : '';
  if (skipUnless || oncePer) files.once = `${skipUnless}\n${oncePer}\n${newIf}\n${sessions}\n`;

  const plain = !yields && (!skipLike || skipLike.holds !== undefined) && (!oncePer || state);
  const signs = [
    ...keysThatMatter(data).map((key) => JSON.stringify(key)),
    ...(skipLike?.holds ? [skipLike.holds] : []),
    ...(keepLike ? [keepLike.holds] : []),
    ...(isToldByEvent(data.payload.outcome) ? [data.payload.outcome.holds] : []),
  ];
  const unless = signs.length > 0 && `${signs.join('\n')}\n\n`;
  const line = ({ n, event }: FireHook) => ({ server, client, native, n, event });
  const lines = (of: readonly FireHook[], one: (hook: FireHook) => string): string =>
    `${[join(state ?? '', LOG_FILE), ...of.map(one)].join('\n')}\n`;
  const printing = hooks.filter(({ does }) => does !== 'note-call');
  if (
    state &&
    plain &&
    (files.marks ?? files.files) &&
    !data.payload.continuation &&
    printing.every((hook) => isMatched(hook, data))
  ) {
    files.quiet = lines(printing, (hook) => `${markOf(hook)} ${head(line(hook))}`);
    if (unless) files.unless = unless;
  }

  if (tag === undefined || !plain || hooks.length === 0 || !hooks.every((hook) => isFixed(hook, data)))
    return files;
  const blocks = distinct(
    hooks.map(({ n, event, priority, text = '' }) => ({
      n,
      heading: { server, event, priority, tag },
      text,
    })),
  );
  const texts = new Map(blocks.map(({ n, heading, text }) => [n, envelope(heading, text)]));
  const text = [...texts.values()].join(BETWEEN);
  const units = measure(text, data.unit);
  if (units > data.eventBudget) return files;
  files.out = `${documentFor(data.output ?? outputOf(data.native), text)}\n`;
  if (unless) files.unless = unless;
  if (state) {
    files.budget = `${sessions}\n${units} ${data.sessionBudget}\n`;
    files.log = lines(hooks, (hook) => {
      const { n, text = '' } = hook;
      const whole = texts.get(n);
      if (whole === undefined) return head({ ...line(hook), silence: 'said' });
      const hidden = maskMessage(text) !== text;
      return head({ ...line(hook), tag, ...sizeOf(whole), ...(hidden && { hidden }) });
    });
  }
  return files;
}

/** Returns what is known of a line in the log: ASCII, as no shell has trouble with that, without its braces. */
const head = (line: Omit<LogLine, 'at'>): string => ascii(JSON.stringify(line)).slice(1, -1);

/** True for a hook that matches whenever the client runs the script, unless conditions that the shell tests say no. */
function isMatched({ does, match, when = {} }: FireHook, { payload }: FireData): boolean {
  const { files: _files, unlessCalled: _called, ...others } = when;
  return does === 'emit' && !match && isUnconditional(others, payload.outcome);
}

/** True where the event fires for the wanted outcome alone; the shell leaves other payloads to Node (`.unless`). */
function isUnconditional(
  { outcome, ifUnknown: _, ...others }: NonNullable<FireHook['when']>,
  rule: FireData['payload']['outcome'],
): boolean {
  const isTold = outcome === undefined || (isToldByEvent(rule) && rule.is === outcome);
  return isTold && Object.keys(others).length === 0;
}

const isToldByEvent = (rule: FireData['payload']['outcome']) => typeof rule === 'object' && 'is' in rule;

function isFixed({ does, at, match, when = {}, cooldownMs, text }: FireHook, { payload }: FireData): boolean {
  const isPlain = does === 'emit' && !at && !match && cooldownMs === undefined;
  const always = isPlain && isUnconditional(when, payload.outcome);
  return always && text !== undefined && text.search(FIRE_VARIABLE) < 0;
}

function keysThatMatter({ payload: { skipIf, keepIf, foreign } }: FireData): string[] {
  const paths = [skipIf ?? [], keepIf ?? [], foreign?.fields ?? []].flat();
  return paths.flatMap((path) => path.split('.').at(-1) ?? []);
}
