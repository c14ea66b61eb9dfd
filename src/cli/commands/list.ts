import { comparing } from '../../app/compare-installed.ts';
import type { Context } from '../../app/context.ts';
import { machineView } from '../../app/disk.ts';
import { openRecord } from '../../app/open-record.ts';
import { recoverInterrupted } from '../../app/write/recover.ts';
import { grouped } from '../../base/grouped.ts';
import { hanging } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import { CLIENT_IDS, type ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { wholeCheckoutFaults } from '../../inspect/checkout/checkout-faults.ts';
import { findingsOnClient, findingsOnServer } from '../../inspect/doctor/one-server.ts';
import { unknownFinding } from '../../inspect/doctor/own.ts';
import type { Finding } from '../../inspect/doctor/types.ts';
import { keptServers } from '../../inspect/doctor/warm-servers.ts';
import { activeScopes, damagedLocks } from '../../inspect/scopes.ts';
import type { MachineView } from '../../inspect/settings.ts';
import { type State, stateOf } from '../../inspect/states.ts';
import { type Surveyed, survey, type Unknown, unknownEntries } from '../../inspect/survey.ts';
import { NOTHING_INSTALLED } from '../../messages/done.ts';
import type { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { type Exit, exitOf, faultJson, reportFaults } from '../exit.ts';
import { findingJson } from '../json/finding.ts';
import { printJson } from '../json/print.ts';
import { findingTexts } from '../text/findings.ts';

interface ListFlags {
  /** Asks the servers too. */
  check?: boolean;
  json?: boolean;
  timeout?: number;
  allowStart?: string[];
}

/** One server of the list. `clients`: the clients with an install. */
interface ListedServer {
  server: string;
  scope: Scope;
  since?: string;
  clients: { client: ClientId; state: State; since?: string; file: string; findings: Finding[] }[];
  /** Findings for all clients. */
  findings: Finding[];
}

/** `mcphooks list`: prints servers and clients with the state of each. Asks servers only with `--check`. */
export async function run(_: [], flags: ListFlags, context: Context): Promise<Exit> {
  const unfinished = await recoverInterrupted(context);
  const here = await activeScopes(context);
  openRecord(context);
  const view = machineView(context);
  const ask = flags.check === true;
  const surveyed = await survey(here, view, comparing({ ask, ...flags }, context));
  const faults = [...damagedLocks(here), ...unfinished, ...surveyed.flatMap((one) => one.faults)];
  faults.push(...here.flatMap((at) => wholeCheckoutFaults(at, view)));
  const rows = [
    ...surveyed.map((one) => rowOf(one, view)),
    ...unknownRows(here.flatMap((one) => unknownEntries(one, view))),
  ];
  faults.push(...surveyed.flatMap((s) => s.clients.flatMap((c) => c.fault ?? [])));
  const exit = exitOf(faults);
  if (flags.json) {
    const status = faults.length > 0 ? 'failed' : 'listed';
    printJson(
      'list',
      { status, exit, servers: rows.map(rowJson), faults: distinct(faults, surveyed).map(faultJson) },
      context,
    );
    return exit;
  }
  if (rows.length > 0) context.out(rowsText(rows, context));
  else if (faults.length === 0) context.err(NOTHING_INSTALLED);
  // Faults of a file that a client rejects are already shown beside the client's state.
  const shown = distinct(faults, surveyed).filter(
    (f) => !surveyed.some((s) => s.clients.some((c) => c.fault === f)),
  );
  for (const fault of shown) reportFaults([fault], context, serverOf(fault, surveyed));
  return exit;
}

/** Each server meets the faults of a file that all need. */
const distinct = (faults: readonly Fault[], of: readonly Surveyed[]): Fault[] => [
  ...new Map(faults.map((fault) => [`${serverOf(fault, of) ?? ''}\n${faultText(fault)}`, fault])).values(),
];

/** Returns the server of a fault that names no file. */
const serverOf = (fault: Fault, surveyed: readonly Surveyed[]): string | undefined =>
  fault.where.file === undefined
    ? surveyed.find(({ faults }) => faults.includes(fault))?.record.server
    : undefined;

function rowOf(surveyed: Surveyed, view: MachineView): ListedServer {
  const { scope, record, clients } = surveyed;
  return {
    server: record.server,
    scope,
    ...(record.since && { since: record.since }),
    clients: clients.map((status) => ({
      client: status.client,
      state: stateOf(surveyed, status),
      ...(status.since && { since: status.since }),
      file: status.file,
      findings: findingsOnClient(surveyed, status),
    })),
    findings: [...findingsOnServer(surveyed, view), ...keptServers(surveyed)],
  };
}

/** Returns rows for entries without a record, which were never approved. */
function unknownRows(unknown: readonly Unknown[]): ListedServer[] {
  const rows = new Map<string, ListedServer>();
  for (const one of unknown) {
    const { scope, slug, server, client, file } = one;
    const row = rows.get(`${scope.name} ${slug}`) ?? { server, scope, clients: [], findings: [] };
    row.clients.push({ client, state: 'changed', file, findings: [unknownFinding(one)] });
    rows.set(`${scope.name} ${slug}`, row);
  }
  return [...rows.values()];
}

/** Columns of a date. */
const DATE = 10;

const SIGNS: Record<State, [string, 'green' | 'magenta' | 'red' | 'dim']> = {
  current: ['●', 'green'],
  changed: ['±', 'magenta'],
  edited: ['~', 'magenta'],
  missing: ['✕', 'red'],
  untrusted: ['?', 'magenta'],
  disabled: ['–', 'dim'],
};

function rowsText(rows: readonly ListedServer[], context: Context): string {
  const { style, columns = 80 } = context;
  const names = rows.map((row) => oneLine(row.server));
  const width = Math.max(8, ...names.map((name) => name.length)) + 2;
  const ids = CLIENT_IDS.filter((id) => rows.some((row) => row.clients.some((c) => c.client === id)));
  const shown = (state: State): string => {
    const [sign, colour] = SIGNS[state];
    return style(colour, `${sign} ${state}`.padEnd(14));
  };
  const cell = (row: ListedServer, id: ClientId): string => {
    const found = row.clients.find((c) => c.client === id);
    return found ? shown(found.state) : ''.padEnd(14);
  };
  // The scope column is shown only when some server isn't at user scope.
  const scoped = rows.some((row) => row.scope.name !== 'user');
  const scopeOf = (text: string): string => (scoped ? text.padEnd(9) : '');
  const since = (row: ListedServer): string => style('dim', (row.since ?? '').slice(0, DATE));
  const findings = rows.flatMap((row) => [...row.findings, ...row.clients.flatMap((c) => c.findings)]);
  const table = (): string[] => [
    [
      ''.padEnd(width),
      style('bold', scopeOf('scope')),
      ...ids.map((id) => style('bold', clientById(id).title.padEnd(14))),
      'since',
    ].join(''),
    ...rows.map((row, i) =>
      [(names[i] ?? '').padEnd(width), scopeOf(row.scope.name), ...ids.map((id) => cell(row, id)), since(row)]
        .join('')
        .trimEnd(),
    ),
  ];
  // Where a column per client is too wide, each state names its clients.
  const groups = (row: ListedServer, i: number): string[] => {
    const head = `${(names[i] ?? '').padEnd(width)}${scopeOf(row.scope.name)}`;
    const states = grouped(row.clients.map((c) => [clientById(c.client).title, shown(c.state)] as const));
    return [
      `${head}${since(row) && `since ${since(row)}`}`.trimEnd(),
      ...states.map(({ text, whom }) => `  ${text}${hanging(`on ${whom}`, 16, columns)}`),
    ];
  };
  const fits = width + scopeOf('').length + 14 * ids.length + DATE <= columns;
  return [
    ...(fits ? table() : rows.flatMap(groups)),
    ...(findings.length > 0 ? [''] : []),
    ...findingTexts(findings, context),
  ].join('\n');
}

function rowJson(row: ListedServer) {
  return {
    server: row.server,
    scope: row.scope.name,
    ...(row.scope.root !== undefined && { root: row.scope.root }),
    ...(row.since !== undefined && { since: row.since }),
    findings: row.findings.map(findingJson),
    clients: row.clients.map(({ findings, ...client }) => ({
      ...client,
      findings: findings.map(findingJson),
    })),
  };
}
