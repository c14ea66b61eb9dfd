import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_IDS, type ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { mcpToolName } from '../../src/clients/tools.ts';
import type { Declaration, Matcher } from '../../src/declarations/types.ts';
import type { FireHook } from '../../src/fire/format.ts';
import { at, refusal, toolOf } from '../../src/fire/payload.ts';
import { put } from '../../src/fire/text/render.ts';
import { noteText } from '../../src/messages/notes.ts';
import { compile } from '../../src/plan/compile/compile.ts';
import { compileMatcher, entryMatcher } from '../../src/plan/compile/matcher.ts';
import { payloadShape } from '../../src/plan/compile/payload-shape.ts';
import { compileTools } from '../../src/plan/compile/tools.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { LONG, often } from '../effort.ts';

const KNOWN = ['notebook', 'my-server', 'my server.x'];

/** The matcher that an entry gets, or the code of why it can never fire. */
function native(id: ClientId, matcher: Matcher | undefined, known = KNOWN): string | undefined {
  const client = clientById(id);
  const compiled = compileMatcher(matcher, client, { alias: 'notebook', serverName: 'notebook-mcp', known });
  return compiled.never ? compiled.never.note : entryMatcher([compiled.native], client);
}

// [matcher, Claude Code, Codex, Gemini CLI]
const TABLE: [Matcher | undefined, string | undefined, string | undefined, string | undefined][] = [
  [undefined, undefined, undefined, undefined],
  [{ input_contains: 'x' }, undefined, undefined, undefined],
  [{ tool_name: '*' }, undefined, undefined, undefined],
  [{ tool_name: 'Bash' }, 'Bash', 'Bash', '^run_shell_command$'],
  [{ tool_name: 'Edit' }, 'Edit', 'apply_patch', '^replace$'],
  [{ tool_name: 'Write' }, 'Write', 'apply_patch', '^write_file$'],
  [{ tool_name: 'Read' }, 'Read', 'never.no-such-tool', '^read_file$'],
  [{ tool_name: 'Task' }, 'Agent|Task', 'never.no-such-tool', '^invoke_agent$'],
  [{ tool_name: 'TodoWrite' }, 'never.no-such-tool', 'never.no-such-tool', '^write_todos$'],
  [{ tool_name: 'BashOutput' }, 'never.no-such-tool', 'never.no-such-tool', 'never.no-such-tool'],
  // Not offered to the model of Claude Code from 2.1.250 on.
  [{ tool_name: 'Grep' }, 'never.no-such-tool', 'never.no-such-tool', '^grep_search$'],
  [{ tool_name: 'Gre*' }, '^Gre.*$', '^Gre.*$', '^(grep_search|Gre.*)$'],
  // The shim decides on canonical names, which no client's own word is.
  [{ tool_name: 'apply_patch' }, 'never.native-name', 'never.native-name', 'never.native-name'],
  [{ tool_name: 'run_shell_command' }, 'never.native-name', 'never.native-name', 'never.native-name'],
  [{ tool_name: 'view_image' }, 'view_image', 'view_image', '^view_image$'],
  [{ tool_name: 'a.b' }, '^a\\.b$', '^a\\.b$', '^a\\.b$'],
  [{ tool_name: 'Ba*' }, '^Ba.*$', '^(Bash|Ba.*)$', '^(run_shell_command|Ba.*)$'],
  [{ tool_name: 'mcp__notebook__*' }, '^mcp__notebook__.*$', '^mcp__notebook__.*$', '^mcp_notebook_.*$'],
  [{ tool_name: 'mcp__notebook__add' }, '^mcp__notebook__add$', '^mcp__notebook__add$', '^mcp_notebook_add$'],
  [{ tool_name: 'mcp__notebook-mcp__*' }, '^mcp__notebook__.*$', '^mcp__notebook__.*$', '^mcp_notebook_.*$'],
  [{ tool_name: 'mcp__my-server__*' }, '^mcp__my-server__.*$', '^mcp__my_server__.*$', '^mcp_my-server_.*$'],
  [
    { tool_name: 'mcp__my_server_x__t' },
    '^mcp__my_server_x__t$',
    '^mcp__my_server_x__t$',
    '^mcp_my_server\\.x_t$',
  ],
  [{ tool_name: 'mcp__other__*' }, 'never.no-such-server', 'never.no-such-server', 'never.no-such-server'],
  [{ tool_name: 'mcp__*' }, '^mcp__.*$', '^mcp__.*$', '^mcp_.*$'],
  [{ tool_server: 'my-server' }, '^mcp__my-server__.*$', '^mcp__my_server__.*$', '^mcp_my-server_.*$'],
  [{ tool_server: 'notebook-mcp' }, '^mcp__notebook__.*$', '^mcp__notebook__.*$', '^mcp_notebook_.*$'],
  [
    { tool_server: 'my-server', tool_name: 'add' },
    '^mcp__my-server__add$',
    '^mcp__my_server__add$',
    '^mcp_my-server_add$',
  ],
];

describe("the client's own matcher", () => {
  for (const [matcher, claude, codex, gemini] of TABLE)
    it(JSON.stringify(matcher) ?? 'none', () => {
      expect(native('claude-code', matcher)).toBe(claude);
      expect(native('codex', matcher)).toBe(codex);
      expect(native('gemini-cli', matcher)).toBe(gemini);
    });

  it('is refused where two servers have the same tool names', () => {
    const known = ['my-server', 'my_server'];
    expect(native('codex', { tool_server: 'my-server' }, known)).toBe('never.ambiguous-server');
    expect(native('claude-code', { tool_server: 'my-server' }, known)).toBe('^mcp__my-server__.*$');
    const long = ['a', 'b'].map((end) => `${'s'.repeat(70)}${end}`);
    for (const id of ['qwen-code', 'copilot', 'droid'] as const)
      expect(native(id, { tool_server: long[0] ?? '' }, long), id).toBe('never.ambiguous-server');
    expect(native('claude-code', { tool_server: long[0] ?? '' }, long)).toContain('mcp__sss');
  });

  it('names, in the reason, the servers as the client knows them', () => {
    const reason = (known: string[], matcher: Matcher) => {
      const servers = { alias: 'my server', serverName: 'zz', known };
      const { never } = compileMatcher(matcher, clientById('codex'), servers);
      return noteText({ code: never?.note ?? 'never.empty-name', args: never?.args ?? {} });
    };
    for (const matcher of [{ tool_name: 'mcp__zz__*' }, { tool_server: 'zz' }]) {
      const twins = reason(['my server', 'x', 'my_server'], matcher);
      expect(twins).toMatch(/'my server' and 'my_server' have the same names/);
      const none = reason(['x'], matcher);
      expect(none).toContain("no MCP server 'my server'");
      expect(twins + none).not.toContain('zz');
    }
  });

  it("takes a server's own name for itself, whatever other servers are called, and as tool names spell it", () => {
    const own = (matcher: Matcher, serverName: string, known: string[]) =>
      compileMatcher(matcher, clientById('claude-code'), { alias: 'notebook', serverName, known }).native
        ?.patterns;
    const taken = ['notebook', 'other'];
    expect(own({ tool_server: 'other' }, 'other', taken)).toEqual(['^mcp__notebook__.*$']);
    expect(own({ tool_name: 'mcp__other__*' }, 'other', taken)).toEqual(['^mcp__notebook__.*$']);
    expect(own({ tool_name: 'mcp__My_notes__*' }, 'My notes', taken)).toEqual(['^mcp__notebook__.*$']);
  });

  it('finds servers whose name holds the separator', () => {
    expect(native('claude-code', { tool_name: 'mcp__a__b__add' }, ['a', 'a__b'])).toBe('^mcp__a__b__add$');
    expect(native('gemini-cli', { tool_name: 'mcp__a__b__add' }, ['a__b'])).toBe('^mcp_a__b_add$');
  });

  it('matches long names of Gemini CLI by their beginning, since they are cut in the middle', () => {
    const tool = 't'.repeat(80);
    expect(native('gemini-cli', { tool_name: `mcp__notebook__${tool}` })).toBe('^mcp_notebook_.*$');
    const long = 's'.repeat(60);
    expect(native('gemini-cli', { tool_server: long }, [long])).toBe('^mcp_.*$');
  });

  it('of several hooks is their union, and none as soon as one has none', () => {
    const client = clientById('claude-code');
    const parts = ['Bash', 'Edit', 'mcp__notebook__*'].map(
      (tool_name) => compileMatcher({ tool_name }, client, { alias: 'notebook', known: KNOWN }).native,
    );
    expect(entryMatcher(parts.slice(0, 2), client)).toBe('Bash|Edit');
    expect(entryMatcher(parts, client)).toBe('^(Bash|Edit|mcp__notebook__.*)$');
    expect(entryMatcher([...parts, undefined], client)).toBeUndefined();
  });
});

/** Names of tools of a server `mem`, as real clients had them in requests (the versions of their folders). */
const SEEN: Partial<Record<ClientId, Record<string, string>>> = {
  'claude-code': { 'qa.it': 'mcp__mem__qa_it', 'qb-it': 'mcp__mem__qb-it', 'qc/y z': 'mcp__mem__qc_y_z' },
  codex: { 'qa.it': 'mcp__mem__qa_it', 'qb-it': 'mcp__mem__qb_it', 'qe..it': 'mcp__mem__qe__it' },
  copilot: {
    'qa.it': 'mem-qa-it',
    'qe..it': 'mem-qe--it',
    [`Qf-${'abcdefghij'.repeat(7)}`]: `mem-Qf-${'abcdefghij'.repeat(5)}abcdefg`,
  },
  cursor: { 'qa.it': 'MCP:qa.it', 'qb-it': 'MCP:qb-it' },
  droid: { 'qa.it': 'mem___qa_it', 'qb-it': 'mem___qb-it', 'qe..it': 'mem___qe__it' },
  'gemini-cli': { 'qa.it': 'mcp_mem_qa.it', 'qc/y z': 'mcp_mem_qc_y_z', 'qd_é.@x': 'mcp_mem_qd__._x' },
  opencode: { 'qa.it': 'mem_qa_it', 'qb-it': 'mem_qb-it', 'qd_é.@x': 'mem_qd____x' },
  'qwen-code': {
    'qa.it': 'mcp__mem__qa_it_0vbcait',
    'qb-it': 'mcp__mem__qb-it',
    'qd_é.@x': 'mcp__mem__qd____x_1j4y6ep',
    [`Qf-${'abcdefghij'.repeat(7)}`]: `mcp__mem__Qf-${'abcdefghij'.repeat(4)}ab_1lrwc09`,
  },
};

it('names of tools were seen of every client', () => {
  expect(
    CLIENT_IDS.filter((id) => !SEEN[id]),
    'add to SEEN how their requests name tools of a server `mem`',
  ).toEqual([]);
});

describe.each(CLIENT_IDS)('tools whose names %s writes otherwise', (id) => {
  const client = clientById(id);
  const [event = ''] = Object.keys(client.natives).filter((name) => client.natives[name]?.matchesTools);
  /** Whether a hook of server `alias` with this matcher fires for a tool of server `called`. */
  const fires = (matcher: Matcher, tool: string, called = 'mem', alias = 'mem'): boolean => {
    const servers = { alias, known: [alias, called] };
    const shape = payloadShape(client, event, servers, new Set());
    const { match, native: own } = compileMatcher(matcher, client, servers);
    const payload: Record<string, unknown> = {};
    const { server, tool: told } = client.tools.payload;
    for (const [path, value] of [
      [client.protocol.input.toolName, mcpToolName(client.tools.mcp, called, tool)],
      [server, called],
      [told, tool],
    ] as const)
      if (path !== undefined) put(payload, [path].flat()[0] ?? '', value);
    const hook = { n: 1, event: 'post_tool_use', priority: 'suggestion', does: 'emit', match } as const;
    const entry = entryMatcher([own], client);
    const name = String(at(payload, client.protocol.input.toolName));
    return (
      (entry === undefined || new RegExp(entry).test(name)) &&
      refusal(hook as FireHook, toolOf(payload, shape)) === undefined
    );
  };

  it('have the names that were seen', () => {
    const seen = SEEN[id] ?? {};
    const names = Object.keys(seen).map((tool) => [tool, mcpToolName(client.tools.mcp, 'mem', tool)]);
    expect(Object.fromEntries(names)).toEqual(seen);
  });

  it('fire by the beginning of a long name', () => {
    const begin = `long_${'x'.repeat(60)}`;
    const tool = `${begin}${'y'.repeat(20)}`;
    for (const matcher of [
      { tool_name: `mcp__mem__${begin}*` },
      { tool_server: 'mem', tool_name: `${begin}*y` },
    ])
      expect(fires(matcher, tool), JSON.stringify(matcher)).toBe(true);
    expect(fires({ tool_name: `mcp__mem__${begin}*` }, 'long_x')).toBe(false);
  });

  it.each([44, 48, 50, 53, 58, 61, 66, 200])('fire where the server has a name of %i letters', (length) => {
    const alias = 's'.repeat(length);
    for (const tool of ['echo', 'do-it.now', 'x'.repeat(40)]) {
      for (const matcher of [
        { tool_name: `mcp__${alias}__${tool}` },
        { tool_name: `mcp__${alias}__${tool.slice(0, 3)}*` },
        { tool_server: alias },
        { tool_server: alias, tool_name: tool },
        { tool_name: 'mcp__*' },
        { tool_name: `mcp__*__${tool}` },
        { tool_name: `mcp__s*__${tool.slice(0, 3)}*` },
        { tool_server: alias, tool_name: `mcp__*__${tool}` },
      ])
        expect(fires(matcher, tool, alias, alias), `${tool} ${JSON.stringify(matcher)}`).toBe(true);
      if (client.tools.mcp.name.includes('{alias}'))
        expect(fires({ tool_server: alias }, tool, 'mem', alias), `${tool} of mem`).toBe(false);
    }
  });

  it.each([48, 63])('fire by the end where nothing fits behind a name of %i letters', (length) => {
    const alias = 's'.repeat(length);
    for (const tool of ['echo', 'do-it.now', 'x'.repeat(40)])
      expect(fires({ tool_server: alias, tool_name: `*${tool.slice(-3)}` }, tool, alias, alias), tool).toBe(
        true,
      );
  });

  it.each(['do-it.now', 'a/b c', 'x--y', `long-${'y.'.repeat(14)}`])('fire: %s', (tool) => {
    const start = tool.slice(0, 3);
    const end = tool.slice(-3);
    for (const matcher of [
      { tool_name: `mcp__mem__${tool}` },
      { tool_name: `mcp__mem__${start}*` },
      { tool_name: `mcp__mem__*${end}` },
      { tool_name: `mcp__*__${tool}` },
      { tool_server: 'mem', tool_name: tool },
    ])
      expect(fires(matcher, tool), JSON.stringify(matcher)).toBe(true);
    expect(fires({ tool_name: `mcp__mem__${tool}` }, `${tool}x`)).toBe(false);
    expect(fires({ tool_name: `mcp__mem__*${end}` }, `${tool}x`)).toBe(false);
  });
});

describe('the exact decision of the shim', () => {
  const name = (matcher: Matcher): RegExp =>
    new RegExp(
      compileMatcher(matcher, clientById('codex'), {
        alias: 'notebook',
        serverName: 'notebook-mcp',
        known: KNOWN,
      }).match?.name ?? '',
    );
  it('is made on canonical names', () => {
    expect(name({ tool_name: 'mcp__my-server__*' }).test('mcp__my-server__add')).toBe(true);
    expect(name({ tool_name: 'mcp__my-server__*' }).test('mcp__my_server__add')).toBe(false);
    expect(name({ tool_name: 'mcp__notebook-mcp__*' }).test('mcp__notebook__add')).toBe(true);
    expect(name({ tool_server: 'my-server', tool_name: 'add' }).test('mcp__my-server__add')).toBe(true);
    expect(name({ tool_name: 'B?sh' }).test('Bash')).toBe(true);
    expect(name({ tool_name: 'BASH' }).test('Bash')).toBe(false);
  });
});

describe("the client's own matcher, beside what the hook script decides", () => {
  const ALIASES = ['a', 'a__b', 'a_b', 'memo', 'my-server', 'my_server', 'notebook', 'x.y z'];

  it('of two servers that a tool may belong to, decides on the name by the one that is asked for', () => {
    const client = clientById('cursor');
    const servers = { alias: 'a', known: ['a', 'a__b'] };
    const matcher = { tool_server: 'a', tool_name: '*_*' };
    const { match } = compileMatcher(matcher, client, servers);
    const hook = { n: 1, event: 'post_tool_use', priority: 'suggestion', does: 'emit', match } as const;
    const shape = payloadShape(client, 'postToolUse', servers, new Set());
    const refused = (tool_name: string) => refusal(hook as FireHook, toolOf({ tool_name }, shape))?.code;
    expect(refused('MCP:mcp')).toBe('matcher.tool');
    expect(refused('MCP:add_note')).toBeUndefined();
  });

  const piece = fc.constantFrom(
    ...[
      'mcp__',
      'mcp',
      'm',
      '_',
      '__',
      'a',
      'b',
      'memo',
      'notebook',
      'my_server',
      'o',
      'note',
      '*',
      '?',
      'Bash',
      'Ba',
      'do-it',
      '.now',
    ],
  );
  const word = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
  const bare = word.map((text) => text.replace(/[*?]/g, 'o')).filter((text) => !text.startsWith('mcp__'));

  it.each(LONG ? CLIENT_IDS : CLIENT_IDS.slice(0, 3))('on %s it is never narrower', (id) => {
    const client = clientById(id);
    const [native = ''] = Object.keys(client.natives).filter((name) => client.natives[name]?.matchesTools);
    fc.assert(
      fc.property(
        fc.subarray(ALIASES, { minLength: 1 }),
        fc.record({ tool_name: word, tool_server: fc.constantFrom(...ALIASES) }, { requiredKeys: [] }),
        fc.constantFrom(...ALIASES),
        bare,
        (known, matcher, alias, tool) => {
          if (!known.includes(alias)) return;
          const servers = { alias: known[0] as string, known };
          const { match, native: own, never } = compileMatcher(matcher, client, servers);
          if (never) return;
          const shape = payloadShape(client, native, servers, new Set());
          const payload: Record<string, unknown> = { tool_name: mcpToolName(client.tools.mcp, alias, tool) };
          for (const [path, value] of [
            [client.tools.payload.server, alias],
            [client.tools.payload.tool, tool],
          ]) {
            const [top, key] = path?.split('.') ?? [];
            if (top && key) payload[top] = { ...(payload[top] as object), [key]: value };
          }
          const hook = { n: 1, event: 'post_tool_use', priority: 'suggestion', does: 'emit' } as const;
          if (refusal({ ...hook, ...(match && { match }) }, toolOf(payload, shape), '{}')) return;
          const entry = entryMatcher([own], client);
          const accepts =
            entry === undefined ||
            (client.tools.exactNames?.test(entry)
              ? entry.split('|').includes(String(payload.tool_name))
              : new RegExp(entry).test(String(payload.tool_name)));
          expect(accepts, `${entry} does not accept ${payload.tool_name}`).toBe(true);
        },
      ),
      often(30),
    );
  });

  it('with tool_server, a glob is one of bare names, unless it begins with mcp__', () => {
    const client = clientById('claude-code');
    const names = (matcher: Matcher) =>
      compileMatcher(matcher, client, { alias: 'memo', known: ['memo'] }).match?.name;
    expect(names({ tool_server: 'memo', tool_name: '*o*' })).toBe('^mcp__memo__.*o.*$');
    expect(names({ tool_server: 'memo', tool_name: 'note' })).toBe('^mcp__memo__note$');
    expect(names({ tool_server: 'memo', tool_name: 'mcp__*__note' })).toBe('^mcp__.*__note$');
  });
});

describe('a name that no tool can have', () => {
  /** The remarks of a plan on a hook, by client. */
  const remarks = (declaration: object, listedTools?: readonly string[]): string[][] =>
    CLIENTS.map((client) => {
      const { cells } = compile(
        [{ event: 'post_tool_use', context: 'x', priority: 'suggestion', ...declaration } as Declaration],
        {
          client,
          servers: { alias: 'notebook', serverName: 'Notes (v2)', known: ['notebook', 'other'] },
          slug: 'notebook',
          options: DEFAULT_OPTIONS,
          shimFolder: '/shims',
          toolAccess: { note: { code: 'unsupported.no-definition', args: {} } },
          invoke: (path) => ({ command: path }),
          mark: (key) => key,
          documentTools: [],
          ...(listedTools && { listedTools }),
        },
      );
      return cells.flatMap(({ notes }) =>
        notes.filter(({ code }) => code.startsWith('tools.')).map((note) => noteText(note)),
      );
    });

  it('says where a client has one tool for what a hook names and for something else', () => {
    const on = (declaration: object) =>
      Object.fromEntries(
        CLIENTS.flatMap(({ id }, i) => (remarks(declaration)[i] ?? []).map((text) => [id, text])),
      );
    const write = on({ matcher: { tool_name: 'Write' } });
    expect(Object.keys(write)).toEqual(['codex', 'copilot', 'cursor', 'opencode']);
    expect(write.codex).toBe("fires for Edit, too, where the model's tool is apply_patch");
    expect(on({ matcher: { tool_name: 'Edit' } }).cursor).toBe(
      "fires for Write, too, where the model's tool is Write",
    );
    for (const tools of [['Edit', 'Write'], ['any:edit']]) expect(on({ when: { tools } })).toEqual({});
    for (const name of ['Bash', 'Agent', 'Task']) expect(on({ matcher: { tool_name: name } })).toEqual({});
    expect(on({ matcher: { tool_name: 'Write', tool_server: 'notebook' } })).toEqual({});
  });

  it.each<[object, string[]]>([
    [
      { matcher: { tool_name: 'mcp__notebook__a|b' } },
      ["'mcp__notebook__a|b' is neither a possible tool name nor a glob"],
    ],
    [{ matcher: { tool_name: 'Bahs' } }, ["mcphooks knows no tool named 'Bahs'; did you mean 'Bash'?"]],
    [{ matcher: { tool_name: 'mcp__notebook__nope' } }, ["the server lists no tool 'nope'"]],
    [{ matcher: { tool_server: 'notebook', tool_name: 'nope' } }, ["the server lists no tool 'nope'"]],
    [
      { when: { tools: ['Bash', 'Wrote', 'Wrote', 'a b'] } },
      ["mcphooks knows no tool named 'Wrote'; did you mean 'Write'?"],
    ],
    // A client may have it, and a server may call a tool so.
    [{ matcher: { tool_name: 'TaskCreate' } }, []],
    [{ matcher: { tool_server: 'notebook', tool_name: 'get+one' } }, []],
    [{ matcher: { tool_name: 'mcp__notebook__l.*' } }, []],
    [{ matcher: { tool_name: 'mcp__notebook__add_note' } }, []],
    [{ matcher: { tool_name: 'mcp__Notes (v2)__add_note' } }, []],
    [{ matcher: { tool_name: 'mcp__notebook__n*' } }, []],
    [{ matcher: { tool_name: 'mcp__other__nope' } }, []],
    [{ matcher: { tool_server: 'other', tool_name: 'nope' } }, []],
    [{ matcher: { tool_name: 'Ba*' } }, []],
    [{ matcher: { tool_name: '*Note*' } }, []],
    [{ when: { tools: ['any:edit', 'mcp__*', 'Bash'] } }, []],
    [{}, []],
  ])('is remarked in the plan, on every client: %j', (declaration, texts) => {
    expect(remarks(declaration, ['add.note', 'list'])).toEqual(CLIENTS.map(() => texts));
  });

  it.each([
    ['Edit|Write', true],
    ['Bash(git commit:*)', true],
    ['^Bash$', true],
    ['.*', true],
    ['Bash, Edit', true],
    ['Bash ', true],
    ['/Bash.*/', true],
    ['Edit|mcp__other__a', true],
    // A tool of a server may have such a name.
    ['mcp__other__a|b', false],
    ['mcp__*__get+one', false],
    ['*(old)', false],
    ['?cp__other__a b', false],
    // And so may a tool of a client.
    ['functions.exec', false],
    ['Edit.*', false],
    ['TaskCreate', false],
  ])('never fires where no tool of a client or server can have it: %s', (name, never) => {
    const note = { note: 'never.not-a-glob', args: { name } };
    for (const client of CLIENTS) {
      const servers = { alias: 'notebook', known: ['notebook', 'other'] };
      const found = compileMatcher({ tool_name: name }, client, servers).never;
      expect(found, client.id).toEqual(never ? note : undefined);
      const beside = compileMatcher({ tool_name: name, tool_server: 'other' }, client, servers).never;
      expect(beside, client.id).toBeUndefined();
    }
  });

  it.each(CLIENTS)('is told without advice for a list where it stands in one: $title', (client) => {
    const servers = { alias: 'notebook', known: ['notebook'] };
    const [inMatcher, inList] = [
      compileMatcher({ tool_name: 'Edit|Write' }, client, servers),
      compileTools(['Edit|Write'], undefined, client, servers),
    ].map(({ never }) => never && noteText({ code: never.note, args: never.args }));
    expect(inMatcher).toContain('or `when.tools`');
    expect(inList).not.toContain('when.tools');
  });

  it('is not told among the tools of a server that was not asked', () => {
    const declaration = { matcher: { tool_name: 'mcp__notebook__nope' } };
    expect(remarks(declaration).flat()).toEqual([]);
  });
});
