import { admitCalls } from '../app/call-gate.ts';
import { refusal } from '../app/consent.ts';
import { type Context, NOBODY } from '../app/context.ts';
import { type Prepared, preparePlan } from '../app/prepare.ts';
import type { Request } from '../app/request.ts';
import { removeHooks } from '../app/uninstall.ts';
import { applyPlan, rememberApprovals } from '../app/write.ts';
import { ownPaths } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import { styleFor } from '../base/text-style.ts';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { scopeFor } from '../inspect/scopes.ts';
import { findOverlap } from '../inspect/sources.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { planInstall } from '../plan/install.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { Plan } from '../plan/types.ts';
import type { Removal } from '../plan/uninstall.ts';
import { commandLineDefinition } from '../servers/from-command-line.ts';
import type { Declared } from '../servers/types.ts';

/** Where the functions below work: by default in this process' environment and folder. */
export interface Surroundings {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Whose files: one's own (the default), the committed ones of the project of `cwd`, or one's own for it. */
  scope?: ScopeName;
  /** Hears what the command line would say on stderr, such as that another mcphooks is waited for. */
  onMessage?: (text: string) => void;
}

/** A server, how to reach it, and what its hooks should become. As the options of `mcphooks install`. */
export interface ServerRequest extends Surroundings {
  /** Its name in the clients' MCP configuration. */
  server: string;
  /** Program and arguments: start it like this instead. */
  command?: readonly string[];
  /** Reach it here instead. */
  url?: string;
  /** `Name: value`, for `url`; `${VARIABLE}` in a value is read when the server is reached. */
  headers?: readonly string[];
  /** Whose definition to use when the clients disagree. */
  from?: ClientId;
  /** A JSON file of declarations, for a server that declares none: it isn't started. */
  declarationsFile?: string;
  clients?: readonly ClientId[];
  options?: Partial<InstallOptions>;
  /** Forget the options of earlier installs. */
  reset?: boolean;
  /** Seconds for connecting. Default 30. */
  timeout?: number;
  /** Hash that approves starting a server which a project's file defines. */
  allowStart?: string;
}

/** What `plan` gives and `apply` takes. */
export interface Planned {
  plan: Plan;
  /** How the server is run or reached, in one line, secrets masked. */
  shown?: string;
}

/** What `apply` needs of a plan, apart from it: it may hold secrets, and a plan may be printed. */
const prepared = new WeakMap<
  Planned,
  { gathered: Prepared; context: Context; allowStart: string | undefined }
>();

/** What a server declares. Starts or reaches it, unless a file is given. Throws `Fault` or `Faults`. */
export async function readDeclarations(request: ServerRequest): Promise<Declared> {
  const { clients = CLIENT_IDS } = request;
  const { input } = await preparePlan(toRequest({ ...request, clients }), await contextOf(request));
  return input.declared;
}

/** What an install would change. First it ends what an interrupted run left half done. Throws `Fault` or `Faults`. */
export async function plan(request: ServerRequest): Promise<Planned> {
  const context = await contextOf(request);
  const asked = await preparePlan(toRequest(request), context);
  const { slug, files } = asked.input;
  const gathered = { ...asked, input: { ...asked.input, overlap: await findOverlap(slug, context, files) } };
  const { shown } = gathered;
  const planned = { plan: planInstall(gathered.input), ...(shown !== undefined && { shown }) };
  prepared.set(planned, { gathered, context, allowStart: request.allowStart });
  return planned;
}

/**
 * Writes what was planned; calling it is the approval of every text in the plan. What was approved before and has
 * changed needs `acceptChanged`, and declarations that send tool data the option `sendToolData`: else a `Fault`.
 */
export async function apply(planned: Planned, approval: { acceptChanged?: boolean } = {}): Promise<Plan> {
  const behind = prepared.get(planned);
  if (!behind) throw new TypeError('apply takes what plan gave');
  const faults = planned.plan.clients.flatMap((c) => c.fault ?? []);
  if (faults.length > 0) throw new Faults(faults);
  const refused = refusal(planned.plan, approval);
  if (refused) throw refused;
  const { gathered, context, allowStart } = behind;
  const applied = await applyPlan(await admitCalls(gathered.input, gathered, allowStart, context), context);
  await rememberApprovals(gathered.approvals, context);
  return applied;
}

/** Takes a server's hooks out of all clients. Throws a `Fault`; hooks in a file that couldn't be edited are dead. */
export async function uninstall(
  server: string,
  options: Surroundings & { dryRun?: boolean; edited?: boolean } = {},
): Promise<Removal> {
  const removal = await removeHooks(
    slugFor(server),
    { dryRun: options.dryRun ?? false, edited: options.edited ?? false },
    await contextOf(options),
  );
  const faults = [...removal.clients.flatMap((c) => c.fault ?? []), ...removal.unknownClients];
  if (faults.length > 0) throw new Faults(faults);
  return removal;
}

async function contextOf({
  env = process.env,
  cwd = process.cwd(),
  scope = 'user',
  onMessage = () => {},
}: Surroundings): Promise<Context> {
  const paths = ownPaths(env);
  return {
    ...NOBODY,
    env,
    cwd,
    paths,
    scope: await scopeFor(scope, { env, paths, cwd }),
    out: () => {},
    err: onMessage,
    now: () => new Date().toISOString(),
    style: styleFor(false, env),
    errStyle: styleFor(false, env),
  };
}

function toRequest(request: ServerRequest): Request {
  const { server, command = [], url, headers = [], from, declarationsFile, allowStart } = request;
  if (command.length > 0 && url !== undefined)
    throw new Fault('usage.exclusive', { one: 'command', other: 'url' });
  const given = commandLineDefinition(command, url, headers);
  return {
    server,
    clients: [...(request.clients ?? [])],
    installedOnly: false,
    options: request.options ?? {},
    reset: request.reset ?? false,
    timeout: request.timeout ?? 30,
    mode: 'ask',
    ...(given && { given }),
    ...(from && { from }),
    ...(declarationsFile !== undefined && { declarationsFile }),
    ...(allowStart !== undefined && { allowStart }),
  };
}
