import type { Context } from '../app/context.ts';
import { disk } from '../app/disk.ts';
import { admitCalls } from '../app/first-call/call-gate.ts';
import { type FirstCall, firstCall, maskedCall } from '../app/first-call/first-call.ts';
import type { Prepared } from '../app/prepare/prepare.ts';
import { prepareOrRestore } from '../app/prepare/restore-declarations.ts';
import type { Request } from '../app/request.ts';
import { removeHooks } from '../app/uninstall/uninstall.ts';
import { assertOwnFolders, assertOwnHome } from '../app/write/own-folders.ts';
import { openRecord, recoverInterrupted } from '../app/write/recover.ts';
import { applyPlan, rememberApprovals, tidyUp } from '../app/write/write.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { checkoutFaults } from '../inspect/checkout/checkout-faults.ts';
import { scopeState } from '../inspect/scopes.ts';
import { findOverlap } from '../inspect/sources.ts';
import { unknownEntries, unlistedFault } from '../inspect/survey.ts';
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
import { differs } from '../plan/difference.ts';
import type { PlanInput } from '../plan/input.ts';
import { planInstall } from '../plan/install.ts';
import { nothingInstallable } from '../plan/nothing-installable.ts';
import type { Plan } from '../plan/types.ts';
import { isUnverifiable, notAsLocked } from './as-locked.ts';
import { consent } from './consent.ts';
import { type Exit, exitOf, faultJson, faultsOf, inTheWay, reportFaults } from './exit.ts';
import type { CommonFlags } from './flags.ts';
import { planJson } from './json/plan.ts';
import { showPlan } from './text/show-plan.ts';

/** Result for one server. */
export interface ServerResult {
  server: string;
  status: 'failed' | 'refused' | 'planned' | 'installed' | 'unchanged';
  exit: Exit;
  plan?: Plan;
  firstCall?: FirstCall;
  faults: readonly Fault[];
}

export const outcomeJson = ({ plan, faults, ...outcome }: ServerResult) => ({
  ...outcome,
  ...(plan && { plan: planJson(plan) }),
  faults: faults.map(faultJson),
});

export const asks = ({ dryRun, yes, json }: CommonFlags): boolean => !dryRun && !yes && !json;

/**
 * Plans until a person approves: a person may choose other hooks or clients, which makes another plan. `removed`: the
 * person has had hooks removed from other clients.
 */
export async function installOne(
  request: Request,
  flags: CommonFlags,
  context: Context,
  removed = false,
): Promise<ServerResult> {
  const done = (
    status: ServerResult['status'],
    exit: Exit,
    plan?: Plan,
    faults: readonly Fault[] = [],
  ): ServerResult => {
    if (!flags.json) reportFaults(faults, context);
    return { server: request.server, status, exit, ...(plan && { plan }), faults };
  };
  try {
    if (!flags.dryRun) assertOwnHome(context);
    assertOwnFolders(context);
    await recoverInterrupted(context);
    if (!flags.json && request.mode !== 'lock') reportFaults(faultsToShowFirst(context), context);
    const prepared = await prepareOrRestore(request, asks(flags), context);
    const { slug } = prepared.input;
    if (!flags.json && request.mode !== 'lock')
      reportFaults(unlistedFaults(context, prepared.input), context);
    let input: PlanInput = { ...prepared.input, overlap: await findOverlap(prepared.input, context) };
    for (;;) {
      const plan = planInstall(input);
      const asLocked = request.mode === 'lock' && !differs(plan);
      const unsure = request.mode === 'lock' && isUnverifiable(plan, context);
      if (!flags.json && (!asLocked || (flags.dryRun && !unsure))) showPlan(plan, prepared, flags, context);
      const faults = faultsIn(plan, request, context);
      if (faults.length > 0) {
        const drifted = flags.dryRun && faults.every((fault) => fault.exit === 2);
        const failed = done('failed', drifted ? 2 : 1, plan, faults);
        if (!flags.dryRun && !flags.json && plan.clients.length > 1) context.err(NOTHING_WRITTEN);
        return failed;
      }
      if (unsure && !flags.json) context.err(unverified(plan.server, !!plan.disabled));
      if (flags.dryRun) {
        if (unsure) return done('planned', 0);
        const rewritten = context.scope.shared && request.mode !== 'lock' && plan.changes.length > 0;
        return done('planned', differs(plan) || rewritten || prepared.beginsToDeclare ? 2 : 0, plan);
      }
      if (plan.changes.length === 0 || asLocked) {
        await tidyUp(plan, context);
        if (context.scope.shared) await rememberApprovals(prepared.approvals.added(), context);
        if (!flags.json && !unsure) context.err(idleText(plan));
        return done('unchanged', 0, plan);
      }
      const decided = differs(plan)
        ? await consent(plan, input, prepared, flags, context)
        : { approved: input };
      if (decided instanceof Fault)
        return done('refused', 3, plan, [removed ? decided.with({ removed: 1 }) : decided]);
      if ('approved' in decided) {
        const { written, first } = await writeApproved(decided.approved, prepared, request, flags, context);
        return { ...done('installed', 0, written), ...(first && { firstCall: maskedCall(first) }) };
      }
      if ('again' in decided) input = decided.again;
      else if (await dropClients(slug, decided.without, context)) {
        const { clients } = decided;
        const options = { ...request.options, ...decided.options };
        return installOne({ ...request, clients, options }, flags, context, true);
      }
    }
  } catch (error) {
    const faults = faultsOf(error, 'install');
    const exit = exitOf(faults);
    // Hooks of a server that no client has any more differ from what was approved, as `diff` says. A command line that
    // asks for another definition than the approved one doesn't show that.
    const sameWay = !request.from && !request.reset;
    const drifted = flags.dryRun && sameWay && faults.every(({ args }) => args.installed === 1);
    const failed = done('failed', drifted ? 2 : flags.dryRun ? exit : inTheWay(exit), undefined, faults);
    if (!flags.json && error instanceof Faults && error.valid > 0) context.err(withoutFaulty(error.valid));
    return failed;
  }
}

/** Returns why a plan can't be written. */
const faultsIn = (plan: Plan, request: Request, context: Context): Fault[] => [
  ...plan.clients.flatMap((c) => c.fault ?? []),
  ...nothingInstallable(plan, request.options),
  ...(request.mode === 'lock' ? notAsLocked(plan, context) : []),
];

/** Writes the approved plan, starts its server once where hooks will, and says what was installed. */
async function writeApproved(
  approved: PlanInput,
  prepared: Prepared,
  request: Request,
  flags: CommonFlags,
  context: Context,
): Promise<{ written: Plan; first: FirstCall | undefined }> {
  const admitted = await admitCalls(approved, prepared, request.allowStart, context);
  const written = await applyPlan(admitted, context);
  if (context.scope.shared) await rememberApprovals(prepared.approvals.added(), context);
  const first = await firstCall(written, prepared, request, context);
  if (!flags.json) {
    // Not needed to show a plan.
    const { installedText } = await import('./text/installed.ts');
    context.err(installedText(written, context));
    const { startTexts } = await import('./text/first-call.ts');
    for (const text of startTexts(first, written, prepared, context)) context.err(text);
  }
  return { written, first };
}

/** Removes a server's hooks from clients that a person left out of the choice. False when that is declined. */
async function dropClients(slug: string, clients: readonly ClientId[], context: Context): Promise<boolean> {
  const titles = clients.map((id) => clientById(id).title);
  if (!(await context.ask.confirm(removeFrom(titles)))) return false;
  const asked = { evenEdited: false, clients };
  const { clients: removed, notRemoved } = await removeHooks(slug, asked, context);
  const faults = [...removed.flatMap((c) => c.fault ?? []), ...notRemoved];
  if (faults.length > 0) throw new Faults(faults);
  context.err(removedFrom(titles));
  return true;
}

/** Returns Faults for parts of a project's checkout that no install wrote, to show before any approval. */
export function faultsToShowFirst(context: Context): Fault[] {
  const { scope, env, cwd } = context;
  if (!scope.shared) return [];
  const at = scopeState(scope, openRecord(context));
  // The plan rewrites the lock file.
  return checkoutFaults(at, { ...disk, env, cwd }).filter(({ code }) => !code.startsWith('lock.'));
}

/** Returns Faults for entries in the project that its lock file doesn't list, and that a plan doesn't adopt. */
export function unlistedFaults(context: Context, plan?: Pick<PlanInput, 'slug' | 'clients'>): Fault[] {
  const { scope, env, cwd } = context;
  if (!scope.shared) return [];
  return unknownEntries(scopeState(scope, openRecord(context)), { ...disk, env, cwd })
    .filter(({ slug, client }) => !(slug === plan?.slug && plan.clients.includes(client)))
    .map(unlistedFault);
}

const idleText = ({ server, clients, disabled }: Plan): string =>
  [
    installedAlready(clients.length, clients.filter((c) => c.covered).length),
    ...(disabled ? [stillDisabled(server)] : []),
  ].join('\n');
