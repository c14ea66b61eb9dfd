import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { Fault } from '../messages.ts';
import { once } from '../once.ts';
import { differs } from '../plan/consent.ts';
import { gather, look, type Request, readBytes, type View } from '../plan/gather.ts';
import { type Compared, markdown } from '../plan/markdown.ts';
import { compareInstall, planInstall } from '../plan/plan.ts';
import { serversAt } from '../plan/site.ts';
import { unknownEntries } from '../plan/survey.ts';
import type { Plan } from '../plan/types.ts';
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
 * Without a server, for all that are installed.
 */
export async function diff(
  named: string | undefined,
  requestFor: (server: string) => Request,
  flags: DiffFlags,
  context: Context,
): Promise<Exit> {
  const format = flags.json ? 'json' : (flags.format ?? 'text');
  const say = format === 'text' ? { flags, context } : undefined;
  // Servers share files and a record: nothing is read twice.
  const view = once(async () => {
    const { read, ...seen } = await look(context);
    return { ...seen, read: remembering(read) };
  });
  const names = named === undefined ? installedServers(await view(), context) : [named];
  const requests = names.map(requestFor);
  const compared: (Compared & { exit: Exit })[] = [];
  for (const request of requests) compared.push(await compare(request, say, context, view));
  const more = named === undefined ? unlisted(await view(), context) : [];
  for (const { faults } of more) say && reportFaults(faults, context);
  compared.push(...more);
  if (say && compared.length === 0) context.err(await nothingText(context));
  const exit = worst(compared.map((c) => c.exit));
  if (format === 'json') context.out(visibleJson(document(compared, exit)));
  if (format === 'markdown') {
    const { scope, root = '' } = context.site;
    const at = scope === 'user' ? '' : ` --scope ${scope}`;
    context.out(markdown(compared, (server) => `mcphooks install ${server}${at}`, root));
  }
  return exit;
}

/** Where the user has nothing, the project may have something. */
async function nothingText({ site, cwd }: Context): Promise<string> {
  const { projectRoot, LOCK } = await import('../project/root.ts');
  const project = !site.shared && existsSync(join(projectRoot(cwd), LOCK));
  return project
    ? "Nothing is installed for you. This project has hooks: 'mcphooks diff --scope project'."
    : 'Nothing is installed.';
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
  view: () => Promise<View>,
): Promise<Compared & { exit: Exit }> {
  const { server } = request;
  try {
    const gathered = await gather(request, context, await view());
    if (say && !context.site.shared) {
      const compared = compareInstall(gathered.input);
      if (!compared.clients.some((c) => c.fault) && !differs(compared)) {
        context.out(asInstalled(server, compared));
        return { server, exit: 0, faults: [] };
      }
    }
    const plan = planInstall(gathered.input);
    const faults = plan.clients.flatMap((c) => c.fault ?? []);
    const exit: Exit = faults.length > 0 ? 1 : differs(plan) ? 2 : 0;
    if (say && exit === 0) context.out(asInstalled(server, plan));
    else if (say) showPlan(plan, gathered, say.flags, context);
    if (say) reportFaults(faults, context);
    return { server, exit, plan, faults };
  } catch (error) {
    const faults = faultsOf(error);
    if (say) reportFaults(faults, context);
    return { server, exit: worst(faults.map((f): Exit => f.exit)), faults };
  }
}

const asInstalled = (server: string, { disabled }: Pick<Plan, 'disabled'>): string =>
  `${oneLine(server)}: as installed${disabled ? ', and disabled' : ''}`;

/** Hooks of ours in a project's files of which its lock file, which all share, says nothing. */
function unlisted({ reading }: View, { site, env, cwd }: Context): (Compared & { exit: Exit })[] {
  if (!site.shared) return [];
  const standing = { site, reading, servers: serversAt(site, reading.record) };
  return unknownEntries(standing, { env, cwd, read: readBytes }).map(({ slug, file }) => {
    const fault = new Fault('lock.unlisted', { name: slug }, { file });
    return { server: slug, exit: 2, faults: [fault] };
  });
}

/** The servers that `diff` without a name looks at. */
function installedServers({ reading }: View, { site }: Context): string[] {
  return serversAt(site, reading.record).map((s) => s.server);
}

/** Reads each file once. */
function remembering(read: View['read']): View['read'] {
  const seen = new Map<string, Uint8Array | null>();
  return (path) => {
    const before = seen.get(path);
    if (before !== undefined) return before;
    const bytes = read(path);
    seen.set(path, bytes);
    return bytes;
  };
}
