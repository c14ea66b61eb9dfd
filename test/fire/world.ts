import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll } from 'vitest';
import { disk } from '../../src/app/disk.ts';
import type { ClientId } from '../../src/clients/client.ts';
import type { Invocation } from '../../src/clients/hook-config.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { type HookOutput, USUAL_OUTPUT } from '../../src/clients/protocol.ts';
import type { FireData, FireHook, FireServer, PayloadShape } from '../../src/fire/format.ts';
import type { LogLine } from '../../src/fire/log.ts';
import { at as valueAt } from '../../src/fire/payload.ts';
import { documentFor } from '../../src/fire/text/render.ts';
import { isIncident } from '../../src/inspect/doctor/log.ts';
import { readLog } from '../../src/inspect/log.ts';
import { definitionHash } from '../../src/servers/definitions/definition-hash.ts';
import type { Definition, DefinitionSource } from '../../src/servers/types.ts';
import { shimInvocation } from '../../src/shims/command.ts';
import { shimScript } from '../../src/shims/script.ts';
import { sideFiles } from '../../src/shims/side-files.ts';
import { windowsScript } from '../../src/shims/windows.ts';
import { homeEnv, hookFile, WINDOWS } from '../platform.ts';
import { shapeOf } from './shapes.ts';

const ROOT = join(import.meta.dirname, '../..');
export const FIRE_SERVER = join(ROOT, 'test/fixtures/servers/fire-server.mjs');

/** Native events of payloads: not every client tells the event in them. */
const natives = new WeakMap<object, string>();

export const nativeOf = (payload: object): string | undefined => natives.get(payload);

/** Remembers of which file a payload is: `<native event>[.<what is special>]`. */
export function capturedAs<T extends object>(name: string, payload: T): T {
  natives.set(payload, name.split('.')[0] ?? '');
  return payload;
}

/** A captured payload of a client. */
export function captured(client: string, name: string): Record<string, unknown> {
  const file = join(ROOT, 'test/fixtures/payloads', client, `${name}.json`);
  return capturedAs(name, JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * Which captured payloads of a client are those of a shell command, of a file that is edited, of a tool of a server, of
 * a prompt, of a start.
 */
export type Samples = Record<'shell' | 'edit' | 'own' | 'prompt' | 'start', string>;

export function samplesOf(client: string): Samples {
  return JSON.parse(readFileSync(join(ROOT, 'test/fixtures/samples', `${client}.json`), 'utf8'));
}

const TEMPLATE = readFileSync(join(ROOT, 'templates/shim.sh'), 'utf8');

/** Tag of the installs. A fire that needs node has one of its own. */
export const TAG = '7f3ac2e1';

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /**
   * The text in the document, with `TAG` for the tag of this fire; undefined when nothing was printed. Throws on
   * anything but one whole document.
   */
  text: string | undefined;
}

export interface Fired {
  path: string;
  data: FireData;
}

/** What a hook prints. */
interface Form {
  output?: HookOutput | undefined;
  silent?: FireData['silent'] | undefined;
}

/** A throwaway home in which shims are installed and fired as a client would; `node`: what their scripts start. */
export function world({ node = process.execPath } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'mcphooks-fire-'));
  afterAll(() => {
    chmodSync(home, 0o700);
    rmSync(home, { recursive: true, force: true });
  });
  const state = join(home, 'state', 'mcphooks');
  const runtime = join(home, 'data', 'runtime', 'r1');
  const project = join(home, 'work', 'shop');
  mkdirSync(join(project, '.git'), { recursive: true });
  cpSync(join(ROOT, 'dist/runtime'), runtime, { recursive: true });
  cpSync(join(ROOT, 'templates/log.sh'), join(runtime, 'log.sh'));
  /** A PATH with what the script needs, and no node. */
  const bare = join(home, 'bin');
  mkdirSync(bare);
  for (const name of WINDOWS ? [] : ['cat', 'date', 'find', 'grep', 'mkdir', 'rm', 'sleep'])
    symlinkSync(`/bin/${name}`, join(bare, name));

  let tag = 0;
  /** Installs a shim as the compiler would. */
  const shim = (
    client: string,
    native: string,
    hooks: Partial<FireHook>[],
    more: Partial<Omit<FireData, 'payload'>> & { payload?: Partial<PayloadShape> } = {},
    files?: Record<string, string>,
    script: { node?: string; seconds?: number } = {},
  ): Fired => {
    const data: FireData = {
      format: 1,
      server: 'annal',
      client,
      native,
      tag: TAG,
      state,
      deadlineMs: 30_000,
      unit: clientById(client as ClientId).limits.unit,
      eventBudget: 10_000,
      sessionBudget: 50_000,
      ...more,
      payload: { ...shapeOf(client, native), ...more.payload },
      hooks: hooks.map((hook, i) => ({
        n: i + 1,
        event: 'post_tool_use',
        priority: 'suggestion',
        does: 'emit',
        ...hook,
      })),
    };
    const path = join(home, 'data', 'hooks', 'annal', `d${tag++}`, client, native);
    mkdirSync(dirname(path), { recursive: true });
    const values = {
      shim: path,
      node,
      runtime: join(runtime, 'start.cjs'),
      seconds: 32,
      ...script,
    };
    if (WINDOWS) writeFileSync(hookFile(path), windowsScript(values.runtime));
    else writeFileSync(path, shimScript({ template: TEMPLATE, ...values, data }), { mode: 0o700 });
    writeFileSync(`${path}.json`, JSON.stringify(data, null, 1));
    for (const [suffix, content] of Object.entries(files ?? sideFiles(data)))
      writeFileSync(`${path}.${suffix}`, content);
    return { path, data };
  };

  const running = new Set<ChildProcess>();
  const start = (
    shell: string[],
    input: unknown,
    env: Record<string, string | undefined> = {},
    cwd: string = project,
    { output, silent, ...more }: SpawnOptions & Form = {},
  ): { child: ChildProcess; done: Promise<Ran> } => {
    const [command = 'sh', ...args] = shell;
    const child = spawn(command, args, {
      ...more,
      stdio: 'pipe',
      cwd,
      env: {
        PATH: process.env.PATH,
        ...homeEnv(home),
        ...startFolders(project),
        ...env,
      },
    });
    running.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.on('error', () => {});
    if (input === null) child.stdin.destroy();
    else
      child.stdin.end(
        typeof input === 'string' || Buffer.isBuffer(input) ? input : `${JSON.stringify(input)}\n`,
      );
    const closed = new Promise<Pick<Ran, 'code' | 'signal'>>((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    // A document that isn't ours rejects it.
    const done = closed.then(
      (end): Ran => ({ ...end, stdout, stderr, text: textOf(stdout, { output, silent }) }),
    );
    return { child, done };
  };
  /** Fires as a client does: the command in a shell, or the program with its arguments, the payload on stdin. */
  const fire = (
    shimmed: Fired,
    input: unknown,
    env?: Record<string, string | undefined>,
    cwd?: string,
  ): Promise<Ran> =>
    start(wordsOf(shimmed), input, { ...startFolders(project, shimmed.data.client), ...env }, cwd, {
      output: shimmed.data.output,
      silent: shimmed.data.silent,
    }).done;

  /** All lines of the log, its earlier parts included. */
  const log = (): LogLine[] =>
    readLog(state, disk).map(({ at, ...line }) => {
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(at)) throw new Error(`no time: ${at}`);
      return { at, ...line };
    });
  const logged = () => log().filter(isIncident);
  return { home, node, bare, state, runtime, project, shim, fire, start, log, logged };
}

const invocationOf = ({ path, data }: Fired): Invocation =>
  shimInvocation(path, clientById(data.client as ClientId), { platform: 'linux', node: process.execPath });

/** The command by which the client runs a shim. */
export const commandOf = (fired: Fired): string => invocationOf(fired).command;

/** The words by which the client starts a shim. */
export function wordsOf(fired: Fired): string[] {
  // What each client's form on Windows comes to.
  if (WINDOWS) return [process.execPath, hookFile(fired.path)];
  const { command, args } = invocationOf(fired);
  return args ? [command, ...args] : ['/bin/sh', '-c', command];
}

/**
 * The session's folder, as a client that names it in a variable does; without a client, all variables that aren't one's
 * sign for another.
 */
export function startFolders(folder: string, client?: string): Record<string, string> {
  const signs = CLIENTS.flatMap(({ protocol }) => protocol.otherHosts?.env ?? []);
  const names = CLIENTS.flatMap(({ id, protocol: { startFolderEnv: name } }) =>
    name !== undefined && (client === undefined ? !signs.includes(name) : id === client) ? [name] : [],
  );
  return Object.fromEntries(names.map((name) => [name, folder]));
}

/** The text of a document that has the form of `output`, and nothing else in it; none in the document of silence. */
function textOf(stdout: string, { output = USUAL_OUTPUT, silent }: Form): string | undefined {
  if (stdout.trim() === '') return undefined;
  const document = JSON.parse(stdout);
  if (silent && isDeepStrictEqual(document, silent)) return undefined;
  const text = valueAt(document, output.text[0]);
  const fixed = Object.entries(output.fixed ?? {}).map(([path, value]) => [
    path,
    value === '{event}' ? String(valueAt(document, path)) : value,
  ]);
  const ours = JSON.parse(documentFor({ ...output, fixed: Object.fromEntries(fixed) }, String(text)));
  if (!isDeepStrictEqual(document, ours)) throw new Error(`not our document: ${stdout}`);
  return withoutTags(String(text));
}

function withoutTags(additionalContext: string): string {
  const tags = [...additionalContext.matchAll(/^\[mcphooks ([0-9a-f]{8}) \| /gm)].map(
    ([, tag]) => tag as string,
  );
  return tags.reduce(
    (text: string, tag) => text.replaceAll(`mcphooks ${tag}`, `mcphooks ${TAG}`),
    additionalContext,
  );
}

/** How a shim reaches the fixture server, given on the command line. */
export function served(
  flags: string[] = [],
  more: Partial<FireServer> = {},
  env: Record<string, string> = {},
): { server_at: FireServer } {
  const definition: Definition = {
    transport: 'stdio',
    ...(WINDOWS
      ? { command: process.execPath, args: [FIRE_SERVER, ...flags] }
      : { command: 'sh', args: [FIRE_SERVER.replace('.mjs', '.sh'), ...flags] }),
    env,
  };
  return { server_at: { ...at(definition), definition, ...more } };
}

export function at(definition: Definition, source: DefinitionSource = { scope: 'command-line' }): FireServer {
  return {
    source,
    hash: definitionHash(definition, source, undefined),
    callMs: 25_000,
    dialect: {
      format: 'json',
      keys: { env: 'env', url: ['url'], headers: 'headers', held: {} },
      expand: 'braces',
      stands: {},
      inherits: 'all',
      hookOnly: ['CLAUDE_PID'],
      adds: {},
    },
  };
}

/** A zombie, which nobody may reap here, is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // It may be reaped in this moment: then reading throws, as for any other that is gone.
    return (
      process.platform !== 'linux' || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    );
  } catch {
    return false;
  }
}
