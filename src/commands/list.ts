import { clientById } from '../clients/index.ts';
import { CLIENT_IDS, type ClientId } from '../clients/types.ts';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import { clientFindings, distrusted, serverFindings } from '../doctor/installs.ts';
import { unknownFinding } from '../doctor/own.ts';
import { reach } from '../doctor/reach.ts';
import { findingJson, findingText } from '../doctor/text.ts';
import type { Finding } from '../doctor/types.ts';
import type { Fault } from '../messages.ts';
import { readBytes } from '../plan/gather.ts';
import { openRecord, settle } from '../plan/settle.ts';
import type { Site } from '../plan/site.ts';
import { sitesHere } from '../plan/sites.ts';
import type { State } from '../plan/states.ts';
import { stateOf } from '../plan/status.ts';
import { type Surveyed, survey, type Unknown, unknownEntries } from '../plan/survey.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';

export interface ListFlags {
  /** Ask the servers too. */
  check?: boolean;
  /** Wins over `check`. */
  offline?: boolean;
  json?: boolean;
  timeout?: number;
}

/** One server of the list. `clients` holds those for which it is installed. */
interface Row {
  server: string;
  site: Site;
  since?: string;
  clients: { client: ClientId; state: State; since?: string; file: string; findings: Finding[] }[];
  /** What holds on all clients. */
  findings: Finding[];
}

/** `mcphooks list`: servers and clients with the state of each. Reads files only, unless servers are to be asked. */
export async function list(flags: ListFlags, context: Context): Promise<Exit> {
  const here = await sitesHere(context, (site) => settle({ ...context, site }));
  openRecord(context);
  const surface = { env: context.env, cwd: context.cwd, read: readBytes };
  const surveyed = survey(here, surface);
  const faults: Fault[] = here.flatMap(({ site, reading }) =>
    site.shared && reading.damaged ? [reading.damaged] : [],
  );
  if (flags.check && !flags.offline)
    for (const one of surveyed) faults.push(...(await asked(one, flags, context)));
  const rows = [...surveyed.map(rowOf), ...unknownRows(here.flatMap((one) => unknownEntries(one, surface)))];
  faults.push(...surveyed.flatMap((s) => s.clients.flatMap((c) => c.fault ?? [])));
  const exit = worst(faults.map((f): Exit => f.exit));
  if (flags.json) {
    const status = faults.length > 0 ? 'failed' : 'listed';
    const document = { version: 1, command: 'list', status, exit, servers: rows.map(rowJson) };
    context.out(visibleJson({ ...document, faults: faults.map(faultJson) }));
    return exit;
  }
  if (rows.length === 0) context.err('Nothing is installed.');
  else context.out(rowsText(rows, context));
  // A file that a client rejects was said beside its state.
  reportFaults(
    faults.filter((fault) => !surveyed.some((s) => s.clients.some((c) => c.fault === fault))),
    context,
  );
  return exit;
}

async function asked(one: Surveyed, flags: ListFlags, context: Context): Promise<readonly Fault[]> {
  try {
    await reach(one, flags.timeout ?? 30, { ...context, site: one.site });
    return [];
  } catch (error) {
    return faultsOf(error);
  }
}

function rowOf(surveyed: Surveyed): Row {
  const { site, record, clients, disabled, departures } = surveyed;
  return {
    server: record.server,
    site,
    ...(record.since && { since: record.since }),
    clients: clients.map((status) => ({
      client: status.client,
      state: stateOf(status, disabled, departures.length > 0),
      ...(status.since && { since: status.since }),
      file: status.file,
      findings: [...clientFindings(surveyed, status), ...distrusted(surveyed, status)],
    })),
    findings: serverFindings(surveyed),
  };
}

/** What stands in files without a record was never approved. */
function unknownRows(unknown: readonly Unknown[]): Row[] {
  const rows = new Map<string, Row>();
  for (const one of unknown) {
    const { site, slug, client, file } = one;
    const row = rows.get(`${site.scope} ${slug}`) ?? { server: slug, site, clients: [], findings: [] };
    row.clients.push({ client, state: 'changed', file, findings: [unknownFinding(one)] });
    rows.set(`${site.scope} ${slug}`, row);
  }
  return [...rows.values()];
}

const SIGNS: Record<State, [string, 'green' | 'magenta' | 'red' | 'dim']> = {
  current: ['●', 'green'],
  changed: ['±', 'magenta'],
  edited: ['~', 'magenta'],
  missing: ['✕', 'red'],
  untrusted: ['?', 'magenta'],
  disabled: ['–', 'dim'],
};

function rowsText(rows: readonly Row[], context: Context): string {
  const { style } = context;
  const names = rows.map((row) => oneLine(row.server));
  const width = Math.max(8, ...names.map((name) => name.length)) + 2;
  const ids = CLIENT_IDS.filter((id) => rows.some((row) => row.clients.some((c) => c.client === id)));
  const cell = (row: Row, id: ClientId): string => {
    const found = row.clients.find((c) => c.client === id);
    if (!found) return ''.padEnd(14);
    const [sign, colour] = SIGNS[found.state];
    return style(colour, `${sign} ${found.state}`.padEnd(14));
  };
  // Where all is the user's own, there is nothing to tell apart.
  const scoped = rows.some((row) => row.site.scope !== 'user');
  const scopeOf = (text: string): string => (scoped ? text.padEnd(9) : '');
  const findings = rows.flatMap((row) => [...row.findings, ...row.clients.flatMap((c) => c.findings)]);
  return [
    [
      ''.padEnd(width),
      style('bold', scopeOf('scope')),
      ...ids.map((id) => style('bold', clientById(id).title.padEnd(14))),
      'since',
    ].join(''),
    ...rows.map((row, i) =>
      [
        (names[i] ?? '').padEnd(width),
        scopeOf(row.site.scope),
        ...ids.map((id) => cell(row, id)),
        style('dim', (row.since ?? '').slice(0, 10)),
      ]
        .join('')
        .trimEnd(),
    ),
    ...(findings.length > 0 ? [''] : []),
    ...findings.map((finding) => findingText(finding, context)),
  ].join('\n');
}

function rowJson(row: Row): Record<string, unknown> {
  return {
    server: row.server,
    scope: row.site.scope,
    ...(row.site.root !== undefined && { root: row.site.root }),
    ...(row.since !== undefined && { since: row.since }),
    findings: row.findings.map(findingJson),
    clients: row.clients.map(({ findings, ...client }) => ({
      ...client,
      findings: findings.map(findingJson),
    })),
  };
}
