import { clientById } from '../clients/index.ts';
import type { Site } from '../plan/site.ts';
import type { ClientStatus, EntryStatus } from '../plan/status.ts';
import type { Surveyed } from '../plan/survey.ts';
import type { Check, Finding } from './types.ts';

/** Servers that were silenced, or differ from what was approved. */
export const approvals: Check = ({ servers }) => servers.flatMap(serverFindings);

/** Entries and own files that are gone or altered, or that their client passes over. */
export const installs: Check = ({ servers }) =>
  servers.flatMap((s) => s.clients.flatMap((status) => clientFindings(s, status)));

/** Whose install a finding is about, where it isn't the user's own. */
export const scopeOf = ({ scope }: Site): { scope?: 'project' | 'local' } =>
  scope === 'user' ? {} : { scope };

/** A project's server that its client passes over, since nobody trusted the project. */
export function distrusted({ site, record }: Surveyed, { client, untrusted }: ClientStatus): Finding[] {
  return untrusted ? [{ ...untrusted, server: record.server, client, ...scopeOf(site) }] : [];
}

/** What holds for one server on all clients. */
export function serverFindings({ site, record, disabled, departures }: Surveyed): Finding[] {
  const { server } = record;
  const about = { server, ...scopeOf(site) };
  const calls = record.declarations.some((d) => d.context_tool !== undefined) ? 1 : 0;
  const file = record.definition?.source.file;
  return [
    ...(disabled ? [{ code: 'doctor.disabled' as const, args: { name: server }, where: {}, ...about }] : []),
    ...departures.map(
      (departure): Finding => ({
        code: `doctor.${departure}`,
        args: { name: server, calls, ...scopeOf(site) },
        where: departure.startsWith('definition') && file !== undefined ? { file } : {},
        ...about,
      }),
    ),
  ];
}

/** What holds for one server on one client. */
export function clientFindings({ site, record }: Surveyed, status: ClientStatus): Finding[] {
  const { server } = record;
  const { title, binary } = clientById(status.client);
  const about = { server, client: status.client, ...scopeOf(site) };
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
      binary,
      n: found.length,
      all: entries.length,
      ...scopeOf(site),
    };
    return first
      ? [{ code, args: { ...args, names: found.map((e) => e.key) }, where: where(first), ...about }]
      : [];
  };
  const own = (code: Finding['code'], paths: readonly string[]): Finding[] =>
    paths[0] === undefined
      ? []
      : [
          {
            code,
            args: { name: server, n: paths.length, ...scopeOf(site) },
            where: { file: paths[0] },
            ...about,
          },
        ];
  const at = ({ line }: EntryStatus): Finding['where'] => ({ file, ...(line && { line }) });
  return [
    ...some('doctor.missing', (e) => e.standing === 'missing'),
    ...some('doctor.edited', (e) => e.standing === 'edited', at),
    ...own('doctor.own-gone', status.gone),
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
  ];
}
