import { ask } from '../ask.ts';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { Fault } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { refusal, toolDataSent } from '../plan/consent.ts';
import { type Gathered, gather, type Request } from '../plan/gather.ts';
import { planInstall } from '../plan/plan.ts';
import { planText } from '../plan/show.ts';
import type { Plan } from '../plan/types.ts';
import { applyPlan, tidyUp } from '../plan/write.ts';
import type { CommonFlags } from './options.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';
import { planJson } from './plan-json.ts';

/** `mcphooks install`: plan, show, ask, write. */
export async function install(request: Request, flags: CommonFlags, context: Context): Promise<Exit> {
  const report = (status: string, exit: Exit, plan?: Plan, faults: readonly Fault[] = []): Exit => {
    if (flags.json) {
      const document = { version: 1, command: 'install', server: request.server, status, exit };
      context.out(
        visibleJson({ ...document, ...(plan && { plan: planJson(plan) }), faults: faults.map(faultJson) }),
      );
      return exit;
    }
    reportFaults(faults, context);
    return exit;
  };
  try {
    const gathered = await gather(request, context);
    const plan = planInstall(gathered.input);
    if (!flags.json) showPlan(plan, gathered, flags, context);
    const faults = [...plan.clients.flatMap((c) => c.fault ?? []), ...nothingInstallable(plan)];
    if (faults.length > 0) return report('failed', 1, plan, faults);
    if (flags.dryRun) return report('planned', plan.changes.length > 0 ? 2 : 0, plan);
    if (plan.changes.length === 0) {
      await tidyUp(plan, context);
      if (!flags.json) context.err('Nothing to do: all of it is installed already.');
      return report('unchanged', 0, plan);
    }
    const refused = await consent(plan, flags, context);
    if (refused) return report('refused', 3, plan, [refused]);
    const written = await applyPlan(gathered.input, context);
    if (!flags.json) context.err(doneText(written));
    return report('installed', 0, written);
  } catch (error) {
    const faults = faultsOf(error);
    return report('failed', worst(faults.map((f) => f.exit)), undefined, faults);
  }
}

export function showPlan(plan: Plan, gathered: Gathered, flags: CommonFlags, context: Context): void {
  for (const fault of gathered.skipped) reportFaults([fault], context);
  context.out(
    planText(plan, {
      ...(gathered.shown !== undefined && { shown: gathered.shown }),
      startedPerFire: gathered.startedPerFire,
      place: gathered.place,
      home: homeFolder(context.env),
      style: context.style,
      verbose: flags.verbose ?? false,
    }),
  );
}

function nothingInstallable(plan: Plan): Fault[] {
  const any = plan.clients.some((c) => c.fault || c.cells.some((cell) => cell.natives.length > 0));
  return any || plan.declarations.length === 0
    ? []
    : [new Fault('plan.nothing-installable', { name: plan.server })];
}

/** The fault of what isn't approved, or undefined when all of it is. */
async function consent(plan: Plan, flags: CommonFlags, context: Context): Promise<Fault | undefined> {
  if (flags.yes) return refusal(plan, flags);
  const refuse = (code: 'consent.none' | 'consent.tool-data'): Fault =>
    new Fault(code, { name: plan.server }, {}, 3);
  if (!context.interactive || flags.json) return refuse('consent.none');
  if (toolDataSent(plan.declarations).length > 0 && !plan.options.sendToolData) {
    if (!(await ask('May these hooks send what tools are given and answer to the server?', context)))
      return refuse('consent.tool-data');
    plan.options.sendToolData = true;
  }
  return (await ask('Write this?', context)) ? undefined : refuse('consent.none');
}

function doneText(plan: Plan): string {
  const files = plan.clients.filter((c) => c.before !== c.after && c.file).length;
  return `Installed. ${files} ${files === 1 ? "client's file" : "clients' files"} changed; 'mcphooks uninstall ${oneLine(plan.server)}' takes it back.`;
}
