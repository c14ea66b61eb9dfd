import { valuesByKey } from '../../base/grouped.ts';
import { deeperThan, ifText, MOST_LEVELS, valueAt } from '../../base/json-value.ts';
import { type Env, ownPaths } from '../../base/paths.ts';
import { excerpt } from '../../base/visible.ts';
import { changingTexts, Fault } from '../../messages/fault.ts';
import type { FaultArgsOf } from '../../messages/faults.ts';
import { dialectOf } from '../definitions/resolve.ts';
import { type Launch, launch } from '../launch/launch.ts';
import { isNoWord, secretsOf } from '../masking/known-secrets.ts';
import { showDefinition } from '../masking/mask.ts';
import { redact } from '../masking/mask-message.ts';
import { packageRun } from '../packages/package-runner.ts';
import type { CalledTool, Definition, ServerEntry, ServerReading, ServerTool, ToolCall } from '../types.ts';
import { DISCOVER_META, INITIALIZE_PARAMS } from './announce.ts';
import { callTool, isSessionLost } from './call-tool.ts';
import type { Channel, RpcError, RpcResponse } from './channel.ts';
import { type Diagnostics, diagnosticsFor } from './diagnostics.ts';
import { openHttp } from './http.ts';
import { listTools, MAX_NAME } from './list-tools.ts';
import { findDocument } from './places.ts';
import { openRunner } from './runner.ts';
import { openStdio } from './stdio.ts';
import { WAITS, type Waits } from './waits.ts';

export interface ReadOptions {
  /** Milliseconds for the whole reading. */
  timeoutMs: number;
  env: Env;
  /** The session's folder. */
  cwd: string;
  onProgress?: (step: 'initialize' | 'server/discover' | 'tools/list' | 'tools/call') => void;
  /** Set to list the tools of a server without hooks too. */
  tools?: true;
  /** Returns the tool calls to make, given the listed tools. */
  calls?: (tools: readonly ServerTool[]) => readonly ToolCall[];
  /** Default: `WAITS`. */
  waits?: Waits;
}

type Era = ServerReading['era'];
type HookReading = Omit<ServerReading, 'firstMs' | 'redact'>;
type EraRefusal = Extract<RpcResponse, { error: unknown }>;

/**
 * Connects to a server and reads its raw hooks, in the protocol era that has them, and its tools. Leaves no process
 * behind. Throws one `Fault` with the reason when this fails.
 */
export async function readServer(
  entry: Pick<ServerEntry, 'definition' | 'source'> & { alias?: string },
  options: ReadOptions,
): Promise<ServerReading> {
  const { definition, source, alias = '' } = entry;
  if (definition.transport !== 'stdio') {
    if (definition.heldBy) throw new Fault('server.held', { name: excerpt(alias), by: definition.heldBy });
    if (definition.transport === 'sse') throw new Fault('server.sse', { url: showDefinition(definition) });
  }
  const unset = new Set<string>();
  const launched = launch(
    { definition, source, dialect: dialectOf(source) },
    options.env,
    options.cwd,
    unset,
  );
  const diagnostics = launchDiagnostics(definition, launched, {
    unset: [...unset],
    seconds: options.timeoutMs / 1000,
  });
  const { redact } = diagnostics;
  const { waits = WAITS } = options;
  const run = 'url' in launched ? undefined : packageRun(launched.command, launched.args);
  const open = (deadline: number): Promise<Channel> => {
    if ('url' in launched) return openHttp(launched, diagnostics, waits);
    const { state } = ownPaths(options.env);
    return run
      ? openRunner(run, launched, diagnostics, { state, deadline })
      : openStdio(launched, diagnostics, waits);
  };
  const end = Date.now() + options.timeoutMs;
  const begun = Date.now();
  let firstMs: number | undefined;
  const onAnswer = (): void => {
    firstMs ??= Date.now() - begun;
  };
  const refusals: { method: string; error: RpcError }[] = [];
  let silence: Pick<FaultArgsOf['server.refused'], 'silent' | 'ended'> = {};
  const ask = async (era: Era, deadline: number): Promise<HookReading | undefined> => {
    const converse = (isSecondSession: boolean): ReturnType<typeof inEra> =>
      inEra(era, deadline, { open, options, diagnostics, isSecondSession, onAnswer });
    const answer = await converse(false).catch((error) => {
      if (!isSessionLost(error)) throw error;
      // The server has ended the session: the protocol asks for a new one.
      return converse(true);
    });
    if (!('error' in answer)) return answer;
    refusals.push({ method: METHODS[era], error: answer.error });
    return undefined;
  };
  const first = await ask('initialize', end);
  if (first?.place !== undefined) return { ...first, redact, firstMs: firstMs ?? 0 };
  // A server that answered once may ignore unknown requests; waiting for it must not use up the whole time.
  const patience = first ? waits.discover + 3 * (Date.now() - begun) : Number.POSITIVE_INFINITY;
  const second = await ask('discover', Math.min(end, Date.now() + patience)).catch((error) => {
    const ended = error instanceof Fault && ['server.timeout', 'server.died'].includes(error.code);
    const ofDocument = error.code === 'server.places-differ' || error.where?.path !== undefined;
    const matters = !(error instanceof Fault) || ofDocument;
    if (matters || (!first && !ended)) throw error;
    // The answer to initialize is more informative than the failure of the second try.
    silence = {
      silent: METHODS.discover,
      ...(error.code !== 'server.timeout' && { ended: 1 as const }),
    };
    return undefined;
  });
  const shown = second?.place !== undefined ? second : (first ?? second);
  if (shown) return { ...shown, redact, firstMs: firstMs ?? 0 };
  throw diagnostics.fault('server.refused', { ...refused(refusals), ...silence });
}

const METHODS = { initialize: 'initialize', discover: 'server/discover' } as const;

const errorWords = ({ code, message }: RpcError): string => [message, `(${code})`].filter(Boolean).join(' ');

/** Returns each error once, with the methods that it answered, and the status of the first. */
function refused(
  refusals: readonly { method: string; error: RpcError }[],
): Pick<FaultArgsOf['server.refused'], 'answers' | 'status'> {
  const methods = valuesByKey(refusals.map(({ method, error }) => [errorWords(error), method]));
  const [, status] = /^HTTP (\d+)$/.exec(String(refusals[0]?.error.code)) ?? [];
  return {
    answers: [...methods].map(([words, answered]) => `${answered.join(', ')}: ${words}`),
    ...(status !== undefined && { status: Number(status) }),
  };
}

interface Conversation {
  open: (deadline: number) => Promise<Channel>;
  options: Pick<ReadOptions, 'onProgress' | 'tools' | 'calls'>;
  diagnostics: Diagnostics;
  /** Set after the server ended the first session: this one begins no third. */
  isSecondSession: boolean;
  /** Called at the answer to the era's first request. */
  onAnswer: () => void;
}

/** Runs one conversation in one era, on a connection of its own. `deadline`: ms since 1970. */
async function inEra(
  era: Era,
  deadline: number,
  conversation: Conversation,
): Promise<HookReading | EraRefusal> {
  conversation.options.onProgress?.(METHODS[era]);
  const channel = await conversation.open(deadline);
  let reading: HookReading | EraRefusal | undefined;
  try {
    reading = await readOver(channel, era, deadline, conversation);
    return reading;
  } finally {
    await channel.close(reading === undefined || 'error' in reading);
  }
}

/** Reads hooks and tools over a new connection, or returns the error with which the server refuses the era. */
async function readOver(
  channel: Channel,
  era: Era,
  deadline: number,
  { options, diagnostics, isSecondSession, onAnswer }: Omit<Conversation, 'open'>,
): Promise<HookReading | EraRefusal> {
  const { onProgress, tools: all, calls } = options;
  const answer = await channel.request(
    METHODS[era],
    era === 'initialize' ? INITIALIZE_PARAMS : DISCOVER_META,
    deadline,
  );
  onAnswer();
  if ('error' in answer) return answer;
  const { result } = answer;
  const capabilities = valueAt(result, ['capabilities']);
  if (capabilities === null || typeof capabilities !== 'object') {
    throw diagnostics.fault('server.garbage', {
      step: METHODS[era],
      // JSON.stringify recurses, and would overflow the stack.
      got: deeperThan(result, MOST_LEVELS) ? '…' : diagnostics.quote(JSON.stringify(result) ?? 'nothing'),
    });
  }
  if (era === 'initialize') {
    channel.speak(ifText(valueAt(result, ['protocolVersion'])) ?? '');
    await channel.notify('notifications/initialized', deadline);
  }
  const shown = {
    era,
    ...named(result, era, diagnostics),
    ...changingTexts(diagnostics.redact, () => findDocument(capabilities, diagnostics.withoutSecrets)),
  };
  if (shown.place === undefined && !all) return shown;
  onProgress?.('tools/list');
  const meta = era === 'discover' ? DISCOVER_META : {};
  const { tools, refusal } = await listTools(channel, meta, deadline, (error) =>
    diagnostics.fault('server.refused', { ...refused([{ method: 'tools/list', error }]), later: 1 }),
  );
  const called: CalledTool[] = [];
  for (const call of calls?.(tools ?? []) ?? []) {
    onProgress?.('tools/call');
    // A new session after a call would make that call again.
    const mayBeginAnew = !isSecondSession && called.length === 0;
    called.push(await callTool(channel, call, { meta, deadline, mayBeginAnew }, diagnostics));
  }
  const listed = tools?.map((tool) => ({ ...tool, name: diagnostics.redact(tool.name) }));
  return {
    ...shown,
    ...(listed && { tools: listed }),
    ...(refusal && { toolsRefusal: errorWords(refusal) }),
    ...(calls && { called }),
  };
}

/** A longer name would push the plan off the screen. */
function named(result: unknown, era: Era, { redact }: Diagnostics): { serverName?: string } {
  const path =
    era === 'initialize' ? ['serverInfo', 'name'] : ['_meta', 'io.modelcontextprotocol/serverInfo', 'name'];
  const name = ifText(valueAt(result, path));
  return name === undefined || name.length > MAX_NAME ? {} : { serverName: redact(name) };
}

/** Returns the diagnostics of a server that is started or reached as `launched`. */
function launchDiagnostics(
  definition: Definition,
  launched: Launch,
  named: Pick<Diagnostics, 'unset' | 'seconds'>,
): Diagnostics {
  const secrets = secretsOf(definition, launched);
  // A password may be a word, and matchers need the names of tools.
  const inNames = secrets.filter(isNoWord);
  return diagnosticsFor(redact(showDefinition(definition), secrets), secrets, { inNames, ...named });
}
