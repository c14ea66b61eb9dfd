import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { Fault } from '../messages.ts';
import { differs } from '../plan/consent.ts';
import { gather, type Request, readBytes } from '../plan/gather.ts';
import { planInstall } from '../plan/plan.ts';
import { openRecord, settle } from '../plan/settle.ts';
import { serversAt } from '../plan/site.ts';
import { unknownEntries } from '../plan/survey.ts';
import type { Plan } from '../plan/types.ts';
import { showPlan } from './install.ts';
import type { CommonFlags } from './options.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';
import { planJson } from './plan-json.ts';

interface Compared {
  server: string;
  exit: Exit;
  plan?: Plan;
  faults: readonly Fault[];
}

/** `mcphooks diff`: what the server declares now, what was approved, and what stands in the files. Writes nothing. */
export async function diff(
  requests: readonly Request[],
  named: string | undefined,
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const compared: Compared[] = [];
  for (const request of requests) compared.push(await compare(request, flags, context));
  const more = named === undefined ? unlisted(context) : [];
  if (!flags.json)
    reportFaults(
      more.flatMap((c) => c.faults),
      context,
    );
  compared.push(...more);
  const exit = worst(compared.map((c) => c.exit));
  if (flags.json) {
    const servers = compared.map((c) => ({
      server: c.server,
      exit: c.exit,
      ...(c.plan && { plan: planJson(c.plan) }),
      faults: c.faults.map(faultJson),
    }));
    const status = exit === 0 ? 'current' : exit === 2 ? 'changed' : 'failed';
    const faults = servers.flatMap((s) => s.faults);
    context.out(visibleJson({ version: 1, command: 'diff', status, exit, servers, faults }));
  }
  return exit;
}

async function compare(request: Request, flags: CommonFlags, context: Context): Promise<Compared> {
  const { server } = request;
  try {
    const gathered = await gather(request, context);
    const plan = planInstall(gathered.input);
    const faults = plan.clients.flatMap((c) => c.fault ?? []);
    const exit: Exit = faults.length > 0 ? 1 : differs(plan) ? 2 : 0;
    if (!flags.json) {
      if (exit === 0) context.out(`${oneLine(server)}: as installed${plan.disabled ? ', and disabled' : ''}`);
      else showPlan(plan, gathered, flags, context);
      reportFaults(faults, context);
    }
    return { server, exit, plan, faults };
  } catch (error) {
    const faults = faultsOf(error);
    const exit = worst(faults.map((f): Exit => f.exit));
    if (!flags.json) reportFaults(faults, context);
    return { server, exit, faults };
  }
}

/** Hooks of ours in a project's files of which its lock file, which all share, says nothing. */
function unlisted(context: Context): Compared[] {
  const { site, env, cwd } = context;
  if (!site.shared) return [];
  const { record } = openRecord(context);
  return unknownEntries(site, record, { env, cwd, read: readBytes }).map(({ slug, file }) => {
    const fault = new Fault('lock.unlisted', { name: slug }, { file });
    return { server: slug, exit: 2, faults: [fault] };
  });
}

/** The servers that `diff` without a name looks at: all that are installed. */
export async function installedServers(context: Context): Promise<string[]> {
  await settle(context);
  return serversAt(context.site, openRecord(context).record).map((s) => s.server);
}
