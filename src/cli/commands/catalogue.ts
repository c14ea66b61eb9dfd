import type { Context } from '../../app/context.ts';
import { type Verified, verifyEntry } from '../../app/verify-entry.ts';
import { wrapped } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import { entryText, verifiedText, withdrawnText } from '../../messages/catalogue.ts';
import { Fault } from '../../messages/fault.ts';
import {
  bundledCatalogue,
  type CatalogueEntry,
  entryIds,
  readCatalogueEntry,
} from '../../servers/catalogue/load.ts';
import { commandLineDefinition } from '../../servers/from-command-line.ts';
import { type Exit, exitOf, faultJson, reportFaults, unknownWord } from '../exit.ts';
import type { CommonFlags } from '../flags.ts';
import { printJson } from '../json/print.ts';
import { hookLines } from '../text/plan.ts';

const ACTIONS = ['list', 'show', 'verify'] as const;

/** `mcphooks catalogue list | show <id> | verify [id]`. */
export async function run(
  [action, id, command]: [action: string, id: string | undefined, command: string[]],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const known = ACTIONS.find((one) => one === action);
  if (!known) throw unknownWord(action, 'action', ACTIONS);
  const ids = entryIds(bundledCatalogue());
  const start = command.length > 0 ? '-- <command>' : flags.url === undefined ? undefined : '--url';
  if (start && known !== 'verify') throw new Fault('usage.goes-with', { option: start, needs: 'verify' });
  if (id === undefined && (known === 'show' || start))
    throw new Fault('usage.goes-with', { option: start ?? known, needs: '<id>' });
  if (id !== undefined && !ids.includes(id)) throw unknownWord(id, 'entry', ids);
  const wanted = id === undefined ? ids : [id];
  const entries = wanted.map((one) => readCatalogueEntry(bundledCatalogue(), one));
  if (known === 'verify') return verify(entries, command, flags, context);
  const status = known === 'list' ? 'listed' : 'shown';
  if (flags.json) {
    const all = entries.map((entry) => entryJson(entry, known === 'show'));
    printJson('catalogue', { status, exit: 0, entries: all, faults: [] }, context);
  } else context.out(entries.map((entry) => shown(entry, known === 'show', context)).join('\n\n'));
  return 0;
}

async function verify(
  entries: readonly CatalogueEntry[],
  command: readonly string[],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const given = commandLineDefinition(command, flags.url, []);
  const { yes = false, timeout = 120, allowStart } = flags;
  const request = {
    yes,
    timeout,
    ...(given && { given }),
    ...(allowStart !== undefined && { allowStart }),
  };
  const verified: Verified[] = [];
  for (const entry of entries) {
    const one = await verifyEntry(entry, request, context);
    verified.push(one);
    if (flags.json) continue;
    const { id, against, shown, faults } = one;
    const good = faults.length === 0;
    const sign = context.style(good ? 'green' : 'red', good ? '✓' : '✕');
    context.out(`${sign} ${verifiedText({ id, against, good, ...(shown !== undefined && { shown }) })}`);
    reportFaults(faults, context);
  }
  const faults = verified.flatMap((one) => one.faults);
  const exit = exitOf(faults);
  if (flags.json) {
    const status = exit === 0 ? 'verified' : 'failed';
    const all = verified.map(({ id, against, shown, faults }) => ({
      ...entryJson(entries.find((entry) => entry.id === id) as CatalogueEntry, false),
      against,
      ...(shown !== undefined && { shown }),
      faults: faults.map(faultJson),
    }));
    printJson('catalogue', { status, exit, entries: all, faults: faults.map(faultJson) }, context);
  }
  return exit;
}

function entryJson(entry: CatalogueEntry, whole: boolean) {
  const { id, title, match, version, checked, reviewed, options, withdrawn, hash, tools, declarations } =
    entry;
  return {
    id,
    title,
    match: Object.entries(match).flatMap(([kind, names]) => names.map((name) => `${kind}:${name}`)),
    hooks: declarations.length,
    version,
    checked,
    reviewed,
    hash,
    tools,
    ...(options && { options }),
    ...(withdrawn && { withdrawn }),
    ...(whole && { declarations }),
  };
}

function shown(entry: CatalogueEntry, whole: boolean, context: Context): string {
  const { style, columns } = context;
  const { match, ...about } = entryJson(entry, false);
  const head = `${style('bold', entry.id)}  ${oneLine(entry.title)}`;
  const lines = [match.join(', '), entryText({ ...about, whole })].map((text) =>
    wrapped(oneLine(text), 2, columns),
  );
  const gone = entry.withdrawn
    ? [style('red', wrapped(oneLine(withdrawnText(entry.withdrawn)), 2, columns))]
    : [];
  const hooks = whole
    ? entry.declarations.flatMap((declaration, i) => ['', ...hookLines(declaration, i + 1, context)])
    : [];
  return [head, ...lines, ...gone, ...hooks].join('\n');
}
