import type { Client } from '../../src/clients/client.ts';
import type { OutcomeRule } from '../../src/clients/conditions.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import type { Outcome } from '../../src/declarations/when.ts';
import { toolNatives } from '../../src/plan/compile/when.ts';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** How a client tells an outcome, and of which tools it doesn't. */
function outcomeCell({ conditions, ...client }: Client, outcome: Outcome): string {
  const other: Outcome = outcome === 'success' ? 'failure' : 'success';
  const natives = toolNatives({ conditions, ...client }).filter(
    (native) => conditions.outcome[native] !== other,
  );
  if (natives.length === 0) return 'unsupported';
  const rules = natives
    .map((native) => conditions.outcome[native])
    .filter((rule) => typeof rule === 'object');
  const untold = rules.flatMap(untoldTools);
  if (outcome === 'failure' && rules.length > 0 && rules.every(({ onlySuccess }) => onlySuccess))
    return `**unsupported**: ${code(natives)} fires for no tool that failed but ${code(untold)}, and does not tell it`;
  const how = rules.length > 0 ? `by the payload of ${code(natives)}` : `by the event ${code(natives)}`;
  return untold.length > 0 ? `${how}; **unsupported** for ${code(untold)}` : how;
}

const untoldTools = ({ signs }: Exclude<OutcomeRule, string>): readonly string[] =>
  signs.flatMap(({ tools, path }) => (path === undefined && tools ? tools : []));

/** What a condition is on a client, from the client's own data. */
const CELLS: Readonly<Record<string, (client: Client) => string>> = {
  '`outcome`: success': (client) => outcomeCell(client, 'success'),
  '`outcome`: failure': (client) => outcomeCell(client, 'failure'),
  '`command`': ({ conditions }) => `of ${code(Object.keys(conditions.shell))}`,
  '`path`': ({ conditions }) => `of ${code(Object.keys(conditions.files))}`,
  '`tools`: `any:search`': ({ conditions }) =>
    [...(conditions.kinds.search.length > 0 ? [code(conditions.kinds.search)] : []), 'shell commands'].join(
      ', ',
    ),
  '`tools`: `any:edit`': ({ conditions }) => code(conditions.kinds.edit),
  '`source`': ({ conditions }) => Object.values(conditions.source.words).join(', '),
  '`unless_called`': (client) => `noted at ${code(toolNatives(client))}`,
  '`cooldown`, `files`': () => 'yes',
  '`answer`': () => 'yes',
};

/** What each condition is on each client: a table of docs/authors.md. */
export function whenTable(): string {
  return [
    row(['', ...CLIENTS.map(({ title }) => title)]),
    row(['---', ...CLIENTS.map(() => '---')]),
    ...Object.entries(CELLS).map(([key, cell]) => row([key, ...CLIENTS.map(cell)])),
  ].join('\n');
}
