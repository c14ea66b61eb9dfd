import type { Context } from '../../app/context.ts';
import { configuredServers, type Verified, verifyEntry } from '../../app/declarations/verify-entry.ts';
import { once } from '../../base/once.ts';
import { wrapped } from '../../base/text-style.ts';
import { oneLine } from '../../base/visible.ts';
import { projectRoot } from '../../inspect/project-root.ts';
import { entryText, verifiedText, withdrawnText } from '../../messages/catalogue.ts';
import { Fault, faultsThrown, orFault } from '../../messages/fault.ts';
import {
  bundledCatalogue,
  type CatalogueEntry,
  cataloguesFor,
  entryIds,
  readCatalogueEntry,
} from '../../servers/catalogue/load.ts';
import { commandLineDefinition } from '../../servers/definitions/from-command-line.ts';
import { type Exit, exitOf, faultJson, knownWord, reportFaults } from '../exit.ts';
import { type CommonFlags, VERIFY_SECONDS } from '../flags.ts';
import { printJson } from '../json/print.ts';
import { hookLines } from '../text/plan.ts';

const ACTIONS = ['list', 'show', 'verify'] as const;

/** `mcphooks catalogue list | show <id> | verify [id]`. */
export async function run(
  [action, id, command]: [action: string, id: string | undefined, command: string[]],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const known = knownWord(action, 'action', ACTIONS);
  const start = command.length > 0 ? '-- <command>' : flags.url === undefined ? undefined : '--url';
  if (start && known !== 'verify') throw new Fault('usage.goes-with', { option: start, needs: 'verify' });
  if (id === undefined && (known === 'show' || start))
    throw new Fault('usage.goes-with', { option: start ?? known, needs: '<id>' });
  const { entries, unreadable } = entriesHere(id, context);
  if (known === 'verify') return verify(entries, unreadable, command, flags, context);
  const exit = exitOf(unreadable);
  const whole = known === 'show';
  if (flags.json) {
    const status = exit === 0 ? (whole ? 'shown' : 'listed') : 'failed';
    const documents = entries.map((entry) => entryJson(entry, whole));
    printJson('catalogue', { status, exit, entries: documents, faults: unreadable.map(faultJson) }, context);
    return exit;
  }
  reportFaults(unreadable, context);
  if (entries.length > 0) context.out(entries.map((entry) => shown(entry, whole, context)).join('\n\n'));
  return exit;
}

/**
 * Reads the entries of the project's own catalogue and of mcphooks'; `id`: those of this name, since a project's entry
 * hides no other. `unreadable`: why parts can't be read. Throws a Fault when there is no entry `id`.
 */
function entriesHere(
  id: string | undefined,
  { cwd }: Context,
): { entries: CatalogueEntry[]; unreadable: Fault[] } {
  const unreadable: Fault[] = [];
  const found = orFault(() => cataloguesFor(projectRoot(cwd)));
  if (found instanceof Fault) unreadable.push(found);
  const catalogues = found instanceof Fault ? [bundledCatalogue()] : found;
  const all = catalogues.flatMap((catalogue) => entryIds(catalogue).map((name) => ({ catalogue, name })));
  const wanted = all.filter(({ name }) => id === undefined || name === id);
  if (id !== undefined && wanted.length === 0) {
    if (found instanceof Fault) throw found;
    const names = all.map(({ name }) => name);
    knownWord(id, 'entry', names);
  }
  const entries = wanted.flatMap(({ catalogue, name }) => {
    try {
      return [readCatalogueEntry(catalogue, name)];
    } catch (error) {
      unreadable.push(...faultsThrown(error));
      return [];
    }
  });
  return { entries, unreadable };
}

async function verify(
  entries: readonly CatalogueEntry[],
  unreadable: readonly Fault[],
  command: readonly string[],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const given = commandLineDefinition(command, flags.url, []);
  const { yes = false, timeout = VERIFY_SECONDS, allowStart } = flags;
  const request = {
    yes,
    timeout,
    configured: once(() => configuredServers(context)),
    ...(given && { given }),
    ...(allowStart !== undefined && { allowStart }),
  };
  const verified: Verified[] = [];
  for (const entry of entries) {
    const one = await verifyEntry(entry, request, context);
    verified.push(one);
    if (flags.json) continue;
    const { against, shown, faults } = one;
    const good = faults.length === 0;
    const sign = context.style(good ? 'green' : 'red', good ? '✓' : '✕');
    context.out(`${sign} ${verifiedText({ entry, against, good, ...(shown !== undefined && { shown }) })}`);
    reportFaults(faults, context);
  }
  const faults = [...unreadable, ...verified.flatMap((one) => one.faults)];
  if (!flags.json) reportFaults(unreadable, context);
  const exit = exitOf(faults);
  if (flags.json) {
    const status = exit === 0 ? 'verified' : 'failed';
    const all = verified.map(({ entry, against, shown, faults }) => ({
      ...entryJson(entry, false),
      against,
      ...(shown !== undefined && { shown }),
      faults: faults.map(faultJson),
    }));
    printJson('catalogue', { status, exit, entries: all, faults: faults.map(faultJson) }, context);
  }
  return exit;
}

function entryJson(entry: CatalogueEntry, whole: boolean) {
  const { id, title, project, match, version, checked, reviewed, options, withdrawn, hash } = entry;
  const { tools, declarations } = entry;
  return {
    id,
    title,
    ...(project && { project }),
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
  const head = `${style('bold', oneLine(entry.id))}  ${oneLine(entry.title)}`;
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
