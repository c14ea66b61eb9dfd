import { HERE } from '../../base/platform.ts';
import { ranges } from '../../base/ranges.ts';
import { clientById } from '../../clients/index.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { callsTools } from '../../declarations/types.ts';
import type { FaultArgs } from '../../messages/args.ts';
import { noteText } from '../../messages/notes.ts';
import { differenceOn, isAmongAltered } from '../../plan/difference.ts';
import type { Comparison } from '../../plan/install.ts';
import { holds } from '../../plan/relocated.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import type { DefinitionDifference } from '../../plan/types.ts';
import type { Absence } from '../../servers/types.ts';
import { damagedCaches } from '../../shims/code-caches.ts';
import { readFileState } from '../../store/files.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { ClientStatus, EntryStatus } from '../status.ts';
import type { Surveyed } from '../survey.ts';
import type { Check, Finding } from './types.ts';

/** Finds servers that were disabled or differ from what was approved. */
export const approvals: Check = ({ servers }) => servers.flatMap(serverFindings);

/** Finds entries and own files that are missing, altered, or ignored by their client. */
export const installs: Check = ({ servers }) =>
  servers.flatMap((s) =>
    s.clients.flatMap((status) => [
      ...clientFindings(s, withCaches(s, status)),
      ...outdatedElsewhere(s, status),
    ]),
  );

/** Finds files of other folders of a client whose entries an install since then has not updated. */
function outdatedElsewhere({ record, scope }: Surveyed, { client }: ClientStatus): Finding[] {
  const { title, home } = clientById(client);
  const { entries = [], otherFiles = [] } = record.clients[client] ?? {};
  if (home.env === undefined) return [];
  const variable = home.env;
  const latest = canonicalJson(entries);
  return otherFiles
    .filter(
      (other) =>
        canonicalJson(other.entries) !== latest && holds(other.file, record.slug, { read: readFileState }),
    )
    .map(({ file }) => ({
      code: 'doctor.other-folder',
      args: { name: record.server, client: title, variable, ...scopeOf(scope) },
      where: { file },
      server: record.server,
      client,
      ...scopeOf(scope),
    }));
}

/** Adds damaged code caches to the altered files; only here, since comparing them takes as long as all other files. */
const withCaches = ({ record }: Surveyed, status: ClientStatus): ClientStatus => ({
  ...status,
  altered: [...status.altered, ...damagedCaches(Object.keys(record.clients[status.client]?.own ?? {}))],
});

/** Returns the scope of a finding's install; empty for user scope. */
export const scopeOf = ({ name: scope }: Pick<Scope, 'name'>): { scope?: 'project' | 'local' } =>
  scope === 'user' ? {} : { scope };

/**
 * Returns why a client ignores all hooks here. For the user's own hooks, which act in every folder, missing trust is
 * only a remark.
 */
export function passedOver(
  { scope, record }: Pick<Surveyed, 'scope' | 'record'>,
  status: ClientStatus,
): Finding[] {
  const { client, untrusted, hooksOff } = status;
  const about = { server: record.server, client, ...scopeOf(scope) };
  return [
    ...hooksOff.map((why) => ({ ...why, ...about })),
    ...(untrusted
      ? [{ ...untrusted, ...about, ...(scope.name === 'user' && { remark: true as const }) }]
      : []),
  ];
}

/** Returns the findings about one server on all clients. */
export function serverFindings({ scope, record, disabled, comparison }: Surveyed): Finding[] {
  const { changed = [], clientToName } = comparison ?? {};
  const left = changed.flatMap((what) => (what === 'definition' ? [] : [what]));
  return [
    ...(disabled ? [serverFinding('doctor.disabled', scope, record)] : []),
    ...(comparison
      ? [
          ...goneFindings(scope, comparison),
          ...changedDefinitions(scope, comparison),
          ...stoppedHooks(scope, comparison),
          ...lockFindings(scope, comparison),
        ]
      : []),
    ...left.map((what) => naming(clientToName)(serverFinding(`doctor.${what}.changed`, scope, record, what))),
  ];
}

/** Returns why hooks that were approved would not fire any more, where the entries differ for that reason. */
function stoppedHooks(scope: Scope, comparison: Comparison): Finding[] {
  const { previous, clients } = comparison;
  return clients.flatMap((one) => {
    if (!previous || differenceOn(one, comparison) !== 'changed') return [];
    const reasons = new Map<string, number[]>();
    for (const { n, notes } of one.stopped ?? []) {
      const reason = notes.map(noteText).join('; ');
      reasons.set(reason, [...(reasons.get(reason) ?? []), n]);
    }
    return [...reasons].map(([reason, hooks]): Finding => {
      const { args, ...about } = serverFinding('doctor.stops', scope, previous);
      return {
        ...about,
        args: { ...args, reason, hooks: ranges(hooks), n: hooks.length },
        client: one.client,
      };
    });
  });
}

/** Finds a lock file that was edited, or a file of ours that was altered together with its hash in it. */
function lockFindings(scope: Scope, comparison: Comparison): Finding[] {
  const { file } = scope.store;
  if (!comparison.previous || !isAmongAltered(file, comparison)) return [];
  return [{ ...serverFinding('doctor.lock-altered', scope, comparison.previous), where: { file } }];
}

/** Returns findings for approved sources that no longer exist. */
export function goneFindings(
  scope: Scope,
  comparison: Pick<Comparison, 'previous' | 'gone' | 'renamed' | 'clients'>,
): Finding[] {
  const { previous, gone } = comparison;
  if (!previous) return [];
  return gone.flatMap((what) =>
    what === 'definition'
      ? definitionFindings('gone', scope, comparison).map(renaming(comparison))
      : [serverFinding(`doctor.${what}.gone`, scope, previous, what)],
  );
}

/** Adds the name that the definition has now, and the file of declarations that an install under that name needs. */
const renaming =
  ({ previous, renamed }: Pick<Comparison, 'previous' | 'renamed'>) =>
  (finding: Finding): Finding => {
    if (!renamed) return finding;
    const { to, isInstalled, mayDiffer } = renamed;
    const file = previous?.from.kind === 'file' ? previous.from.file : undefined;
    const more = {
      ...(isInstalled && { isInstalled: 1 }),
      ...(mayDiffer && { mayDiffer: 1 }),
      ...(file !== undefined && { declarations: file }),
    };
    return { ...finding, args: { ...finding.args, renamed: to, ...more } };
  };

function changedDefinitions(scope: Scope, comparison: Comparison): Finding[] {
  const { previous, changed, clientToName } = comparison;
  const found = definitionFindings('changed', scope, comparison);
  const all =
    found.length > 0 || !previous || !changed.includes('definition')
      ? found
      : [serverFinding('doctor.definition.changed', scope, previous, 'definition')];
  return all.map(naming(clientToName));
}

/** Adds the client that an install must name. */
const naming =
  (from: Comparison['clientToName']) =>
  (finding: Finding): Finding =>
    from === undefined ? finding : { ...finding, args: { ...finding.args, from } };

/** Said once where it holds for all clients that have the hooks, else for each of them. */
function definitionFindings(
  is: DefinitionDifference['is'],
  scope: Scope,
  { previous, clients }: Pick<Comparison, 'previous' | 'clients'>,
): Finding[] {
  if (!previous) return [];
  const code = `doctor.definition.${is}` as const;
  const differing = clients.filter(({ definition, fault }) => !fault && definition?.is === is);
  const places = new Set(differing.map(({ definition }) => definition?.file));
  if (differing.length > 1 && differing.length === clients.length && places.size === 1)
    return [serverFinding(code, scope, previous, 'definition', differing[0]?.definition?.absent)];
  return differing.map(({ client, definition }) => {
    const { file, instead, absent, of } = definition ?? {};
    const { args, where, ...about } = serverFinding(code, scope, previous, undefined, absent);
    return {
      ...about,
      args: {
        ...args,
        ...(of && { of: clientById(of).title }),
        ...(instead && { instead: clientById(instead).title }),
      },
      where: { ...where, ...(file !== undefined && { file }) },
      client,
    };
  });
}

function serverFinding(
  code: Finding['code'],
  scope: Scope,
  { server, declarations, definition, from }: ServerRecord,
  about?: 'definition' | 'declarations' | 'options',
  absent?: Absence,
): Finding {
  const calls = callsTools(declarations) ? 1 : 0;
  const file =
    about === 'definition'
      ? definition?.source.file
      : about === 'declarations' && from.kind === 'file'
        ? from.file
        : undefined;
  const where = file === undefined ? {} : { file };
  const args = { name: server, calls, ...(absent && { absent }), ...scopeOf(scope) };
  return { code, args, where, server, ...scopeOf(scope) };
}

/** Returns the findings about one server on one client. */
export function clientFindings(
  { scope, record }: Pick<Surveyed, 'scope' | 'record'>,
  status: ClientStatus,
): Finding[] {
  const { server } = record;
  const { title, program, gates, home, hooks } = clientById(status.client);
  const about = { server, client: status.client, ...scopeOf(scope) };
  const { fault, entries, file } = status;
  if (fault) return [{ code: fault.code, args: fault.args, where: fault.where, ...about }];
  const some = (
    code: Finding['code'],
    which: (entry: EntryStatus) => boolean,
    where: (first: EntryStatus) => Finding['where'] = () => ({ file }),
  ): Finding[] => {
    const found = entries.filter(which);
    const [first] = found;
    const args = {
      name: server,
      client: title,
      binary: program.binary,
      screen: gates.review?.screen ?? gates.offList?.screen ?? '',
      n: found.length,
      all: entries.length,
      ...scopeOf(scope),
    };
    return first
      ? [{ code, args: { ...args, names: found.map((e) => e.key) }, where: where(first), ...about }]
      : [];
  };
  const one = (code: Finding['code'], args: FaultArgs, at: string): Finding[] => [
    { code, args: { name: server, ...args, ...scopeOf(scope) }, where: { file: at }, ...about },
  ];
  const own = (code: Finding['code'], paths: readonly string[]): Finding[] =>
    paths[0] === undefined ? [] : one(code, { n: paths.length }, paths[0]);
  const at = ({ line }: EntryStatus): Finding['where'] => ({ file, ...(line && { line }) });
  return [
    ...(status.reads === undefined
      ? some('doctor.missing', (e) => e.standing === 'missing')
      : one('doctor.file-unread', { client: title, reads: status.reads, variable: home.env ?? '' }, file)),
    ...(status.outside === undefined ? [] : one('doctor.other-data', {}, status.outside)),
    ...some('doctor.edited', (e) => e.standing === 'edited', at),
    // Most clients run equal hooks once.
    ...some('doctor.repeated', (e) => e.repeated === true, at).map((one) => ({
      ...one,
      remark: true as const,
    })),
    ...own('doctor.own-gone', status.missing),
    ...own('doctor.own-altered', status.altered),
    ...(status.off
      ? [
          {
            code: 'doctor.plugin-off' as const,
            args: { client: title, undo: status.off.undo },
            where: { file: status.off.file },
            ...about,
          },
        ]
      : []),
    ...some(
      'doctor.off-here',
      (e) => e.offIn !== undefined,
      (e) => ({ file: e.offIn ?? file }),
    ),
    ...some('doctor.untrusted', (e) => e.review === 'untrusted'),
    ...some('doctor.modified', (e) => e.review === 'modified', at),
    ...(HERE.windows && scope.name === 'project' && hooks.windows.project !== 'fires'
      ? [
          {
            code: 'doctor.project-windows' as const,
            args: { client: title, starts: hooks.windows.project },
            where: { file },
            remark: true as const,
            ...about,
          },
        ]
      : []),
  ];
}
