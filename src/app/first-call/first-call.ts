import { dirname } from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { absolutePath } from '../../base/paths.ts';
import type { Connection } from '../../fire/mcp/rpc.ts';
import { asHookWill } from '../../messages/start.ts';
import { isCarried } from '../../plan/carried.ts';
import { DEADLINES } from '../../plan/compile/shim-data.ts';
import type { Plan } from '../../plan/types.ts';
import { environmentIn } from '../../servers/launch/environment.ts';
import { launch, type StdioLaunch } from '../../servers/launch/launch.ts';
import { maskArgs } from '../../servers/masking/secrets.ts';
import { packageRun } from '../../servers/packages/package-runner.ts';
import { passGate } from '../approval/start-gate.ts';
import type { Context } from '../context.ts';
import type { Prepared } from '../prepare/prepare.ts';
import { withProgress } from '../progress.ts';
import type { Request } from '../request.ts';

/** Measurement of a server's first start by a package runner. */
export interface FirstCall {
  runner: string;
  /**
   * Milliseconds to the first answer when the server was started to read its hooks, and when it was started as hooks
   * will; both absent: the package is still being installed in the background.
   */
  ms?: number;
  nextMs?: number;
  /** Milliseconds that the hook with the shortest deadline waits for an answer. */
  waitMs: number;
  /** The program that the runner starts, where the runner takes more than half of a start. */
  direct?: DirectStart;
}

/** A start without the package runner. */
interface DirectStart {
  command: string;
  args: string[];
  /** Milliseconds to the first answer. */
  ms: number;
  /** True for a file in the runner's cache, which may be cleared. */
  cached: boolean;
}

/** A program's arguments may contain secrets. */
export const maskedCall = ({ direct, ...first }: FirstCall): FirstCall => ({
  ...first,
  ...(direct && { direct: { ...direct, args: maskArgs(direct.args) } }),
});

/** Milliseconds to a server's first answer, where hooks start that server without a package runner. */
export const plainStart = (written: Plan, { input, definition, answers }: Prepared): number | undefined =>
  'at' in input.toolAccess && definition?.transport === 'stdio' && callsOf(written).length > 0
    ? answers?.firstMs
    : undefined;

/**
 * Starts a server once as its hooks will, when a package runner starts the server and hooks call its tools, so that no
 * hook has to wait for the installation. Returns undefined when nothing is to be started (also where the server wasn't
 * asked: `--no-check`), the start isn't approved, or the start fails.
 */
export async function firstCall(
  written: Plan,
  { definition, input, named, approvals, answers }: Prepared,
  { mode, timeout }: Pick<Request, 'mode' | 'timeout'>,
  context: Context,
): Promise<FirstCall | undefined> {
  const { toolAccess } = input;
  // Modes that start no server to read its declarations start none here either.
  if (mode !== 'ask' || !answers || context.scope.shared) return undefined;
  if (!('at' in toolAccess) || definition?.transport !== 'stdio') return undefined;
  const calls = callsOf(written);
  if (calls.length === 0) return undefined;
  const { source, hash, dialect } = toolAccess.at;
  const entry = { alias: input.server, definition, source, hash };
  // The user isn't asked a second time.
  const folder = await passGate(
    { entry, approvals, named, allowed: undefined },
    { ...context, interactive: () => false },
  ).catch(() => undefined);
  if (!folder) return undefined;
  const env = environmentIn(folder.cwd, absolutePath(context.env), context.cwd);
  const to = launch({ definition, source, dialect }, env, folder.cwd);
  const run = 'command' in to ? packageRun(to.command, to.args) : undefined;
  if (!run || !('command' in to)) return undefined;
  const { startByRunner } = await import('../../fire/mcp/start-by-runner.ts');
  const place = { runtime: dirname(assetPath('dist/runtime/keep.cjs')), state: context.paths.state };
  const waiting = calls.map(({ event }) => DEADLINES[event === 'session_start' ? event : 'other'].callMs);
  const about = { runner: run.runner, waitMs: Math.min(...waiting) };
  return withProgress(context, async (say) => {
    say(asHookWill(run.runner, input.server));
    const began = performance.now();
    const server = await startByRunner(run, to, place);
    if (!('request' in server)) return about;
    const ms = await answerMs(server, began, timeout);
    if (ms === 'late') return about;
    if (ms === undefined) return undefined;
    const direct = await directStart(to, ms, timeout);
    return { ...about, ms: answers.firstMs, nextMs: ms, ...(direct && { direct }) };
  });
}

/**
 * Starts the program that a package runner starts, and returns it where the runner takes more than half of its own
 * start's `runnerMs`.
 */
async function directStart(
  to: StdioLaunch,
  runnerMs: number,
  timeout: number,
): Promise<DirectStart | undefined> {
  const { installedProgram } = await import('../../servers/packages/installed-program.ts');
  const program = installedProgram(to.command, to.args, to.env);
  if (!program) return undefined;
  const [{ connect }, { overStdio }] = await Promise.all([
    import('../../fire/mcp/rpc.ts'),
    import('../../fire/mcp/stdio.ts'),
  ]);
  const { command, args } = program;
  const began = performance.now();
  const ms = await answerMs(
    connect((listener) => overStdio({ ...to, command, args }, listener)),
    began,
    timeout,
  );
  return typeof ms === 'number' && ms < runnerMs / 2 ? { ...program, ms } : undefined;
}

/** Asks a server, and ends it. Returns the milliseconds since `began`; undefined when there is no answer. */
async function answerMs(
  server: Connection,
  began: number,
  timeout: number,
): Promise<number | 'late' | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeout * 1000);
  });
  const measured = (): number => Math.round(performance.now() - began);
  const answered = server
    .request('tools/list', {})
    .then(measured, () => (server.answered() ? measured() : undefined));
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
    await server.end();
  }
}

/** Returns the declarations whose tools are called by hooks of any client. */
function callsOf({ clients, declarations }: Plan): Plan['declarations'] {
  return declarations.filter(
    ({ context_tool }, i) =>
      context_tool !== undefined && clients.some(({ cells }) => isCarried(cells[i]?.fidelity)),
  );
}
