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

const once = (finding: Finding): Finding => ({ ...finding, isOnce: true });

/** Returns the findings about the entries and own files of one server on one client. */
export function installFindings(
  { scope, record }: Pick<Surveyed, 'scope' | 'record'>,
  status: ClientStatus,
): Finding[] {
  const { client, fault, entries, readsMain } = status;
  const { title, program, gates, home } = clientById(client);
  const file = readsMain ?? status.file;
  const about = { server: record.server, client, ...scopeOf(scope) };
  if (fault) return [{ code: fault.code, args: fault.args, where: fault.where, ...about }];
  const aboutEntries = (
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
  const aboutFile = (code: Finding['code'], args: FaultArgs, path: string): Finding[] => [
    aboutInstall(code, scope, record, args, { where: { file: path }, client }),
  ];
  const aboutOwnFiles = (code: Finding['code'], paths: readonly string[]): Finding[] =>
    paths[0] === undefined
      ? []
      : aboutFile(code, { n: paths.length, ...(lacksScripts(record, status) && { none: 1 }) }, paths[0]).map(
          once,
        );
  const lacks = ({ standing }: EntryStatus): boolean =>
    standing === 'missing' || (readsMain !== undefined && standing === 'edited');
  const placeOf = ({ line }: EntryStatus): Finding['where'] => ({ file, ...(line && { line }) });
  return [
    ...(status.reads === undefined
      ? aboutEntries(readsMain ? 'doctor.main-worktree' : 'doctor.missing', lacks)
      : aboutFile(
          'doctor.file-unread',
          {
            client: title,
            reads: status.reads,
            variable: home.env ?? '',
            ...(isDefinedOnlyOn(client, record) && { moves: 1 }),
          },
          file,
        )),
    ...(status.outside === undefined ? [] : aboutFile('doctor.other-data', {}, status.outside)),
    ...(readsMain ? [] : aboutEntries('doctor.edited', (e) => e.standing === 'edited', placeOf)),
    // Most clients run equal hooks once.
    ...aboutEntries('doctor.repeated', (e) => e.repeated === true, placeOf).map((finding) => ({
      ...finding,
      remark: true as const,
    })),
    ...aboutOwnFiles('doctor.own-gone', status.missing),
    ...aboutOwnFiles('doctor.own-altered', status.altered),
    ...(status.off
      ? aboutFile('doctor.plugin-off', { client: title, undo: status.off.undo }, status.off.file)
      : []),
    ...aboutEntries(
      'doctor.off-here',
      (e) => e.offIn !== undefined,
      (e) => ({ file: e.offIn ?? file }),
    ),
    ...aboutEntries('doctor.untrusted', (e) => e.review === 'untrusted').map(once),
    ...aboutEntries('doctor.modified', (e) => e.review === 'modified', placeOf).map(once),
    ...silentOnWindows({ scope, record }, client, file),
  ];
}

/** Finds a client that starts no hooks of a project on Windows, or starts them only with Git Bash. */
function silentOnWindows(
  { scope, record }: Pick<Surveyed, 'scope' | 'record'>,
  client: ClientId,
  file: string,
): Finding[] {
  const { title, hooks } = clientById(client);
  const { project } = hooks.windows;
  if (!HERE.windows || scope.name !== 'project' || project === 'fires') return [];
  return [
    {
      code: 'doctor.project-windows',
      // Not the server's name: `list` says once what is equal for all servers.
      args: { client: title, starts: project },
      where: { file },
      remark: true,
      server: record.server,
      client,
      ...scopeOf(scope),
    },
  ];
}
