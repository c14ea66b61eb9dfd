import { spawnSync } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { defineHooks, type Hook, hooksCapabilities, withHooks } from '../../src/api/hooks.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { Faults } from '../../src/messages/fault.ts';
import { cleanWorlds, type World } from '../cli/world.ts';
import { inOneFile, worldWithProgram } from '../docs/page.ts';
import { ALL as ALL_TESTS, LONG, sample } from '../effort.ts';
import { clientInfo, discovering, ERAS, initializing } from './ask.ts';

cleanWorlds();

const OWN = 'io.github.mcphooks/hooks';
const START: Hook = { event: 'session_start', context_tool: 'recall', priority: 'important' };
const COMMIT: Hook = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'If you committed, note it.',
  priority: 'suggestion',
  when: { command: ['git', 'commit'], outcome: 'success', if_unknown: 'fire' },
};
const SEARCH: Hook = {
  event: 'pre_tool_use',
  context: 'There is an index.',
  priority: 'suggestion',
  when: { tools: ['any:search'], otherwise: 'drop' },
};
const ALL: Hook[] = [START, COMMIT, SEARCH];
const { when: _, ...PLAIN } = COMMIT;

/** The three places with these hooks: what stands in the SEP's own, and what in our extension. */
const places = (plain: unknown[], own: unknown[]) => ({
  hooks: { declarations: plain },
  experimental: { hooks: { declarations: plain } },
  extensions: { [OWN]: { declarations: own } },
});

/** Servers of both SDKs with these capabilities. */
const v1 = (capabilities: object = {}) =>
  new McpServerV1({ name: 'memo', version: '1.0.0' }, { capabilities });
const v2 = (capabilities: object = {}) => new McpServer({ name: 'memo', version: '1.0.0' }, { capabilities });

/** A program whose server has one tool and these hooks, by the SDK and the kind of server object. */
const SERVERS: Readonly<Record<string, string>> = {
  'v1 McpServer': `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const server = new McpServer({ name: 'memo', version: '1.0.0' }, { capabilities: { experimental: { other: { a: 1 } } } });
server.registerTool('recall', { description: 'x' }, () => ({ content: [{ type: 'text', text: 'a note' }] }));
await withHooks(server, hooks).connect(new StdioServerTransport());`,
  'v1 Server': `
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
const server = new Server({ name: 'memo', version: '1.0.0' }, { capabilities: { tools: {}, experimental: { other: { a: 1 } } } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'recall', inputSchema: { type: 'object' } }] }));
await withHooks(server, hooks).connect(new StdioServerTransport());`,
  'v2 McpServer': `
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
serveStdio(() => {
  const server = new McpServer({ name: 'memo', version: '1.0.0' }, { capabilities: { experimental: { other: { a: 1 } } } });
  server.registerTool('recall', { description: 'x' }, () => ({ content: [{ type: 'text', text: 'a note' }] }));
  return withHooks(server, hooks);
});`,
  'v2 Server': `
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
serveStdio(() => {
  const server = new Server({ name: 'memo', version: '1.0.0' }, { capabilities: { tools: {}, experimental: { other: { a: 1 } } } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'recall', inputSchema: { type: 'object' } }] }));
  return withHooks(server, hooks);
});`,
};

const programs = new Map<string, string>();

/** The program of a server. Under Wine it finds no packages through links. */
function programOf(kind: string): string {
  const begin = `import { defineHooks, withHooks } from 'mcphooks/authoring';\nconst hooks = defineHooks(${JSON.stringify(ALL)});`;
  const contents = `${begin}${SERVERS[kind]}`;
  if (ALL_TESTS && process.env.MCPHOOKS_WINE !== '1') return contents;
  const program = programs.get(kind) ?? inOneFile(contents);
  programs.set(kind, program);
  return program;
}

function worldWith(kind: string): { world: World; command: string[] } {
  const world = worldWithProgram();
  const file = world.write('project/server.mjs', programOf(kind));
  return { world, command: [process.execPath, file] };
}

const some = { supported_events: ['session_start', 'post_tool_use', 'an_event_of_tomorrow'] };
const rest = { tools: expect.anything(), experimental: { other: { a: 1 } } };
const withOther = (declared: ReturnType<typeof places>) => ({
  ...declared,
  tools: expect.anything(),
  experimental: { other: { a: 1 }, ...declared.experimental },
});

const kinds = sample(Object.keys(SERVERS), 2).map((kind, turn) => [kind, turn] as const);

describe.each(kinds)('withHooks, %s', (kind, turn) => {
  const { initialize, discover } = ERAS;
  const eras = kind.startsWith('v2') ? (LONG ? ERAS : { discover }) : { initialize };

  it.each(Object.entries(eras))('declares in all places what the client announced: %s', async (_, send) => {
    const { command } = worldWith(kind);
    const all = withOther(places([START, PLAIN], ALL));
    const two = withOther(places([START, PLAIN], [START, COMMIT]));
    const answers: [capabilities: object, declared: object][] = [
      [{ hooks: { supported_events: EVENTS } }, all],
      [{ hooks: some }, two],
      [{ experimental: { hooks: some } }, two],
      [{ extensions: { [OWN]: some } }, two],
      [{ extensions: { [OWN]: {} } }, all],
      [{ hooks: { supported_events: [] } }, withOther(places([], []))],
      [{}, rest],
    ];
    await Promise.all(
      sample(answers, 6, 2 * turn).map(async ([capabilities, declared]) =>
        expect(await send(command, capabilities), JSON.stringify(capabilities)).toEqual(declared),
      ),
    );
  });

  it.runIf(LONG)('is read whole, conditions included', async () => {
    const { world, command } = worldWith(kind);
    const lint = async (): Promise<void> => {
      const linted = await world.run('lint', '--json', 'memo', '--', ...command);
      expect(JSON.parse(linted.stdout)).toMatchObject({ status: 'clean', exit: 0, declarations: ALL });
    };
    const install = async (): Promise<void> => {
      const dry = ['install', 'memo', '--client', 'claude-code', '--dry-run', '--json', '--', ...command];
      const { plan } = JSON.parse((await world.run(...dry)).stdout);
      expect(plan.declarations).toEqual(ALL);
    };
    for (const read of sample([lint, install], 2, turn)) await read();
  });

  it.runIf(LONG || turn > 0)('leaves the handshake and the tools of real clients as they are', async () => {
    const [program = '', ...args] = worldWith(kind).command;
    const capabilities = { experimental: { hooks: some } };
    const v1 = async () => {
      const client = new ClientV1(clientInfo, { capabilities });
      await client.connect(new TransportV1({ command: program, args }));
      return client;
    };
    const v2 = async () => {
      const client = new Client(clientInfo, { capabilities });
      await client.connect(new StdioClientTransport({ command: program, args }));
      return client;
    };
    for (const connect of sample([v1, v2], 2, turn)) {
      const client = await connect();
      expect(client.getServerCapabilities()?.experimental?.hooks).toEqual({ declarations: [START, PLAIN] });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['recall']);
      await client.close();
    }
  });
});

it('withHooks declares over HTTP, in both eras', async () => {
  const handler = createMcpHandler(() =>
    withHooks(new McpServer({ name: 'memo', version: '1.0.0' }), defineHooks(ALL)),
  );
  const post = async (method: string, params: object, headers = {}): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
    const accept = 'application/json, text/event-stream';
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept, ...headers },
    };
    return (await handler.fetch(new Request('http://127.0.0.1/mcp', init))).text();
  };
  const declared = JSON.stringify(hooksCapabilities(defineHooks(ALL), some.supported_events).hooks);
  const capabilities = { hooks: some };
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  const answers = await Promise.all([
    post('initialize', initializing(capabilities)),
    post('server/discover', discovering(capabilities), modern),
  ]);
  for (const answer of answers) expect(answer).toContain(`"hooks":${declared}`);
  expect(await post('server/discover', discovering({}), modern)).not.toContain('declarations');
});

describe('defineHooks', () => {
  it('gives the list as it was written', () => {
    expect(defineHooks(ALL)).toEqual({ declarations: ALL });
  });

  it('throws one error that names every fault with its path, at the line that called it', () => {
    const bad = [START, { ...COMMIT, priority: 'high', when: { cooldwn: 3 } }, { event: 'session_start' }];
    const error = (() => {
      try {
        return defineHooks(bad as unknown as Hook[]);
      } catch (thrown) {
        return thrown as Faults;
      }
    })();
    expect(error).toBeInstanceOf(Faults);
    if (!(error instanceof Faults)) return;
    for (const said of [
      'declarations[1].priority: ',
      'declarations[1].when.cooldwn: ',
      "Did you mean 'cooldown'?",
      'declarations[2].priority: ',
      'declarations[2]: ',
    ])
      expect(error.message).toContain(said);
    expect(error.faults.map(({ code }) => code)).toContain('decl.unknown-key');
    expect(error.stack?.split('\n').find((line) => line.trim().startsWith('at '))).toContain(
      'with-hooks.test.ts',
    );
  });

  it.runIf(LONG)(
    'ends a program that does not catch it with the faults, and nothing of how they were found',
    async () => {
      const world = worldWithProgram();
      const file = world.write(
        'project/bad.mjs',
        `import { defineHooks } from 'mcphooks/authoring';\ndefineHooks([{ event: 'later', context: 'x' }]);`,
      );
      const { stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
      expect(stderr).toContain('\ndeclarations[0].event: ');
      expect(stderr).toContain('bad.mjs:2');
      expect(stderr).not.toMatch(/dist\/chunks|args:/);
    },
  );

  it('gives every place its form, for servers that withHooks does not know', () => {
    expect(hooksCapabilities(defineHooks(ALL))).toEqual(places([START, PLAIN], ALL));
    expect(hooksCapabilities(defineHooks(ALL), ['session_start'])).toEqual(places([START], [START]));
    for (const other of [ALL, undefined, {}])
      expect(() => hooksCapabilities(other as never)).toThrow('takes what defineHooks returns');
  });

  it('takes a list of constants', () => {
    const list = [
      {
        event: 'post_tool_use',
        matcher: { tool_name: 'Bash' },
        context_tool: 'search',
        context_tool_args: { tags: ['a', { deep: ['b', null] }], limit: 3 },
        priority: 'suggestion',
        when: { command: ['git', 'commit'], unless_called: { tools: ['note'] }, otherwise: 'drop' },
      },
      { event: 'session_start', context: 'a', priority: 'important', when: { source: ['clear'] } },
    ] as const;
    expect(defineHooks(list).declarations).toEqual(list);
  });

  it('fits the types of capabilities of both SDKs', () => {
    const capabilities = hooksCapabilities(defineHooks(ALL));
    new McpServer({ name: 'memo', version: '1.0.0' }, { capabilities });
    new McpServerV1({ name: 'memo', version: '1.0.0' }, { capabilities });
  });

  it('advises no option to an author, who can give none', () => {
    const hidden = [{ ...START, context_tool: 'a\u202eb' }];
    const lost = { ...SEARCH, context_tool_args: { n: 1n, list: [new Date(0)], f: () => 1 } };
    class Own {
      event = 'session_start';
      context = 'a';
      priority = 'suggestion';
    }
    expect(defineHooks([new Own() as never]).declarations).toHaveLength(1);
    expect(() => defineHooks([lost as never])).toThrow(
      /declarations\[0\]\.context_tool_args\.n: expected JSON value, found bigint: 1\n.*\n.*\.list\[0\]: expected JSON value, found object.*\n.*\n.*\.f: expected JSON value, found function/,
    );
    for (const value of [Number.NaN, [undefined]])
      expect(() => defineHooks([{ ...SEARCH, context_tool_args: { value } } as never])).toThrow(
        /context_tool_args\.value\S*: expected JSON value, found (number|undefined)/,
      );
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    expect(() => defineHooks([{ ...SEARCH, context_tool_args: endless } as never])).toThrow('nested deeper');
    expect(() => defineHooks(hidden)).toThrow(/invisible characters \(U\+202E.*\n.*Remove them\.$/);
  });
});

describe('withHooks', () => {
  it('checks what it is given, and refuses a server that is connected', () => {
    const server = { connect: async () => {}, transport: undefined as object | undefined };
    expect(() => withHooks(server, { declarations: [{ event: 'later' }] } as never)).toThrow(
      'declarations[0].event: ',
    );
    for (const hooks of [[START], undefined, 'memo'])
      expect(() => withHooks(server, hooks as never)).toThrow('give the list to defineHooks');
    expect(() => defineHooks(undefined as never)).toThrow('takes a list');
    server.transport = {};
    expect(() => withHooks(server, defineHooks(ALL))).toThrow('before');
  });

  it.each([[null], [undefined], [{}], ['memo'], [{ server: undefined }], [{ server: {} }]])(
    'says what it takes when it is given %j',
    (server) =>
      expect(() => withHooks(server as never, defineHooks(ALL))).toThrow(
        'withHooks takes an McpServer or a Server',
      ),
  );

  it('refuses a server that it has given hooks already', () => {
    for (const server of [v1(), v2()]) {
      withHooks(server, defineHooks([START]));
      for (const one of [server, server.server])
        expect(() => withHooks(one, defineHooks([SEARCH]))).toThrow('has hooks already');
    }
  });

  it.each<[string, object]>([
    ['hooks', { hooks: { declarations: [START] } }],
    ['experimental.hooks', { experimental: { hooks: { declarations: [START] } } }],
    [`extensions["${OWN}"]`, { extensions: { [OWN]: { declarations: [START] } } }],
  ])('refuses a server that declares hooks of its own in %s', async (place, capabilities) => {
    for (const make of [v1, v2]) {
      expect(() => withHooks(make(capabilities), defineHooks(ALL))).toThrow(place);
      const later = make();
      withHooks(later, defineHooks(ALL));
      later.server.registerCapabilities(capabilities);
      await expect(later.connect(InMemoryTransport.createLinkedPair()[0] as never)).rejects.toThrow(place);
    }
  });
});
