import { HERE } from '../../base/platform.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import type { FaultArgs } from '../../messages/args.ts';
import { holds } from '../../plan/relocated.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import { folderOfServer } from '../../plan/uninstall/own-removals.ts';
import { damagedCaches } from '../../shims/code-caches.ts';
import { readFileState } from '../../store/files.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { ClientStatus, EntryStatus } from '../status.ts';
import type { Surveyed } from '../survey.ts';
import type { Check, Finding } from './types.ts';

/** Finds entries and own files that are missing, altered, or ignored by their client. */
export const installs: Check = ({ servers }) =>
  servers.flatMap((s) =>
    s.clients.flatMap((status) => [
      ...installFindings(s, withCaches(s, status)),
      ...outdatedElsewhere(s, status),
    ]),
  );

/** Finds files of other folders of a client whose entries an install since then has not updated. */
function outdatedElsewhere({ record, scope }: Surveyed, { client }: ClientStatus): Finding[] {
  const { title, home } = clientById(client);
  const { entries = [], otherFiles = [] } = record.clients[client] ?? {};
  if (home.env === undefined) return [];
  const args = { client: title, variable: home.env };
  const latest = canonicalJson(entries);
  return otherFiles
    .filter(
      (other) =>
        canonicalJson(other.entries) !== latest && holds(other.file, record.slug, { read: readFileState }),
    )
    .map(({ file }) => aboutInstall('doctor.other-folder', scope, record, args, { where: { file }, client }));
}

/** Adds damaged code caches to the altered files; only here, since comparing them takes as long as all other files. */
const withCaches = ({ record }: Surveyed, status: ClientStatus): ClientStatus => ({
  ...status,
  altered: [...status.altered, ...damagedCaches(Object.keys(record.clients[status.client]?.own ?? {}))],
});

/** Returns the scope of a finding's install; empty for user scope. */
export const scopeOf = ({ name: scope }: Pick<Scope, 'name'>): { scope?: 'project' | 'local' } =>
  scope === 'user' ? {} : { scope };

/** Returns a finding about an install. `args` get the server's name and its scope, for the commands in its words. */
export const aboutInstall = (
  code: Finding['code'],
  scope: Pick<Scope, 'name'>,
  { server }: Pick<ServerRecord, 'server'>,
  args: FaultArgs = {},
  more: Partial<Pick<Finding, 'where' | 'client' | 'remark'>> = {},
): Finding => ({
  code,
  args: { name: server, ...args, ...scopeOf(scope) },
  where: {},
  server,
  ...scopeOf(scope),
  ...more,
});

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

/** True when only a client's own files define the server: with another folder, the client reads others. */
const isDefinedOnlyOn = (client: ClientId, record: ServerRecord): boolean => {
  const approved = approvedDefinitions(record);
  return (
    approved.length > 0 &&
    approved.every(({ source }) => source.client === client && source.scope !== 'project')
  );
};

/** True when none of a client's hook scripts is there, as after an uninstall that left the entries. */
function lacksScripts({ slug, clients }: ServerRecord, { client, missing }: ClientStatus): boolean {
  const all = Object.keys(clients[client]?.own ?? {}).filter((path) => folderOfServer(path, slug));
  return all.length > 0 && all.every((path) => missing.includes(path));
}

/** Returns the findings about the entries and own files of one server on one client. */
export function installFindings(
  { scope, record }: Pick<Surveyed, 'scope' | 'record'>,
  status: ClientStatus,
): Finding[] {
  const { client, fault, entries, readsMain } = status;
  const { title, program, gates, home, hooks } = clientById(client);
  const file = readsMain ?? status.file;
  const about = { server: record.server, client, ...scopeOf(scope) };
  if (fault) return [{ code: fault.code, args: fault.args, where: fault.where, ...about }];
  const some = (
    code: Finding['code'],
    which: (entry: EntryStatus) => boolean,
    where: (first: EntryStatus) => Finding['where'] = () => ({ file }),
  ): Finding[] => {
    const found = entries.filter(which);
    const [first] = found;
    const args = {
      client: title,
      binary: program.binary,
      screen: gates.review?.screen ?? gates.offList?.screen ?? '',
      n: found.length,
      all: entries.length,
      names: found.map((e) => e.key),
    };
    return first ? [aboutInstall(code, scope, record, args, { where: where(first), client })] : [];
  };
  const one = (code: Finding['code'], args: FaultArgs, at: string): Finding[] => [
    aboutInstall(code, scope, record, args, { where: { file: at }, client }),
  ];
  const own = (code: Finding['code'], paths: readonly string[]): Finding[] =>
    paths[0] === undefined
      ? []
      : one(code, { n: paths.length, ...(lacksScripts(record, status) && { none: 1 }) }, paths[0]);
  const lacks = ({ standing }: EntryStatus): boolean =>
    standing === 'missing' || (readsMain !== undefined && standing === 'edited');
  const at = ({ line }: EntryStatus): Finding['where'] => ({ file, ...(line && { line }) });
  return [
    ...(status.reads === undefined
      ? some(readsMain ? 'doctor.main-worktree' : 'doctor.missing', lacks)
      : one(
          'doctor.file-unread',
          {
            client: title,
            reads: status.reads,
            variable: home.env ?? '',
            ...(isDefinedOnlyOn(client, record) && { moves: 1 }),
          },
          file,
        )),
    ...(status.outside === undefined ? [] : one('doctor.other-data', {}, status.outside)),
    ...(readsMain ? [] : some('doctor.edited', (e) => e.standing === 'edited', at)),
    // Most clients run equal hooks once.
    ...some('doctor.repeated', (e) => e.repeated === true, at).map((one) => ({
      ...one,
      remark: true as const,
    })),
    ...own('doctor.own-gone', status.missing),
    ...own('doctor.own-altered', status.altered),
    ...(status.off
      ? one('doctor.plugin-off', { client: title, undo: status.off.undo }, status.off.file)
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
            // Not the server's name: `list` says once what is equal for all servers.
            args: { client: title, starts: hooks.windows.project },
            where: { file },
            remark: true as const,
            ...about,
          },
        ]
      : []),
  ];
}
