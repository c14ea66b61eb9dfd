import { missingApproval } from '../app/approval/missing-approval.ts';
import { type Context, NOBODY } from '../app/context.ts';
import { admitCalls } from '../app/first-call/call-gate.ts';
import { openRecord } from '../app/open-record.ts';
import { type Prepared, preparePlan } from '../app/prepare/prepare.ts';
import type { Request } from '../app/request.ts';
import { planRemoval, removeHooks } from '../app/uninstall/uninstall.ts';
import { applyPlan } from '../app/write/apply-plan.ts';
import { rememberApprovals } from '../app/write/machine-record.ts';
import { recoverInterrupted } from '../app/write/recover.ts';
import { type Env, ownPaths } from '../base/paths.ts';
import { asSpelled } from '../base/real-path.ts';
import { slugFor } from '../base/slug.ts';
import { styleFor } from '../base/text-style.ts';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import { respellFolders } from '../clients/respell.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { scopeFor } from '../inspect/scopes.ts';
import { findOverlap } from '../inspect/sources.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import { planInstall } from '../plan/install.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { Plan } from '../plan/types.ts';
import type { Removal } from '../plan/uninstall/uninstall.ts';
import { commandLineDefinition } from '../servers/definitions/from-command-line.ts';
import type { Declared } from '../servers/types.ts';
import { inWords } from './in-words.ts';
import { validRequest } from './valid-request.ts';

/** Environment and folder of the functions below; default: those of this process. */
export interface Surroundings {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /**
   * Whose hooks: the user's own (default), the project's committed ones (project of `cwd`), or the user's own in that
   * project.
   */
  scope?: ScopeName;
  /** Receives messages that the command line would print to stderr, such as that it waits for another mcphooks. */
  onMessage?: (text: string) => void;
}

/**
 * A server, how to reach it, and the options of its hooks, as for `mcphooks install`. `plan`, and `readDeclarations` of a
 * server behind a package runner, read files of this package: a bundled program has to leave `mcphooks` out of its bundle.
 */
export interface ServerRequest extends Surroundings {
  /** The server's name in the clients' MCP configuration. */
  server: string;
  /** Program and arguments that start the server, instead of the configured ones. */
  command?: readonly string[];
  /** URL at which to reach the server, instead of the configured one. */
  url?: string;
  /** Headers as `Name: value`, for `url`; `${VARIABLE}` in a value is expanded when the server is reached. */
  headers?: readonly string[];
  /** Client whose definition to use when the clients' definitions differ. */
  from?: ClientId;
  /**
   * JSON file of declarations, for a server without its own. The server is started, to check the declarations against
   * its tools, unless `check` is false.
   */
  declarationsFile?: string;
  /** False, with `declarationsFile`: the server isn't started to check its tools, as with `--no-check`. Default true. */
  check?: boolean;
  clients?: readonly ClientId[];
  options?: Partial<InstallOptions>;
  /** Ignores the options of earlier installs. */
  reset?: boolean;
  /** Seconds for connecting, at most 1,000,000. Default 30. */
  timeout?: number;
  /** Hash that approves starting a server defined in a project's file. */
  allowStart?: string | readonly string[];
}

/** Result of `plan`, to be passed to `apply`. */
export interface Planned {
  plan: Plan;
  /** How the server is run or reached, in one line, with secrets masked. */
  shown?: string;
}

/** Data of plans for `apply`, kept apart from them: it may contain secrets, and a plan may be printed. */
const preparations = new WeakMap<
  Planned,
  {
    prepared: Prepared;
    context: Context;
    allowStart: Request['allowStart'];
    granted: Partial<InstallOptions>;
  }
>();

/** Reports why declarations are left out; a plan has the same list as `leftOut`. */
function reportLeftOut(leftOut: readonly Fault[] = [], { err }: Context): void {
  for (const fault of leftOut) err(faultText(fault));
}

/**
 * Returns a server's declarations. Starts or reaches the server, unless `check` is false. Throws `Fault` or `Faults`.
 */
export const readDeclarations = inWords(async (request: ServerRequest): Promise<Declared> => {
  const { clients = CLIENT_IDS } = validRequest(request, 'server');
  const context = await contextOf(request);
  const { input } = await preparePlan(toRequest({ ...request, clients }), context);
  reportLeftOut(input.leftOut, context);
  return input.declared;
});

/** Returns what an install would change. First completes or reverts an interrupted run. Throws `Fault` or `Faults`. */
export const plan = inWords(async (request: ServerRequest): Promise<Planned> => {
  const context = await contextOf(validRequest(request, 'server'));
  const ready = await preparePlan(toRequest(request), context);
  const prepared = { ...ready, input: { ...ready.input, overlap: await findOverlap(ready.input, context) } };
  const { shown } = prepared;
  reportLeftOut(prepared.input.leftOut, context);
  const planned = { plan: planInstall(prepared.input), ...(shown !== undefined && { shown }) };
  preparations.set(planned, {
    prepared,
    context,
    allowStart: toRequest(request).allowStart,
    granted: request.options ?? {},
  });
  return planned;
});

/**
 * Writes a plan; calling `apply` approves every text in the plan. Changes to what was approved before need
 * `acceptChanged`, and declarations that send tool data need the option `sendToolData`; otherwise throws a `Fault`. Also
 * throws one when a client's file has changed after `plan()` and `apply` would write to it, though the plan leaves it
 * alone.
 */
export const apply = inWords(
  async (planned: Planned, approval: { acceptChanged?: boolean } = {}): Promise<Plan> => {
    validRequest(approval, 'approval');
    const preparation = preparations.get(planned);
    if (!preparation) throw new TypeError('apply takes a plan that plan() returned');
    const faults = planned.plan.clients.flatMap((c) => c.fault ?? []);
    if (faults.length > 0) throw new Faults(faults);
    const refused = missingApproval(planned.plan, approval, preparation.granted);
    if (refused) throw refused;
    const { prepared, context, allowStart } = preparation;
    const input = await admitCalls(prepared.input, prepared, allowStart, context);
    const applied = await applyPlan(input, context, planned.plan);
    if (context.scope.shared) await rememberApprovals(prepared.approvals.added(), context);
    return applied;
  },
);

/**
 * Removes a server's hooks from all clients. Throws a `Fault`; hooks in a file that couldn't be edited no longer do
 * anything.
 */
export const uninstall = inWords(
  async (
    server: string,
    options: Surroundings & { dryRun?: boolean; edited?: boolean } = {},
  ): Promise<Removal> => {
    const {
      dryRun = false,
      edited: evenEdited = false,
      ...around
    } = validRequest({ ...options, server }, 'uninstall');
    const context = { ...(await contextOf(around)), ...(dryRun && { dryRun }) };
    await recoverInterrupted(context);
    const act = dryRun ? planRemoval : removeHooks;
    const reading = openRecord(context);
    const removal = await act(slugFor(server), { evenEdited, server, reading }, context);
    const faults = [...removal.clients.flatMap((c) => c.fault ?? []), ...removal.notRemoved];
    if (faults.length > 0) throw new Faults(faults);
    return removal;
  },
);

async function contextOf({
  env: given = process.env,
  cwd = currentFolder(),
  scope = 'user',
  onMessage = () => {},
}: Surroundings): Promise<Context> {
  const env = given === process.env ? process.env : withInherited(given);
  respellFolders(env);
  const paths = ownPaths(env);
  const folder = asSpelled(cwd);
  return {
    ...NOBODY,
    env,
    cwd: folder,
    paths,
    scope: await scopeFor(scope, { env, paths, cwd: folder }),
    out: () => {},
    err: onMessage,
    reported: new Set(),
    now: () => new Date().toISOString(),
    style: styleFor(false, env),
    errStyle: styleFor(false, env),
  };
}

/** Returns the folder of this process. Throws a Fault for a folder that was deleted. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new Fault('internal.no-folder');
  }
}

/** Returns an environment with what it inherits, which child processes get, too. */
function withInherited(env: Env): Record<string, string | undefined> {
  const all: Record<string, string | undefined> = {};
  for (const name in env) all[name] = env[name];
  return all;
}

function toRequest(request: ServerRequest): Request {
  const { server, command = [], url, headers = [], from, declarationsFile, check, allowStart } = request;
  if (command.length > 0 && url !== undefined)
    throw new Fault('usage.exclusive', { one: 'command', other: 'url' });
  if (headers.length > 0 && url === undefined)
    throw new Fault('usage.goes-with', { option: 'headers', needs: 'url' });
  if (request.options?.target === 'plugin' && (request.scope ?? 'user') !== 'user')
    throw new Fault('usage.goes-with', { option: 'options.target "plugin"', needs: 'scope "user"' });
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
    ...(from && { fromClient: from }),
    ...(declarationsFile !== undefined && { declarationsFile }),
    ...(check === false && { skipCheck: true as const }),
    ...(allowStart !== undefined && { allowStart: [allowStart].flat() }),
  };
}
