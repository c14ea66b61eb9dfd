import { describe, expect, it } from 'vitest';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { namesServers } from '../../src/clients/tools.ts';
import type { Declaration } from '../../src/declarations/types.ts';
import { refusal, toolOf } from '../../src/fire/payload.ts';
import { compile } from '../../src/plan/compile/compile.ts';
import { contentOf } from '../../src/plan/compile/hook.ts';
import type { ServerNames } from '../../src/plan/compile/server-tools.ts';
import { planInstall } from '../../src/plan/install.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { inputFor } from './golden.ts';

/** Clients whose names of tools don't hold the server's. */
const untold = CLIENTS.filter(({ tools }) => !namesServers(tools));

/** Whether one declaration fires after this call, and the codes of its notes. */
function hearing(id: string, declaration: object, servers: ServerNames, listedTools?: string[]) {
  const client = clientById(id as never);
  const { cells, shims } = compile(
    [{ event: 'post_tool_use', context: 'x', priority: 'suggestion', ...declaration } as Declaration],
    {
      client,
      servers,
      slug: 'mem',
      options: DEFAULT_OPTIONS,
      shimFolder: '/shims',
      toolAccess: { note: { code: 'unsupported.no-definition', args: {} } },
      invoke: (path) => ({ command: path }),
      mark: (key) => key,
      documentTools: [],
      ...(listedTools && { listedTools }),
    },
  );
  const [shim] = shims;
  const [hook] = shim?.data.hooks ?? [];
  return {
    notes: cells[0]?.notes.map(({ code }) => code),
    fires: (tool: string): boolean => {
      const name = client.tools.mcp.name.replace('{tool}', tool);
      const payload = { tool_name: name };
      if (!shim || !hook) throw new Error('nothing was compiled');
      return refusal(hook, toolOf(payload, shim.data.payload)) === undefined;
    },
  };
}

describe.each(untold)('$title', ({ id }) => {
  const servers = { alias: 'mem', known: ['mem', 'files', 'web'], ownTools: ['store', 'search'] };

  it('tells the declaring server by the names of its tools', () => {
    for (const matcher of [
      { tool_server: 'mem' },
      { tool_name: 'mcp__mem__*' },
      { tool_server: 'mem', tool_name: 's*' },
    ]) {
      const { fires, notes } = hearing(id, { matcher }, servers);
      expect(['store', 'search', 'read'].map(fires), JSON.stringify(matcher)).toEqual([true, true, false]);
      expect(notes).toContain('server.by-tool');
    }
  });

  it('takes any other tool for one of any other server', () => {
    const { fires, notes } = hearing(id, { matcher: { tool_server: 'web' } }, servers);
    expect(['store', 'read'].map(fires)).toEqual([false, true]);
    expect(notes).toContain('server.untold');
  });

  it('is exact where one server is configured', () => {
    const { fires, notes } = hearing(id, { matcher: { tool_server: 'mem' } }, { ...servers, known: ['mem'] });
    // A plugin may bring a server that no file names.
    expect(['store', 'read'].map(fires)).toEqual([true, false]);
    expect(notes).not.toContain('server.by-tool');
  });

  it('says that any tool counts where nobody could ask the server for its tools', () => {
    const { ownTools: _, ...unasked } = servers;
    const { fires, notes } = hearing(id, { matcher: { tool_server: 'mem' } }, unasked);
    expect(['store', 'read'].map(fires)).toEqual([true, true]);
    expect(notes).toContain('server.untold');
  });

  it('says it of tools in a list, too', () => {
    const when = { tools: ['Bash', 'mcp__mem__*'], otherwise: 'drop' };
    expect(hearing(id, { when }, servers).notes).toContain('server.by-tool');
  });
});

it('says nothing of the kind where the names of tools hold the server', () => {
  const servers = { alias: 'mem', known: ['mem', 'files'], ownTools: ['store'] };
  expect(hearing('claude-code', { matcher: { tool_server: 'mem' } }, servers).notes).toEqual([]);
});

it('is remarked on where a tool of another server has the name that a text gives it', () => {
  const told = (known: string[], declaration: object): string[] =>
    CLIENTS.flatMap(({ id }) =>
      hearing(id, { event: 'pre_request', ...declaration }, { alias: 'a-b', known }).notes?.includes(
        'text.ambiguous-server',
      )
        ? [id]
        : [],
    );
  const named = { context: '{tool:echo} keeps it.' };
  expect(told(['a-b', 'a_b', 'web'], named)).toEqual(['codex']);
  expect(told(['a-b', 'web'], named)).toEqual([]);
  expect(told(['a-b', 'a_b'], { context: 'echo keeps it.' })).toEqual([]);
});

it('are known by each name of the server', () => {
  const servers = { alias: 'plugin:notes:my__mem', otherNames: ['my__mem'], known: ['plugin:notes:my__mem'] };
  const notes = (tool: string) =>
    hearing('claude-code', { matcher: { tool_name: `mcp__${tool}` } }, servers, ['store']).notes;
  for (const name of ['my__mem', 'plugin_notes_my__mem']) {
    expect(notes(`${name}__store`), name).toEqual([]);
    expect(notes(`${name}__stroe`), name).toEqual(['tools.own-unknown']);
  }
});

it('are missing where a client leaves out a server of that name, which the plan remarks on', () => {
  const input = inputFor(
    { declarations: [{ event: 'session_start', context: 'x', priority: 'suggestion' }] },
    'codex',
  );
  const told = (alias: string): string[] =>
    planInstall({ ...input, aliasOn: { codex: alias } }).clients.flatMap(({ notes }) =>
      notes.map(({ code }) => code),
    );
  // Seen on 0.169.0, which starts the last two.
  for (const alias of ['my server', 'notés', 'a+b'])
    expect(told(alias), alias).toEqual(['codex.server-name']);
  for (const alias of ['notes.io', '@a/b:c_d-e']) expect(told(alias), alias).toEqual([]);
});

it('in braces makes no other variable, which nobody was asked about', () => {
  const sent = (x: string, alias: string): unknown =>
    contentOf(
      { event: 'post_tool_use', context_tool: 'note', context_tool_args: { x }, priority: 'suggestion' },
      alias,
      clientById('opencode'),
    ).call?.args.x;
  expect(sent('{tool:output} {tool_output}', 'tool')).toBe('tool_output {tool_output}');
  expect(sent('{"a":{tool:output}} {{tool:note}}', 'memo')).toBe('{"a":memo_output} {memo_note}');
  for (const [text, alias] of [
    ['{{tool:output}}', 'tool'],
    ['{{tool:in}put.command}', 'tool'],
    ['{tool_input.{tool:path}}', 'file'],
    ['{{tool:output}} {tool_output}', 'tool'],
  ] as const)
    expect(sent(text, alias), text).toBe(text);
});
