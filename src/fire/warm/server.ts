import { maskText } from '../../servers/masking/secrets.ts';
import { endInstall, type HeldInstall, LONGEST_INSTALL_MS } from '../../servers/packages/install-lock.ts';
import { type Connection, connect, Refused } from '../mcp/rpc.ts';
import { openWhenFree, STARTING_MS } from '../mcp/start-by-runner.ts';
import { overStdio } from '../mcp/stdio.ts';
import type { WarmCall, WarmMessage } from './messages.ts';
import type { WarmJob } from './start-keeper.ts';

/** Milliseconds for the first answer of a server that no package runner starts. */
const FIRST_ANSWER_MS = 60_000;
/** Milliseconds for a server to show that it is alive after a call was given up. */
const PING_MS = 2_000;
/** Milliseconds for a server to end by itself; then its watcher ends it. */
export const GRACE_MS = 300;

/** The server that a keeper keeps running. */
interface WarmServer {
  /** Starts it. */
  begin: () => void;
  /** True once the server has answered any request. */
  answered: () => boolean;
  /** The install of its package that this keeper's runner seems to be busy with. */
  installing: () => string | undefined;
  /**
   * Returns the result, the error, or the install of the package by another process. After a call was given up, the server
   * gets a ping. Without an answer to that, or to the next call, `onEnd` is called, so that a later call starts the server
   * anew.
   */
  call: (call: WarmCall, givenUp: AbortSignal) => Promise<WarmMessage>;
  /** True while such a ping has no answer: a call now might end with the server. */
  inDoubt: () => boolean;
  end: () => void;
}

/**
 * Returns a job's server, not yet started. `onEnd` is called when the server has ended, can't be started, or doesn't
 * answer in time. `since`: the start of the keeper, ISO 8601.
 */
export function warmServer(
  { start, run, data }: WarmJob,
  since: string,
  onEnd: () => void,
  onFirstAnswer: () => void,
): WarmServer {
  let connection: Promise<Connection | undefined> | undefined;
  let answered = false;
  let otherInstall = '';
  let pings = 0;
  /** True once the server has answered a call: its first ones may take long. */
  let hasAnsweredCall = false;
  /** True when a call was given up, and none was answered since. */
  let silent = false;

  const noteAnswer = (): void => {
    hasAnsweredCall = true;
    silent = false;
  };
  const open = async (): Promise<Connection | undefined> => {
    const patience = setTimeout(onEnd, run ? LONGEST_INSTALL_MS : FIRST_ANSWER_MS);
    const openWith = (env: Record<string, string>, lock?: HeldInstall): Connection =>
      connect((listener) =>
        overStdio(
          { ...start, env },
          {
            message: (message) => {
              if (!answered && message.id !== undefined && message.method === undefined) {
                answered = true;
                clearTimeout(patience);
                if (lock) endInstall(lock);
                onFirstAnswer();
              }
              listener.message(message);
            },
            closed: (reason) => {
              listener.closed(reason);
              setImmediate(onEnd);
            },
          },
        ),
      );
    if (!run) return openWith(start.env);
    const free = await openWhenFree(run, start, data.state, (job) => openWith(job.start.env, job.lock));
    if ('request' in free) return free;
    otherInstall = underWay(free.runner, free.since, free.package);
    setTimeout(onEnd, GRACE_MS);
    return undefined;
  };

  const check = async (server: Connection): Promise<void> => {
    const timer = setTimeout(onEnd, PING_MS);
    pings++;
    await server.request('ping', {}).catch((error) => error instanceof Refused || onEnd());
    pings--;
    clearTimeout(timer);
  };

  return {
    begin: () => {
      connection = open();
      connection.catch(onEnd);
    },
    answered: () => answered,
    installing: () =>
      run && !answered && Date.now() - Date.parse(since) > STARTING_MS
        ? underWay(run.runner, since, run.spec)
        : undefined,
    call: async ({ method, params }, givenUp) => {
      const server = await connection;
      if (!server) return { installing: otherInstall };
      const wasSilent = silent;
      try {
        const result = await server.request(method, params, givenUp);
        noteAnswer();
        return { result: result ?? null };
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof Refused) {
          noteAnswer();
          return { error: { message, refused: true } };
        }
        // Its input is closed, or it answers pings alone, like one whose own connection was lost.
        if (!givenUp.aborted || (silent && wasSilent)) onEnd();
        else if (answered) void check(server);
        silent = hasAnsweredCall;
        return { error: { message } };
      }
    },
    inDoubt: () => pings > 0,
    end: () => void connection?.then((server) => server?.end()),
  };
}

const underWay = (runner: string, since: string, spec = ''): string =>
  `${runner} ${maskText(spec)}, since ${since}`;
