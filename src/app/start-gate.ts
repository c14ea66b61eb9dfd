import { existsSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { type Env, homeFolder } from '../base/paths.ts';
import { followed } from '../base/real-path.ts';
import { Fault } from '../messages/fault.ts';
import { START_QUESTION, type StartReason, startText } from '../messages/start.ts';
import { assertCanonical, checkedUrl } from '../servers/checked-url.ts';
import { launch } from '../servers/definition.ts';
import { dependsOnFolder } from '../servers/depends-on-folder.ts';
import { showDefinition } from '../servers/mask.ts';
import { packageRun } from '../servers/package-runner.ts';
import { dialectOf } from '../servers/resolve.ts';
import type { Definition, ServerEntry } from '../servers/types.ts';
import type { StartApprovals } from './approvals.ts';
import type { Context } from './context.ts';

/** What the gate goes by. */
interface StartRequest {
  entry: ServerEntry;
  /** Whoever named this command here approved it. */
  named: boolean;
  approvals: StartApprovals;
  /** `--allow-start` */
  allowed: string | undefined;
}

/** The folder in which a server is started to be asked. */
export interface StartFolder {
  cwd: string;
  /** The home folder, since nothing says that it belongs here. */
  atHome: boolean;
}

/**
 * The one gate before every start of a process or connection to read a server. A definition from a project's files, one
 * that a client holds for a project, and one that depends on the folder are used only when their hash was approved for
 * this repository: earlier, by `--allow-start`, or now by a person who saw the whole command. `--yes` doesn't open it.
 * Every other server of the user's own is started in the home folder, where no clone has a say in what a package runner
 * finds; or here, where that was approved. Throws a Fault: `gate.project-start` with exit 3, or what is wrong with a URL.
 */
export async function passGate(request: StartRequest, context: Context): Promise<StartFolder> {
  const { entry, named, approvals, allowed } = request;
  assertReachable(entry, context);
  const here: StartFolder = { cwd: context.cwd, atHome: false };
  if (named || allowed === entry.hash) {
    approvals.add(entry.hash, entry.alias);
    return here;
  }
  if (approvals.has(entry.hash)) return here;
  const reason = reasonToAsk(entry, context);
  if (!reason) return { cwd: existingHome(context.env), atHome: true };
  if (await agreesToStart(request, reason, context)) return here;
  const { alias: name, definition, source, hash } = entry;
  const shown = showDefinition(definition, source);
  throw new Fault(
    'gate.project-start',
    { name, shown, hash, reason },
    { file: source.file ?? context.cwd },
    3,
  );
}

/** The home folder; some accounts have none. */
export function existingHome(env: Env): string {
  const home = homeFolder(env);
  return existsSync(home) ? home : parse(resolve(home)).root;
}

/**
 * Whether a command line that gives a definition means this very folder. What a package runner finds in it nobody has
 * named: that is started in the home folder, like servers of the user's own files.
 */
export function namesThisFolder(definition: Definition, { env, cwd }: Pick<Context, 'env' | 'cwd'>): boolean {
  const runner = definition.transport === 'stdio' && packageRun(definition.command, definition.args);
  return !runner || dependsOnFolder(definition, { scope: 'command-line' }, env, cwd);
}

function reasonToAsk({ definition, source }: ServerEntry, { env, cwd }: Context): StartReason | undefined {
  if (source.scope === 'project' || source.scope === 'local') return source.scope;
  return dependsOnFolder(definition, source, env, cwd) && !isHome(cwd, env) ? 'folder' : undefined;
}

/** Asks a person, where there is one, who sees the whole command. A yes is added to the approvals. */
export async function agreesToStart(
  { entry, approvals }: Pick<StartRequest, 'entry' | 'approvals'>,
  reason: StartReason,
  context: Context,
  tools?: readonly string[],
): Promise<boolean> {
  if (!context.interactive()) return false;
  const { alias: server, definition, source, hash } = entry;
  const shown = showDefinition(definition, source);
  const { file } = source;
  context.err(
    startText({ reason, server, shown, cwd: context.cwd, ...(file && { file }), ...(tools && { tools }) }),
  );
  if (!(await context.ask.confirm(START_QUESTION))) return false;
  approvals.add(hash, server);
  return true;
}

/** Whether there is no project to start a server in. */
export function isHome(cwd: string, env: Env): boolean {
  return followed(cwd) === followed(homeFolder(env));
}

/** An address that is read otherwise than it is written can't be approved. */
function assertReachable({ definition, source }: ServerEntry, { env, cwd }: Context): void {
  if (definition.transport === 'stdio') return;
  const { url } = definition;
  assertCanonical(url);
  const launched = launch(definition, dialectOf(source), source, env, cwd);
  if ('url' in launched) checkedUrl(launched.url);
}
