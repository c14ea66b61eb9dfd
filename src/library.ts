import { slugFor } from './apply/slug.ts';
import type { InstallOptions, Scope } from './apply/types.ts';
import { CLIENT_IDS, type ClientId } from './clients/types.ts';
import { type Context, processContext } from './context.ts';
import { Fault, Faults } from './messages.ts';
import { ownPaths } from './paths.ts';
import { refusal } from './plan/consent.ts';
import { type Gathered, gather, type Request } from './plan/gather.ts';
import { planInstall } from './plan/plan.ts';
import { removeHooks } from './plan/remove.ts';
import { siteFor } from './plan/sites.ts';
import { acrossHere } from './plan/speakers.ts';
import type { Plan } from './plan/types.ts';
import type { Removal } from './plan/uninstall.ts';
import { applyPlan, rememberStarts } from './plan/write.ts';
import { commandLineDefinition } from './server/given.ts';
import type { Declared } from './server/types.ts';

/** Where the functions below work: by default in this process' environment and folder. */
export interface Surroundings {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** Whose files: one's own (the default), the committed ones of the project of `cwd`, or one's own for it. */
  scope?: Scope;
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
const prepared = new WeakMap<Planned, { gathered: Gathered; context: Context }>();

/** What a server declares. Starts or reaches it, unless a file is given. Throws `Fault` or `Faults`. */
export async function readDeclarations(request: ServerRequest): Promise<Declared> {
  const { clients = CLIENT_IDS } = request;
  const { input } = await gather(toRequest({ ...request, clients }), await contextOf(request));
  return input.declared;
}

/** What an install would change. Writes nothing. Throws `Fault` or `Faults`. */
export async function plan(request: ServerRequest): Promise<Planned> {
  const context = await contextOf(request);
  const asked = await gather(toRequest(request), context);
  const { slug, read } = asked.input;
  const gathered = { ...asked, input: { ...asked.input, across: await acrossHere(slug, context, read) } };
  const { shown } = gathered;
  const planned = { plan: planInstall(gathered.input), ...(shown !== undefined && { shown }) };
  prepared.set(planned, { gathered, context });
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
  const applied = await applyPlan(behind.gathered.input, behind.context);
  await rememberStarts(behind.gathered.starts, behind.context);
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
  const faults = removal.clients.flatMap((c) => c.fault ?? []);
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
    ...processContext(),
    env,
    cwd,
    paths,
    site: await siteFor(scope, { env, paths, cwd }),
    out: () => {},
    err: onMessage,
    interactive: false,
  };
}

function toRequest(request: ServerRequest): Request {
  const { server, command = [], url, headers = [], from, declarationsFile, allowStart } = request;
  if (command.length > 0 && url !== undefined)
    throw new Fault('usage.bad', { text: 'command and url exclude each other.' });
  const given = commandLineDefinition(command, url, headers);
  return {
    server,
    clients: [...(request.clients ?? [])],
    installedOnly: false,
    options: request.options ?? {},
    reset: request.reset ?? false,
    timeout: request.timeout ?? 30,
    offline: false,
    ...(given && { given }),
    ...(from && { from }),
    ...(declarationsFile !== undefined && { declarationsFile }),
    ...(allowStart !== undefined && { allowStart }),
  };
}
