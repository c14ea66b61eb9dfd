import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
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
import { build } from 'esbuild';
import { afterAll } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { ClientId } from '../../src/clients/types.ts';
import { sideFiles } from '../../src/fire/prepare.ts';
import { shimScript } from '../../src/fire/shim.ts';
import type { FireData, FireHook, FireServer, PayloadShape } from '../../src/fire/types.ts';
import { shimCommand } from '../../src/plan/command.ts';
import { definitionHash } from '../../src/server/definition.ts';
import type { Definition } from '../../src/server/types.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
export const FIRE_SERVER = join(ROOT, 'test/fixtures/servers/fire-server.mjs');

/** A captured payload of a client. */
export function captured(client: string, name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, 'test/fixtures/payloads', client, `${name}.json`), 'utf8'));
}

const MCP = (alias: string): [string, string] => [`mcp__${alias}__`, alias];

/** What the three clients' payloads look like, as the compiler says it. */
export const SHAPES: Record<string, PayloadShape> = {
  'claude-code': {
    session: 'session_id',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: 'tool_response',
    server: 'mcp_server.name',
    startFolderEnv: 'CLAUDE_PROJECT_DIR',
    foreign: {
      env: ['CURSOR_PROJECT_DIR', 'COPILOT_PROJECT_DIR', 'DEVIN_PROJECT_DIR'],
      fields: ['cursor_version', 'hookEventName', 'timestamp'],
      ownSession: 'CLAUDE_CODE_SESSION_ID',
    },
    names: { Agent: ['Agent', 'Task'] },
    prefixes: [MCP('mem')],
  },
  codex: {
    session: 'session_id',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: 'tool_response',
    names: { Bash: ['Bash'], apply_patch: ['Edit', 'Write'] },
    prefixes: [
      ['mcp__my_server__', 'my-server'],
      ['mcp__my_server__', 'my_server'],
      ['mcp__mem__', 'mem'],
    ],
  },
  'gemini-cli': {
    session: 'session_id',
    toolName: 'tool_name',
    toolInput: 'tool_input',
    toolOutput: 'tool_response.llmContent',
    outputIsText: true,
    server: 'mcp_context.server_name',
    serverTool: 'mcp_context.tool_name',
    startFolderEnv: 'GEMINI_PROJECT_DIR',
    names: { run_shell_command: ['Bash'], read_file: ['Read'], replace: ['Edit'], write_file: ['Write'] },
    prefixes: [['mcp_memory_', 'memory']],
  },
};

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The text in the document; undefined when nothing was printed. Throws on anything but one whole document. */
  text: string | undefined;
}

export interface Fired {
  path: string;
  data: FireData;
}

/** A throwaway home in which shims are installed and fired as a client would. */
export async function world() {
  const home = mkdtempSync(join(tmpdir(), 'mcphooks-fire-'));
  afterAll(() => {
    chmodSync(home, 0o700);
    rmSync(home, { recursive: true, force: true });
  });
  const state = join(home, 'state', 'mcphooks');
  const runtime = join(home, 'data', 'runtime', 'r1');
  const project = join(home, 'work', 'shop');
  mkdirSync(join(project, '.git'), { recursive: true });
  await bundle(runtime);
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
      tag: '7f3ac2',
      state,
      deadlineMs: 8000,
      unit: client === 'codex' ? 'utf8' : client === 'gemini-cli' ? 'code-points' : 'utf16',
      cap: 10_000,
      eventBudget: 10_000,
      sessionBudget: 50_000,
      ...more,
      payload: { ...(SHAPES[client] as PayloadShape), ...more.payload },
      hooks: hooks.map((hook, i) => ({
        n: i + 1,
        event: 'post_tool_use',
        priority: 'suggestion',
        does: 'give',
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
    writeFileSync(path, shimScript(values), { mode: 0o700 });
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
  ): { child: ChildProcess; done: Promise<Ran> } => {
    const [command = 'sh', ...args] = shell;
    const child = spawn(command, args, {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CLAUDE_PROJECT_DIR: project,
        GEMINI_PROJECT_DIR: project,
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
        resolve({ code, signal, stdout, stderr, text: textOf(stdout) });
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
  ): Promise<Ran> => start(['/bin/sh', '-c', commandOf(shimmed)], input, env, cwd).done;

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
  shimCommand(path, clientById(data.client as ClientId), { platform: 'linux', node: process.execPath });

function textOf(stdout: string): string | undefined {
  if (stdout.trim() === '') return undefined;
  const { hookSpecificOutput, ...others } = JSON.parse(stdout);
  const { hookEventName, additionalContext, ...decisions } = hookSpecificOutput;
  const extra = [...Object.keys(others), ...Object.keys(decisions)];
  if (extra.length > 0 || typeof hookEventName !== 'string') throw new Error(`not our document: ${stdout}`);
  return additionalContext;
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

export function at(definition: Definition): FireServer {
  return {
    source: { scope: 'command-line' },
    hash: definitionHash(definition),
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

async function bundle(folder: string): Promise<void> {
  for (const [source, name] of [
    ['main', 'fire'],
    ['call', 'call'],
  ])
    await build({
      entryPoints: [join(ROOT, 'src/fire', `${source}.ts`)],
      outfile: join(folder, `${name}.cjs`),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      // jsonc-parser's UMD build can't be bundled.
      mainFields: ['module', 'main'],
      target: 'node18',
      minify: true,
      logLevel: 'error',
    });
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
