import type { Context } from '../../app/context.ts';
import { grouped, valuesByKey } from '../../base/grouped.ts';
import { barred, hanging, rowsOf, widthOf, wrapped } from '../../base/text-style.ts';
import { oneLine, visible } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import { leftOutBy } from '../../declarations/left-out.ts';
import { isToolEvent } from '../../declarations/types.ts';
import { FIRE_VARIABLE } from '../../declarations/variables.ts';
import { UNIT_NAMES } from '../../fire/text/render.ts';
import type { Finding } from '../../inspect/doctor/types.ts';
import type {
  Explained,
  ExplainedCell,
  ExplainedHook,
  ExplainedLimits,
  ExplainedStep,
} from '../../inspect/explain.ts';
import {
  ALL_CLIENTS,
  ANY_TAG,
  ANY_TAG_TEXT,
  explainedTitle,
  INPUT_CHECKED,
  limitLines,
  READ_AT,
  readsText,
  STEP_DOES,
  samplesText,
  unfilledText,
} from '../../messages/explained.ts';
import type { Fault } from '../../messages/fault.ts';
import { whenText } from '../../messages/hook-words.ts';
import { noteText } from '../../messages/notes.ts';
import { conditionTexts, oftenText } from '../../messages/when-words.ts';
import { isCarried } from '../../plan/carried.ts';
import type { Plan } from '../../plan/types.ts';
import { findingTexts } from './findings.ts';
import { fidelityText } from './matrix.ts';
import { warningLines } from './plan-header.ts';

/** Notes on how long the server stays running. */
const ON_KEEPING = ['server.kept', 'server.not-kept', 'server.never-kept'];

/** How what is explained stands to what is installed. */
interface ExplainedState {
  /** Time of the install, ISO 8601; undefined: a preview. */
  since: string | undefined;
  /** It is installed at another scope alone. */
  isElsewhere: boolean;
  /** Says where it isn't installed: at this scope, or for these clients. */
  notThere: Fault | undefined;
  /** What stops its installed hooks, or is worth knowing. */
  findings: readonly Finding[];
  /** Processes of the server that its hooks keep running. */
  kept: readonly Finding[];
}

export function explainedText(
  plan: Plan,
  explained: Explained,
  { since, isElsewhere, notThere, findings, kept }: ExplainedState,
  context: Context,
): string {
  const { style, columns } = context;
  const keeps = (plan.notes ?? []).filter(({ code }) => ON_KEEPING.includes(code));
  const { hooks, limits } = explained;
  const { leftOut = [] } = plan;
  const firing = hooks.filter(({ clients }) => clients.some(({ cell }) => isCarried(cell.fidelity))).length;
  const state = explainedTitle({
    declared: hooks.length + leftOutBy(leftOut),
    used: since === undefined ? hooks.length : firing,
    ...(since !== undefined && { since }),
    elsewhere: isElsewhere,
    otherOptions: plan.changed.includes('options'),
  });
  const title = `${style('bold', oneLine(plan.server))}  ${state}${plan.disabled ? style('magenta', ', disabled') : ''}`;
  const warnings = [...(notThere ? [notThere] : []), ...leftOut];
  return [
    [title, ...warnings.flatMap((fault) => warningLines(fault, context))].join('\n'),
    ...(findings.length > 0 ? [findingTexts(findings, context).join('\n')] : []),
    ...hooks.map((hook) => explainedHook(hook, context)),
    ...limits.map((limit) => limitText(limit, hooks, context)),
    ...keeps.map((note) => wrapped(noteText(note), 0, columns)),
    ...findingTexts(kept, context),
  ].join('\n\n');
}

function explainedHook(hook: ExplainedHook, context: Context): string {
  const { n, declaration, clients } = hook;
  const { style, columns } = context;
  const fires = clients.some(({ steps }) => steps.length > 0);
  const cells = clients.map((cell) => cellLines(cell, clientById(cell.client).title, hook, context));
  const [same, ...others] = clients.map((cell) => cellLines(cell, ALL_CLIENTS, hook, context));
  const alike = others.length > 0 && others.every((other) => other.join() === same?.join());
  return [
    style('bold', `${n}  ${oneLine(whenText(declaration))}  ${declaration.priority}`),
    ...conditionTexts(declaration.when).map((text) => wrapped(text, 3, columns)),
    ...(declaration.matcher?.input_contains === undefined || !fires
      ? []
      : [style('dim', wrapped(INPUT_CHECKED, 3, columns))]),
    ...(alike && same ? same : cells.flat()),
    ...textLines(hook, context),
    ...(clients.some(({ texts }) => texts.some((text) => text.startsWith(`[mcphooks ${ANY_TAG} `)))
      ? [style('dim', wrapped(ANY_TAG_TEXT, 3, columns))]
      : []),
    ...sampleLines(hook).map((line) => style('dim', wrapped(line, 3, columns))),
  ].join('\n');
}

/** Returns the sample values, with their clients where they differ, and the variables without any. */
function sampleLines({ declaration, clients }: ExplainedHook): string[] {
  const { event, context = '', context_tool_args: args = {} } = declaration;
  const speaking = clients.filter(({ texts }) => texts.length > 0);
  const bySamples = valuesByKey(
    speaking.map(({ client, samples }) => {
      const named = Object.entries(samples).map(([name, value]) => `{${name}} = ${oneLine(value)}`);
      return [named.join(', '), clientById(client).title];
    }),
  );
  const used = [...`${context} ${JSON.stringify(args)}`.matchAll(FIRE_VARIABLE)].map(([, name = '']) => name);
  const ofCall = new Set(isToolEvent(event) ? used.filter((name) => /^tool_(?:name|input)/.test(name)) : []);
  const unfilled = grouped(
    speaking.map(({ client, samples }) => {
      const names = [...ofCall].filter((name) => !Object.hasOwn(samples, name));
      return [clientById(client).title, names.map((name) => `{${name}}`).join(', ')] as const;
    }),
  );
  return [
    ...[...bySamples].flatMap(([named, titles]) =>
      named === '' ? [] : [samplesText(named, bySamples.size > 1 ? titles : [])],
    ),
    ...unfilled.flatMap(({ text, whom }) =>
      text === '' ? [] : [unfilledText(text, unfilled.length > 1 ? whom : '')],
    ),
  ];
}

/** Steps that handle a text, in display order; the other steps only keep state. */
const TEXT_STEPS: readonly ExplainedStep['does'][] = ['emit', 'defer', 'emit-deferred', 'call'];

function cellLines(
  explained: ExplainedCell,
  title: string,
  { declaration }: ExplainedHook,
  context: Context,
): string[] {
  const { style, columns } = context;
  const { client, cell, steps, cooldown } = explained;
  const { events } = clientById(client);
  // The note on a lower fidelity also tells when the text is read.
  const event = events[declaration.event];
  const moment = cell.fidelity === 'native' && 'moment' in event ? [READ_AT[event.moment]] : [];
  const reason = [...moment, ...cell.notes.map(noteText)].join('; ');
  const step = ({ key, matcher, does }: ExplainedStep): string =>
    `${key}${matcher === undefined ? '' : ` on ${style('bold', oneLine(matcher))}`} ${STEP_DOES[does]}`;
  const withText = TEXT_STEPS.flatMap((does) => steps.filter((s) => s.does === does)).map(step);
  const quiet = steps
    .filter((s) => !TEXT_STEPS.includes(s.does))
    .map(({ key, does }) => `${key} ${STEP_DOES[does]}`);
  const often = cooldown === undefined ? [] : [oftenText(cooldown === null ? null : cooldown / 1_000)];
  const rest = [...withText, ...often].join('; ');
  const first = `   ${title.padEnd(12)} ${fidelityText(cell.fidelity, style)}`;
  return [
    `${first}${reason ? `: ${hanging(reason, widthOf(first) + 2, columns).replaceAll(/\n */g, `\n${DEEP}`)}` : ''}`,
    ...(rest ? [wrapped(rest, DEEP.length, columns)] : []),
    ...(quiet.length > 0 ? [style('dim', wrapped(quiet.join('; '), DEEP.length, columns))] : []),
  ];
}

/** Indent below a client's name. */
const DEEP = ' '.repeat(16);

/** Returns the command with a placeholder for the shim's name, the last part of its path. */
function forAnyEvent(command: string, key: string): string {
  const at = command.lastIndexOf(key);
  if (at < 0) return command;
  return `${command.slice(0, at)}<event>${command.slice(at + key.length)}`;
}

/** Returns how a client runs the shims, how long it waits for each, and the limits of text. */
function limitText(limit: ExplainedLimits, hooks: readonly ExplainedHook[], context: Context): string {
  const { style, columns } = context;
  const { client, unit, handler, event, session } = limit;
  const steps = hooks.flatMap((hook) =>
    hook.clients.filter((c) => c.client === client).flatMap((c) => c.steps),
  );
  const entries = [...new Map(steps.map((step) => [step.key, step])).values()];
  const shim = entries.find(({ command }) => command !== undefined);
  const calls = [...new Set(steps.flatMap((step) => step.call ?? []))].sort((a, b) => a - b);
  const ends = [...new Set(entries.flatMap(({ deadline }) => deadline ?? []))].sort((a, b) => a - b);
  const lines = limitLines({
    calls,
    hooks: entries.map(({ key, timeout }) => [key, timeout] as const),
    scripts: ends,
    ...(handler !== undefined && { handler }),
    event,
    session,
    unit: UNIT_NAMES[unit],
  });
  return [
    style('bold', clientById(client).title),
    ...(shim?.command === undefined
      ? []
      : rowsOf(oneLine(forAnyEvent(shim.command, shim.key)), (columns ?? Number.POSITIVE_INFINITY) - 8).map(
          (row, i) => `   ${i === 0 ? 'runs' : '    '} ${row}`,
        )),
    ...lines.map((line) => wrapped(line, 3, columns)),
  ].join('\n');
}

/** Returns each text once, with its clients where texts differ. */
function textLines({ clients }: ExplainedHook, { style, columns }: Context): string[] {
  const byText = valuesByKey(
    clients.flatMap(({ client, texts }) => texts.map((text) => [text, clientById(client).title] as const)),
  );
  return [...byText].flatMap(([text, titles]) => [
    `   ${readsText(byText.size > 1 ? titles : [])}`,
    ...barred(visible(text), style, columns, 3),
  ]);
}
