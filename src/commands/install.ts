import { relative } from 'node:path';
import type { Scope } from '../apply/types.ts';
import { ask, askChoice, askDecision, type Choice } from '../ask.ts';
import { clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { canonicalJson } from '../declarations/canonical.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { Fault, Faults } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { differs, refusal, toolDataSent } from '../plan/consent.ts';
import { type Gathered, gather, type Request } from '../plan/gather.ts';
import { type PlanInput, planInstall } from '../plan/plan.ts';
import { openRecord, settle } from '../plan/settle.ts';
import { planText, type Surroundings, whenText } from '../plan/show.ts';
import { fullDiff } from '../plan/show-files.ts';
import { acrossHere } from '../plan/speakers.ts';
import type { Plan } from '../plan/types.ts';
import { applyPlan, rememberStarts, tidyUp } from '../plan/write.ts';
import { lockedVersion } from '../project/lock.ts';
import { destination } from '../server/definition.ts';
import { VERSION } from '../version.ts';
import { type CommonFlags, requestFrom } from './options.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';
import { planJson } from './plan-json.ts';

/** What came of one server. */
interface Outcome {
  server: string;
  status: 'failed' | 'refused' | 'planned' | 'installed' | 'unchanged';
  exit: Exit;
  plan?: Plan;
  faults: readonly Fault[];
}

const outcomeJson = ({ plan, faults, ...outcome }: Outcome): Record<string, unknown> => ({
  ...outcome,
  ...(plan && { plan: planJson(plan) }),
  faults: faults.map(faultJson),
});

/**
 * `mcphooks install --frozen`: what the lock file holds, of one server or all. Starts no server, leaves the lock file
 * as it is, and writes nothing where one of them can't be had.
 */
export async function installFrozen(
  server: string | undefined,
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  if (!context.site.shared) throw new Fault('usage.bad', { text: '--frozen goes with --scope project.' });
  await settle(context);
  const known = openRecord(context).record.servers.map((s) => s.server);
  if (known.length === 0) throw new Fault('lock.none', {}, { file: context.site.store.file });
  const requests = (server === undefined ? known : [server]).map((name) => requestFrom(name, [], flags));
  const faults: Fault[] = [];
  for (const request of requests) {
    const plan = planInstall((await gather(request, context)).input);
    faults.push(...plan.clients.flatMap((c) => c.fault ?? []), ...notAsLocked(plan, context));
  }
  if (faults.length > 0) throw new Faults(faults);
  const outcomes: Outcome[] = [];
  for (const request of requests) outcomes.push(await installOne(request, flags, context));
  const exit = worst(outcomes.map((o) => o.exit));
  if (flags.json) {
    const status = STATUSES.find((s) => outcomes.some((o) => o.status === s));
    const servers = outcomes.map(outcomeJson);
    const all = outcomes.flatMap((o) => o.faults).map(faultJson);
    context.out(visibleJson({ version: 1, command: 'install', status, exit, servers, faults: all }));
  }
  return exit;
}

/** The one that says most about several, first. */
const STATUSES: readonly Outcome['status'][] = ['failed', 'refused', 'planned', 'installed', 'unchanged'];

/** `mcphooks install`: plan, show, ask, write. */
export async function install(request: Request, flags: CommonFlags, context: Context): Promise<Exit> {
  const outcome = await installOne(request, flags, context);
  if (flags.json) context.out(visibleJson({ version: 1, command: 'install', ...outcomeJson(outcome) }));
  return outcome.exit;
}

async function installOne(request: Request, flags: CommonFlags, context: Context): Promise<Outcome> {
  const done = (
    status: Outcome['status'],
    exit: Exit,
    plan?: Plan,
    faults: readonly Fault[] = [],
  ): Outcome => {
    if (!flags.json) reportFaults(faults, context);
    return { server: request.server, status, exit, ...(plan && { plan }), faults };
  };
  try {
    const gathered = await gather(request, context);
    const { slug, read } = gathered.input;
    let input: PlanInput = { ...gathered.input, across: await acrossHere(slug, context, read) };
    for (;;) {
      const plan = planInstall(input);
      if (!flags.json) showPlan(plan, gathered, flags, context);
      const faults = [
        ...plan.clients.flatMap((c) => c.fault ?? []),
        ...nothingInstallable(plan),
        ...(request.frozen ? notAsLocked(plan, context) : []),
      ];
      if (faults.length > 0) return done('failed', 1, plan, faults);
      if (flags.dryRun) return done('planned', plan.changes.length > 0 ? 2 : 0, plan);
      if (plan.changes.length === 0 || (request.frozen && !differs(plan))) {
        await tidyUp(plan, context);
        if (!flags.json) context.err(`Nothing to do: ${idleText(plan)}.`);
        return done('unchanged', 0, plan);
      }
      const decided = differs(plan)
        ? await consent(plan, input, gathered, flags, context)
        : { approved: input };
      if (decided instanceof Fault) return done('refused', 3, plan, [decided]);
      if ('again' in decided) {
        input = decided.again;
        continue;
      }
      const written = await applyPlan(decided.approved, context);
      await rememberStarts(gathered.starts, context);
      if (!flags.json) context.err(doneText(written, context.site.scope));
      return done('installed', 0, written);
    }
  } catch (error) {
    const faults = faultsOf(error);
    return done('failed', worst(faults.map((f) => f.exit)), undefined, faults);
  }
}

function idleText({ clients }: Plan): string {
  const covered = clients.filter((c) => c.covered).length;
  if (covered === 0) return 'all of it is installed already';
  return covered === clients.length
    ? 'each of these clients has its hooks already'
    : 'all of it is installed already, or covered';
}

/** Why the plan is not what the lock file holds; a newer mcphooks that finds all as locked leaves it so. */
function notAsLocked(plan: Plan, { site }: Context): Fault[] {
  const lock = plan.changes.find((change) => change.path === site.store.file);
  // A formatter may have been at it.
  const value = (bytes: Uint8Array | null): string =>
    canonicalJson(JSON.parse(Buffer.from(bytes ?? []).toString()));
  if (!lock || !differs(plan) || (lock.after && value(lock.before) === value(lock.after))) return [];
  const version = lockedVersion(site.root ?? '');
  const other = version === VERSION ? [] : [`it was written by mcphooks ${version}, and this is ${VERSION}`];
  const altered = plan.clients.flatMap((c) =>
    c.drift.map((path) => `${relative(site.root ?? '', path)} is another`),
  );
  const what = [...plan.changed.map((c) => `${c} would change`), ...other];
  if (what.length === 0) what.push(...altered);
  return [new Fault('lock.differs', { name: plan.server, what }, { file: site.store.file })];
}

export function showPlan(plan: Plan, gathered: Gathered, flags: CommonFlags, context: Context): void {
  for (const fault of gathered.skipped) reportFaults([fault], context);
  context.out(planText(plan, surroundings(gathered, flags, context)));
}

/** What the text of a plan says besides the plan. */
export function surroundings(gathered: Gathered, flags: CommonFlags, context: Context): Surroundings {
  return {
    ...(gathered.shown !== undefined && { shown: gathered.shown }),
    startedPerFire: gathered.startedPerFire,
    ...(gathered.definition && { host: destination(gathered.definition) }),
    place: gathered.place,
    home: homeFolder(context.env),
    ...(context.site.root !== undefined && { root: context.site.root }),
    paths: context.site.paths,
    style: context.style,
    ...(context.columns !== undefined && { columns: context.columns }),
    verbose: flags.verbose ?? false,
    // Who reads a log can't press a key, or run it again with --verbose.
    lines: flags.verbose || context.columns === undefined,
  };
}

export function nothingInstallable(plan: Pick<Plan, 'server' | 'clients' | 'declarations'>): Fault[] {
  const any = plan.clients.some(
    (c) => c.fault || c.covered || c.cells.some((cell) => cell.natives.length > 0),
  );
  return any || plan.declarations.length === 0
    ? []
    : [new Fault('plan.nothing-installable', { name: plan.server })];
}

/** What is approved; to be planned `again` with other choices; or the fault of what isn't approved. */
async function consent(
  plan: Plan,
  input: PlanInput,
  gathered: Gathered,
  flags: CommonFlags,
  context: Context,
): Promise<{ approved: PlanInput } | { again: PlanInput } | Fault> {
  if (flags.yes) return refusal(plan, flags) ?? { approved: input };
  const refuse = (code: 'consent.none' | 'consent.declined' | 'consent.tool-data'): Fault =>
    new Fault(code, { name: plan.server }, {}, 3);
  if (!context.interactive || flags.json) return refuse('consent.none');
  for (;;) {
    const decision = await askDecision(context.errStyle);
    if (decision === 'yes') {
      if (toolDataSent(plan).length === 0 || plan.options.sendToolData) return { approved: input };
      const granted = await ask('May these hooks send what tools are given and answer to the server?');
      return granted
        ? { approved: { ...input, options: { ...input.options, sendToolData: true } } }
        : refuse('consent.tool-data');
    }
    if (decision === 'no') return refuse('consent.declined');
    if (decision === 'diff') context.out(fullDiff(plan, surroundings(gathered, flags, context)));
    else {
      const chosen = await askChoice(hookChoices(plan), clientChoices(input, gathered));
      if (!chosen) continue;
      const all = chosen.only.length === plan.declarations.length;
      const options = { ...input.options, only: all ? [] : chosen.only, skip: [] };
      // Those that have it keep it, and must not be left behind with other hooks.
      const installed = gathered.input.clients.filter((id) => plan.previous?.clients[id]);
      return { again: { ...input, options, clients: [...new Set([...installed, ...chosen.clients])] } };
    }
  }
}

function hookChoices(plan: Plan): Choice<string>[] {
  return plan.declarations.map((declaration, i) => ({
    value: String(i + 1),
    label: `${i + 1}  ${cut(whenText(declaration), 38)}  ${cut(declaration.context ?? `→ ${declaration.context_tool}`, 20)}`,
    chosen: plan.clients.some((c) => c.cells[i]?.fidelity !== 'skipped'),
  }));
}

/** The first characters of a text on one line, to tell it from others. */
function cut(text: string, most: number): string {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function clientChoices(input: PlanInput, gathered: Gathered): Choice<ClientId>[] {
  return gathered.input.clients.map((id) => ({
    value: id,
    label: clientById(id).title,
    chosen: input.clients.includes(id),
  }));
}

function doneText(plan: Plan, scope: Scope): string {
  const undo = `mcphooks uninstall ${scope === 'user' ? '' : `--scope ${scope} `}${oneLine(plan.server)}`;
  return `Installed. '${undo}' takes it back.`;
}
