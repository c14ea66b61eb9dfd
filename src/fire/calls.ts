import { maskText, redact } from '../servers/secrets.ts';
import { joined } from './answer.ts';
import { cutWithin } from './cut.ts';
import type { Answer, CallResult, CallTool, Failure } from './firing.ts';
import type { LocalFireData } from './machine.ts';
import { type Connection, Refused } from './mcp-rpc.ts';
import type { Reached } from './reach.ts';
import { slot } from './slots.ts';
import { answerOf } from './tool-text.ts';

/** The server of one fire: gives the answers of its tools. */
export interface OpenServer {
  answer: Answer;
  end(): Promise<void>;
}

/** How a server is reached and connected to; `deadline`: of all calls of the fire, by `Date.now`. */
interface Opening {
  reach: () => Reached | Failure;
  open: (found: Reached, deadline: number) => Promise<Connection | Failure>;
}

/** The package is still being installed, by another process. */
export class Installing extends Error {}

/** Opens the declaring server for one fire. The connection is made at the first call; all calls share `leftMs`. */
export function callsTo(data: LocalFireData, leftMs: number, opening: Opening): OpenServer {
  const deadline = Date.now() + leftMs;
  let opened: Promise<Connection | Failure> | undefined;
  let connection: Connection | undefined;
  let run: Reached['run'];
  let secrets: string[] = [];
  /** Release functions of the calls under way. A call past its deadline is not awaited. */
  const releases = new Set<() => void>();

  const open = async (): Promise<Connection | Failure> => {
    const found = opening.reach();
    if ('incident' in found) return found;
    ({ run, secrets } = { run: undefined, ...found });
    return opening.open(found, deadline);
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
        const answer = await connection.request('tools/call', { name: tool, arguments: args }, signal);
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

/**
 * Returns the Failure for an error of a call. A server's error message may repeat data sent to the server, so the log
 * gets only the error code.
 */
function failure(tool: string, error: Error, secrets: readonly string[]): Failure {
  const words = `${tool}: ${redact(error.message, secrets)}`;
  if (error instanceof Installing) return { incident: 'tool.installing', detail: words };
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
  return {
    incident: 'tool.failed',
    detail: `${tool}: it returned an error (${words.length} characters, not logged)`,
    said,
  };
}
