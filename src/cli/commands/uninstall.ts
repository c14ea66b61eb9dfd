import type { Context } from '../../app/context.ts';
import { notInstalled } from '../../app/not-installed.ts';
import { nothingInstalled } from '../../app/nothing-installed.ts';
import { openRecord, recordedServer } from '../../app/open-record.ts';
import { type Removed, uninstallServers } from '../../app/uninstall/uninstall-servers.ts';
import { unrecorded } from '../../app/uninstall/unrecorded.ts';
import { valuesByKey } from '../../base/grouped.ts';
import { listed } from '../../base/listed.ts';
import { homeFolder } from '../../base/paths.ts';
import { slugFor } from '../../base/slug.ts';
import type { ClientId } from '../../clients/client.ts';
import { CLIENTS, titlesOf } from '../../clients/index.ts';
import { approvalsForgotten, ENTRIES_LEFT, idle, noneFor, notFor } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { serversIn } from '../../plan/scopes/scope.ts';
import { type Exit, faultJson, inTheWay, reportFaults, worst } from '../exit.ts';
import { printJson } from '../json/print.ts';
import { removalText } from '../text/plan.ts';

interface UninstallFlags {
  all?: boolean;
  client?: readonly ClientId[];
  dryRun?: boolean;
  edited?: boolean;
  json?: boolean;
}

/** `mcphooks uninstall`: first deletes the hook scripts, then removes our entries from the clients' files. */
export async function run(
  [server]: [server: string | undefined],
  flags: UninstallFlags,
  context: Context,
): Promise<Exit> {
  if (server === undefined && !flags.all) throw new Fault('usage.no-server', { verb: 'uninstall', all: 1 });
  if (server !== undefined && flags.all)
    throw new Fault('usage.exclusive', { one: 'server', other: '--all' });
  const choices = {
    dryRun: flags.dryRun ?? false,
    evenEdited: flags.edited ?? false,
    only: flags.client ?? [],
  };
  const { removals, faults, names, onlyApproved } = await uninstallServers(
    {
      evenEdited: choices.evenEdited,
      server,
      ...(flags.client && { clients: flags.client }),
      mayAsk: !flags.dryRun && !flags.json,
    },
    context,
  );
  const named = removals.map((removal) => ({
    removal,
    name: names.get(removal.slug) ?? onlyApproved.get(removal.slug) ?? server,
  }));
  const changed = removals.some((r) => r.own.length > 0 || r.changes.length > 0 || r.forgets);
  const exit = worst([...faults.map((f) => inTheWay(f.exit)), flags.dryRun && changed ? 2 : 0]);
  if (flags.json) {
    const status =
      faults.length > 0 ? 'failed' : !changed ? 'unchanged' : flags.dryRun ? 'planned' : 'uninstalled';
    const shown = named.map(({ removal, name }) => removalJson(removal, name));
    printJson('uninstall', { status, exit, removals: shown, faults: faults.map(faultJson) }, context);
    return exit;
  }
  const last = new Map(removals.flatMap(({ clients }) => clients.map(({ file, after }) => [file, after])));
  const told = named.map(({ removal, name = removal.slug }) => ({ removal, name }));
  for (const { removal, name } of choices.evenEdited ? told : withPlainAsOne(told)) {
    const text = textOfRemoval(removal, name, { onlyApproved, last, ...choices }, context);
    if (text !== undefined) context.out(text);
  }
  const keeps = removals.some((r) => r.clients.some((c) => c.kept.length > 0));
  if (!changed && !keeps && faults.length === 0)
    context.err(
      server === undefined
        ? await nothingText(flags.client, context)
        : await absentText(server, flags.client, context),
    );
  reportFaults(faults, context);
  return exit;
}

interface NamedRemoval {
  removal: Removed;
  /** The server's name, or those of several. */
  name: string;
}

/** True for a removal of which nothing is told but how much goes from which file. */
const isPlain = ({ removal: { own, clients, notRemoved } }: NamedRemoval): boolean =>
  own.length + clients.length > 0 &&
  notRemoved.length === 0 &&
  clients.every(
    (c) => c.kept.length === 0 && !(c.fault || c.otherCommands || c.unrecorded || c.offNamesRemoved),
  );

/** Returns removals with the plain ones as one, in which each file has the entries of all servers. */
function withPlainAsOne(all: readonly NamedRemoval[]): readonly NamedRemoval[] {
  const plain = all.filter(isPlain);
  const [first, second] = plain;
  if (!first || !second) return all;
  const removals = plain.map(({ removal }) => removal);
  const byFile = valuesByKey(
    removals.flatMap(({ clients }) => clients.map((c) => [`${c.client} ${c.file}`, c] as const)),
  );
  const inAnyOrder = [...byFile.values()].map((of) =>
    of.reduce((one, next) => ({
      ...next,
      before: one.before,
      entryChanges: [...one.entryChanges, ...next.entryChanges],
    })),
  );
  const clients = CLIENTS.flatMap(({ id }) => inAnyOrder.filter(({ client }) => client === id));
  const removal = { ...first.removal, clients, own: removals.flatMap(({ own }) => own) };
  return [
    { removal, name: listed([...new Set(plain.map(({ name }) => name))]) },
    ...all.filter((one) => !plain.includes(one)),
  ];
}

interface Shown {
  /** Names of servers of which only approvals are removed, by slug. */
  onlyApproved: ReadonlyMap<string, string>;
  /** The clients' files after all removals. */
  last: ReadonlyMap<string, string | null>;
  dryRun: boolean;
  evenEdited: boolean;
  only: readonly ClientId[];
}

/** Returns what is said of one server's removal; undefined where nothing of it is there. */
function textOfRemoval(
  removal: Removed,
  name: string,
  { onlyApproved, ...choices }: Shown,
  { env, scope, style, columns }: Context,
): string | undefined {
  const { slug, own, clients, changes, forgets } = removal;
  if (forgets && clients.length === 0) return approvalsForgotten(name, true, choices.dryRun);
  if (own.length + clients.length + changes.length === 0) return undefined;
  const approved = own.length + clients.length === 0 ? onlyApproved.get(slug) : undefined;
  if (approved !== undefined) return approvalsForgotten(approved, false, choices.dryRun);
  return removalText(removal, name, {
    home: homeFolder(env),
    ...(scope.root !== undefined && { root: scope.root }),
    style,
    ...(columns !== undefined && { columns }),
    ...choices,
  });
}

/** Returns that nothing is installed, what stayed of hooks without a record, and where else there are some. */
async function nothingText(clients: readonly ClientId[] | undefined, context: Context): Promise<string> {
  const reading = openRecord(context);
  if (unrecorded(context, reading, true).length > 0) return ENTRIES_LEFT;
  if (clients && serversIn(context.scope, reading.record).length > 0) return idle(noneFor(titlesOf(clients)));
  return nothingInstalled('uninstall --all', context);
}

async function absentText(
  server: string,
  clients: readonly ClientId[] | undefined,
  context: Context,
): Promise<string> {
  if (clients && recordedServer(slugFor(server), context)) return notFor(server, titlesOf(clients));
  const fault = await notInstalled(server, context, { command: 'uninstall' });
  const [what, fix = ''] = faultText(fault).split(/\n */);
  return `${idle(what ?? '')}${fault.args.elsewhere || fault.args.near ? ` ${fix}` : ''}`;
}

function removalJson(removal: Removed, server: string | undefined) {
  return {
    ...(server !== undefined && { server }),
    slug: removal.slug,
    ...(removal.forgets && { forgets: ['approvals' as const] }),
    clients: removal.clients.map((c) => ({
      client: c.client,
      file: c.file,
      entries: c.entryChanges,
      kept: c.kept,
      ...(c.otherCommands && { otherCommands: c.otherCommands }),
      ...(c.fault && { fault: faultJson(c.fault) }),
    })),
    files: [...removal.own, ...removal.changes],
  };
}
