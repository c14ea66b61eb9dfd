import type { Context } from '../../app/context.ts';
import { type Scanned, scan } from '../../app/scan.ts';
import { valuesByKey } from '../../base/grouped.ts';
import { hanging } from '../../base/text-style.ts';
import { excerpt, oneLine } from '../../base/visible.ts';
import { titlesOf } from '../../clients/index.ts';
import { faultText } from '../../messages/faults.ts';
import { INSTALLED, NO_SERVERS, nextText, offText, stateText, UNKNOWN_KIND } from '../../messages/scan.ts';
import { type Exit, faultJson, reportFaults } from '../exit.ts';
import { printJson } from '../json/print.ts';

interface ScanFlags {
  /** Asks the servers. */
  check?: boolean;
  json?: boolean;
  timeout?: number;
}

/** `mcphooks scan`: prints the servers of all clients, and which hooks there are for them. */
export async function run(
  _: [],
  { check = false, json, timeout = 30 }: ScanFlags,
  context: Context,
): Promise<Exit> {
  const { servers, off, broken } = await scan({ check, timeout }, context);
  if (json) {
    const faults = broken.map(faultJson);
    printJson('scan', { status: 'scanned', exit: 0, servers: servers.map(scannedJson), faults }, context);
    return 0;
  }
  reportFaults(broken, context);
  if (servers.length === 0 && off.length === 0) context.err(NO_SERVERS);
  if (servers.length > 0) context.out(scanText(servers, context));
  for (const { alias, clients, unset } of off)
    context.err(offText(excerpt(alias), titlesOf(clients).join(', '), unset));
  const failed = valuesByKey(
    servers.flatMap(({ alias, fault }) => (fault ? [[faultText(fault), excerpt(alias)] as const] : [])),
  );
  for (const [text, names] of failed)
    context.err(`${context.errStyle('red', `${names.join(', ')}:`)} ${text}`);
  const first = servers.find(
    ({ state, installed }) => !installed && ['declares', 'package', 'catalogue'].includes(state),
  );
  if (servers.length > 0) for (const line of nextText(first?.alias, check)) context.err(line);
  return 0;
}

const scannedJson = ({ fault, ...scanned }: Scanned) => ({
  ...scanned,
  ...(fault && { fault: faultJson(fault) }),
});

/** Returns a table: name, state, clients and identity of each server. */
function scanText(servers: readonly Scanned[], { style, columns }: Context): string {
  const names = servers.map(({ alias }) => excerpt(alias));
  const states = servers.map((one) => stateText(one));
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const second = Math.max(...states.map((text) => text.length)) + 2;
  const indent = width + second;
  return servers
    .map(({ clients, identity, installed, state, hooks, entry }, i) => {
      const about = [
        titlesOf(clients).join(', '),
        identity.length > 0 ? oneLine(identity.join(', ')) : UNKNOWN_KIND,
        ...(state === 'failed' && hooks !== undefined
          ? [stateText({ state: entry === undefined ? 'package' : 'catalogue', hooks })]
          : []),
        ...(installed ? [INSTALLED] : []),
      ].join(' · ');
      const narrow = columns !== undefined && columns < indent + 30;
      const rest = narrow ? `\n    ${hanging(about, 4, columns)}` : hanging(about, indent, columns);
      const shown = style(
        COLOURS[state] ?? 'dim',
        narrow ? (states[i] ?? '') : (states[i] ?? '').padEnd(second),
      );
      return `${style('bold', (names[i] ?? '').padEnd(width))}${shown}${rest}`;
    })
    .join('\n');
}

const COLOURS: Partial<Record<Scanned['state'], 'green' | 'red'>> = {
  declares: 'green',
  package: 'green',
  catalogue: 'green',
  failed: 'red',
};
