import { existsSync, readFileSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isObject } from '../../base/json-value.ts';
import { isGone } from '../../base/process.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import type { Parts } from '../firing.ts';
import type { FireData, FireHook } from '../format.ts';
import { coveredByUserInstall } from '../installs/covered.ts';
import { type LocalFireData, resolveSharedShim } from '../local-data.ts';
import { type LogLine, log } from '../log.ts';
import { hookPaths, slugOf } from '../own-folders.ts';
import { loadPart } from '../part.ts';
import type { Payload } from '../payload.ts';
import { type FireResult, runHooks } from '../run-hooks.ts';
import type { OpenServer } from '../tools/calls.ts';
import { type Incident, teller, whyFile } from '../why.ts';

/** Time reserved for ending a server before the shell's own deadline: so many ms, but at most this share of the deadline. */
const MARGIN_MS = 700;
const MARGIN_SHARE = 0.2;

/**
 * The program a shim starts when the shell alone can't decide: `node fire.cjs <shim> <shell's pid> <its parent's pid>`,
 * with the payload on stdin. Prints the client's document, or `-` for nothing (templates/shim.sh), and always ends with
 * 0.
 */
async function main(): Promise<void> {
  const [, , shim = '', ...watched] = process.argv;
  const { env } = process;
  let silent: FireData['silent'];
  let data: LocalFireData | undefined;
  let result: FireResult | undefined;
  let end = async (): Promise<void> => {};
  const why = teller(env);
  const note = (line: Pick<LogLine, 'detail'> & { incident: Incident }): void => {
    why({ code: line.incident });
    const who = data ? { server: data.server, client: data.client, native: data.native } : ownerOf(shim);
    log((data ?? hookPaths(env)).state, { ...who, ...line });
  };
  try {
    const read = readData(shim);
    if (!read) return note({ incident: 'data.unreadable', detail: shim });
    silent = read.silent;
    const { startFolderEnv } = read.payload;
    const toldFolder = startFolderEnv && env[startFolderEnv];
    if (yieldsNow(read, shim, toldFolder)) return why({ code: 'install.other' });
    // Elsewhere the shell has looked for this file.
    if (watched.length === 0 && read.state === undefined && isDisabled(shim)) return;
    data = resolveSharedShim(read, shim, env);
    const payload = readPayload();
    if (!payload) return note({ incident: 'payload.unreadable' });
    const startFolder = toldFolder || workingFolder(payload);
    const fireParts = partsFor(data, shim, watched, startFolder);
    end = fireParts.end;
    result = await runHooks({ data, payload, env, startFolder, parts: fireParts.parts, why });
  } catch (error) {
    note({ incident: 'fire.failed', detail: String(error) });
  } finally {
    // Without a shell in between (Windows), printing nothing means "no document".
    const nothing = watched.length > 0 ? '-' : silent && JSON.stringify(silent);
    const output = result?.document ?? nothing;
    if (output === undefined || print(output)) result?.done();
    // The document is already printed, so a server that is slow to end does no harm.
    await end().catch(() => {});
    process.exit(0);
  }
}

/** Folder of this program and its parts. */
const runtime = dirname(process.argv[1] ?? '');

/** import() would first load the ESM loader; this program is one CommonJS file, whose `require` costs nothing. */
const load = <Part>(part: string): Part => loadPart(join(runtime, part)) as Part;

/**
 * True when the shim prints nothing because the user's own install of the server covers this client. `toldFolder`: the
 * folder in which the client was started, where a variable tells it.
 */
function yieldsNow(data: FireData, shim: string, toldFolder: string | undefined): boolean {
  const { state, yields, userHooks } = data;
  const { env } = process;
  const start = (): string => toldFolder || process.cwd();
  return (
    (state === undefined || yields === true) &&
    coveredByUserInstall(
      data,
      shim,
      state ?? hookPaths(env).state,
      start,
      (installed, folders) =>
        !userHooks ||
        load<typeof import('./call.ts')>('call.cjs').isActive(
          installed,
          { ...data, userHooks },
          folders,
          start(),
          env,
        ),
    )
  );
}

/** Returns the parts of a fire. The first call of `answer` opens the server; `end` ends an opened server. */
function partsFor(
  data: LocalFireData,
  shim: string,
  watched: readonly string[],
  startFolder: string,
): { parts: Parts; end: () => Promise<void> } {
  const leftMs =
    data.deadlineMs - process.uptime() * 1000 - Math.min(MARGIN_MS, data.deadlineMs * MARGIN_SHARE);
  let server: OpenServer | undefined;
  const end = async (): Promise<void> => server?.end();
  const parts: Parts = {
    conditions: () => load<ReturnType<Parts['conditions']>>('conditions.cjs'),
    masked: (text) => load<typeof import('./call.ts')>('call.cjs').masked(text),
    answer: (...asked) => {
      if (!server) {
        // Who runs a hook by hand wants to see a start, and to leave nothing behind. That person also reads the server's
        // words, without its secrets, which a fire that a keeper answers needn't know.
        const keeps = data.server_at?.keep && !whyFile(process.env);
        const { openServer } = load<typeof import('./call.ts') | typeof import('./warm.ts')>(
          keeps ? 'warm.cjs' : 'call.cjs',
        );
        server = openServer({
          data,
          program: { runtime, shim },
          startFolder,
          hookEnv: process.env,
          leftMs,
        });
        endWith(watched, end);
      }
      return server.answer(...asked);
    },
  };
  return { parts, end };
}

/** Returns the server's slug and the client from the path of a hook script whose data can't be read. */
function ownerOf(shim: string): Pick<LogLine, 'server' | 'client'> | undefined {
  const clientFolder = dirname(shim);
  return /^[\da-f]{16}$/.test(basename(dirname(clientFolder)))
    ? { server: slugOf(shim), client: basename(clientFolder) }
    : undefined;
}

/** The names that steps have in the data of builds before 0.1.0: a project's runtime may be newer than a script. */
const EARLIER_STEPS = new Map<string, FireHook['does']>([
  ['give', 'emit'],
  ['keep', 'defer'],
  ['give-kept', 'emit-deferred'],
  ['rearm', 'start-session'],
]);

function readData(shim: string): FireData | undefined {
  return quietly(() => {
    const data = JSON.parse(readText(`${shim}.json`)) as FireData;
    if (data.format !== 1 || !Array.isArray(data.hooks)) return undefined;
    for (const hook of data.hooks) hook.does = EARLIER_STEPS.get(hook.does) ?? hook.does;
    return data;
  });
}

/** True when the user has disabled the server of a project's shim on this machine. */
function isDisabled(shim: string): boolean {
  return existsSync(join(hookPaths(process.env).data, 'hooks', slugOf(shim), 'disabled'));
}

/**
 * Returns the payload on stdin; undefined for anything but a JSON object. Invalid UTF-8 is replaced. A NUL at the end
 * comes from the script's grep; most shells drop it.
 */
function readPayload(): Payload | undefined {
  const value: unknown = quietly(() => JSON.parse(readFileSync(0, 'utf8').replace(/^\uFEFF|\0$/g, '')));
  return isObject(value) ? value : undefined;
}

/** Returns the working folder; where that was removed, what the payload says of it. */
const workingFolder = ({ cwd }: Payload): string =>
  quietly(() => process.cwd()) ?? (typeof cwd === 'string' && isAbsolute(cwd) ? cwd : '/');

/** Ends the server and this process when a process waiting for this one is gone. */
function endWith(pids: readonly string[], end: () => Promise<void>): void {
  const watched = pids.map(Number).filter((pid) => pid > 1);
  const stop = (): void => void end().finally(() => process.exit(0));
  setInterval(() => watched.some(isGone) && stop(), 100).unref();
  process.on('SIGTERM', stop);
}

function print(text: string): boolean {
  const bytes = Buffer.from(`${text}\n`);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
    return true;
  } catch {
    return false;
  }
}

void main();
