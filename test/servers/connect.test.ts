import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { inDocument } from '../../src/declarations/path.ts';
import { Fault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';
import { listTools } from '../../src/servers/mcp/list-tools.ts';
import { type ReadOptions, readServer } from '../../src/servers/mcp/read-server.ts';
import { WAITS, type Waits } from '../../src/servers/mcp/waits.ts';
import { toolFaults } from '../../src/servers/tools/check-tools.ts';
import type { Definition, ServerReading } from '../../src/servers/types.ts';
import { LONG, sample } from '../effort.ts';
import { withHttp } from '../http-server.ts';
import { homeEnv } from '../platform.ts';

const example = join(import.meta.dirname, '../../examples/server.mjs');
const fixture = join(import.meta.dirname, '../fixtures/servers/fixture.mjs');
const unread = join(import.meta.dirname, '../fixtures/servers/unread.mjs');
const hooks = { declarations: [{ event: 'session_start', context: 'Hello', priority: 'suggestion' }] };
const other = { declarations: [] };
const limits = { lenient: false, allowInvisible: false };

interface Noted {
  pid?: number;
  endedBy?: string;
  env?: Record<string, string>;
  cwd?: string;
  http?: string;
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  params?: { capabilities?: unknown; _meta?: Record<string, unknown> };
}

/** What the tests use, in a folder of their own. */
interface Place {
  folder: string;
  /** What the servers wrote into their log. */
  noted: () => Noted[];
  /** Of what they noted, the processes that still run. */
  living: () => number[];
  read: (
    definition: Definition,
    options?: Partial<Pick<ReadOptions, 'timeoutMs' | 'waits' | 'calls'>>,
  ) => Promise<ServerReading>;
  stdio: (told: object, env?: Record<string, string>) => Extract<Definition, { transport: 'stdio' }>;
  /** Starts a server over HTTP and gives its port, which it prints on stderr. */
  serve: (args: string[]) => Promise<number>;
  /** That of the fixture over HTTP. */
  url: (told: object) => Promise<string>;
}

/** The port that a server prints. */
const portOf = (output: Readable): Promise<number> =>
  new Promise((resolve) => {
    const look = (text: unknown): void => {
      const port = /(\d{4,5})(?:\/mcp)?\s*$/.exec(String(text))?.[1];
      if (!port) return;
      output.off('data', look);
      resolve(Number(port));
    };
    output.on('data', look);
  });

/** Loads the fixture anew for each message. A thread starts sooner than a process, and HTTP doesn't show the difference. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
let loaded = 0;
parentPort.on('message', (told) => {
  process.argv[2] = told;
  import(workerData + '?' + loaded++);
});
`;
let thread: Worker | undefined;
let lastPort: Promise<unknown> = Promise.resolve();

/** Starts the fixture over HTTP in a thread for all tests, one after another, and gives its port. */
function fixtureOverHttp(told: string): Promise<number> {
  thread ??= new Worker(THREAD, {
    eval: true,
    stdout: true,
    execArgv: [],
    workerData: pathToFileURL(fixture).href,
  });
  const { stdout } = thread;
  const port = lastPort.then(() => {
    const printed = portOf(stdout);
    thread?.postMessage(told);
    return printed;
  });
  lastPort = port;
  return port;
}

afterAll(() => thread?.terminate());

const it = test.extend<{ at: Place }>({
  // biome-ignore lint/correctness/noEmptyPattern: it says that no other fixture is needed
  at: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcphooks-'));
    const log = join(folder, 'log');
    const ends: (() => Promise<unknown>)[] = [];
    const noted = (): Noted[] =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [];
    const serve: Place['serve'] = (args) => {
      const child = spawn(process.execPath, args, { stdio: 'pipe' });
      const gone = new Promise((resolve) => child.once('exit', resolve));
      ends.push(async () => child.kill('SIGKILL') && gone);
      return portOf(child.stderr);
    };
    await use({
      folder,
      noted,
      living: () => noted().flatMap(({ pid }) => (pid !== undefined && isAlive(pid) ? [pid] : [])),
      read: (definition, { timeoutMs = 60_000, waits = SHORT, ...more } = {}) => {
        const env = { PATH: process.env.PATH, ...homeEnv(folder), PWD: join(import.meta.dirname, '..') };
        const entry = { definition, source: { scope: 'command-line' } } as const;
        return readServer(entry, { timeoutMs, waits, ...more, env, cwd: folder });
      },
      stdio: (told, env = {}) => ({
        transport: 'stdio',
        command: process.execPath,
        args: [fixture, JSON.stringify({ log, ...told })],
        env,
      }),
      serve,
      url: async (told) => {
        const port = await fixtureOverHttp(JSON.stringify({ http: true, log, ...told }));
        return `http://127.0.0.1:${port}/mcp`;
      },
    });
    for (const end of ends) await end();
    // On Windows a folder is busy until a server in it is gone.
    rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  },
});

/** Of a server that is there nothing has to be waited for. */
const SHORT: Waits = { ...WAITS, end: 50, kill: 50 };

const web = (url: string, headers: Record<string, string> = {}): Definition => ({
  transport: 'http',
  url,
  headers,
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Processes with these words, each followed by NUL. */
const processesOf = (words: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === words;
    } catch {
      return false;
    }
  });

async function fault(promise: Promise<unknown>): Promise<Fault> {
  const found = await promise.then(
    () => undefined,
    (error) => error,
  );
  expect(found).toBeInstanceOf(Fault);
  return found;
}

/** Only a server that never answers is given up early. */
const patience = (code: string): { timeoutMs: number } => ({
  timeoutMs: code === 'server.timeout' ? 2500 : 60_000,
});

describe.concurrent('the example server', () => {
  const declared = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../examples/declarations.json'), 'utf8'),
  );

  it('declares all six events over stdio, and has the tools that it calls', async ({ at: { read } }) => {
    const reading = await read({ transport: 'stdio', command: process.execPath, args: [example], env: {} });
    expect(reading).toMatchObject({
      era: 'initialize',
      place: 'hooks',
      serverName: 'notebook',
    });
    expect(reading.document).toEqual(declared);
    const { declarations } = parseDeclarations(reading.document, limits);
    expect(new Set(declarations.map(({ event }) => event)).size).toBe(6);
    expect(declarations.flatMap((d, i) => toolFaults(d, i, reading.tools, inDocument))).toEqual([]);
  });

  it.runIf(LONG)('declares the same over Streamable HTTP', async ({ at: { read, serve } }) => {
    const port = await serve([example, '--http', '0']);
    const reading = await read(web(`http://127.0.0.1:${port}/mcp`));
    expect(reading).toMatchObject({ era: 'initialize', place: 'hooks', serverName: 'notebook' });
    expect(reading.document).toEqual(declared);
    expect(reading.tools?.map(({ name }) => name)).toEqual(['search_notes', 'add_note']);
  });
});

describe.concurrent('places', () => {
  const found = { 'io.modelcontextprotocol/hooks': hooks };
  const rows = [
    ['hooks', { hooks, experimental: { hooks }, extensions: found }],
    ['extensions["io.modelcontextprotocol/hooks"]', { extensions: found }],
    ['extensions["io.github.mcphooks/hooks"]', { extensions: { 'io.github.mcphooks/hooks': hooks } }],
    ['experimental.hooks', { experimental: { hooks } }],
    ['hooks', { hooks }],
  ] as const;
  it.for(LONG ? rows : rows.slice(0, 3))('%s', async ([place, capabilities], { at: { read, stdio } }) => {
    expect(await read(stdio({ capabilities }))).toMatchObject({ place, document: hooks, era: 'initialize' });
  });

  it.runIf(LONG)('reads no other extension', async ({ at: { read, stdio } }) => {
    const reading = await read(stdio({ capabilities: { extensions: { 'com.example/hooks': hooks } } }));
    expect(reading.place).toBeUndefined();
  });

  it('shows where two disagree', async ({ at: { read, stdio } }) => {
    const { code, args } = await fault(
      read(stdio({ capabilities: { hooks, experimental: { hooks: other } } })),
    );
    expect(code).toBe('server.places-differ');
    expect(args.places).toHaveLength(2);
  });

  it.runIf(LONG).for(sample(['null', '[]', '"x"'], 3))(
    'gives a malformed document as it is: %s',
    async (text, { at: { read, stdio } }) => {
      const document = JSON.parse(text);
      const reading = await read(stdio({ capabilities: { hooks: document } }));
      expect(reading).toMatchObject({ place: 'hooks', document });
    },
  );
});

describe.concurrent('eras', () => {
  it('announces the six events in every place, and names itself', async ({ at: { noted, read, stdio } }) => {
    await read(stdio({ era: 'discover' }));
    const said = noted().flatMap(({ method, params }) => {
      if (method === 'initialize') return [params?.capabilities];
      return method === 'server/discover'
        ? [params?._meta?.['io.modelcontextprotocol/clientCapabilities']]
        : [];
    });
    const six = { supported_events: expect.arrayContaining(hooks.declarations.map(({ event }) => event)) };
    const everywhere = {
      hooks: six,
      experimental: { hooks: six },
      extensions: { 'io.modelcontextprotocol/hooks': six, 'io.github.mcphooks/hooks': six },
    };
    expect(said).toEqual([everywhere, everywhere]);
    expect((said[0] as { hooks: { supported_events: string[] } }).hooks.supported_events).toHaveLength(6);
  });

  it.runIf(LONG)(
    'gets everything from a server that answers only what was announced',
    async ({ at: { read, stdio } }) => {
      expect(await read(stdio({ negotiate: true }))).toMatchObject({ document: hooks });
    },
  );

  it('asks server/discover, on a fresh process, when initialize is refused', async ({
    at: { noted, read, stdio },
  }) => {
    const reading = await read(stdio({ era: 'discover', tools: ['a', 'b', 'c'] }));
    expect(reading).toMatchObject({
      era: 'discover',
      serverName: 'fixture-modern',
      place: 'hooks',
    });
    expect(reading.tools).toHaveLength(3);
    expect(new Set(noted().flatMap(({ pid }) => pid ?? [])).size).toBe(2);
  });

  it('asks server/discover when initialize shows no hooks', async ({ at: { read, stdio } }) => {
    const reading = await read(stdio({ initializeCapabilities: { tools: {} } }));
    expect(reading).toMatchObject({ era: 'discover', place: 'hooks' });
  });

  it.for(LONG ? ['hang', 'die', 'refuse'] : ['refuse'])(
    'finds no hooks when initialize shows none and server/discover makes it %s',
    async (behave, { at: { living, noted, read, stdio } }) => {
      const told = { capabilities: { tools: {} }, behave, behaveOn: 'server/discover' };
      const reading = await read(stdio(told), { waits: WAITS });
      expect(reading).toMatchObject({
        era: 'initialize',
        serverName: 'fixture',
      });
      expect(noted().map(({ method }) => method)).toContain('server/discover');
      expect(reading.place).toBeUndefined();
      expect(living()).toEqual([]);
    },
  );

  it('has no name of its own where that is longer than any screen', async ({ at: { read, stdio } }) => {
    expect(await read(stdio({ name: 'n'.repeat(256) }))).toMatchObject({ serverName: 'n'.repeat(256) });
    expect(await read(stdio({ name: 'n'.repeat(257) }))).not.toHaveProperty('serverName');
  });

  it('says no more than initialized to a 2025 server', async ({ at: { noted, read, stdio } }) => {
    await read(stdio({ era: 'initialize' }));
    expect(noted().flatMap(({ method }) => method ?? [])).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
  });

  it('answers ping, refuses every other request', async ({ at: { read, stdio } }) => {
    const reading = await read(stdio({ behave: 'asks-first' }));
    expect((reading.document as { answers: unknown }).answers).toEqual([
      { jsonrpc: '2.0', id: 'a', result: {} },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
    ]);
  });

  it('takes an answer whose id comes back as a text, as the SDK does', async ({ at: { read, stdio } }) => {
    expect(await read(stdio({ textIds: true }), { timeoutMs: 5000 })).toMatchObject({ document: hooks });
  });

  it('takes an error for a refusal, with a code and a message of any type', async ({
    at: { read, stdio },
  }) => {
    const found = await read(stdio({ behave: 'odd-types' }), { timeoutMs: 30_000 });
    expect(found).toMatchObject({ era: 'discover', document: hooks });
  });

  it('answers a program that asks much at once', async ({ at: { read, stdio } }) => {
    expect(await read(stdio({ behave: 'asks-much' }), { timeoutMs: 30_000 })).toMatchObject({
      era: 'initialize',
    });
  });
});

describe.concurrent('tools', () => {
  it('reads all pages', async ({ at: { read, stdio } }) => {
    const reading = await read(stdio({ tools: ['a', 'b', 'c', 'd', 'e'] }));
    expect(reading.tools?.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('reads texts with line separators of any kind', async ({ at: { read, stdio } }) => {
    const tools = ['one\u2028two', 'one\u2029two', 'one\u0085two'];
    const reading = await read(stdio({ tools }));
    expect(reading.tools?.map(({ name }) => name)).toEqual(tools);
  });

  it.runIf(LONG)(
    'stops at a cursor that comes back, and has each name once',
    async ({ at: { read, stdio } }) => {
      expect((await read(stdio({ sameCursor: true }))).tools?.map(({ name }) => name)).toEqual(['again']);
    },
  );

  it('stops where a list would fill our files', async () => {
    let pages = 0;
    const request = async () => {
      const names = Array.from({ length: 900 }, (_, i) => `${pages}.${i}`);
      const tools = ['x'.repeat(257), ...names].map((name) => ({ name }));
      return { result: { tools, nextCursor: `${++pages}` } };
    };
    const { tools } = await listTools({ request } as never, {}, 0, () => new Error() as never);
    expect([tools?.length, pages, tools?.[0]?.name]).toEqual([2000, 3, '0.0']);
  });

  it('keeps the names, and not the schemas, where these would fill the memory', async () => {
    let pages = 0;
    const request = async () => {
      const inputSchema = { type: 'object', description: 'x'.repeat(4_000_000) };
      const nextCursor = ++pages < 20 ? `${pages}` : undefined;
      return { result: { tools: [{ name: `t${pages}`, inputSchema }], nextCursor } };
    };
    const { tools = [] } = await listTools({ request } as never, {}, 0, () => new Error() as never);
    expect(tools).toHaveLength(20);
    expect(tools.filter(({ inputSchema }) => inputSchema !== undefined)).toHaveLength(2);
  });

  it('has none when the server refuses to list, and its error, without secrets', async ({
    at: { read, stdio },
  }) => {
    const refusing = { behave: 'refuse', behaveOn: 'tools/list' };
    for (const [code, shown] of [
      [-32603, '-32603'],
      ['E-geheim-geheim', 'E-***'],
    ]) {
      const reading = await read(stdio({ ...refusing, code }, { API_KEY: 'geheim-geheim' }));
      expect(reading.tools).toBeUndefined();
      expect(reading.toolsRefusal).toMatch(/^no, .*not \*\*\* /);
      expect(reading.toolsRefusal).toContain(` (${shown})`);
    }
  });

  it('has the words of a failed call, and no texts of another type', async ({ at: { read, stdio } }) => {
    const calls = () => [{ tool: 'echo', args: {} }];
    const { called } = await read(stdio({ behave: 'odd-error', behaveOn: 'tools/call' }), { calls });
    expect(called).toMatchObject([{ tool: 'echo', error: 'locked' }]);
  });

  it('checks every context_tool', () => {
    const calls = (tool: string) =>
      ({ event: 'session_start', context_tool: tool, priority: 'suggestion' }) as const;
    const tools = [{ name: 'search_notes' }];
    const found = (list: typeof tools | undefined): unknown[] =>
      [calls('search_notes'), calls('serch_notes')]
        .flatMap((declaration, i) => toolFaults(declaration, i, list, inDocument))
        .map((f) => [f.code, f.where.path, f.args.near]);
    expect(found(tools)).toEqual([['tool.missing', 'declarations[1].context_tool', 'search_notes']]);
    expect(found(undefined).map((f) => (f as unknown[])[0])).toEqual(['tool.none', 'tool.none']);
  });
});

describe.concurrent('a server that misbehaves', () => {
  const ends = sample<[string, object, string]>(
    [
      ['dies', { behave: 'die' }, 'server.died'],
      ['prints no JSON and dies', { behave: 'garbage-and-die' }, 'server.died'],
      ['never answers', { behave: 'hang' }, 'server.timeout'],
      ['answers no JSON', { behave: 'garbage-line' }, 'server.timeout'],
      ['answers 12 MB', { behave: 'huge-answer' }, 'server.too-big'],
      ['prints without end', { behave: 'endless-line' }, 'server.too-big'],
      ['answers something else', { behave: 'no-capabilities' }, 'server.garbage'],
      ['refuses', { behave: 'refuse', era: 'initialize' }, 'server.refused'],
      ['never lists its tools', { behave: 'hang', behaveOn: 'tools/list' }, 'server.timeout'],
      ['ignores SIGTERM and hangs', { behave: 'hang', ignoreTerm: true }, 'server.timeout'],
      ['leaves a child that holds its pipes', { behave: 'die', leave: 'child' }, 'server.died'],
      ['leaves a detached child', { behave: 'hang', leave: 'detached' }, 'server.timeout'],
      ['answers more levels than a stack has', { behave: 'deep-answer' }, 'server.garbage'],
    ],
    2,
  );
  it.for(LONG ? ends : ends.filter(([name]) => !['answers 12 MB', 'never lists its tools'].includes(name)))(
    'that %s',
    async ([_, told, code], { at: { noted, living, read, stdio } }) => {
      const late = code === 'server.timeout' && { args: { seconds: 2.5 } };
      expect(await fault(read(stdio(told), patience(code)))).toMatchObject({ code, ...late });
      expect(noted()[0]?.pid).toBeGreaterThan(0);
      expect(living()).toEqual([]);
    },
  );

  const shell =
    process.platform === 'win32'
      ? []
      : [
          'before the answer, on its line',
          'and no line end',
          'and no answer',
          'as JSON',
          'the answer, and no line end',
        ];
  it.runIf(LONG).for(shell)(
    'is told what its stdout has instead of messages: %s',
    async (how, { at: { read } }) => {
      const answer = '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}';
      const says = {
        'before the answer, on its line': `Welcome! ${answer}\\n`,
        'and no answer': 'Welcome!\\n',
        'as JSON': '{"msg":"Welcome!"}\\n',
        'the answer, and no line end': answer,
      }[how];
      const script = `printf '${says ?? 'Welcome!'}'; sleep 60`;
      const entry: Definition = { transport: 'stdio', command: 'sh', args: ['-c', script], env: {} };
      const { code, args } = await fault(read(entry, { timeoutMs: 1500 }));
      expect([code, args.noise]).toEqual([
        'server.timeout',
        expect.stringMatching(/^(?:(?:\{"msg":")?Welcome!|\{"jsonrpc")/),
      ]);
    },
  );

  const noises = sample<[string, object]>(
    [
      ['noise on stdout', { noise: true }],
      ['a flood on stderr', { flood: true }],
      ['a child left behind', { leave: 'child' }],
      ['a detached child left behind', { leave: 'detached', ignoreTerm: true }],
    ],
    2,
  );
  it.for(LONG ? noises : noises.slice(0, 1))(
    'is read in spite of %s',
    async ([_, told], { at: { living, read, stdio } }) => {
      expect(await read(stdio(told))).toMatchObject({ document: hooks });
      expect(living()).toEqual([]);
    },
  );

  it.runIf(LONG)(
    'may send any number of requests without reading: few get a reply',
    async ({ at: { read } }) => {
      const entry: Definition = { transport: 'stdio', command: process.execPath, args: [unread], env: {} };
      const { document } = (await read(entry)) as { document: typeof hooks };
      const replies = Number.parseInt(document.declarations[0]?.context ?? '', 10);
      expect(replies).toBeGreaterThan(0);
      expect(replies).toBeLessThan(60_000);
    },
  );

  it.runIf(LONG)(
    'is ended with everything below a shell that wraps it',
    async ({ at: { living, read, stdio } }) => {
      const inner = stdio({ behave: 'hang', ignoreTerm: true });
      const line = [inner.command, ...inner.args].map((word) => `'${word}'`).join(' ');
      const wrapped: Definition = {
        transport: 'stdio',
        command: 'sh',
        args: ['-c', `${line}; true`],
        env: {},
      };
      expect((await fault(read(wrapped, patience('server.timeout')))).code).toBe('server.timeout');
      expect(living()).toEqual([]);
    },
  );

  it('is ended with what cleared its environment and lost its parent', async ({ at: { read, stdio } }) => {
    const seconds = 900_000 + Math.floor(Math.random() * 90_000);
    const inner = stdio({});
    const line = [inner.command, ...inner.args].map((word) => `'${word}'`).join(' ');
    const script = `(env -i sleep ${seconds} </dev/null >/dev/null 2>&1 &)\n(env -i sleep ${seconds} &)\nexec ${line}`;
    await read({ transport: 'stdio', command: 'sh', args: ['-c', script], env: {} });
    expect(processesOf(`sleep\0${seconds}\0`)).toEqual([]);
  });

  it.runIf(LONG).for<[string, object, string[]]>([
    ['ends by itself after its stdin was closed', { onClose: 300 }, ['stdin']],
    ['has something to do after SIGTERM', { onClose: 60_000, onTerm: 200 }, ['SIGTERM']],
    ['does not end after SIGTERM', { onClose: 60_000, onTerm: 60_000 }, []],
  ])('gets its time when it %s', async ([_, told, ends], { at: { living, noted, read, stdio } }) => {
    expect(await read(stdio(told), { waits: WAITS })).toMatchObject({ document: hooks });
    expect(noted().flatMap(({ endedBy }) => endedBy ?? [])).toEqual(ends);
    expect(living()).toEqual([]);
  });

  it.runIf(LONG)(
    'is quoted: its last lines, made safe, without the secrets that it was given',
    async ({ at: { read, stdio } }) => {
      const secret = 'abcd-efgh-very-secret';
      const died = await fault(read(stdio({ behave: 'die-with-words' }, { API_KEY: secret })));
      expect(died.args).toMatchObject({
        how: 4,
        stderr: ["can't open database", '*** was refused'],
      });
      expect(died.args.shown).toContain(fixture);
      const refused = await fault(read(stdio({ behave: 'refuse', era: 'initialize' }, { API_KEY: secret })));
      for (const text of [faultText(died), faultText(refused)]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain('\u001B');
      }
    },
  );

  it.runIf(LONG)(
    'that refused is quoted, even when the second try ends worse',
    async ({ at: { read, stdio } }) => {
      const told = { behave: 'refuse', era: 'initialize', dieOnDiscover: true };
      const refused = await fault(read(stdio(told)));
      expect(refused).toMatchObject({
        code: 'server.refused',
        args: { answers: [expect.stringContaining('initialize')], silent: 'server/discover', ended: 1 },
      });
    },
  );

  it('is quoted without what its arguments hold', async ({ at: { read, stdio } }) => {
    const definition = stdio({ behave: 'die-with-words', echoArgs: true });
    definition.args.push('--api-key', 'geheim-1', 'postgres://me:geheim-2@db/x');
    expect(faultText(await fault(read(definition)))).not.toContain('geheim');
  });

  it('that does not exist is named', async ({ at: { read } }) => {
    const missing: Definition = { transport: 'stdio', command: '/no/such/server', args: [], env: {} };
    expect(await fault(read(missing))).toMatchObject({
      code: 'server.start-failed',
      args: { reason: 'ENOENT' },
    });
  });

  it.for<[reason: string, command: string, args: string[]]>([
    ['ERR_INVALID_ARG_VALUE', '', []],
    ['ERR_INVALID_ARG_VALUE', 'node', ['a\0b']],
    ['ENAMETOOLONG', '/x'.repeat(3000), []],
  ])("that can't be started at all is named, too: %s", async ([reason, command, args], { at: { read } }) => {
    expect(await fault(read({ transport: 'stdio', command, args, env: {} }))).toMatchObject({
      code: 'server.start-failed',
      args: { reason },
    });
  });

  it('gets the environment of its definition and nothing of ours', async ({
    at: { folder, noted, read, stdio },
  }) => {
    await read(stdio({}, { MINE: 'yes' }));
    const { env = {}, cwd } = noted()[0] ?? {};
    const { MCPHOOKS_READING: mark, ...rest } = env;
    expect(mark).toMatch(/^[0-9a-f]{16}$/);
    expect(
      Object.keys(rest)
        .filter((name) => name !== '__CF_USER_TEXT_ENCODING')
        .sort(),
    ).toEqual(['HOME', 'MINE', 'PATH', 'PWD']);
    expect(cwd).toBe(folder);
  });
});

describe.concurrent('over HTTP', () => {
  it.for(LONG ? [{}, { sse: true }] : [{ sse: true }])(
    'reads JSON and SSE answers, and ends its session: %j',
    async (told, { at: { noted, read, url }, expect }) => {
      const reading = await read(web(await url(told), { 'X-Project': 'a' }));
      expect(reading).toMatchObject({ era: 'initialize', document: hooks, tools: [{ name: 'echo' }] });
      const posts = noted().filter(({ http }) => http === 'POST');
      expect(
        posts.map(({ headers }) => [headers?.['mcp-session-id'], headers?.['mcp-protocol-version']]),
      ).toEqual([
        [undefined, undefined],
        ['s-1', '2025-11-25'],
        ['s-1', '2025-11-25'],
      ]);
      expect(posts.every(({ headers }) => headers?.['x-project'] === 'a')).toBe(true);
      // A busy server takes note of it a moment later.
      await expect
        .poll(() => noted().at(-1))
        .toMatchObject({ http: 'DELETE', headers: { 'mcp-session-id': 's-1' } });
    },
  );

  it.runIf(LONG)(
    'waits no more than a second for the answer to its farewell',
    async ({ at: { read, url } }) => {
      const begun = Date.now();
      expect(await read(web(await url({ neverAnswers: 'DELETE' })), { waits: WAITS })).toMatchObject({
        document: hooks,
      });
      expect(Date.now() - begun).toBeGreaterThan(WAITS.farewell);
    },
  );

  it.runIf(LONG)(
    'waits for the reply to a notification no longer than for an answer',
    async ({ at: { read, url } }) => {
      const silent = { behave: 'silent', behaveOn: 'notifications/initialized' };
      const found = await fault(read(web(await url(silent)), { timeoutMs: 1500 }));
      expect(found).toMatchObject({
        code: 'server.timeout',
        args: { step: 'notifications/initialized' },
      });
    },
  );

  it.runIf(LONG)(
    'names the method and the version in the headers of the 2026 era',
    async ({ at: { noted, read, url } }) => {
      expect(await read(web(await url({ era: 'discover' })))).toMatchObject({
        era: 'discover',
        document: hooks,
      });
      const asked = noted().filter(({ headers }) => headers?.['mcp-method']);
      expect(
        asked.map(({ headers }) => [headers?.['mcp-method'], headers?.['mcp-protocol-version']]),
      ).toEqual([
        ['server/discover', '2026-07-28'],
        ['tools/list', '2026-07-28'],
      ]);
    },
  );

  it('that lists no tools at the moment, and may later', async ({ at: { read, url } }) => {
    const found = await fault(read(web(await url({ behave: 'server-error', behaveOn: 'tools/list' }))));
    expect(found).toMatchObject({ code: 'server.refused', args: { later: 1 } });
    expect(faultText(found)).toMatch(/tools\/list: .*HTTP 500.*\n.*Try again later/);
  });

  it('starts a new session, once, where the server has forgotten the first', async ({
    at: { noted, read, url },
  }) => {
    const forgets = { behave: 'expired', behaveOn: 'tools/list' };
    expect(await read(web(await url({ ...forgets, times: 1 })))).toMatchObject({
      document: hooks,
      tools: [{ name: 'echo' }],
    });
    const asked = noted().flatMap(({ http, method }) => (http === 'POST' ? [method] : []));
    const once = ['initialize', 'notifications/initialized', 'tools/list'];
    expect(asked).toEqual([...once, ...once]);
    const found = await fault(read(web(await url({ ...forgets, times: 9 }))));
    expect(found).toMatchObject({ code: 'server.session-lost', args: { step: 'tools/list' } });
    expect(faultText(found)).toMatch(/tools\/list.*HTTP 404.*session/);
    expect(noted().filter(({ method }) => method === 'tools/list')).toHaveLength(4);
  });

  it.runIf(LONG)(
    'calls no tool again that was answered, where the server has forgotten the session',
    async ({ at: { noted, read, url } }) => {
      const calls = () => [
        { tool: 'echo', args: {} },
        { tool: 'other', args: {} },
      ];
      const lost = async (times: number) => {
        const target = await url({ behave: 'expired', behaveOn: 'tools/call', times });
        const { called = [] } = await read(web(target), { calls });
        return called.map(({ error = '' }) => error.includes('HTTP 404'));
      };
      // Nothing was called before the first call.
      expect(await lost(1)).toEqual([false, false]);
      expect(noted().filter(({ method }) => method === 'tools/call')).toHaveLength(3);
      expect(await lost(9)).toEqual([true, true]);
      expect(noted().filter(({ method }) => method === 'tools/call')).toHaveLength(6);
    },
  );

  it.runIf(LONG)('keeps a session whose server says 404 to the method', async ({ at: { read, url } }) => {
    const body = '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}';
    const reading = await read(web(await url({ behave: 'expired', behaveOn: 'tools/list', times: 9, body })));
    expect(reading).toMatchObject({ document: hooks });
    expect(reading.tools).toBeUndefined();
  });

  it.for<[string, object, RegExp]>([
    ['202', { status: 202 }, /: Accepted \(HTTP 202\)\n.*Streamable HTTP/],
    ['HTML', { behave: 'html' }, /: text\/html \(HTTP 200\)\n.*web page/],
    ['404', { status: 404, body: '<!doctype html><p>No' }, /discover: Not Found \(HTTP 404\)\n.*path/],
    ['405', { status: 405 }, /\(HTTP 405\)\n.*Streamable HTTP/],
    ['429', { status: 429, body: 'slowly' }, /: slowly \(HTTP 429\)\n.*too many.*Try again later/],
    ['503', { status: 503, body: '{"error":"boom"}' }, /: boom \(HTTP 503\)\n.*itself.*Try again later/],
    ['no message', { behave: 'extra-key' }, /: Unrecognized key: "error" \(not JSON-RPC\)\n/],
    ['400', { status: 400, body: '{"error":{"code":-1,"message":"no"}}' }, /: no \(HTTP 400\)\n {2}Reached/],
  ])('says once what %s means', async ([, told, text], { at: { read, url } }) => {
    const said = faultText(await fault(read(web(await url({ behave: 'status', ...told })))));
    expect(said).toMatch(text);
    expect(said).toContain('errors only: initialize, server/discover: ');
    expect(said).not.toMatch(/POSTing|<|content type/);
  });

  const answers = sample<[string, string]>(
    [
      ['unauthorized', 'server.unauthorized'],
      ['html', 'server.refused'],
      ['broken-json', 'server.refused'],
      ['server-error', 'server.refused'],
      ['huge', 'server.too-big'],
      ['sse-huge', 'server.too-big'],
      ['silent', 'server.timeout'],
      ['sse-cut', 'server.garbage'],
    ],
    2,
  );
  it.for(LONG ? answers : answers.slice(0, 2))(
    'that answers %s',
    async ([behave, code], { at: { read, url } }) => {
      expect((await fault(read(web(await url({ behave })), patience(code)))).code).toBe(code);
    },
  );

  it('may close a stream before its answer, and give that by a second one', async ({ at: { read } }) => {
    const answer: RequestListener = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body || '{}');
      const last = request.headers['last-event-id'];
      if (request.method === 'GET' && !last) return void response.writeHead(405).end();
      if (request.method !== 'GET' && method !== 'initialize' && id === undefined)
        return void response.writeHead(202).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (method === 'initialize') return void response.end('id: e1\nretry: 60\ndata: \n\n');
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { hooks },
        serverInfo: { name: 'p', version: '1' },
      };
      response.end(`id: e2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: id ?? 1, result })}\n\n`);
    };
    const found = await withHttp(answer, (url) => read(web(url)));
    expect(found).toMatchObject({ document: hooks });
  });

  it.for([
    ['at once', '0', 10],
    ['in a year', '31536000000', 0],
  ] as const)(
    'that closes each stream and wants another %s waits in bounds',
    async (row, { at: { read } }) => {
      const [, retry, most] = row;
      const warnings: string[] = [];
      const warned = ({ name }: Error): unknown => warnings.push(name);
      process.on('warning', warned);
      let gets = 0;
      const answer: RequestListener = (request, response) => {
        request.resume();
        if (request.method === 'GET') gets++;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`id: e\nretry: ${retry}\ndata: \n\n`);
      };
      const { code } = await withHttp(answer, (url) => fault(read(web(url), { timeoutMs: 500 })));
      process.off('warning', warned);
      expect([code, warnings]).toEqual(['server.timeout', []]);
      expect(gets).toBeLessThanOrEqual(most);
    },
  );

  it.runIf(LONG)(
    'may flood with requests of its own, of which few are answered',
    async ({ at: { read } }) => {
      let replies = 0;
      const answer: RequestListener = async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        if (!body.includes('"method"')) replies++;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const event = (n: number) =>
          `data: {"jsonrpc":"2.0","id":"r${n}","method":"sampling/createMessage"}\n\n`;
        response.write(Array.from({ length: 20_000 }, (_, n) => event(n)).join(''));
      };
      const began = performance.now();
      const found = await withHttp(answer, (url) => fault(read(web(url), { timeoutMs: 2000 })));
      expect(found).toMatchObject({ code: 'server.timeout' });
      expect(performance.now() - began).toBeLessThan(6000);
      expect(replies).toBeLessThan(200);
    },
  );

  it.runIf(LONG)(
    'follows a redirect within the origin, and no other',
    async ({ at: { noted, read, url } }) => {
      expect(await read(web(await url({ behave: 'redirect-here' })))).toMatchObject({ document: hooks });
      const elsewhere = await url({});
      const before = noted().length;
      const away = await url({
        behave: 'redirect-away',
        to: `${elsewhere}/3f2b8c1e-9d4a-4f6b-8a7c-1e2d3f4a5b6c?token=geheim-geheim`,
      });
      const refused = await fault(read(web(away, { Authorization: 'Bearer x' })));
      expect(refused).toMatchObject({ code: 'server.redirect', args: { to: `${elsewhere}/***` } });
      expect(noted()).toHaveLength(before + 1);
      const file = await url({ behave: 'redirect-away', to: 'file:///etc/passwd' });
      expect(await fault(read(web(file)))).toMatchObject({ args: { to: 'file:///etc/passwd' } });
    },
  );

  it('removes a token that the server echoes', async ({ at: { read, url } }) => {
    const secret = 'tok-123456789';
    const echoed = await fault(
      read(web(await url({ behave: 'server-error', echo: secret }), { 'X-Api-Key': secret })),
    );
    expect(faultText(echoed)).not.toContain(secret);
    expect(faultText(echoed)).toContain('boom');
  });

  it('that nobody answers', async ({ at: { read } }) => {
    // Node reaches no server at port 9.
    const barred = await fault(read(web('http://127.0.0.1:9/mcp')));
    expect(barred.code).toBe('server.unreachable');
    expect(faultText(barred)).toMatch(/bad port\n.*at another one/);
  });

  it('that a proxy may lead to, but for those of this machine', async ({ at: { read } }) => {
    vi.stubEnv('NODE_USE_ENV_PROXY', '');
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
    const urls = ['https://0.0.0.0:9/mcp', 'http://127.0.0.1:9/mcp', 'https://localhost:9/mcp'];
    const proxied = urls.map(async (url) => (await fault(read(web(url)))).args.proxy);
    const found = await Promise.all(proxied).finally(() => vi.unstubAllEnvs());
    expect(found).toEqual([1, undefined, undefined]);
  });

  it('that fetch refuses with an empty message', async ({ at: { read, url } }) => {
    const found = await fault(read(web(await url({ behave: 'status', status: 407 }))));
    expect(found).toMatchObject({ code: 'server.unreachable', args: { reason: 'fetch failed' } });
  });

  it('that has ended', async ({ at: { read } }) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    expect(faultText(await fault(read(web(`http://127.0.0.1:${port}/mcp`))))).toMatch(
      /ECONNREFUSED\n.*running/,
    );
  });

  it('says once what a failed handshake of TLS means', async ({ at: { read, url } }) => {
    const plain = (await url({})).replace('http:', 'https:');
    expect(faultText(await fault(read(web(plain))))).toMatch(/(SSL|EPROTO).*\n.*http:/);
  });

  it.for<[string, string]>([
    ['http://example.com/mcp', 'server.plain-http'],
    ['http://localhost.example.com/mcp', 'server.plain-http'],
    ['http://127.0.0.1.example.com/mcp', 'server.plain-http'],
    ['http://user:pass@localhost/mcp', 'server.url'],
    ['ftp://example.com/', 'server.url'],
    ['not a url', 'server.url'],
    ['https://example.com/mcp?key=one pass@two', 'server.url'],
    ['https://example.com/mcp?key=one\npass@two', 'server.url'],
  ])('refuses %s unasked', async ([target, code], { at: { read } }) => {
    const refused = await fault(read(web(target)));
    expect(refused.code).toBe(code);
    expect(faultText(refused)).not.toContain('pass@');
  });

  it('refuses a header that HTTP cannot send unasked, and never shows its value', async ({
    at: { read },
  }) => {
    for (const value of ['geheim\u20ac', 'ge\nheim']) {
      const refused = await fault(read(web('http://127.0.0.1:9/mcp', { 'X-Key': value })));
      expect([refused.code, refused.args.name]).toEqual(['server.header', 'X-Key']);
      expect(faultText(refused)).not.toContain('heim');
    }
  });

  it('names the variables that are not set, where a server then fails', async ({
    at: { read, stdio, url },
  }) => {
    const said = async (definition: Definition): Promise<string> => faultText(await fault(read(definition)));
    const open = await url({ behave: 'unauthorized' });
    const named = "The variable NO_TOKEN isn't set here.";
    expect(await said(web(open, { Authorization: 'Bearer ${NO_TOKEN}' }))).toContain(named);
    expect(await said(web(open, { Authorization: '${NO_TOKEN:-x} ${PATH}' }))).not.toContain('set here');
    expect(await said({ ...web(open), bearerEnv: 'NO_TOKEN' } as Definition)).toContain(named);
    for (const token of ['ghp_0123456789abcdefghij', 'correct-horse']) {
      const text = await said({ ...web(open), bearerEnv: token } as Definition);
      expect(text).toContain("A variable that its definition refers to isn't set here.");
      expect(text).not.toContain(token);
    }
    expect(await said(web('https://127.0.0.1:${NO_TOKEN}/mcp'))).toContain(named);
    expect(await said(web('${NO_TOKEN}/${NO_PATH}'))).toContain(
      "The variables NO_TOKEN, NO_PATH aren't set here.",
    );
    expect(await said(stdio({ behave: 'die', era: 'initialize' }, { KEY: '${NO_TOKEN}' }))).toContain(named);
    const missing = { ...stdio({}), command: '${NO_TOKEN}/server' };
    expect(await said(missing)).toContain(named);
  });

  it('refuses SSE and access that only the client holds', async ({ at: { read } }) => {
    const sse = { transport: 'sse', url: 'https://example.com/sse', headers: {} } as const;
    expect((await fault(read(sse))).code).toBe('server.sse');
    const held = { ...web('https://example.com/mcp'), heldBy: 'oauth' } as Definition;
    expect((await fault(read(held))).code).toBe('server.held');
  });
});
