import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { lintClient, lintWarnings, RULES } from '../../src/lint/lint.ts';
import type { Warning } from '../../src/lint/types.ts';
import { warningWords } from '../../src/messages/warnings.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { COMMAND_LINE_DIALECT } from '../../src/servers/resolve.ts';
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

  it.each([
    ['edit', 'Copilot CLI, OpenCode and Qwen Code'],
    ['bash', 'Copilot CLI and OpenCode'],
    ['todo_write', 'Qwen Code'],
  ])('names all clients that have a tool of their own by that name: %s', (name, clients) => {
    const declaration = { event: 'post_tool_use', priority: 'suggestion', context: 'A text.' };
    const [found] = foundIn({ declarations: [{ ...declaration, matcher: { tool_name: name } }] });
    expect(found && warningWords(found).what).toContain(`'${name}' is a tool's own name in ${clients}, but`);
  });

  it('warns once of texts that are too long together, and names their hooks by ranges', () => {
    const long = { priority: 'suggestion', context: 'a'.repeat(3000) };
    const at = (event: string, n: number) => ({ ...long, event, context: `${n}${long.context}` });
    const declarations = [
      ...[1, 2, 3, 4, 5, 6].map((n) => at('session_start', n)),
      ...[7, 8].map((n) => at('pre_request', n)),
      at('session_start', 9),
    ];
    const told = foundIn({ declarations }).filter(({ code }) => code === 'lint.event-budget');
    const whole = told.find(({ args }) => String(args.hooks).includes('9'));
    expect(whole?.args.hooks).toMatch(/^\d–6, 9$/);
    expect(whole && warningWords(whole).what).toMatch(/ and those of hooks \d–6, 9 are dropped first$/);
    expect(told.map(({ n }) => n)).toEqual([...new Set(told.map(({ n }) => n))]);
    expect(told.length).toBeLessThan(4);
  });
});
