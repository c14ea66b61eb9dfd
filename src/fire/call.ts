import { definitionHash, launch, readEntry } from '../server/definition.ts';
import { longestFirst, redact, secretsIn, secretValues } from '../server/mask.ts';
import { overHttp } from './http.ts';
import type { Incident } from './log.ts';
import { type Connection, connect, Refused } from './rpc.ts';
import { slot } from './slots.ts';
import { overStdio } from './stdio.ts';
import type { FireData } from './types.ts';

export type CallResult = { text: string } | { incident: Incident; detail: string };

/** UTF-16 units of an answer that are looked at; no client takes as much. */
const LONGEST = 200_000;

/** The declaring server as a fire needs it: connected at the first call, within `leftMs` for all. */
export function openServer(
  data: FireData,
  startFolder: string,
  hookEnv: NodeJS.ProcessEnv,
  leftMs: number,
): { call(tool: string, args: Record<string, unknown>): Promise<CallResult>; end(): Promise<void> } {
  const deadline = Date.now() + leftMs;
  let connection: Connection | undefined;
  /** What the server was given and the log must not hold. */
  let secrets: string[] = [];
  /** Of the calls that are under way; a late one is never waited for. */
  const releases = new Set<() => void>();

  const open = (): Connection | CallResult => {
    const at = data.server_at;
    const definition = at && (at.definition ?? readEntry(at.source, at.dialect));
    if (!definition) return { incident: 'definition.missing', detail: data.server };
    if (definitionHash(definition) !== at.hash)
      return { incident: 'definition.changed', detail: data.server };
    const to = launch(definition, at.dialect, at.source, serverEnv(hookEnv), startFolder);
    secrets = longestFirst([
      ...secretsIn(to),
      ...(definition.transport === 'stdio' && 'env' in to
        ? secretValues(to.env, Object.keys(definition.env))
        : []),
    ]);
    return connect((listener) => ('url' in to ? overHttp(to, listener) : overStdio(to, listener)));
  };

  const call = async (tool: string, args: Record<string, unknown>): Promise<CallResult> => {
    // Whole milliseconds: AbortSignal.timeout takes no others.
    const most = Math.floor(Math.max(0, Math.min(data.server_at?.callMs ?? 0, deadline - Date.now())));
    const signal = AbortSignal.timeout(most);
    const work = async (): Promise<CallResult> => {
      const release = data.state
        ? await slot(data.state, data.server, 2 * data.deadlineMs, signal)
        : () => {};
      releases.add(release);
      try {
        if (!connection) {
          const opened = open();
          if (!('request' in opened)) return opened;
          connection = opened;
        }
        return textOf(await connection.request('tools/call', { name: tool, arguments: args }));
      } catch (error) {
        return { incident: 'tool.failed', detail: `${tool}: ${reason(error as Error, secrets)}` };
      } finally {
        release();
        releases.delete(release);
      }
    };
    const slow = new Promise<CallResult>((resolve) => {
      const late = { incident: 'tool.slow', detail: `${tool}: no answer within ${most} ms` } as const;
      signal.addEventListener('abort', () => resolve(late), { once: true });
    });
    return Promise.race([work(), slow]);
  };

  const end = async (): Promise<void> => {
    await connection?.end();
    for (const release of releases) release();
  };
  return { call, end };
}

/** The shell kept NODE_OPTIONS from our own node (templates/shim.sh); a server gets it as its client would give it. */
function serverEnv({
  MCPHOOKS_NODE_OPTIONS,
  MCPHOOKS_WHY: _ours,
  ...env
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return MCPHOOKS_NODE_OPTIONS === undefined ? env : { ...env, NODE_OPTIONS: MCPHOOKS_NODE_OPTIONS };
}

/** A server's own words may hold what it was sent, so only their number is told. */
function reason(error: Error, secrets: readonly string[]): string {
  if (error instanceof Refused) return `refused with code ${Number.parseInt(error.message, 10)}`;
  return redact(error.message, secrets);
}

/** The text parts of a tool's answer, whatever they look like, joined by newlines. */
function textOf(answer: unknown): CallResult {
  const { content, isError } = (answer ?? {}) as { content?: unknown; isError?: unknown };
  if (!Array.isArray(content)) return { incident: 'tool.failed', detail: 'an answer without content' };
  const text = content
    .flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
    .slice(0, LONGEST);
  return isError === true
    ? { incident: 'tool.failed', detail: `an error of ${text.length} characters` }
    : { text };
}
