import { clientById } from '../clients/index.ts';
import { oneLine, visible } from '../declarations/visible.ts';
import { type Fault, faultText, noteText } from '../messages.ts';
import type { DiffLine } from './file-diff.ts';
import { changesSince, whenText } from './show.ts';
import type { ClientPlan, Plan } from './types.ts';

/** One server compared. `plan` is absent where it could not be planned. */
export interface Compared {
  server: string;
  /** Exit code of the contract. */
  exit: number;
  plan?: Plan;
  faults: readonly Fault[];
}

/**
 * What `diff` found, in Markdown for a pull request's comment. Nothing that a server or a file says stands outside of
 * code, so that it can neither mention anybody nor link or look like ours. `root`: files are named relative to it.
 */
export function markdown(
  compared: readonly Compared[],
  accept: (server: string) => string,
  root: string,
): string {
  const differ = compared.filter((c) => c.exit !== 0);
  if (compared.length === 0) return '**mcphooks**: nothing is installed.';
  const title =
    differ.length === 0
      ? `**mcphooks**: ${compared.length === 1 ? 'the hooks are' : `the hooks of all ${compared.length} servers are`} as approved.`
      : `**mcphooks**: ${differ.length} of ${compared.length} ${compared.length === 1 ? 'server' : 'servers'} differ${differ.length === 1 ? 's' : ''} from what was approved.`;
  return [title, ...differ.map((c) => serverText(c, accept, root))].join('\n\n');
}

function serverText(
  { server, plan, faults }: Compared,
  accept: (server: string) => string,
  root: string,
): string {
  const short = (path: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  const changes = plan ? changesSince(plan) : [];
  const hooks = plan?.changed.length ? matrix(plan) : [];
  const files = plan ? plan.clients.flatMap((client) => filesOf(client, short)) : [];
  const leftovers = (plan?.leftovers ?? []).map(
    (path) => `- ${code(short(path))} belongs to nothing any more`,
  );
  return [
    `### ${code(server)}`,
    ...faults.map((fault) => fence(faultText(fault), 'text')),
    ...(changes.length > 0 ? [fence(changes.map(diffLine).join('\n'), 'diff')] : []),
    ...(hooks.length > 0 ? [hooks.join('\n')] : []),
    ...(files.length + leftovers.length > 0 ? [[...files, ...leftovers].join('\n')] : []),
    ...(faults.length === 0 ? [`To accept it, run ${code(accept(server))} and commit what it writes.`] : []),
  ].join('\n\n');
}

function diffLine({ sign, text }: DiffLine): string {
  return sign === '@' ? `@@ ${visible(text)} @@` : `${sign}${visible(text)}`;
}

function matrix({ declarations, clients }: Plan): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['hook', ...clients.map((c) => clientById(c.client).title)]),
    row(['---', ...clients.map(() => '---')]),
    ...declarations.map((declaration, i) =>
      row([`${i + 1} ${code(whenText(declaration))}`, ...clients.map(({ cells }) => cellText(cells[i]))]),
    ),
  ];
}

function cellText(cell: ClientPlan['cells'][number] | undefined): string {
  if (!cell) return '';
  const why = cell.fidelity === 'unsupported' ? cell.notes.map((note) => ` ${code(noteText(note))}`) : [];
  return cell.fidelity + why.join('');
}

function filesOf({ drift, entryChanges, file }: ClientPlan, short: (path: string) => string): string[] {
  const changed = entryChanges.filter((e) => e.kind !== 'unchanged');
  return [
    ...drift.map((path) => `- ${code(short(path))} is missing or was altered`),
    ...(changed.length > 0 && file !== undefined
      ? [`- ${code(short(file))}: ${changed.map((e) => `${code(e.event)} ${e.kind}`).join(', ')}`]
      : []),
  ];
}

/** Text of others within a line and a table's cell. */
function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\u2223');
  const ticks = '`'.repeat(longest(line) + 1);
  return longest(line) === 0 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

function fence(text: string, language: string): string {
  const ticks = '`'.repeat(Math.max(3, longest(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Length of the longest run of backticks. */
const longest = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
