import { grouped } from '../../base/grouped.ts';
import { hanging, type Style, widthOf } from '../../base/text-style.ts';
import { clientById } from '../../clients/index.ts';
import type { Declaration } from '../../declarations/types.ts';
import { PROVED } from '../../messages/notes.ts';
import type { ClientPlan, HookOutcome } from '../../plan/types.ts';

/** Outcomes of declarations on clients. */
export interface HookMatrix {
  declarations: readonly Declaration[];
  clients: readonly Pick<ClientPlan, 'client' | 'cells' | 'covered'>[];
}

const SYMBOLS: Record<HookOutcome['fidelity'], string> = {
  native: '●',
  late: '◑',
  deferred: '◔',
  unsupported: '✕',
  skipped: '–',
};

const COLOURS = {
  native: 'green',
  late: 'magenta',
  deferred: 'magenta',
  unsupported: 'red',
  skipped: 'dim',
} as const;

/** Returns a fidelity with its symbol. */
export function fidelityText(fidelity: HookOutcome['fidelity'], style: Style): string {
  return style(COLOURS[fidelity], `${SYMBOLS[fidelity]} ${fidelity}`);
}

/** Where the name of an event ends, and how wide a client's column is at least. */
const LABEL = 21;
const COLUMN = 15;
/** Width with which the clients of a fidelity still get a column of their own. */
const LEAST = 20;

/** A row of the matrix: its label, and a text per client. */
interface MatrixRow {
  label: string;
  cells: string[];
}

/**
 * Returns hooks by clients with their fidelity, and how that was tested: a table with a column per client, or, where
 * `columns` are too few, the clients of each fidelity.
 */
export function matrixLines(outcome: HookMatrix, style: Style, columns = 80): string[] {
  const titles = outcome.clients.map(({ client }) => clientById(client).title);
  const rows = matrixRows(outcome, style);
  const widths = titles.map((title, i) =>
    Math.max(COLUMN, ...[title, ...rows.map(({ cells }) => cells[i] ?? '')].map((text) => widthOf(text) + 2)),
  );
  const last = widths.pop() ?? 0;
  if (widths.reduce((sum, width) => sum + width, LABEL) + last - 2 > columns)
    return rows.flatMap((row) => groupLines(row, titles, columns));
  const line = (label: string, cells: readonly string[]): string =>
    cells
      .reduce((text, cell, i) => text + cell + blanks((widths[i] ?? 0) - widthOf(cell)), label.padEnd(LABEL))
      .trimEnd();
  return [style('bold', line('', titles)), ...rows.map(({ label, cells }) => line(label, cells))];
}

const blanks = (n: number): string => ' '.repeat(Math.max(0, n));

function matrixRows({ declarations, clients }: HookMatrix, style: Style): MatrixRow[] {
  const hooks = declarations.map(({ event }, i) => ({
    label: `${String(i + 1).padStart(3)}  ${event}`,
    cells: clients.map(({ cells, covered }) => {
      const fidelity = cells[i]?.fidelity;
      if (covered) return style('dim', covered.lacks?.includes(i + 1) ? '– left out' : '– covered');
      return fidelity ? fidelityText(fidelity, style) : '';
    }),
  }));
  const proved = clients.map(({ client }) => style('dim', PROVED[clientById(client).proved.how]));
  return [...hooks, { label: '     tested', cells: proved }];
}

/** Returns a line per text of a row, with the clients that have the text. */
function groupLines({ label, cells }: MatrixRow, titles: readonly string[], columns: number): string[] {
  const groups = grouped(titles.map((title, i) => [title, cells[i] ?? ''] as const));
  return groups.map(({ text, whom }, i) => {
    const start = (i === 0 ? label : '').padEnd(LABEL);
    if (columns < LABEL + COLUMN + LEAST) return start + hanging(`${text} on ${whom}`, LABEL, columns);
    const head = `${start}${text}${blanks(COLUMN - widthOf(text))}`;
    return head + hanging(`on ${whom}`, widthOf(head), columns);
  });
}
