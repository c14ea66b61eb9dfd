import type { Context } from '../../app/context.ts';
import { machineView } from '../../app/disk.ts';
import { nothingInstalled, scopesBeside } from '../../app/nothing-installed.ts';
import { type Prepared, preparePlan } from '../../app/prepare/prepare.ts';
import { forSeveral, openScope, type ScopeSnapshot } from '../../app/prepare/scope-snapshot.ts';
import type { Request } from '../../app/request.ts';
import { rememberApprovals } from '../../app/write/machine-record.ts';
import { slugFor } from '../../base/slug.ts';
import { fitted, styleFor } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import { clientById } from '../../clients/index.ts';
import { wholeCheckoutFaults } from '../../inspect/checkout/checkout-faults.ts';
import { scopeState } from '../../inspect/scopes.ts';
import { findOverlap } from '../../inspect/sources.ts';
import { unknownEntries, unlistedFault } from '../../inspect/survey.ts';
import {
  asInstalled,
  editedStep,
  notCompared,
  notInstalledYet,
  unverified,
  upToDate,
} from '../../messages/done.ts';
import type { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { noteText } from '../../messages/notes.ts';
import { updating } from '../../messages/words.ts';
import {
  changesLockAlone,
  differenceOn,
  differs,
  hasAlteredLock,
  keepsEdits,
  withoutEdits,
  withoutGone,
} from '../../plan/difference.ts';
import type { PlanInput } from '../../plan/input.ts';
import { type Comparison, compareInstall, coverNote, planInstall } from '../../plan/install.ts';
import { otherVersion } from '../../plan/lock-version.ts';
import { keyIn, type Scope, serversIn } from '../../plan/scopes/scope.ts';
import type { Plan } from '../../plan/types.ts';
import { emptyRecord, findServer } from '../../store/record.ts';
import { distinctFaults, type Exit, exitOf, faultJson, faultsOf, reportFaults, worst } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { planJson } from '../json/plan.ts';
import { printJson } from '../json/print.ts';
import { namedServer, requestFrom } from '../request.ts';
import { markdown, type Remedies, type ServerComparison } from '../text/markdown.ts';
import { goneTexts, showPlan } from '../text/show-plan.ts';

/** Options of `diff`. */
interface DiffFlags extends CommonFlags {
  format?: 'text' | 'markdown';
}

/** `stopped`: the server could not be compared, and its faults aren't reported yet. */
type ComparedServer = ServerComparison & { exit: Exit; stopped?: true };

/**
 * `mcphooks diff`: compares what the server declares now, what was approved, and the content of the files. Without a
 * name, compares all installed servers. First completes or reverts an interrupted run.
 */
export async function run(
  words: [server: string | undefined, command: string[]],
  flags: DiffFlags,
  context: Context,
): Promise<Exit> {
  try {
    return await compareAll(words, flags, context);
  } catch (error) {
    // The text goes into a pull request, where nobody sees stderr.
    if (flags.format === 'markdown')
      context.out(markdown([], faultsOf(error, 'diff'), remediesIn(context.scope)));
    throw error;
  }
}

async function compareAll(
  [word, command]: [server: string | undefined, command: string[]],
  given: DiffFlags,
  context: Context,
): Promise<Exit> {
  const { server: named, flags } = namedServer(word, given);
  const format = given.json ? 'json' : (given.format ?? 'text');
  const say = format === 'text' ? { flags, several: named === undefined } : undefined;
  const requestOn = (name: string): Request => ({
    ...requestFrom(name, command, flags),
    installedOnly: true,
    keepsFile: true,
  });
  // Opening the scope may write, so a mistake on the command line comes first.
  const request = named === undefined ? undefined : requestOn(named);
  const snapshot = forSeveral(await openScope(context));
  const { record } = snapshot.reading;
  const requests = request ? [request] : serversIn(context.scope, record).map((s) => requestOn(s.server));
  const compared: ComparedServer[] = [];
  for (const request of requests) {
    const one = await compare(request, say, context, snapshot);
    // What stops all servers, such as a mistake in the configuration file, is said once.
    const known = compared.flatMap(({ faults }) => faults.map(faultText));
    const faults = one.faults.filter((fault) => !known.includes(faultText(fault)));
    if (say && one.stopped) reportFaults(faults, context, say.several ? one.server : undefined);
    compared.push(one);
  }
  const more = unlisted(snapshot, named, context);
  for (const { faults } of more) say && reportFaults(faults, context);
  compared.push(...more);
  if (say && compared.length === 0) context.err(await nothingInstalled('diff', context));
  else if (say && named === undefined && flags.scope === undefined) {
    const others = await scopesBeside(record, context);
    if (others.length > 0) context.err(notCompared(context.scope.name, others));
  }
  // Clients follow links to their files.
  const checkout = wholeCheckoutFaults(scopeState(context.scope, snapshot.reading), machineView(context));
  if (say) reportFaults(checkout, context);
  const exit = worst([...compared.map((c) => c.exit), ...checkout.map((f): Exit => f.exit)]);
  if (format === 'json') printJson('diff', document(compared, checkout, exit), context);
  if (format === 'markdown') context.out(markdown(compared, checkout, remediesIn(context.scope, record)));
  return exit;
}

function remediesIn({ name, root, shared, store }: Scope, record = emptyRecord()): Remedies {
  const install = (server: string, from?: string, options?: string): string =>
    updating({ name: server, scope: name, ...(from !== undefined && { from }) }, options);
  const restore = (server: string): string => {
    const known = record.servers.find((one) => one.server === server);
    return install(server, undefined, shared && otherVersion(record, known) === undefined ? '--frozen' : '');
  };
  const places = { ...(root !== undefined && { root }), ...(shared && { lock: store.file }) };
  return { accept: install, restore, ...places };
}

function document(compared: readonly ComparedServer[], checkout: readonly Fault[], exit: Exit) {
  const servers = compared.map((c) => ({
    server: c.server,
    exit: c.exit,
    ...(c.plan && { plan: planJson(c.plan) }),
    faults: c.faults.map(faultJson),
  }));
  const status: 'current' | 'changed' | 'failed' = exit === 0 ? 'current' : exit === 2 ? 'changed' : 'failed';
  const faults = distinctFaults([...compared.flatMap((c) => c.faults), ...checkout]).map(faultJson);
  return { status, exit, servers, faults };
}

async function compare(
  request: Request,
  say: { flags: DiffFlags; several: boolean } | undefined,
  context: Context,
  snapshot: ScopeSnapshot,
): Promise<ComparedServer> {
  const { server } = request;
  try {
    const prepared = await preparePlan(request, context, snapshot);
    // A person who was asked isn't asked again; what the command line approves holds for that line.
    await rememberApprovals(prepared.approvals.addedByPerson(), context);
    const { beginsToDeclare: begins } = prepared;
    const { notes } = prepared.input;
    const input = await withOverlap(prepared.input, context);
    if (say && !context.scope.shared) {
      const compared = compareInstall(input);
      if (!begins && !compared.clients.some((c) => c.fault) && !differs(compared)) {
        sayInstalled(compared, prepared, context);
        return { server, exit: 0, faults: [] };
      }
    }
    const plan = planInstall(input);
    const faults = plan.clients.flatMap((c) => c.fault ?? []);
    const exit = worst([...faults.map((f): Exit => f.exit), differs(plan) || begins ? 2 : 0]);
    if (say && exit === 0) sayInstalled(plan, prepared, context);
    else if (say && !differs(plan)) sayNotes(server, prepared, context);
    else if (say) showDifference(plan, prepared, say.flags, context);
    if (say) reportFaults(faults, context);
    const unstyled = { ...context, style: styleFor(false, context.env), columns: Number.POSITIVE_INFINITY };
    return { server, exit, plan, faults, gone: goneTexts(plan, unstyled), ...(notes && { notes }) };
  } catch (error) {
    const faults = faultsOf(error, 'diff');
    return { server, exit: exitOf(faults), faults, stopped: true };
  }
}

/** Adds what serves clients that the plan adds; the other clients keep their install whatever else serves them. */
async function withOverlap(input: PlanInput, context: Context): Promise<PlanInput> {
  const { reading, scope, slug, clients } = input;
  const installed = findServer(reading.record, keyIn(scope, slug))?.clients;
  if (clients.every((id) => installed?.[id])) return input;
  return { ...input, overlap: await findOverlap(input, context) };
}

const print = (text: string, context: Context): void => context.out(fitted(text, context.columns));

/** Prints that nothing differs, as far as this version can tell, with remarks on where the hooks come from. */
function sayInstalled(
  { previous, disabled, clients }: Comparison,
  { input }: Prepared,
  context: Context,
): void {
  const { server, reading } = input;
  const isOther = otherVersion(reading.record, previous) !== undefined;
  const state = !previous ? notInstalledYet : isOther ? unverified : asInstalled;
  print(state(server, disabled === true), context);
  for (const { client, covered } of clients)
    if (covered) print(`  → ${clientById(client).title}: ${oneLine(noteText(coverNote(covered)))}`, context);
  for (const note of input.notes ?? []) print(`  → ${oneLine(noteText(note))}`, context);
}

/** Prints what to know of hooks that are as installed. */
function sayNotes(server: string, { input }: Prepared, context: Context): void {
  for (const note of input.notes ?? []) print(`${oneLine(server)}: ${oneLine(noteText(note))}`, context);
}

function stepFor(
  plan: Plan,
  { scope, reading }: Prepared['input'],
): 'approve' | 'restore' | 'relock' | 'write' {
  if (plan.changed.length > 0) return 'approve';
  const altered = plan.clients.some((client) =>
    ['edited', 'missing'].includes(differenceOn(client, plan) ?? ''),
  );
  // `--frozen` restores what this version wrote.
  const isLocked =
    otherVersion(reading.record, plan.previous) === undefined && !changesLockAlone(plan, scope.store.file);
  if (!scope.shared || !altered || !isLocked) return 'write';
  return hasAlteredLock(plan, scope.store.file) ? 'relock' : 'restore';
}

/** Prints the plan that would update an install, and approved parts that are gone, which no plan restores. */
function showDifference(plan: Plan, prepared: Prepared, flags: DiffFlags, context: Context): void {
  if (differs(withoutGone(plan))) {
    // Where only edited entries differ, what an install would renew of our own files is no difference.
    const changes = context.scope.shared || differs(withoutEdits(plan)) ? plan.changes : [];
    // An install says what to do after it.
    const shown = { ...plan, changes, clients: plan.clients.map((client) => ({ ...client, nextSteps: [] })) };
    showPlan(shown, prepared, flags, context);
    const step = stepFor(plan, prepared.input);
    // An edited entry stays in a plan, and `--frozen` restores it.
    const hasDefinition = !plan.gone.includes('definition') || plan.changed.includes('definition');
    const isWritable = hasDefinition && plan.clients.every(({ fault }) => !fault);
    if (isWritable && (changes.length > 0 || step === 'restore'))
      print(`\n${upToDate(plan.server, context.scope.name, step, plan.clientToName)}`, context);
    if (!context.scope.shared && keepsEdits(plan))
      print(`\n${editedStep(updating({ name: plan.server, scope: context.scope.name }))}`, context);
  }
  for (const text of goneTexts(plan, context)) context.out(text);
}

/**
 * Compares entries of ours in the clients' files that the record, or the shared lock file, doesn't list. `named`: the
 * only server.
 */
function unlisted(
  { reading, files }: ScopeSnapshot,
  named: string | undefined,
  context: Context,
): ComparedServer[] {
  const { scope, env, cwd } = context;
  const unknown = unknownEntries(scopeState(scope, reading), { ...files, env, cwd }).filter(
    ({ slug }) => named === undefined || slug === slugFor(named),
  );
  return [...new Set(unknown.map(({ slug }) => slug))].map((slug) => {
    const entries = unknown.filter((entry) => entry.slug === slug);
    return { server: entries[0]?.server ?? slug, exit: 2, faults: entries.map(unlistedFault) };
  });
}
