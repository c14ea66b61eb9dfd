import type { Client } from '../../src/clients/client.ts';
import { type OutcomeRule, outcomeOfEvent, sourcesTold } from '../../src/clients/conditions.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { namesServers } from '../../src/clients/tools.ts';
import type { Outcome } from '../../src/declarations/when.ts';
import { toolNatives } from '../../src/plan/compile/when.ts';
import { onClients, row } from './page.ts';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** How a client reports an outcome, and for which tools it doesn't. */
function outcomeCell({ conditions, ...client }: Client, outcome: Outcome): string {
  const other: Outcome = outcome === 'success' ? 'failure' : 'success';
  const natives = toolNatives({ conditions, ...client }).filter(
    (native) => outcomeOfEvent(conditions.outcome[native]) !== other,
  );
  if (natives.length === 0) return 'unsupported';
  const own = natives.map((native) => conditions.outcome[native]);
  const rules = own.filter((rule) => hasSigns(rule));
  const unless = own.some((rule) => typeof rule === 'object' && 'is' in rule);
  const untold = rules.flatMap(untoldTools);
  if (outcome === 'failure' && rules.length > 0 && rules.every(({ onlySuccess }) => onlySuccess))
    return `**unsupported**: ${code(natives)} fires for no failed tool${untold.length > 0 ? ` except ${code(untold)}, and doesn't report the outcome there` : ''}`;
  const how =
    rules.length > 0
      ? `by the payload of ${code(natives)}`
      : `by the event ${code(natives)}${unless ? ', except for a command in the background' : ''}`;
  return untold.length > 0 ? `${how}; **unsupported** for ${code(untold)}` : how;
}

type OutcomeSigns = Extract<OutcomeRule, { signs: unknown }>;
const hasSigns = (rule: OutcomeRule | undefined): rule is OutcomeSigns =>
  typeof rule === 'object' && 'signs' in rule;

const untoldTools = ({ signs }: OutcomeSigns): readonly string[] =>
  signs.flatMap(({ tools, path }) => (path === undefined && tools ? tools : []));

/** What a condition is on a client, from the client's own data. */
const CELLS: Readonly<Record<string, (client: Client) => string>> = {
  '`outcome`: success': (client) => outcomeCell(client, 'success'),
  '`outcome`: failure': (client) => outcomeCell(client, 'failure'),
  '`if_unknown`': ({ conditions }) => {
    const untold = Object.values(conditions.outcome).flatMap((rule) =>
      hasSigns(rule) ? untoldTools(rule) : [],
    );
    return untold.length > 0
      ? `also fires for ${code([...new Set(untold)])}`
      : 'not needed: outcomes are reported';
  },
  '`command`': ({ conditions }) => `for ${code(Object.keys(conditions.shell))}`,
  '`path`': ({ conditions }) => `for ${code(Object.keys(conditions.files))}`,
  '`tools`: `any:search`': ({ conditions }) =>
    [...(conditions.kinds.search.length > 0 ? [code(conditions.kinds.search)] : []), 'shell commands'].join(
      ', ',
    ),
  '`tools`: `any:edit`': ({ conditions }) => code(conditions.kinds.edit),
  '`source`': ({ conditions }) => sourcesTold(conditions).join(', '),
  '`unless_called`': (client) => `recorded at ${code(toolNatives(client))}`,
  '`cooldown`': ({ events }) => {
    const without = Object.entries(events).flatMap(([name, event]) =>
      'replacesEarlier' in event ? [name] : [],
    );
    return without.length > 0 ? `without effect for ${code(without)}` : 'yes';
  },
  '`files`': () => 'yes',
  '`answer`': () => 'yes',
  '`otherwise`': () => 'mcphooks reads `when`, so it drops no hook',
};

const UNITS = { utf16: 'UTF-16 units', utf8: 'bytes', 'code-points': 'characters' } as const;

/** What the other keys of a declaration are on a client, from its own data. */
const KEYS: Readonly<Record<string, (client: Client) => string>> = {
  '`event`': () => '[its native events](clients.md#how-each-event-is-delivered)',
  '`matcher.tool_name`: a built-in tool': () => '[its tool names](clients.md#tool-names)',
  '`matcher.tool_name`: `mcp__notes__add`': ({ tools }) =>
    code([tools.mcp.name.replace('{alias}', tools.mcp.spell('notes')).replace('{tool}', 'add')]),
  '`matcher.tool_server`: `notes`': ({ tools }) => {
    if (tools.payload.server !== undefined) return `from \`${tools.payload.server}\` in the payload`;
    return namesServers(tools) ? 'from the tool name' : "approximate: from the server's list of tools";
  },
  '`matcher.input_contains`: the field of a shell command': ({ conditions }) =>
    code([...new Set(Object.values(conditions.shell))]),
  '`context`, `context_tool` (with `context_tool_args`): at most': ({ limits }) =>
    limits.perHandler === undefined
      ? 'no limit of its own'
      : `${limits.perHandler.toLocaleString('en')} ${UNITS[limits.unit]} a hook`,
  '`priority`': () => 'a word in the opening line',
};

const tableOf = (cells: Readonly<Record<string, (client: Client) => string>>): string =>
  [
    row(['', 'on each client']),
    row(['---', '---']),
    ...Object.entries(cells).map(([key, cell]) =>
      row([key, onClients(CLIENTS.map((client) => [client.title, cell(client)] as const))]),
    ),
  ].join('\n');

/** What each key of a declaration except `when` is on each client: a table in docs/authors.md. */
export const keysTable = (): string => tableOf(KEYS);

/** What each condition is on each client: another one. */
export const whenTable = (): string => tableOf(CELLS);
