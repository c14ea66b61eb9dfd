import { comparing } from '../../app/compare-installed.ts';
import type { Context } from '../../app/context.ts';
import { machineView } from '../../app/disk.ts';
import { notInstalled, notOnClients } from '../../app/not-installed.ts';
import { openRecord, recordedServer } from '../../app/open-record.ts';
import { preparePlan } from '../../app/prepare/prepare.ts';
import type { Request } from '../../app/request.ts';
import { recoverInterrupted } from '../../app/write/recover.ts';
import { slugFor } from '../../base/slug.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { scopeOf } from '../../inspect/doctor/installs.ts';
import { findingsOnClient, findingsOnServer, ofServer } from '../../inspect/doctor/one-server.ts';
import type { Finding } from '../../inspect/doctor/types.ts';
import { keptServers } from '../../inspect/doctor/warm-servers.ts';
import { type Explained, explain } from '../../inspect/explain.ts';
import { scopeState } from '../../inspect/scopes.ts';
import { survey } from '../../inspect/survey.ts';
import { type Fault, Faults, faultsThrown } from '../../messages/fault.ts';
import { isCarried } from '../../plan/carried.ts';
import { planInstall } from '../../plan/install.ts';
import type { Plan } from '../../plan/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import { type Exit, exitOf, faultJson, reportFaults } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { explainedJson } from '../json/explained.ts';
import { findingJson } from '../json/finding.ts';
import { printJson } from '../json/print.ts';
import { requestFrom } from '../request.ts';
import { explainedText } from '../text/explained.ts';

/** What `explain` shows of a server. */
interface ExplainedServer {
  plan: Plan;
  explained: Explained;
  /** The install that is shown. */
  installed: ServerRecord | undefined;
  /** Clients without an install, shown as an install would make it. */
  preview: readonly ClientId[];
  /** Names another scope where it is installed. */
  elsewhere: Fault | undefined;
  /** Says where it isn't installed. */
  notThere: Fault | undefined;
  findings: readonly Finding[];
  /** Processes of the server that its hooks keep running. */
  kept: readonly Finding[];
  faults: readonly Fault[];
}

/**
 * `mcphooks explain`: shows, hook by hook, how a server's declarations are compiled: from the record when the server is
 * installed and no other source is given, otherwise as `install --dry-run` plans it.
 */
export async function run(
  [server, command]: [server: string, command: string[]],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const requested = requestFrom(server, command, flags);
  await recoverInterrupted(context);
  const result = await explainServer(requested, context);
  const exit = exitOf(result.faults);
  if (flags.json) printJson('explain', document(requested.server, result, exit), context);
  else print(result, context);
  return exit;
}

async function explainServer(requested: Request, context: Context): Promise<ExplainedServer> {
  const known = recordedServer(slugFor(requested.server), context);
  const elsewhere = known ? undefined : await installedElsewhere(requested.server, context);
  const { given, declarationsFile, catalogue, fromClient, reset } = requested;
  const other = given || declarationsFile !== undefined || catalogue || fromClient || reset;
  const recorded = other ? undefined : known;
  const having = CLIENT_IDS.filter((id) => recorded?.clients[id]);
  const request: Request = { ...requested, ...(recorded && { mode: 'record' }) };
  const { input, answers } = await preparePlan(request, context).catch((error) => {
    throw elsewhere ? new Faults([elsewhere, ...faultsThrown(error)]) : error;
  });
  const plan = planInstall(input);
  const added = addedClients(plan, having);
  const preview = added.filter((id) => requested.clients.includes(id));
  // Clients that came since the install would be shown as if they had the hooks.
  const shown = plan.clients.filter(({ client }) => !added.includes(client) || preview.includes(client));
  const clients = requested.clients.length > 0 ? requested.clients : shown.map(({ client }) => client);
  const tools = (answers?.tools ?? []).map(({ name }) => name);
  const installed = clients.some((client) => having.includes(client)) ? recorded : undefined;
  return {
    plan,
    explained: explain(plan, clients, { cwd: context.cwd, now: context.now(), tools }),
    installed,
    preview,
    elsewhere,
    notThere: recorded && preview.length > 0 ? notOnClients(preview, recorded) : elsewhere,
    findings: installed ? await findingsOn(installed, clients, context) : [],
    kept: known ? keptServers({ scope: context.scope, record: known }) : [],
    faults: shown.flatMap(({ fault }) => fault ?? []),
  };
}

/**
 * Returns the clients that would get hooks, and that an install (`having`) lacks. A client on which no hook can fire has
 * no install either.
 */
function addedClients({ clients }: Plan, having: readonly ClientId[]): ClientId[] {
  const carries = ({ cells }: Plan['clients'][number]): boolean =>
    cells.some(({ fidelity }) => isCarried(fidelity));
  return (having.length > 0 ? clients : [])
    .filter((plan) => !having.includes(plan.client) && carries(plan))
    .map(({ client }) => client);
}

function document(server: string, result: ExplainedServer, exit: Exit) {
  const { plan, explained, installed, preview, elsewhere, findings, kept, faults } = result;
  const { leftOut = [] } = plan;
  const status: 'explained' | 'failed' = exit === 0 ? 'explained' : 'failed';
  return {
    status,
    exit,
    server,
    ...(installed && { since: installed.since }),
    ...(elsewhere && { elsewhere: faultJson(elsewhere) }),
    ...(preview.length > 0 && { preview: [...preview] }),
    ...(findings.length > 0 && { findings: findings.map(findingJson) }),
    ...(leftOut.length > 0 && { leftOut: leftOut.map(faultJson) }),
    ...explainedJson(explained),
    ...(kept.length > 0 && { kept: kept.map(findingJson) }),
    faults: faults.map(faultJson),
  };
}

function print(result: ExplainedServer, context: Context): void {
  const { plan, explained, installed, elsewhere, notThere, findings, kept, faults } = result;
  const state = { isElsewhere: elsewhere !== undefined, since: installed?.since, notThere, findings, kept };
  context.out(explainedText(plan, explained, state, context));
  const isFound = ({ code, where }: Fault): boolean =>
    findings.some((found) => found.code === code && found.where.file === where.file);
  reportFaults(
    faults.filter((fault) => !isFound(fault)),
    context,
  );
}

/** Returns what stops the hooks of an install on these clients or is worth knowing, as `list` finds it. */
async function findingsOn(
  record: ServerRecord,
  shown: readonly ClientId[],
  context: Context,
): Promise<Finding[]> {
  const { scope } = context;
  const at = ofServer(scopeState(scope, openRecord(context)), record.slug);
  const view = machineView(context);
  const all = await survey([at], view, comparing({ ask: false }, context));
  const about = { server: record.server, ...scopeOf(scope) };
  return all
    .flatMap((one): Finding[] => [
      ...findingsOnServer(one, view),
      ...one.faults.map(({ code, args, where }) => ({ code, args, where, ...about })),
      ...one.clients.flatMap((status) => findingsOnClient(one, status)),
    ])
    .filter(({ client }) => client === undefined || shown.includes(client));
}

/**
 * Returns the Fault that names the scope at which the server is installed, or says why the project's lock file can't
 * tell; undefined when it is installed nowhere here.
 */
async function installedElsewhere(server: string, context: Context): Promise<Fault | undefined> {
  const fault = await notInstalled(server, context);
  return fault.args.elsewhere || fault.code !== 'plan.not-installed' ? fault : undefined;
}
