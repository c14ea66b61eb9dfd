import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lint } from '../../src/api/authoring.ts';
import { listed } from '../../src/base/listed.ts';
import { CLIENT_IDS, type ClientId } from '../../src/clients/client.ts';
import { CLIENTS, clientById } from '../../src/clients/index.ts';
import { wiringOf } from '../../src/clients/protocol.ts';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { EVENTS } from '../../src/declarations/types.ts';
import { UNIT_NAMES } from '../../src/fire/text/render.ts';
import { fill } from '../../src/fire/text/template.ts';
import { lintClient, lintWarnings, RULES } from '../../src/lint/lint.ts';
import type { Warning } from '../../src/lint/types.ts';
import { warningWords } from '../../src/messages/warnings.ts';
import { eventBudget } from '../../src/plan/compile/budget.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { COMMAND_LINE_DIALECT } from '../../src/servers/definitions/resolve.ts';
import type { ServerTool } from '../../src/servers/types.ts';

/** Valid declarations, what is known of their server, and all that lint says of them. */
interface Case {
  declarations: unknown[];
  serverName?: string;
  remoteHost?: string;
  tools?: ServerTool[];
  warnings: { code: string; path: string }[];
}

const root = join(import.meta.dirname, '../fixtures/lint');
const cases = readdirSync(root).map((file): [string, Case] => [
  basename(file, '.json'),
  JSON.parse(readFileSync(join(root, file), 'utf8')),
]);

function warningsOf(one: Omit<Case, 'warnings'>): Case['warnings'] {
  return foundIn(one).map(({ code, where }) => ({ code, path: where.path ?? '' }));
}

function foundIn({ declarations: list, serverName, remoteHost, tools }: Omit<Case, 'warnings'>): Warning[] {
  const { declarations } = parseDeclarations({ declarations: list }, { ...DEFAULT_OPTIONS, when: true });
  const name = serverName === undefined ? {} : { serverName };
  const clients = CLIENT_IDS.map((id) =>
    lintClient(id, {
      server: 'notebook',
      declared: { declarations, from: { kind: 'file', file: '' }, ...name },
      options: DEFAULT_OPTIONS,
      toolAccess: {
        shown: '',
        at: { source: { scope: 'command-line' }, hash: '', dialect: COMMAND_LINE_DIALECT },
      },
      alias: 'notebook',
      aliases: ['notebook', 'other', 'my server', 'github', 'a'],
    }),
  );
  return lintWarnings({
    declarations,
    options: DEFAULT_OPTIONS,
    clients,
    ...name,
    ...(remoteHost !== undefined && { remoteHost }),
    ...(tools && { tools }),
  });
}

describe('what lint says of declarations', () => {
  it.each(cases)('%s', (_, one) => {
    expect(warningsOf(one)).toEqual(one.warnings);
  });

  it('advises a glob for servers as tool names spell them', () => {
    const matcher = { tool_server: 'my server?*' };
    const list = [{ event: 'post_tool_use', context: 'A text.', priority: 'suggestion', matcher }];
    const found = foundIn({ declarations: list }).map((warning) => warningWords(warning).fix);
    expect(found).toEqual([
      "Only tool_name takes them: 'mcp__my_server?*__*' fits all tools of such servers.",
    ]);
  });

  it('has a fixture for every rule', () => {
    const said = new Set(cases.flatMap(([, { warnings }]) => warnings.map((w) => w.code)));
    expect(RULES.map((r) => r.code).filter((code) => !said.has(code))).toEqual([]);
  });

  it.each([
    ['Edit|Write', '["Edit", "Write"]'],
    ['Bash, Edit', '["Bash", "Edit"]'],
    ['^(Edit|Write)$', undefined],
    ['.*', undefined],
  ])('advises when.tools in place of a list in one name: %s', (name, list) => {
    const declaration = { event: 'post_tool_use', priority: 'suggestion', context: 'A text.' };
    const inMatcher = { ...declaration, matcher: { tool_name: name } };
    const inWhen = { ...declaration, when: { tools: [name], otherwise: 'drop' } };
    const [one, other] = foundIn({ declarations: [inMatcher, inWhen] }).map((w) => warningWords(w).fix);
    expect(one).toContain('write several declarations, or ');
    expect(one).toContain(list ? `"tools": ${list}` : 'list them in `when.tools`');
    expect(other).toContain(list ? `list them: ${list}.` : 'list them.');
    expect(other).not.toContain('several declarations');
  });

  it.each<[string, ClientId[]]>([
    ['edit', ['copilot', 'opencode', 'qwen-code']],
    ['bash', ['copilot', 'opencode']],
    ['todo_write', ['qwen-code']],
  ])('names all clients that have a tool of their own by that name: %s', (name, some) => {
    const having = CLIENTS.filter(({ tools }) => Object.values(tools.names).flat().includes(name));
    expect(having.map(({ id }) => id)).toEqual(expect.arrayContaining(some));
    const clients = listed(having.map(({ title }) => title));
    const declaration = { event: 'post_tool_use', priority: 'suggestion', context: 'A text.' };
    const [found] = foundIn({ declarations: [{ ...declaration, matcher: { tool_name: name } }] });
    expect(found && warningWords(found).what).toContain(`'${name}' is a tool's own name in ${clients}, but`);
  });

  it.each<[string, object, { lack: ClientId[]; have: ClientId[] }]>([
    [
      'file_path',
      { matcher: { tool_name: 'Edit' } },
      {
        lack: ['codex', 'copilot', 'opencode'],
        have: ['claude-code', 'cursor', 'droid', 'gemini-cli', 'qwen-code'],
      },
    ],
    // Where one of the tools has the field, nothing is said.
    [
      'path',
      { matcher: { tool_name: 'Edit' } },
      {
        lack: ['claude-code', 'codex', 'cursor', 'droid', 'gemini-cli', 'opencode', 'qwen-code'],
        have: ['copilot'],
      },
    ],
    [
      'command',
      { matcher: { tool_name: 'Edit' } },
      {
        lack: ['claude-code', 'copilot', 'cursor', 'droid', 'gemini-cli', 'opencode', 'qwen-code'],
        have: ['codex'],
      },
    ],
    [
      'file_path.name',
      { when: { path: ['src/**'], otherwise: 'drop' } },
      {
        lack: ['codex', 'copilot', 'opencode'],
        have: ['claude-code', 'cursor', 'droid', 'gemini-cli', 'qwen-code'],
      },
    ],
    [
      'notebook_path',
      { when: { tools: ['NotebookEdit'], otherwise: 'drop' } },
      { lack: [], have: ['claude-code', 'codex'] },
    ],
  ])('names the clients whose tools lack a field of the input: %s with %j', (field, more, { lack, have }) => {
    const declaration = { event: 'post_tool_use', priority: 'suggestion', ...more };
    const [found] = foundIn({
      declarations: [{ ...declaration, context: `Of {tool_input.${field}}.` }],
    }).filter(({ code }) => code === 'lint.variable-some');
    const named = found?.args.clients ?? [];
    const titles = (ids: readonly ClientId[]) => ids.map((id) => clientById(id).title);
    expect(named).toEqual(expect.arrayContaining(titles(lack)));
    for (const title of titles(have)) expect(named).not.toContain(title);
  });

  it.each(['{{prompt}}', '{{{prompt}}}', '{{prompt}', '{{ prompt }}', '{prompt}}', '{ {prompt} }'])(
    'says of braces around a variable what a fire does: %s',
    (written) => {
      const declaration = { event: 'pre_request', priority: 'suggestion', context: `On ${written}.` };
      const said = foundIn({ declarations: [declaration] }).map((w) => warningWords(w).what);
      const isReplaced = fill(written, { prompt: 'x' }) !== written;
      expect(said.some((what) => what.includes('is not replaced'))).toBe(!isReplaced);
      expect(said.some((what) => what.includes('only {prompt} is replaced'))).toBe(/^\{\{+p/.test(written));
    },
  );

  it('warns once of texts that are too long together, and names their hooks by ranges', () => {
    const long = { priority: 'suggestion', context: 'a'.repeat(3000) };
    const at = (event: string, n: number) => ({ ...long, event, context: `${n}${long.context}` });
    const declarations = [
      ...[1, 2, 3, 4, 5, 6].map((n) => at('session_start', n)),
      ...[7, 8].map((n) => at('pre_request', n)),
      at('session_start', 9),
    ];
    const told = foundIn({ declarations }).filter(({ code }) => code === 'lint.event-budget');
    // One for each event: Cursor has one limit for both.
    expect(told.map(({ n }) => n)).toEqual([3, 7]);
    const [first] = told.map((one) => warningWords(one).what);
    expect(first).toContain('9000 UTF-16 units with those for pre_request on Cursor');
    expect(first).toMatch(/\. Dropped first: hooks 4–6, 9 on [^;]*Claude Code.*; hooks 3–6, 9 on Cursor$/);
  });

  it('says of texts that are too long together how much each client takes, in its own unit', () => {
    const at = (n: number, length: number) => ({
      event: 'post_tool_use',
      priority: 'suggestion',
      matcher: { tool_name: 'Bash' },
      context: `${n}${'a'.repeat(length)}`,
    });
    const budgets = (...lengths: number[]): string[] =>
      foundIn({ declarations: lengths.map((length, i) => at(i + 1, length)) })
        .filter(({ code }) => code === 'lint.event-budget')
        .map((one) => warningWords(one).what);
    expect(budgets(4500, 4450)).toEqual([
      'the texts for post_tool_use add up to more than 9000 UTF-16 units on Cursor, and this one is dropped first',
    ]);
    const [both, ...others] = budgets(4500, 4450, 4500);
    expect(others).toEqual([]);
    expect(both).toContain('9000 UTF-16 units on Cursor');
    const takers: Record<string, string[]> = {};
    for (const client of CLIENTS) {
      const budgets = wiringOf(client.events.post_tool_use).map(({ native }) => eventBudget(client, native));
      const most = `${Math.min(...budgets)} ${UNIT_NAMES[client.limits.unit]}`;
      takers[most] = [...(takers[most] ?? []), client.title];
    }
    for (const [most, titles] of Object.entries(takers))
      expect(both).toContain(`${most} on ${listed(titles)}`);
    for (const most of [
      '10000 bytes on Codex',
      '10000 characters on Gemini CLI',
      '9000 UTF-16 units on Cursor',
    ])
      expect(both).toContain(most);
    expect(both).toMatch(
      /Dropped first: hook 3 on [^;]*Claude Code, Codex, [^;]*Qwen Code[^;]*; hooks 2, 3 on Cursor$/,
    );
  });

  it('says of one text that is too long how long it is on each client that cuts it', () => {
    const [found] = foundIn({
      declarations: [{ event: 'session_start', priority: 'suggestion', context: '😀'.repeat(7000) }],
    });
    const { what = '' } = found ? warningWords(found) : {};
    expect(what).toMatch(/ to at most 10000 of 280\d\d bytes on Codex(?:;|$)/);
    expect(what).toMatch(/ to at most 9000 of 140\d\d UTF-16 units on Cursor(?:;|$)/);
    expect(what).toMatch(/ to at most 10000 of 140\d\d UTF-16 units on [^;]*Claude Code, [^;]*Qwen Code/);
    expect(what).not.toContain('Gemini');
  });

  it('says with which other event a client counts texts together', () => {
    const at = (event: string, character: string, length: number, priority = 'suggestion') => ({
      event,
      priority,
      context: character.repeat(length),
    });
    const budgets = (declarations: object[]) =>
      foundIn({ declarations }).filter(({ code }) => code === 'lint.event-budget' || code === 'lint.cut');
    const [found] = budgets([at('pre_request', 'x', 4000), at('post_request', 'x', 7000)]);
    const { what = '' } = found ? warningWords(found) : {};
    expect([found?.code, found?.n]).toEqual(['lint.event-budget', 2]);
    expect(what).toMatch(
      /^the texts for post_request, with those for pre_request, add up to more than 10000 /,
    );
    // A text that is too long even alone may get still less room.
    const declarations = [
      at('pre_request', 'x', 7000, 'important'),
      at('pre_request', 'é', 6500),
      at('pre_request', 'è', 6500),
    ];
    const told = budgets(declarations).map((one) => [one.code, one.n, warningWords(one).what] as const);
    expect(told.map(([code, n]) => [code, n])).toEqual([
      ['lint.cut', 2],
      ['lint.event-budget', 2],
      ['lint.cut', 3],
    ]);
    expect(told[1]?.[2]).toContain('10000 bytes on Codex');
  });

  it.each(EVENTS)('calls a text of %s too long where the plan does', (event) => {
    for (const options of [{}, { sessionEnd: 'defer' }] as const) {
      const declaration = { event, priority: 'required', context: 'ä'.repeat(6000) };
      const { clients, warnings } = lint({ declarations: [declaration] }, { options });
      const noted = clients.filter(({ hooks }) =>
        hooks[0]?.notes.some(({ code }) => code === 'budget.gives-way'),
      );
      const cut = warnings.find(({ code }) => code === 'lint.cut')?.message ?? '';
      for (const { client } of clients)
        expect([client, cut.includes(clientById(client).title)]).toEqual([
          client,
          noted.some((one) => one.client === client),
        ]);
    }
  });
});
