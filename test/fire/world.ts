import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
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
import type { ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { type HookOutput, USUAL_OUTPUT } from '../../src/clients/protocol.ts';
import type { FireData, FireHook, FireServer, PayloadShape } from '../../src/fire/format.ts';
import { at as valueAt } from '../../src/fire/payload.ts';
import { documentFor } from '../../src/fire/render.ts';
import { definitionHash } from '../../src/servers/definition-hash.ts';
import type { Definition, DefinitionSource } from '../../src/servers/types.ts';
import { shimInvocation } from '../../src/shims/command.ts';
import { shimScript } from '../../src/shims/script.ts';
import { sideFiles } from '../../src/shims/side-files.ts';
import { shapeOf } from './shapes.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
export const FIRE_SERVER = join(ROOT, 'test/fixtures/servers/fire-server.mjs');

/** A captured payload of a client. */
export function captured(client: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, 'test/fixtures/payloads', client, `${name}.json`), 'utf8'));
}

/** Which captured payloads of a client are those of a shell command, of a file that is edited, of a tool of a server, of a prompt, of a start. */
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
  /** The text in the document, with `TAG` for the tag of this fire; undefined when nothing was printed. Throws on anything but one whole document. */
  text: string | undefined;
}

export interface Fired {
  path: string;
  data: FireData;
}

/** A throwaway home in which shims are installed and fired as a client would. */
export function world() {
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
  /** A PATH with what the script needs, and no node. */
  const bare = join(home, 'bin');
  mkdirSync(bare);
  for (const name of ['cat', 'grep', 'mkdir', 'sleep']) symlinkSync(`/bin/${name}`, join(bare, name));

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
      deadlineMs: 8000,
      unit: clientById(client as ClientId).limits.unit,
      cap: 10_000,
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
      node: process.execPath,
      runtime: join(runtime, 'fire.cjs'),
      seconds: 10,
      ...script,
    };
    writeFileSync(path, shimScript({ template: TEMPLATE, ...values, data }), { mode: 0o700 });
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
    { output, ...more }: SpawnOptions & { output?: HookOutput | undefined } = {},
  ): { child: ChildProcess; done: Promise<Ran> } => {
    const [command = 'sh', ...args] = shell;
    const child = spawn(command, args, {
      ...more,
      stdio: 'pipe',
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: home,
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
    const done = new Promise<Ran>((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal, stdout, stderr, text: textOf(stdout, output) });
      });
    });
    return { child, done };
  };
  /** Fires as a client does: the command in a shell, the payload on stdin. */
  const fire = (
    shimmed: Fired,
    input: unknown,
    env?: Record<string, string | undefined>,
    cwd?: string,
  ): Promise<Ran> =>
    start(['/bin/sh', '-c', commandOf(shimmed)], input, env, cwd, { output: shimmed.data.output }).done;

  const logged = (): { incident: string; n?: number; detail?: string }[] =>
    existsSync(join(state, 'log'))
      ? readFileSync(join(state, 'log'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  return { home, bare, state, runtime, project, shim, fire, start, logged };
}

/** The command by which the client runs a shim. */
export const commandOf = ({ path, data }: Fired): string =>
  shimInvocation(path, clientById(data.client as ClientId), { platform: 'linux', node: process.execPath })
    .command;

/** The session's folder, as clients that name it in a variable do. */
export function startFolders(folder: string): Record<string, string> {
  const names = CLIENTS.flatMap(({ protocol }) => protocol.startFolderEnv ?? []);
  return Object.fromEntries(names.map((name) => [name, folder]));
}

/** The text of a document that has the form of `output`, and nothing else in it. */
function textOf(stdout: string, output: HookOutput = USUAL_OUTPUT): string | undefined {
  if (stdout.trim() === '') return undefined;
  const document = JSON.parse(stdout);
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
    command: process.execPath,
    args: [FIRE_SERVER, ...flags],
    env,
  };
  return { server_at: { ...at(definition), definition, ...more } };
}

export function at(definition: Definition, source: DefinitionSource = { scope: 'command-line' }): FireServer {
  return {
    source,
    hash: definitionHash(definition, source, undefined),
    callMs: 5000,
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
    return !/^\d+ \(.*\) Z/s.test(
      existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '',
    );
  } catch {
    return false;
  }
}
