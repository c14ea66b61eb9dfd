import { existsSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { type Env, homeFolder } from '../../base/paths.ts';
import { followed } from '../../base/real-path.ts';
import { Fault } from '../../messages/fault.ts';
import { START_QUESTION, type StartReason, startText } from '../../messages/start.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { assertCanonical, checkedUrl } from '../../servers/checked-url.ts';
import { COMMAND_LINE_DIALECT, dialectOf } from '../../servers/definitions/resolve.ts';
import { dependsOnFolder } from '../../servers/launch/depends-on-folder.ts';
import { launch } from '../../servers/launch/launch.ts';
import { projectFolder } from '../../servers/launch/project-folder.ts';
import { boundBy, startFolders } from '../../servers/launch/start-folders.ts';
import { showDefinition } from '../../servers/masking/mask.ts';
import { packageRun } from '../../servers/packages/package-runner.ts';
import type { Definition, DefinitionSource, ServerEntry } from '../../servers/types.ts';
import type { Context } from '../context.ts';
import type { StartApprovals } from './approvals.ts';

interface StartRequest {
  entry: ServerEntry;
  /** True when the command line names the definition in this folder, which approves the definition. */
  named: boolean;
  approvals: StartApprovals;
  /** Hashes from `--allow-start`. */
  allowed: readonly string[] | undefined;
}

/** Folder in which a server is started to be asked. */
export interface StartFolder {
  cwd: string;
  /** True when the folder is the home folder: the definition doesn't belong to a project. */
  atHome: boolean;
}

/** Returns the source by which the gate judges a definition: a command in a lock file may be anybody's. */
export const gateSource = (source: DefinitionSource, { shared, store }: Scope): DefinitionSource =>
  shared && source.scope === 'command-line' ? { scope: 'project', file: store.file } : source;

/**
 * The only gate before every start of a process or connection to read a server. A definition needs an approval of its
 * hash, and starts in the folder for which it was given (`startFolders`), when it comes from a project's files, when a
 * client holds it for one project, or when it depends on the folder. The approval was given earlier, by `--allow-start`,
 * or is given now by a person who sees the whole command. `--yes` doesn't open the gate. All other servers start in the
 * home folder, where no clone influences what a package runner finds; or in the working folder, where that was approved.
 * Throws a Fault: `gate.project-start` with exit 3, or a fault of a URL.
 */
export async function passGate(request: StartRequest, context: Context): Promise<StartFolder> {
  const { entry, named, approvals, allowed } = request;
  const { alias: name, definition, source, hash } = entry;
  const { env, scope, cwd } = context;
  assertReachable(entry, context);
  // Hooks that a project shares are compared as in a session at its root.
  const session = (scope.shared && scope.root) || cwd;
  const folders = startFolders(projectFolder(source), session, homeFolder(env));
  // There is at least one.
  const here: StartFolder = { cwd: folders[0] ?? cwd, atHome: false };
  if (named || allowed?.includes(hash)) {
    approvals.add(hash, name, here.cwd);
    return here;
  }
  const approved = folders.find((folder) => approvals.has(hash, folder));
  if (approved !== undefined) return { cwd: approved, atHome: false };
  const reason = boundBy({ definition, source, dialect: dialectOf(source) }, env, session);
  if (!reason) return { cwd: existingHome(env), atHome: true };
  if (await agreesToStart(request, { reason, cwd: here.cwd }, context)) return here;
  const shown = showDefinition(definition, source);
  throw new Fault('gate.project-start', { name, shown, hash, reason }, { file: source.file ?? cwd }, 3);
}

/** Returns the home folder, or the root folder for accounts without one. */
export function existingHome(env: Env): string {
  const home = homeFolder(env);
  return existsSync(home) ? home : parse(resolve(home)).root;
}

/**
 * True when naming a definition on the command line approves its start in this folder. A package runner is the
 * exception, unless its definition depends on the folder: nobody named what the runner might find here, so the server
 * starts in the home folder.
 */
export function namesThisFolder(definition: Definition, { env, cwd }: Pick<Context, 'env' | 'cwd'>): boolean {
  const runner = definition.transport === 'stdio' && packageRun(definition.command, definition.args);
  const source = { scope: 'command-line' } as const;
  const sourced = { definition, source, dialect: COMMAND_LINE_DIALECT };
  return !runner || dependsOnFolder(sourced, env, cwd);
}

/**
 * Shows the whole command, and why and where it would start, and asks the user; false when no user is there. A yes is
 * added to the approvals.
 */
export async function agreesToStart(
  { entry, approvals }: Pick<StartRequest, 'entry' | 'approvals'>,
  why: { reason: StartReason; cwd: string; tools?: readonly string[] },
  context: Context,
): Promise<boolean> {
  if (!context.interactive()) return false;
  const { alias: server, definition, source, hash } = entry;
  const shown = showDefinition(definition, source);
  const { file } = source;
  context.err(startText({ ...why, server, shown, ...(file && { file }) }));
  if (!(await context.ask.confirm(START_QUESTION))) return false;
  approvals.add(hash, server, why.cwd, true);
  return true;
}

/** True when the working folder is the home folder: there is no project to start a server in. */
export function isHome(cwd: string, env: Env): boolean {
  return followed(cwd) === followed(homeFolder(env));
}

/** Throws for a URL that programs read differently from how it is written: such a URL can't be approved. */
function assertReachable({ definition, source }: ServerEntry, { env, cwd }: Context): void {
  if (definition.transport === 'stdio') return;
  const { url } = definition;
  assertCanonical(url);
  const unset = new Set<string>();
  const launched = launch({ definition, source, dialect: dialectOf(source) }, env, cwd, unset);
  if ('url' in launched) checkedUrl(launched.url, unset);
}
