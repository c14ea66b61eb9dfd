import type { Context } from '../app/context.ts';
import { admitCalls } from '../app/first-call/call-gate.ts';
import { type FirstCall, firstCall, maskedCall } from '../app/first-call/first-call.ts';
import type { Prepared } from '../app/prepare/prepare.ts';
import { prepareOrRestore } from '../app/prepare/restore-declarations.ts';
import type { Request } from '../app/request.ts';
import { removeHooks } from '../app/uninstall/uninstall.ts';
import { applyPlan } from '../app/write/apply-plan.ts';
import { rememberApprovals } from '../app/write/machine-record.ts';
import { assertOwnFolders, assertOwnHome } from '../app/write/own-folders.ts';
import { recoverInterrupted } from '../app/write/recover.ts';
import { tidyUp } from '../app/write/tidy-up.ts';
import type { ClientId } from '../clients/client.ts';
import { titlesOf } from '../clients/index.ts';
import { callsTools } from '../declarations/types.ts';
import { findOverlap } from '../inspect/sources.ts';
import {
  installedAlready,
  NOTHING_WRITTEN,
  removedFrom,
  removeFrom,
  stillDisabled,
  unverified,
  withoutFaulty,
} from '../messages/done.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { isChosen } from '../plan/chosen-hooks.ts';
import { differs } from '../plan/difference.ts';
import type { PlanInput } from '../plan/input.ts';
import { planInstall } from '../plan/install.ts';
import { nothingInstallable, writingNothing } from '../plan/nothing-installable.ts';
import type { Plan } from '../plan/types.ts';
import type { RecordReading } from '../store/record.ts';
import { isUnverifiable, notAsLocked } from './as-locked.ts';
import { askConsent } from './consent.ts';
import { type Exit, exitOf, faultJson, faultsOf, inTheWay, reportFaults } from './exit.ts';
import type { CommonFlags } from './flags.ts';
import { planJson } from './json/plan.ts';
import { faultsToShowFirst, unlistedFaults } from './project-faults.ts';
import { goneTexts, showPlan } from './text/show-plan.ts';

/** Result for one server. */
export interface ServerResult {
  server: string;
  status: 'failed' | 'refused' | 'planned' | 'installed' | 'unchanged';
  exit: Exit;
  plan?: Plan;
  firstCall?: FirstCall;
  faults: readonly Fault[];
}

export const resultJson = ({ plan, faults, ...result }: ServerResult) => ({
  ...result,
  ...(plan && { plan: planJson(plan) }),
  faults: faults.map(faultJson),
});

/** How a dry run ends when what is installed isn't as approved: with the exit code that `diff` has then. */
const DRIFTED = { status: 'planned', exit: 2 } as const;

export const asks = ({ dryRun, yes, json }: CommonFlags): boolean => !dryRun && !yes && !json;

/** One run of `install` for one server. */
interface InstallRun {
  request: Request;
  flags: CommonFlags;
  context: Context;
  /** An earlier reading of the record, which holds while the file has the same bytes. */
  known?: RecordReading | undefined;
}

/**
 * Plans until a person approves: a person may choose other hooks or clients, which makes another plan. `removed`: the
 * person has had hooks removed from other clients.
 */
export async function installOne(run: InstallRun, removed = false): Promise<ServerResult> {
  const { request, flags, context } = run;
  try {
    const prepared = await prepareInstall(run);
    let input: PlanInput = { ...prepared.input, overlap: await findOverlap(prepared.input, context) };
    for (;;) {
      const plan = planInstall(input);
      const assessed = assess(plan, input.reading, run);
      showAssessed(assessed, prepared, run);
      if (assessed.faults.length > 0) return unwritable(assessed, run);
      if (assessed.unsure && !flags.json) context.err(unverified(plan.server, !!plan.disabled));
      if (flags.dryRun) return onlyShown(assessed, prepared, run);
      if (plan.changes.length === 0 || isAsLocked(plan, request))
        return await finishIdle(assessed, prepared, run);
      const decided = differs(plan)
        ? await askConsent(plan, input, prepared, flags, context)
        : { approved: input };
      if (decided instanceof Fault)
        return ended(run, { status: 'refused', exit: 3, plan }, [
          removed ? decided.with({ removed: 1 }) : decided,
        ]);
      if ('approved' in decided) return await writeApproved(decided.approved, plan, prepared, run);
      if ('again' in decided) input = decided.again;
      else if (await dropClients(input.slug, decided.without, context)) {
        const { clients } = decided;
        const options = { ...request.options, ...decided.options };
        return installOne({ ...run, request: { ...request, clients, options } }, true);
      }
    }
  } catch (error) {
    return failed(error, run);
  }
}

/** Shows the Faults of a run, and returns its result. */
function ended(
  { request, flags, context }: InstallRun,
  result: Omit<ServerResult, 'server' | 'faults'>,
  faults: readonly Fault[] = [],
): ServerResult {
  if (!flags.json) reportFaults(faults, context);
  return { server: request.server, ...result, faults };
}

async function prepareInstall({ request, flags, context, known }: InstallRun): Promise<Prepared> {
  if (!flags.dryRun) assertOwnHome(context);
  assertOwnFolders(context);
  await recoverInterrupted(context);
  const shows = !flags.json && request.mode !== 'lock';
  if (shows) reportFaults(faultsToShowFirst(context), context);
  const prepared = await prepareOrRestore(request, asks(flags), context, known);
  if (shows) reportFaults(unlistedFaults(context, prepared.input), context);
  return prepared;
}

/** Whether `--frozen` finds the project's files as the lock file says. */
const isAsLocked = (plan: Plan, { mode }: Request): boolean => mode === 'lock' && !differs(plan);

/** A plan before anybody is asked. */
interface Assessed {
  plan: Plan;
  /** The plan as it is shown: without its changes where nothing of it will be written. */
  shown: Plan;
  /** Why it can't be written. */
  faults: readonly Fault[];
  /** Set when this version can't tell whether the files are as the lock file says. */
  unsure: boolean;
}

function assess(plan: Plan, reading: RecordReading, { request, flags, context }: InstallRun): Assessed {
  const none = nothingInstallable(plan, request.options);
  const failing = plan.clients.filter(({ fault }) => fault);
  // What the other clients would get, a dry run shows all the same.
  const installsNone =
    none.length > 0 || (failing.length > 0 && (!flags.dryRun || failing.length === plan.clients.length));
  return {
    plan,
    shown: installsNone ? writingNothing(plan) : plan,
    faults: [
      ...plan.clients.flatMap((c) => c.fault ?? []),
      ...(request.mode === 'lock' ? notAsLocked(plan, reading, context) : []),
      ...none,
    ],
    unsure: request.mode === 'lock' && isUnverifiable(plan, reading, context),
  };
}

function showAssessed({ plan, shown, unsure }: Assessed, prepared: Prepared, run: InstallRun): void {
  const { request, flags, context } = run;
  if (flags.json || (isAsLocked(plan, request) && (!flags.dryRun || unsure))) return;
  showPlan(shown, prepared, flags, context);
  // Fixed texts need no server.
  const chosen = plan.declarations.filter(({ event }, i) => isChosen(event, i + 1, plan.options));
  if (callsTools(chosen)) for (const text of goneTexts(plan, context)) context.out(text);
}

/** Ends a run whose plan can't be written. */
function unwritable({ plan, shown, faults }: Assessed, run: InstallRun): ServerResult {
  const { flags, context } = run;
  const drifted = flags.dryRun && faults.every((fault) => fault.exit === 2);
  const result = ended(run, { ...(drifted ? DRIFTED : { status: 'failed', exit: 1 }), plan: shown }, faults);
  if (!flags.dryRun && !flags.json && plan.clients.length > 1) context.err(NOTHING_WRITTEN);
  return result;
}

/** Ends a run with `--dry-run`. */
function onlyShown({ plan, unsure }: Assessed, prepared: Prepared, run: InstallRun): ServerResult {
  if (unsure) return ended(run, { status: 'planned', exit: 0 });
  const { request, context } = run;
  const rewritten = context.scope.shared && request.mode !== 'lock' && plan.changes.length > 0;
  const changes = differs(plan) || rewritten || prepared.beginsToDeclare;
  return ended(run, { status: 'planned', exit: changes ? 2 : 0, plan });
}

/** Ends a run that changes no file of an install: removes what earlier ones left, and remembers new approvals. */
async function finishIdle(
  { plan, unsure }: Assessed,
  prepared: Prepared,
  run: InstallRun,
): Promise<ServerResult> {
  const { request, flags, context } = run;
  await tidyUp(plan, context);
  if (context.scope.shared) await rememberApprovals(prepared.approvals.added(), context);
  if (!flags.json && !unsure) context.err(idleText(plan, request));
  return ended(run, { status: 'unchanged', exit: 0, plan });
}

/** Returns the result of a run that threw. */
function failed(error: unknown, run: InstallRun): ServerResult {
  const { request, flags, context } = run;
  const faults = faultsOf(error, 'install');
  const exit = exitOf(faults);
  // Hooks of a server that no client has any more differ from what was approved, as `diff` says. A command line that
  // asks for another definition than the approved one doesn't show that.
  const sameWay = !request.fromClient && !request.reset;
  const drifted = flags.dryRun && sameWay && faults.every(({ args }) => args.installed === 1);
  const result = ended(
    run,
    drifted || (flags.dryRun && exit === 2)
      ? DRIFTED
      : { status: 'failed', exit: flags.dryRun ? exit : inTheWay(exit) },
    faults,
  );
  if (!flags.json && error instanceof Faults && error.valid > 0) context.err(withoutFaulty(error.valid));
  return result;
}

/** Writes the approved plan, starts its server once where hooks will, and says what was installed. */
async function writeApproved(
  approved: PlanInput,
  shown: Plan,
  prepared: Prepared,
  run: InstallRun,
): Promise<ServerResult> {
  const { request, flags, context } = run;
  const admitted = await admitCalls(approved, prepared, request.allowStart, context);
  // With `--yes`, whoever runs the command approved its plan before it was made.
  const plan = await applyPlan(admitted, context, flags.yes ? undefined : shown);
  if (context.scope.shared) await rememberApprovals(prepared.approvals.added(), context);
  const first = await firstCall(plan, prepared, request, context);
  if (!flags.json) {
    // Not needed to show a plan.
    const { installedText } = await import('./text/installed.ts');
    context.err(installedText(plan, context));
    const { startTexts } = await import('./text/first-call.ts');
    for (const text of startTexts(first, plan, prepared, context)) context.err(text);
  }
  return ended(run, { status: 'installed', exit: 0, plan, ...(first && { firstCall: maskedCall(first) }) });
}

/** Removes a server's hooks from clients that a person left out of the choice. False when that is declined. */
async function dropClients(slug: string, clients: readonly ClientId[], context: Context): Promise<boolean> {
  const titles = titlesOf(clients);
  if (!(await context.ask.confirm(removeFrom(titles)))) return false;
  const choices = { evenEdited: false, clients };
  const { clients: removed, notRemoved } = await removeHooks(slug, choices, context);
  const faults = [...removed.flatMap((c) => c.fault ?? []), ...notRemoved];
  if (faults.length > 0) throw new Faults(faults);
  context.err(removedFrom(titles));
  return true;
}

const idleText = ({ server, clients, disabled }: Plan, { mode }: Request): string =>
  [
    installedAlready(
      clients.length,
      clients.filter((c) => c.covered).length,
      mode === 'lock' ? server : undefined,
    ),
    ...(disabled ? [stillDisabled(server)] : []),
  ].join('\n');
