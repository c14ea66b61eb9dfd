import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { Fault } from '../messages.ts';
import { differs } from '../plan/consent.ts';
import { gather, type Request, readBytes } from '../plan/gather.ts';
import { type Compared, markdown } from '../plan/markdown.ts';
import { planInstall } from '../plan/plan.ts';
import { openRecord, settle } from '../plan/settle.ts';
import { serversAt } from '../plan/site.ts';
import { unknownEntries } from '../plan/survey.ts';
import { showPlan } from './install.ts';
import type { CommonFlags } from './options.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';
import { planJson } from './plan-json.ts';

/** Options of `diff`. */
export interface DiffFlags extends CommonFlags {
  format?: 'text' | 'markdown';
}

/**
 * `mcphooks diff`: what the server declares now, what was approved, and what stands in the files. Writes nothing.
 * `named`: the only server that is asked for.
 */
export async function diff(
  requests: readonly Request[],
  named: string | undefined,
  flags: DiffFlags,
  context: Context,
): Promise<Exit> {
  const format = flags.json ? 'json' : (flags.format ?? 'text');
  const say = format === 'text' ? { flags, context } : undefined;
  const compared: (Compared & { exit: Exit })[] = [];
  for (const request of requests) compared.push(await compare(request, say, context));
  const more = named === undefined ? unlisted(context) : [];
  for (const { faults } of more) say && reportFaults(faults, context);
  compared.push(...more);
  const exit = worst(compared.map((c) => c.exit));
  if (format === 'json') context.out(visibleJson(document(compared, exit)));
  if (format === 'markdown') {
    const { scope, root = '' } = context.site;
    const at = scope === 'user' ? '' : ` --scope ${scope}`;
    context.out(markdown(compared, (server) => `mcphooks install ${server}${at}`, root));
  }
  return exit;
}

function document(compared: readonly Compared[], exit: Exit): Record<string, unknown> {
  const servers = compared.map((c) => ({
    server: c.server,
    exit: c.exit,
    ...(c.plan && { plan: planJson(c.plan) }),
    faults: c.faults.map(faultJson),
  }));
  const status = exit === 0 ? 'current' : exit === 2 ? 'changed' : 'failed';
  return { version: 1, command: 'diff', status, exit, servers, faults: servers.flatMap((s) => s.faults) };
}

async function compare(
  request: Request,
  say: { flags: DiffFlags; context: Context } | undefined,
  context: Context,
): Promise<Compared & { exit: Exit }> {
  const { server } = request;
  try {
    const gathered = await gather(request, context);
    const plan = planInstall(gathered.input);
    const faults = plan.clients.flatMap((c) => c.fault ?? []);
    const exit: Exit = faults.length > 0 ? 1 : differs(plan) ? 2 : 0;
    if (say && exit === 0)
      context.out(`${oneLine(server)}: as installed${plan.disabled ? ', and disabled' : ''}`);
    else if (say) showPlan(plan, gathered, say.flags, context);
    if (say) reportFaults(faults, context);
    return { server, exit, plan, faults };
  } catch (error) {
    const faults = faultsOf(error);
    if (say) reportFaults(faults, context);
    return { server, exit: worst(faults.map((f): Exit => f.exit)), faults };
  }
}

/** Hooks of ours in a project's files of which its lock file, which all share, says nothing. */
function unlisted(context: Context): (Compared & { exit: Exit })[] {
  const { site, env, cwd } = context;
  if (!site.shared) return [];
  const reading = openRecord(context);
  const standing = { site, reading, servers: serversAt(site, reading.record) };
  return unknownEntries(standing, { env, cwd, read: readBytes }).map(({ slug, file }) => {
    const fault = new Fault('lock.unlisted', { name: slug }, { file });
    return { server: slug, exit: 2, faults: [fault] };
  });
}

/** The servers that `diff` without a name looks at: all that are installed. */
export async function installedServers(context: Context): Promise<string[]> {
  await settle(context);
  return serversAt(context.site, openRecord(context).record).map((s) => s.server);
}
