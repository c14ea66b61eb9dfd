import { CLIENTS, clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import { type Declaration, TEMPLATE_VARIABLES } from '../declarations/types.ts';
import { oneLine, visible } from '../declarations/visible.ts';
import { faultText, noteText, stepText } from '../messages.ts';
import { barred, type Style } from '../style.ts';
import { declarationsDiff } from './declarations-diff.ts';
import { clientDiff, type DiffLine } from './file-diff.ts';
import { chosenOptions } from './options.ts';
import type { Cell, ClientPlan, Plan } from './types.ts';
import type { Removal } from './uninstall.ts';

/** What a plan's reader needs besides the plan itself. */
export interface Surroundings {
  /** How the server is run or reached, in one line, secrets masked. */
  shown?: string;
  /** `stdio` servers are started anew by each shim. */
  startedPerFire?: boolean;
  /** Where tools are called, when not on this machine. */
  host?: string | undefined;
  /** Where the declarations were found. */
  place: string;
  home: string;
  style: Style;
  /** Width of the terminal, when it is one. */
  columns?: number;
  verbose?: boolean;
}

const SYMBOLS: Record<Cell['fidelity'], string> = {
  native: '●',
  late: '◑',
  deferred: '◔',
  unsupported: '✕',
  skipped: '–',
};

const COLOURS = {
  native: 'green',
  late: 'yellow',
  deferred: 'yellow',
  unsupported: 'red',
  skipped: 'gray',
} as const;

const WHEN: Record<Declaration['event'], string> = {
  session_start: 'when a session starts',
  pre_request: 'at each prompt',
  pre_tool_use: 'before',
  post_tool_use: 'after',
  post_request: 'when a turn has ended',
  session_end: 'when a session has ended',
};

/** A plan as text for a terminal or a log: server, hooks, matrix, files, next steps. */
export function planText(plan: Plan, around: Surroundings): string {
  return [
    ...header(plan, around),
    '',
    ...sinceApproval(plan, around.style),
    ...hooksText(plan, around),
    ...files(plan, around),
    ...nextLines(plan.clients, around.style),
  ].join('\n');
}

/** Every text, tool and remark, and how each comes out. */
export function hooksText(plan: Pick<Plan, 'declarations' | 'clients'>, around: Surroundings): string[] {
  return [
    ...plan.declarations.flatMap((d, i) => hookLines(d, i + 1, around)),
    ...matrixLines(plan, around.style),
    ...remarkLines(plan),
    '',
  ];
}

export function header(
  plan: Pick<Plan, 'server' | 'declarations' | 'changed' | 'disabled'>,
  { shown, startedPerFire, place, style }: Surroundings,
): string[] {
  const count = plan.declarations.length;
  const calls = plan.declarations.some((d) => d.context_tool !== undefined);
  const lines = [`${style('bold', oneLine(plan.server))}  ${countOf(count, 'hook')} from ${oneLine(place)}`];
  if (plan.disabled)
    lines.push(
      `  ${style('yellow', `Disabled: its hooks stay silent until 'mcphooks enable ${oneLine(plan.server)}'`)}`,
    );
  if (shown) lines.push(`  server: ${oneLine(shown)}`);
  if (shown && calls && startedPerFire)
    lines.push(
      '  Each time a hook calls a tool, this server is started once more, beside the one that the client runs.',
    );
  if (plan.changed.length > 0)
    lines.push(`  ${style('yellow', `Changed since it was approved: ${plan.changed.join(', ')}`)}`);
  return lines;
}

/** What was approved, beside what there is now. */
function sinceApproval(plan: Plan, style: Style): string[] {
  const { previous, changed } = plan;
  if (!previous || changed.length === 0) return [];
  const now = plan.record.servers.find((s) => s.slug === plan.slug);
  const sides = (a: string, b: string): DiffLine[] => [
    { sign: '-', text: a },
    { sign: '+', text: b },
  ];
  const shown = (server: typeof now): string => server?.definition?.shown ?? 'not reached at all';
  const lines = [
    ...(changed.includes('definition')
      ? [{ sign: '@' as const, text: 'server' }, ...sides(shown(previous), shown(now))]
      : []),
    ...(changed.includes('options')
      ? [
          { sign: '@' as const, text: 'options' },
          ...sides(
            JSON.stringify(chosenOptions(previous.options)),
            JSON.stringify(chosenOptions(plan.options)),
          ),
        ]
      : []),
    ...declarationsDiff(previous.declarations, plan.declarations),
  ];
  return [...lines.map((l) => diffLine(l, style)), ''];
}

/** One declaration: when, on what, how strongly; below it the whole text, or the tool with what it is sent. */
export function hookLines(
  declaration: Declaration,
  n: number,
  around: Pick<Surroundings, 'style' | 'shown' | 'host' | 'columns'>,
): string[] {
  const { style } = around;
  const title = `${String(n).padStart(3)}  ${oneLine(whenText(declaration))}  ${style('dim', declaration.priority)}`;
  if (declaration.context !== undefined) {
    const text = visible(declaration.context);
    return [
      title,
      ...barred(text, style, around.columns),
      `     ${style('dim', countOf([...declaration.context].length, 'character'))}`,
      '',
    ];
  }
  const args = JSON.stringify(declaration.context_tool_args ?? {});
  const data = TEMPLATE_VARIABLES.map((name) => `{${name}}`).filter((name) => args.includes(name));
  const toolData = data.filter((name) => /tool_(?:input|output)/.test(name));
  const to = around.host === undefined ? 'its process on this machine' : oneLine(around.host);
  return [
    title,
    `     ${style('dim', '→')} the answer of its tool ${style('bold', oneLine(declaration.context_tool ?? ''))} to ${oneLine(args)}`,
    `     ${style('dim', `called at ${to}, sent ${data.length > 0 ? data.join(', ') : 'nothing of the session'}; what it answers can't be shown or pinned beforehand`)}`,
    ...(toolData.length > 0
      ? [
          `     ${style('yellow', `sends ${toolData.join(' and ')}: what tools are given and answer goes to this server`)}`,
        ]
      : []),
    '',
  ];
}

/** A declaration's moment in words, e.g. `after Bash whose input has "git commit"`. */
export function whenText({ event, matcher }: Declaration): string {
  const when = WHEN[event];
  if (event !== 'pre_tool_use' && event !== 'post_tool_use') return when;
  const tool = matcher?.tool_name ?? 'every tool';
  const of = matcher?.tool_server === undefined ? '' : ` of ${matcher.tool_server}`;
  const input =
    matcher?.input_contains === undefined
      ? ''
      : ` with ${JSON.stringify(matcher.input_contains)} in its input`;
  return `${when} ${tool}${of}${input}`;
}

/** A fidelity with its symbol. */
export function fidelityText(fidelity: Cell['fidelity'], style: Style): string {
  return style(COLOURS[fidelity], `${SYMBOLS[fidelity]} ${fidelity}`);
}

/** How declarations come out on clients. */
export interface Outcome {
  declarations: readonly Declaration[];
  clients: readonly Pick<ClientPlan, 'client' | 'cells'>[];
}

/** Hooks by clients, each cell its fidelity. */
export function matrixLines({ declarations, clients }: Outcome, style: Style): string[] {
  const label = (n: number, event: string): string => `${String(n).padStart(3)}  ${event}`.padEnd(21);
  const title = (id: ClientId): string => clientById(id).title.padEnd(15);
  const cell = (c: Cell | undefined): string =>
    c ? style(COLOURS[c.fidelity], `${SYMBOLS[c.fidelity]} ${c.fidelity}`.padEnd(15)) : '';
  return [
    `${''.padEnd(21)}${clients.map((c) => style('bold', title(c.client))).join('')}`.trimEnd(),
    ...declarations.map((d, i) =>
      `${label(i + 1, d.event)}${clients.map((c) => cell(c.cells[i])).join('')}`.trimEnd(),
    ),
  ];
}

/** Every lower fidelity, refusal and flag in one line, said once for all clients that it holds for. */
export function remarkLines({ clients: all }: Outcome): string[] {
  const seen = new Map<string, { numbers: Set<number>; clients: Set<ClientId> }>();
  for (const { client, cells } of all) {
    for (const cell of cells)
      for (const note of cell.notes) {
        const text = noteText(note);
        const at = seen.get(text) ?? { numbers: new Set(), clients: new Set() };
        at.numbers.add(cell.n);
        at.clients.add(client);
        seen.set(text, at);
      }
  }
  const lines = [...seen].map(([text, { numbers, clients }]) => {
    const where =
      clients.size === all.length ? '' : ` on ${[...clients].map((c) => clientById(c).title).join(' and ')}`;
    return `  ${[...numbers].join(', ')}${where}: ${text}`;
  });
  return lines.length > 0 ? ['', ...lines] : [];
}

function files(plan: Plan, around: Surroundings): string[] {
  const { style, home } = around;
  const short = (path: string): string => shortPath(path, home);
  const lines: string[] = [];
  for (const client of plan.clients) {
    const title = clientById(client.client).title;
    if (client.fault) {
      lines.push(`${style('red', '!')} ${title}`, indent(faultText(client.fault), '    '));
      continue;
    }
    for (const note of client.notes) lines.push(`  ${title}: ${noteText(note)}`);
    if (client.drift.length > 0)
      lines.push(`~ ${title}: missing or altered: ${client.drift.map(short).join(', ')}`);
    for (const change of client.entryChanges.filter((c) => c.kind === 'kept-edited'))
      lines.push(`~ ${title}: the entry for ${change.event} was edited by hand and stays as it is`);
    if (client.before === client.after || !client.file) continue;
    const sign = client.before === null ? 'new ' : '';
    lines.push(style('bold', `${title}  ${sign}${short(client.file)}`));
    lines.push(...clientDiff(plan, client).map((l) => diffLine(l, style)), '');
  }
  const own = plan.changes.filter((c) => !plan.clients.some((client) => client.file === c.path));
  if (own.length > 0) {
    const folder = own[0]?.path.replace(/\/mcphooks\/.*$/, '/mcphooks') ?? '';
    lines.push(
      `${countOf(own.length, 'own file')} (shims, their data, runtime, record) in ${short(folder)} and the state folder`,
    );
    if (around.verbose) lines.push(...own.map((c) => `  ${c.before ? '~' : '+'} ${short(c.path)}`));
  }
  return lines.length > 0 ? lines : ['No file changes.'];
}

/** What an uninstall takes out, as text. */
export function removalText(
  removal: Removal,
  around: { home: string; style: Style; dryRun: boolean },
): string {
  const { home, style, dryRun } = around;
  const lines = [style('bold', `Hooks of ${oneLine(removal.slug)} ${dryRun ? 'would be ' : ''}removed`)];
  for (const client of removal.clients) {
    const edited = client.entryChanges.filter((c) => c.kind === 'kept-edited').map((c) => c.event);
    const gone = client.entryChanges.filter((c) => c.kind === 'removed').length;
    const what =
      client.after === null
        ? 'file removed, as there was none before'
        : `${gone} ${gone === 1 ? 'entry' : 'entries'} out`;
    const state = client.fault ? 'not changed' : what;
    lines.push(`  ${clientById(client.client).title}  ${shortPath(client.file, home)}  ${state}`);
    if (client.unlisted) lines.push('    no longer in its list of hooks that are switched off');
    if (edited.length > 0)
      lines.push(
        `    kept, since they were edited by hand: ${edited.join(', ')} (they do nothing without their shim)`,
      );
  }
  return lines.join('\n');
}

function countOf(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

function shortPath(path: string, home: string): string {
  return oneLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

function diffLine(line: DiffLine, style: Style): string {
  const text = `  ${line.sign} ${visible(line.text)}`;
  if (line.sign === '+') return style('green', text);
  if (line.sign === '-') return style('red', text);
  return style(line.sign === '@' ? 'cyan' : 'dim', text);
}

export function nextLines(clients: readonly Pick<ClientPlan, 'nextSteps'>[], style: Style): string[] {
  const steps = [...new Set(clients.flatMap((c) => c.nextSteps))];
  return steps.length > 0 ? ['', style('bold', 'Next'), ...steps.map((s) => `  ${stepText(s)}`)] : [];
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}

/** Titles of clients for messages. */
export function clientTitles(ids: readonly ClientId[]): string {
  return CLIENTS.filter((c) => ids.includes(c.id))
    .map((c) => c.title)
    .join(', ');
}
