import { relative } from 'node:path';
import { admitCalls } from '../../app/call-gate.ts';
import type { Context } from '../../app/context.ts';
import { disk } from '../../app/disk.ts';
import { type FirstCall, firstCall, maskedCall } from '../../app/first-call.ts';
import { assertOwnFolders, assertOwnHome } from '../../app/own-folders.ts';
import { type Prepared, preparePlan } from '../../app/prepare.ts';
import { openRecord, recoverInterrupted } from '../../app/recover.ts';
import type { Request } from '../../app/request.ts';
import { prepareOrRestore } from '../../app/restore-declarations.ts';
import { removeHooks } from '../../app/uninstall.ts';
import { applyPlan, rememberApprovals, tidyUp } from '../../app/write.ts';
import { LOCK } from '../../base/paths.ts';
import { VERSION } from '../../base/version.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { checkoutFaults } from '../../inspect/checkout/checkout-faults.ts';
import { scopeState } from '../../inspect/scopes.ts';
import { findOverlap } from '../../inspect/sources.ts';
import { unknownEntries, unlistedFault } from '../../inspect/survey.ts';
import {
  installedAlready,
  NOTHING_WRITTEN,
  removedFrom,
  removeFrom,
  stillDisabled,
  unverified,
  withoutFaulty,
} from '../../messages/done.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { differs } from '../../plan/difference.ts';
import type { PlanInput } from '../../plan/input.ts';
import { planInstall } from '../../plan/install.ts';
import { otherVersion, versionFault } from '../../plan/lock-version.ts';
import { nothingInstallable } from '../../plan/nothing-installable.ts';
import type { Plan } from '../../plan/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import { chooseServer } from '../choose-server.ts';
import { consent } from '../consent.ts';
import { type Exit, exitOf, faultJson, faultsOf, inTheWay, reportFaults, worst } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { planJson } from '../json/plan.ts';
import { printJson } from '../json/print.ts';
import { namedServer, requestFrom } from '../request.ts';
import { showPlan } from '../text/show-plan.ts';

/** Result for one server. */
interface ServerResult {
  server: string;
  status: 'failed' | 'refused' | 'planned' | 'installed' | 'unchanged';
  exit: Exit;
  plan?: Plan;
  firstCall?: FirstCall;
  faults: readonly Fault[];
}

const outcomeJson = ({ plan, faults, ...outcome }: ServerResult) => ({
  ...outcome,
  ...(plan && { plan: planJson(plan) }),
  faults: faults.map(faultJson),
});

/**
 * `mcphooks install --frozen`: installs the content of the lock file, for one server or all. Starts no server and leaves
 * the lock file unchanged. Finishes an interrupted run first; installs none when one of the servers can't be installed,
 * and asks for each at a terminal.
 */
async function installFrozen(
  server: string | undefined,
  command: readonly string[],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  for (const other of ['catalogue', 'declarations', 'reset'] as const)
    if (flags[other] !== undefined)
      throw new Fault('usage.exclusive', { one: '--frozen', other: `--${other}` });
  if (!context.scope.shared)
    throw new Fault('usage.goes-with', { option: '--frozen', needs: '--scope project' });
  await recoverInterrupted(context);
  const known = openRecord(context).record.servers.map((s) => s.server);
  if (known.length === 0) throw new Fault('lock.none', {}, { file: context.scope.store.file });
  const requests = (server === undefined ? known : [server]).map((name) => requestFrom(name, command, flags));
  const faults = [...faultsToShowFirst(context), ...unlistedFaults(context)];
  const unverifiable: ServerRecord[] = [];
  for (const request of requests) {
    const plan = planInstall((await preparePlan(request, context)).input);
    if (plan.previous && isUnverifiable(plan, context)) unverifiable.push(plan.previous);
    faults.push(...plan.clients.flatMap((c) => c.fault ?? []), ...notAsLocked(plan, context));
  }
  if (faults.length > 0) throw new Faults(faults);
  const outcomes: ServerResult[] = [];
  for (const request of requests) outcomes.push(await installOne(request, flags, context));
  const exit = worst(outcomes.map((o) => o.exit));
  const { record } = openRecord(context);
  const other = unverifiable.length > 0 && versionFault(record, unverifiable, context.scope.store.file, 2);
  if (other && !flags.json) reportFaults([other], context);
  if (flags.json) {
    const status = STATUSES.find((s) => outcomes.some((o) => o.status === s)) ?? 'unchanged';
    const servers = outcomes.map(outcomeJson);
    const all = [...(other ? [other] : []), ...outcomes.flatMap((o) => o.faults)];
    printJson('install', { status, exit, servers, faults: all.map(faultJson) }, context);
  }
  return exit;
}

/** Most important first: the status of several servers together. */
const STATUSES: readonly ServerResult['status'][] = [
  'failed',
  'refused',
  'planned',
  'installed',
  'unchanged',
];

/** `mcphooks install`: plan, show, ask, write. */
export async function run(
  [server, command]: [server: string | undefined, command: string[]],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  if (flags.frozen) return installFrozen(server, command, flags, context);
  const mayAsk = asks(flags);
  const asked = namedServer(server, flags);
  const named = asked.server ?? (mayAsk && context.interactive() ? await chooseServer(context) : undefined);
  if (named === undefined) throw new Fault('usage.no-server', { verb: 'install' });
  const given = requestFrom(named, command, asked.flags);
  const outcome = await installOne({ ...given, ...(mayAsk && { offers: true }) }, flags, context);
  if (flags.json) printJson('install', outcomeJson(outcome), context);
  return outcome.exit;
}

const asks = ({ dryRun, yes, json }: CommonFlags): boolean => !dryRun && !yes && !json;

/** Plans until a person approves: a person may choose other hooks or clients, which makes another plan. */
async function installOne(request: Request, flags: CommonFlags, context: Context): Promise<ServerResult> {
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
    if (!flags.json && request.mode !== 'lock') reportFaults(faultsToShowFirst(context), context);
    const prepared = await prepareOrRestore(request, asks(flags), context);
    const { slug } = prepared.input;
    if (!flags.json && request.mode !== 'lock')
      reportFaults(unlistedFaults(context, prepared.input), context);
    let input: PlanInput = { ...prepared.input, overlap: await findOverlap(prepared.input, context) };
    for (;;) {
      const plan = planInstall(input);
      const asLocked = request.mode === 'lock' && !differs(plan);
      if (!flags.json && (!asLocked || flags.dryRun)) showPlan(plan, prepared, flags, context);
      const faults = faultsIn(plan, request, context);
      if (faults.length > 0) {
        const drifted = flags.dryRun && faults.every((fault) => fault.exit === 2);
        const failed = done('failed', drifted ? 2 : 1, plan, faults);
        if (!flags.dryRun && !flags.json && plan.clients.length > 1) context.err(NOTHING_WRITTEN);
        return failed;
      }
      if (flags.dryRun) {
        const rewritten = context.scope.shared && request.mode !== 'lock' && plan.changes.length > 0;
        return done('planned', differs(plan) || rewritten || prepared.beginsToDeclare ? 2 : 0, plan);
      }
      if (plan.changes.length === 0 || asLocked) {
        await tidyUp(plan, context);
        if (context.scope.shared) await rememberApprovals(prepared.approvals.added(), context);
        const isSure = !(asLocked && isUnverifiable(plan, context));
        if (!flags.json) context.err(isSure ? idleText(plan) : unverified(plan.server, !!plan.disabled));
        return done('unchanged', 0, plan);
      }
      const decided = differs(plan)
        ? await consent(plan, input, prepared, flags, context)
        : { approved: input };
      if (decided instanceof Fault) return done('refused', 3, plan, [decided]);
      if ('approved' in decided) {
        const { written, first } = await writeApproved(decided.approved, prepared, request, flags, context);
        return { ...done('installed', 0, written), ...(first && { firstCall: maskedCall(first) }) };
      }
      if ('again' in decided) input = decided.again;
      else if (await dropClients(slug, decided.without, context)) {
        const { clients } = decided;
        const options = { ...request.options, ...decided.options };
        return installOne({ ...request, clients, options }, flags, context);
      }
    }
  } catch (error) {
    const faults = faultsOf(error, 'install');
    const exit = exitOf(faults);
    // Hooks of a server that no client has any more differ from what was approved, as `diff` says.
    const drifted = flags.dryRun && faults.every(({ args }) => args.installed === 1);
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
    const { installedText } = await import('../text/installed.ts');
    context.err(installedText(written, context));
    const { startTexts } = await import('../text/first-call.ts');
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
function faultsToShowFirst(context: Context): Fault[] {
  const { scope, env, cwd } = context;
  if (!scope.shared) return [];
  const at = scopeState(scope, openRecord(context));
  // The plan rewrites the lock file.
  return checkoutFaults(at, { ...disk, env, cwd }).filter(({ code }) => !code.startsWith('lock.'));
}

/** Returns Faults for entries in the project that its lock file doesn't list, and that a plan doesn't adopt. */
function unlistedFaults(context: Context, plan?: Pick<PlanInput, 'slug' | 'clients'>): Fault[] {
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

/** True when another version wrote the scripts that the lock file holds, and this one would write others. */
const isUnverifiable = ({ changes, previous }: Plan, context: Context): boolean =>
  changes.some(({ path }) => path !== context.scope.store.file) &&
  otherVersion(openRecord(context).record, previous) !== undefined;

/**
 * Returns Faults when the plan differs from the lock file. A newer mcphooks whose plan equals the locked content
 * doesn't rewrite the lock file.
 */
function notAsLocked(plan: Plan, context: Context): Fault[] {
  const { scope } = context;
  const lock = plan.changes.find((change) => change.path === scope.store.file);
  // Compared as values, because a formatter may have changed the layout.
  const value = (bytes: Uint8Array | null): string =>
    canonicalJson(JSON.parse(Buffer.from(bytes ?? []).toString()));
  if (!lock || !differs(plan) || (lock.after && value(lock.before) === value(lock.after))) return [];
  const version = otherVersion(openRecord(context).record, plan.previous);
  const drifted = new Set(
    plan.clients.flatMap((c) => c.drift.map((path) => relative(scope.root ?? '', path))),
  );
  const other = version === undefined ? {} : { version, ours: VERSION };
  const known = plan.changed.length > 0 || version !== undefined;
  const args = {
    name: plan.server,
    changed: plan.changed,
    altered: known ? [] : drifted.size > 0 ? [...drifted] : [LOCK],
    ...(plan.mustName && { from: plan.mustName }),
    ...other,
  };
  return [new Fault('lock.differs', args, { file: scope.store.file })];
}
