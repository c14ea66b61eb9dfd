import { existsSync } from 'node:fs';
import { realPath } from '../base/real-path.ts';
import { slugFor } from '../base/slug.ts';
import type { ClientId } from '../clients/client.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { disabledFilesOf } from '../inspect/disabled-files.ts';
import { findExported } from '../inspect/exported-plugins.ts';
import { activeScopes } from '../inspect/scopes.ts';
import { selfCalling } from '../inspect/self-calling.ts';
import { Fault } from '../messages/fault.ts';
import { userScope } from '../plan/scopes/user-scope.ts';
import { withRecord } from '../plan/with-record.ts';
import { thisSystem } from '../shims/command.ts';
import { disabledOnlyIn, withDisabledIn } from '../store/disabled-in.ts';
import { readFileState } from '../store/files.ts';
import { findServer, isSameServer, type ServerKey } from '../store/record.ts';
import type { FileChange, RecordDocument } from '../store/types.ts';
import type { Context } from './context.ts';
import { disk } from './disk.ts';
import { endWarmServers } from './end-warm-servers.ts';
import { notInstalled } from './not-installed.ts';
import { openRecord } from './open-record.ts';
import { recoverInterrupted } from './write/recover.ts';
import { leaveNoFolder, underLock } from './write/under-lock.ts';

interface Switched {
  changed: boolean;
  /** Clients that call the server's tools themselves, by scope: mcphooks' `disabled` files have no effect there. */
  unreached: { client: ClientId; scope: ScopeName }[];
}

/**
 * Disables or enables every install of a server that acts here, on this machine alone: a project's shared files stay
 * unchanged. Faults: as `notInstalled` and `underLock`.
 */
export async function switchServer(server: string, disabled: boolean, context: Context): Promise<Switched> {
  await recoverInterrupted(context);
  const slug = slugFor(server);
  const here = await activeScopes(context);
  const found = here.flatMap(({ scope, servers }) =>
    servers.filter((s) => s.slug === slug).map((known) => ({ scope, known })),
  );
  const exported = findExported(context).filter((e) => slugFor(e.server) === slug);
  // Exported shims use the `disabled` file of the user's own install.
  const user = userScope(context.env, context.paths, thisSystem());
  // An uninstall may have left that file alone.
  const isKnown = found.length + exported.length > 0;
  const isLeft = !disabled && !isKnown && existsSync(user.disabledFile(slug));
  if (!isKnown && !isLeft) throw await notInstalled(server, context, { here });
  const usersFiles = exported.length > 0 || isLeft ? [user.disabledFile(slug)] : [];
  const all = [...usersFiles, ...found.flatMap(({ scope, known }) => disabledFilesOf(known, scope))];
  // A folder may have two names.
  const paths = [...new Map(all.map((path) => [realPath(path), path])).values()];
  const isUsers = all.includes(user.disabledFile(slug));
  const folders: string[] = [];
  const done = await underLock(context, (made) => {
    const reading = openRecord(context);
    // An uninstall may have had the lock before; a file that is made now would stay.
    if (found.some(({ scope, known }) => !scope.shared && !findServer(reading.record, known)))
      return { result: undefined, changes: [] };
    const switches = paths.flatMap((path): FileChange[] => {
      const before = readFileState(path);
      const after = disabled ? Buffer.from('') : null;
      return (before === null) === (after === null) ? [] : [{ path, before, after, mode: 0o600 }];
    });
    folders.push(...reading.record.folders, ...made);
    const input = { reading, scope: context.scope, now: context.now(), made, files: disk };
    const roots = found.flatMap(({ scope }) => (scope.shared && scope.root ? [scope.root] : []));
    const inProjects = disabled
      ? withDisabledIn(reading.record, slug, roots)
      : isUsers
        ? disabledOnlyIn(reading.record, slug, [])
        : reading.record;
    const record = found.reduce((all, { known }) => switched(all, known, disabled), inProjects);
    const { changes, emptied } = withRecord(switches, record, input);
    const unreached = found.flatMap(({ scope, known }) =>
      selfCalling(known).map((client) => ({ client, scope: scope.name })),
    );
    return {
      result: { changed: changes.length > 0, unreached: disabled ? unreached : [] },
      changes,
      emptied,
    };
  }).catch((error) => {
    throw error instanceof Fault ? error.with({ act: disabled ? 'disable' : 'enable' }) : error;
  });
  if (!done) return switchServer(server, disabled, context);
  if (disabled) await endWarmServers(slug, context.paths);
  else leaveNoFolder(context, folders);
  return done;
}

/** Returns the machine's record with the server switched; a project's install isn't in this record. */
function switched(record: RecordDocument, key: ServerKey, disabled: boolean): RecordDocument {
  const servers = record.servers.map((one) => {
    const { disabled: _, ...rest } = one;
    return isSameServer(one, key) ? { ...rest, ...(disabled && { disabled }) } : one;
  });
  return { ...record, servers };
}
