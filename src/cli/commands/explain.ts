import type { Context } from '../../app/context.ts';
import { notInstalled } from '../../app/not-installed.ts';
import { openRecord } from '../../app/open-record.ts';
import { preparePlan } from '../../app/prepare/prepare.ts';
import type { Request } from '../../app/request.ts';
import { recoverInterrupted } from '../../app/write/recover.ts';
import { grouped } from '../../base/grouped.ts';
import { slugFor } from '../../base/slug.ts';
import { barred, hanging, rowsOf, widthOf, wrapped } from '../../base/text-style.ts';
import { oneLine, visible } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import { leftOutBy } from '../../declarations/left-out.ts';
import { isToolEvent } from '../../declarations/types.ts';
import { FIRE_VARIABLE } from '../../declarations/variables.ts';
import { UNIT_NAMES } from '../../fire/text/render.ts';
import type { Finding } from '../../inspect/doctor/types.ts';
import { keptServers } from '../../inspect/doctor/warm-servers.ts';
import {
  type Explained,
  type ExplainedCell,
  type ExplainedHook,
  type ExplainedLimits,
  type ExplainedStep,
  explain,
} from '../../inspect/explain.ts';
import {
  ALL_CLIENTS,
  ANY_TAG,
  ANY_TAG_TEXT,
  explainedTitle,
  INPUT_CHECKED,
  limitLines,
  readsText,
  samplesText,
  unfilledText,
} from '../../messages/explained.ts';
import { type Fault, Faults } from '../../messages/fault.ts';
import { whenText } from '../../messages/hook-words.ts';
import { deliveryMomentText, noteText, stepDoes } from '../../messages/notes.ts';
import { conditionTexts, oftenText } from '../../messages/when-words.ts';
import { planInstall } from '../../plan/install.ts';
import { keyIn } from '../../plan/scopes/scope.ts';
import type { Plan } from '../../plan/types.ts';
import { findServer } from '../../store/record.ts';
import { type Exit, exitOf, faultJson, faultsOf, reportFaults } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { findingJson } from '../json/finding.ts';
import { cellJson } from '../json/plan.ts';
import { printJson } from '../json/print.ts';
import { requestFrom } from '../request.ts';
import { findingText } from '../text/findings.ts';
import { fidelityText } from '../text/matrix.ts';
import { warningLines } from '../text/plan-header.ts';

/**
 * `mcphooks explain`: shows, hook by hook, how a server's declarations are compiled: from the record when the server is
 * installed and no other source is given, otherwise as `install --dry-run` plans it.
 */
export async function run(
  [server, command]: [server: string, command: string[]],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const asked = requestFrom(server, command, flags);
  await recoverInterrupted(context);
  const slug = slugFor(asked.server);
  const known = findServer(openRecord(context).record, keyIn(context.scope, slug));
  const elsewhere = known ? undefined : await installedElsewhere(asked.server, context);
  const { given, declarationsFile, catalogue, fromClient, reset } = asked;
  const other = given || declarationsFile !== undefined || catalogue || fromClient || reset;
  const recorded = known !== undefined && !other;
  const request: Request = { ...asked, ...(recorded && { mode: 'record' }) };
  const { input, answers } = await preparePlan(request, context).catch((error) => {
    throw elsewhere ? new Faults([elsewhere, ...faultsOf(error)]) : error;
  });
  const plan = planInstall(input);
  const clients = asked.clients.length > 0 ? asked.clients : plan.clients.map((c) => c.client);
  const names = (answers?.tools ?? []).map(({ name }) => name);
  const explained = explain(plan, clients, context.cwd, context.now(), names);
  const faults: readonly Fault[] = plan.clients.flatMap((c) => c.fault ?? []);
  const { leftOut = [] } = plan;
  const exit = exitOf(faults);
  const kept = known ? keptServers({ scope: context.scope, record: known }) : [];
  const installed = recorded && clients.some((client) => known.clients[client]) ? known : undefined;
  if (flags.json) {
    const status = exit === 0 ? 'explained' : 'failed';
    const since = installed && { since: installed.since };
    const running = kept.length > 0 && { kept: kept.map(findingJson) };
    const without = leftOut.length > 0 && { leftOut: leftOut.map(faultJson) };
    const notice = elsewhere && { elsewhere: faultJson(elsewhere) };
    const about = { server: asked.server, ...since, ...notice, ...without };
    const document = { ...about, ...explainedJson(explained), ...running };
    printJson('explain', { status, exit, ...document, faults: faults.map(faultJson) }, context);
    return exit;
  }
  context.out(explainedText(plan, explained, { since: installed?.since, elsewhere }, kept, context));
  reportFaults(faults, context);
  return exit;
}

/**
 * Returns the Fault that names the scope at which the server is installed, or says why the project's lock file can't
 * tell; undefined when it is installed nowhere here.
 */
async function installedElsewhere(server: string, context: Context): Promise<Fault | undefined> {
  const fault = await notInstalled(server, context);
  return fault.args.elsewhere || fault.code !== 'plan.not-installed' ? fault : undefined;
}

/** Notes on how long the server stays running. */
const ON_KEEPING = ['server.kept', 'server.not-kept', 'server.never-kept'];

function explainedText(
  plan: Plan,
  explained: Explained,
  { since, elsewhere }: { since: string | undefined; elsewhere: Fault | undefined },
  kept: readonly Finding[],
  context: Context,
): string {
  const { style, columns } = context;
  const keeps = (plan.notes ?? []).filter(({ code }) => ON_KEEPING.includes(code));
  const { hooks, limits } = explained;
  const { leftOut = [] } = plan;
  const firing = hooks.filter(({ clients }) => clients.some(({ steps }) => steps.length > 0)).length;
  const state = explainedTitle({
    declared: hooks.length + leftOutBy(leftOut),
    used: since === undefined ? hooks.length : firing,
    ...(since !== undefined && { since }),
    elsewhere: elsewhere !== undefined,
    otherOptions: plan.changed.includes('options'),
  });
  const title = `${style('bold', oneLine(plan.server))}  ${state}${plan.disabled ? style('magenta', ', disabled') : ''}`;
  const warnings = [...(elsewhere ? [elsewhere] : []), ...leftOut];
  return [
    [title, ...warnings.flatMap((fault) => warningLines(fault, context))].join('\n'),
    ...hooks.map((hook) => explainedHook(hook, context)),
    ...limits.map((limit) => limitText(limit, hooks, context)),
    ...keeps.map((note) => wrapped(noteText(note), 0, columns)),
    ...kept.map((finding) => findingText(finding, context)),
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
  const bySamples = new Map<string, string[]>();
  for (const { client, samples } of speaking) {
    const named = Object.entries(samples).map(([name, value]) => `{${name}} = ${oneLine(value)}`);
    const key = named.join(', ');
    bySamples.set(key, [...(bySamples.get(key) ?? []), clientById(client).title]);
  }
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
  const moment = cell.fidelity === 'native' && 'moment' in event ? [deliveryMomentText(event.moment)] : [];
  const reason = [...moment, ...cell.notes.map(noteText)].join('; ');
  const step = ({ key, matcher, does }: ExplainedStep): string =>
    `${key}${matcher === undefined ? '' : ` on ${style('bold', oneLine(matcher))}`} ${stepDoes(does)}`;
  const withText = TEXT_STEPS.flatMap((does) => steps.filter((s) => s.does === does)).map(step);
  const quiet = steps
    .filter((s) => !TEXT_STEPS.includes(s.does))
    .map(({ key, does }) => `${key} ${stepDoes(does)}`);
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
  const byText = new Map<string, string[]>();
  for (const { client, texts } of clients)
    for (const text of texts) byText.set(text, [...(byText.get(text) ?? []), clientById(client).title]);
  return [...byText].flatMap(([text, titles]) => [
    `   ${readsText(byText.size > 1 ? titles : [])}`,
    ...barred(visible(text), style, columns, 3),
  ]);
}

function explainedJson({ hooks, limits }: Explained) {
  return {
    hooks: hooks.map(({ n, declaration, clients }) => ({
      n,
      declaration,
      clients: clients.map(({ client, cell, steps, texts, samples, cooldown }) => {
        const event = clientById(client).events[declaration.event];
        return {
          client,
          ...cellJson(cell),
          ...('moment' in event && { moment: event.moment }),
          steps,
          texts,
          samples,
          ...(cooldown !== undefined && {
            cooldown: cooldown === null ? ('session' as const) : cooldown / 1_000,
          }),
        };
      }),
    })),
    limits,
  };
}
