import { maskMessage, redact } from '../../servers/masking/mask-message.ts';
import type { ApprovedLaunch } from '../approval/approved-launch.ts';
import type { CallResult, CallTool, Failure, ToolText } from '../firing.ts';
import type { LocalFireData } from '../local-data.ts';
import type { Connection, GivenUp } from '../mcp/rpc.ts';
import { cutWithin } from '../text/cut.ts';
import { joined } from './answer.ts';
import { slot } from './slots.ts';
import { answerOf } from './tool-text.ts';

/** The server of one fire: gives the answers of its tools. */
export interface OpenServer {
  answer: ToolText;
  end(): Promise<void>;
}

/** Takes note of what a checked definition leads to, before that is started. */
export type OnReached = (found: Pick<ApprovedLaunch, 'run' | 'secrets'>) => void;

/** Reaches a server and connects to it; `deadline`: of all calls of the fire, by `Date.now`. */
type Open = (deadline: number, reached: OnReached) => Promise<Connection | Failure>;

/** No server was opened for a call. Told by `failure`: programs of the runtime each have this class. */
export class NotOpened extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** Opens the declaring server for one fire. The connection is made at the first call; all calls share `leftMs`. */
export function callsTo(data: LocalFireData, leftMs: number, open: Open): OpenServer {
  const deadline = Date.now() + leftMs;
  let opened: Promise<Connection | Failure> | undefined;
  let connection: Connection | undefined;
  let run: ApprovedLaunch['run'];
  let secrets: string[] = [];
  /** Release functions of the calls under way. A call past its deadline is not awaited. */
  const releases = new Set<() => void>();

  const reached: OnReached = (found) => {
    run = found.run;
    secrets = found.secrets;
  };

  const call: CallTool = async (tool, args) => {
    const most = Math.floor(Math.max(0, Math.min(data.server_at?.callMs ?? 0, deadline - Date.now())));
    const signal = givenUpAfter(most);
    const work = async (): Promise<CallResult> => {
      const release = await slot(data.state, data.server, 2 * data.deadlineMs, signal);
      releases.add(release);
      try {
        opened ??= open(deadline, reached);
        const server = await opened;
        if ('incident' in server) return withToolName(tool, server);
        connection = server;
        const answer = await connection.request('tools/call', { name: tool, arguments: args }, signal);
        return resultOf(tool, answer, secrets);
      } catch (error) {
        return failureOf(tool, error as Error, secrets);
      } finally {
        release();
        releases.delete(release);
      }
    };
    const slow = (): Failure => {
      const detail = `${tool}: no answer within ${most} ms`;
      const unanswered = run !== undefined && !connection?.answered();
      const said = `${detail}. Its stdout has text that is no message`;
      return unanswered
        ? { incident: 'tool.installing', detail: `${detail} from ${run?.runner}`, late: true }
        : { incident: 'tool.slow', detail, late: true, ...(connection?.noise?.() && { said }) };
    };
    const late = new Promise<Failure>((resolve) => {
      signal.addEventListener('abort', () => resolve(slow()));
    });
    return Promise.race([work(), late]);
  };

  const end = async (): Promise<void> => {
    await connection?.end();
    for (const release of releases) release();
  };
  const answer: ToolText = (firing, hook, asked) => answerOf(firing, hook, asked, call);
  return { answer, end };
}

/** As `AbortSignal.timeout`, which takes half a millisecond to set up. */
function givenUpAfter(ms: number): GivenUp {
  const acts: (() => void)[] = [];
  const signal = { aborted: false, addEventListener: (_: 'abort', act: () => void) => void acts.push(act) };
  const end = (): void => {
    signal.aborted = true;
    for (const act of acts) act();
  };
  setTimeout(end, ms).unref();
  return signal;
}

/** Most bytes of a text in the log. */
const LONGEST_TEXT = 2_500;

/** Returns a text for the log: secrets masked, and cut. */
export const masked = (text: string): string => cutWithin(maskMessage(text), LONGEST_TEXT, 'utf8');

/** The detail of a failed call begins with the tool, by which `doctor` knows that the tool answered since. */
const withToolName = (tool: string, failure: Failure): Failure =>
  failure.incident === 'tool.installing' ? { ...failure, detail: `${tool}: ${failure.detail}` } : failure;

/**
 * Returns the Failure for an error of a call. A server's error message may repeat data sent to the server, so the log
 * gets only the error code.
 */
function failureOf(tool: string, error: Error, secrets: readonly string[]): Failure {
  if ('failure' in error) return withToolName(tool, error.failure as Failure);
  const words = `${tool}: ${redact(error.message, secrets)}`;
  if (!('refused' in error)) return { incident: 'tool.failed', detail: words };
  const [code] = /^-?\d+(?=:)/.exec(error.message) ?? [];
  const why = code === undefined ? 'without a numeric code' : `with code ${code}`;
  return { incident: 'tool.failed', detail: `${tool}: refused ${why}`, said: words };
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
