import { absolutePath } from '../base/paths.ts';
import { launch } from '../servers/definition.ts';
import { environmentIn } from '../servers/environment.ts';
import type { Install } from '../servers/install-lock.ts';
import { packageRun } from '../servers/package-runner.ts';
import { longestFirst, maskText, redact, secretsIn, secretValues } from '../servers/secrets.ts';
import type { PackageRun } from '../servers/types.ts';
import { reachableUrl } from '../servers/url.ts';
import { joined } from './answer.ts';
import { approvedDefinition } from './approved-definition.ts';
import { cutWithin } from './cut.ts';
import type { Answer, CallResult, CallTool, Failure } from './firing.ts';
import type { LocalFireData } from './machine.ts';
import { overHttp } from './mcp-http.ts';
import { type Connection, connect, Refused } from './mcp-rpc.ts';
import { overStdio } from './mcp-stdio.ts';
import { startByRunner } from './runner.ts';
import { slot } from './slots.ts';
import { answerOf } from './tool-text.ts';
import { SERVER_FOLDER_VARIABLE, WHY_VARIABLE } from './why.ts';

/**
 * Opens the declaring server for one fire. The connection is made at the first call; all calls share `leftMs`.
 * `runtime`: the folder of this program.
 */
export function openServer(
  data: LocalFireData,
  runtime: string,
  startFolder: string,
  hookEnv: NodeJS.ProcessEnv,
  leftMs: number,
): { answer: Answer; end(): Promise<void> } {
  const deadline = Date.now() + leftMs;
  let opened: Promise<Connection | Failure> | undefined;
  let connection: Connection | undefined;
  /** The package that a package runner starts, and may have to install. */
  let run: PackageRun | undefined;
  /** Secrets sent to the server, to be masked in the log. */
  let secrets: string[] = [];
  /** Release functions of the calls under way. A call past its deadline is not awaited. */
  const releases = new Set<() => void>();

  const open = async (): Promise<Connection | Failure> => {
    // A relative folder of PATH would be looked up in the session's folder.
    const given = absolutePath(serverEnv(hookEnv));
    const session = { folder: startFolder, env: given, state: data.state };
    const found = data.server_at && approvedDefinition(data.server_at, data.client, session);
    if (!found) return { incident: 'definition.missing', detail: data.server };
    if ('incident' in found) return { incident: found.incident, detail: data.server };
    const { definition, at } = found;
    const folder = found.folder ?? serverFolder(hookEnv);
    const env = folder === undefined ? given : environmentIn(folder, given, startFolder);
    const to = launch(definition, at.dialect, at.source, env, folder ?? startFolder);
    const url = 'url' in to ? reachableUrl(to.url) : undefined;
    if (typeof url === 'string') return { incident: 'url.refused', detail: url };
    secrets = longestFirst([
      ...secretsIn(to),
      ...(definition.transport === 'stdio' && 'env' in to
        ? secretValues(to.env, Object.keys(definition.env))
        : []),
    ]);
    if ('url' in to) return connect((listener) => overHttp(to, listener));
    run = packageRun(to.command, to.args);
    if (!run) return connect((listener) => overStdio(to, listener));
    const started = await startByRunner(run, to, { runtime, state: data.state });
    return 'request' in started ? started : installing(started);
  };

  const call: CallTool = async (tool, args) => {
    // AbortSignal.timeout takes whole milliseconds only.
    const most = Math.floor(Math.max(0, Math.min(data.server_at?.callMs ?? 0, deadline - Date.now())));
    const signal = AbortSignal.timeout(most);
    const work = async (): Promise<CallResult> => {
      const release = data.state
        ? await slot(data.state, data.server, 2 * data.deadlineMs, signal)
        : () => {};
      releases.add(release);
      try {
        opened ??= open();
        const server = await opened;
        // The detail of a failed call begins with the tool, by which `doctor` knows that it answered since.
        if ('incident' in server)
          return server.incident === 'tool.installing'
            ? { ...server, detail: `${tool}: ${server.detail}` }
            : server;
        connection = server;
        const answer = await connection.request('tools/call', { name: tool, arguments: args });
        return resultOf(tool, answer, secrets);
      } catch (error) {
        return failure(tool, error as Error, secrets);
      } finally {
        release();
        releases.delete(release);
      }
    };
    const slow = (): Failure => {
      const detail = `${tool}: no answer within ${most} ms`;
      const unanswered = run !== undefined && !connection?.answered();
      return unanswered
        ? { incident: 'tool.installing', detail: `${detail} from ${run?.runner}`, late: true }
        : { incident: 'tool.slow', detail, late: true };
    };
    const late = new Promise<Failure>((resolve) => {
      signal.addEventListener('abort', () => resolve(slow()), { once: true });
    });
    return Promise.race([work(), late]);
  };

  const end = async (): Promise<void> => {
    await connection?.end();
    for (const release of releases) release();
  };
  const answer: Answer = (firing, hook, asked) => answerOf(firing, hook, asked, call);
  return { answer, end };
}

/** Most bytes of a text in the log. */
const LONGEST_TEXT = 2_500;

/** Returns a text for the log: secrets masked, and cut. */
export const masked = (text: string): string => cutWithin(maskText(text), LONGEST_TEXT, 'utf8');

function installing({ runner, package: name, since }: Install): Failure {
  return { incident: 'tool.installing', detail: `${runner} ${name}, since ${since}` };
}

/**
 * The folder in which `mcphooks fire` starts servers: the folder a client would use, unless that folder isn't trusted.
 */
const serverFolder = (env: NodeJS.ProcessEnv): string | undefined =>
  env[WHY_VARIABLE] ? env[SERVER_FOLDER_VARIABLE] : undefined;

/**
 * Returns the environment for a server, without what is for this program alone. The shell hid NODE_OPTIONS from our own
 * node (templates/shim.sh); the server gets NODE_OPTIONS back, as from its client.
 */
function serverEnv({
  MCPHOOKS_NODE_OPTIONS,
  MCPHOOKS_NODE,
  MCPHOOKS_WHY: _why,
  MCPHOOKS_SERVER_FOLDER: _folder,
  ...env
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (MCPHOOKS_NODE !== undefined) delete env.BUN_BE_BUN;
  return MCPHOOKS_NODE_OPTIONS === undefined ? env : { ...env, NODE_OPTIONS: MCPHOOKS_NODE_OPTIONS };
}

/**
 * Returns the Failure for an error of a call. A server's error message may repeat data sent to the server, so the log
 * gets only the error code.
 */
function failure(tool: string, error: Error, secrets: readonly string[]): Failure {
  const words = `${tool}: ${redact(error.message, secrets)}`;
  if (!(error instanceof Refused)) return { incident: 'tool.failed', detail: words };
  const detail = `${tool}: refused with code ${Number.parseInt(error.message, 10)}`;
  return { incident: 'tool.failed', detail, said: words };
}

/** Returns the text parts of a tool's answer, or a Failure for an error. */
function resultOf(tool: string, answer: unknown, secrets: readonly string[]): CallResult {
  const { content, isError } = (answer ?? {}) as { content?: unknown; isError?: unknown };
  if (!Array.isArray(content))
    return { incident: 'tool.failed', detail: `${tool}: an answer without content` };
  const texts = content.flatMap((part): string[] =>
    part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  );
  if (isError !== true) return { text: joined(texts) };
  const words = texts.join('\n');
  const said = `${tool}: ${redact(words, secrets)}`;
  return { incident: 'tool.failed', detail: `${tool}: an error of ${words.length} characters`, said };
}
