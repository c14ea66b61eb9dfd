import type { Client } from '../../clients/client.ts';
import { compareVersions, isProved } from '../../clients/versions.ts';
import { Fault } from '../../messages/fault.ts';
import type { Note } from '../../messages/notes.ts';
import type { PlanInput } from '../input.ts';
import type { Scope } from '../scopes/scope.ts';

/** Throws a Fault, `plan.client-old`, for a version of a client that can't run the scope's entries on this system. */
export function assertRuns(
  client: Client,
  { since: sinceOf }: Pick<Scope, 'since'>,
  { versions }: Pick<PlanInput, 'versions'>,
): void {
  const since = sinceOf?.(client);
  const found = since === undefined ? undefined : versions()[client.id];
  if (since !== undefined && found !== undefined && compareVersions(found, since) < 0)
    throw new Fault('plan.client-old', { client: client.title, found, since });
}

/** Returns notes on a client's version: untested, or known to carry less. */
export function versionNotes(client: Client, found: string | undefined): Note[] {
  const { title, proved } = client;
  const { how, of = title } = proved;
  if (how === 'source') return [{ code: 'version.source', args: { client: title } }];
  const runtime: Note[] = how === 'runtime' ? [{ code: 'version.runtime', args: { ...proved, of } }] : [];
  if (proved.of || found === undefined || isProved(found, proved)) return runtime;
  const { older, newer } = client;
  return [
    ...runtime,
    { code: 'version.unproved', args: { client: title, found, ...proved } },
    ...(older && compareVersions(found, older.before) < 0 ? [older.note] : []),
    ...(newer && compareVersions(found, newer.since) >= 0 ? [newer.note] : []),
  ];
}

/** Returns the code of the note that `--target plugin` changes nothing on a client. */
export const withoutTarget = ({ hooks }: Pick<Client, 'hooks'>): 'target.none' | 'target.already' =>
  hooks.user.some(({ format }) => format === 'module') ? 'target.already' : 'target.none';

/** Notes about `--target plugin` on one client: the client can't load plugins by itself, or its version is too old. */
export function targetNotes(client: Client, { options, scope, versions }: PlanInput): Note[] {
  if (options.target !== 'plugin' || !scope.asPlugin) return [];
  const autoLoad = client.plugin?.autoLoad;
  const args = { client: client.title };
  if (!autoLoad) return [{ code: withoutTarget(client), args }];
  const { since, note } = autoLoad;
  const found = versions()[client.id];
  return [
    ...(since !== undefined && found !== undefined && compareVersions(found, since) < 0
      ? [{ code: 'target.too-old' as const, args: { ...args, found, since } }]
      : []),
    ...(note ? [{ code: note, args }] : []),
  ];
}

/** Returns a note where the client starts no server of this name. */
export function nameNotes({ tools: { servers } }: Pick<Client, 'tools'>, alias: string): Note[] {
  return !servers || servers.names.test(alias) ? [] : [servers.otherwise];
}
