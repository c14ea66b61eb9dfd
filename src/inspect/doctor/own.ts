import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OwnPaths } from '../../base/paths.ts';
import { quietly } from '../../base/quietly.ts';
import { readNames } from '../../base/read-file.ts';
import { isClient } from '../../clients/index.ts';
import { LOG_FILE } from '../../fire/own-folders.ts';
import { type Fault, orFault } from '../../messages/fault.ts';
import { journalsIn } from '../../store/journal.ts';
import { assertPrivate, assertPrivateTree, isForAll } from '../../store/private-folder.ts';
import { wholeCheckoutFaults } from '../checkout/checkout-faults.ts';
import { disabledFilesOf } from '../disabled-files.ts';
import { type Unknown, unknownEntries } from '../survey.ts';
import { aboutInstall } from './installs.ts';
import type { Check, DoctorContext, Finding } from './types.ts';

/** Finds interrupted changes: their journals are still there. */
export const interrupted = ({ scopes }: Pick<DoctorContext, 'scopes'>): Finding[] => {
  const folders = [...new Set(scopes.map(({ scope }) => scope.lockFolder))];
  return folders
    .flatMap(journalsIn)
    .map((file) => ({ code: 'doctor.interrupted', args: {}, where: { file } }));
};

/**
 * Finds own folders that others can write to, into which no command writes, that others can replace, or in which hooks
 * can't write.
 */
export const ownFolders: Check = ({ scopes }) =>
  scopes
    .filter(({ scope }) => scope.name === 'user')
    .flatMap(({ scope: { paths } }): Finding[] => {
      const refused = orFault(() => {
        assertPrivate(paths.state);
        assertPrivateTree(paths.data);
      });
      if (refused) return [{ code: refused.code, args: refused.args, where: refused.where }];
      const another = ofAnother(paths);
      const denied = another.length > 0 ? another : unwritable(paths);
      return [...[paths.state, paths.data].flatMap(replaceable), ...denied];
    });

/** Finds that every user can replace a folder, by a folder above. */
function replaceable(folder: string): Finding[] {
  let above = dirname(folder);
  while (!isForAll(above) && dirname(above) !== above) above = dirname(above);
  return isForAll(above)
    ? [{ code: 'doctor.open-above', args: { folder, above }, where: { file: above } }]
    : [];
}

/**
 * Finds what another user has in the state folder, as after a session that root ran with this user's HOME: the user's
 * own hooks can't write there. Root can write everywhere. A network drive or a mount may show all files as of one other
 * user, those with the hook scripts, too.
 */
function ofAnother({ state, data }: OwnPaths): Finding[] {
  const user = process.geteuid?.();
  if (!user) return [];
  const ownerOf = (path: string): number => quietly(() => lstatSync(path).uid) ?? user;
  const users = [user, ownerOf(data) || user];
  const [file, ...more] = pathsIn(state).filter((path) => !users.includes(ownerOf(path)));
  if (file === undefined) return [];
  return [
    { code: 'doctor.state-of-another', args: { state, user, number: 1 + more.length }, where: { file } },
  ];
}

/**
 * Finds what is the user's own and has a mode in which not even they can write: in the state folder, or above it where it
 * is missing. Root can write all the same.
 */
function unwritable({ state }: OwnPaths): Finding[] {
  const user = process.geteuid?.();
  if (!user) return [];
  let folder = state;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const isDenied = (path: string): boolean => {
    const stat = quietly(() => statSync(path));
    if (stat?.uid !== user) return false;
    if (stat.isDirectory()) return (stat.mode & 0o300) !== 0o300;
    return basename(path) === LOG_FILE && (stat.mode & 0o200) === 0;
  };
  const file = (folder === state ? pathsIn(state) : [folder]).find(isDenied);
  if (file === undefined) return [];
  const args = { folder, ...(folder === state && { deep: 1 as const }) };
  return [{ code: 'doctor.state-unwritable', args, where: { file } }];
}

/** Returns the state folder, what is in it, and the folders in those that hooks make for each server and client. */
function pathsIn(state: string): string[] {
  const below = (folder: string): string[] => readNames(folder).map((name) => join(folder, name));
  return [state, ...below(state), ...['sessions', 'kept'].flatMap((name) => below(join(state, name)))];
}

/** Finds clients in a record that only a later version knows. */
export const unknownClients: Check = ({ servers }) =>
  servers.flatMap(({ scope, record }) =>
    Object.entries(record.clients)
      .filter(([id]) => !isClient(id))
      .map(([name, { file }]) =>
        aboutInstall('doctor.client-unknown', scope, record, { name }, { where: { file }, remark: true }),
      ),
  );

/** Finds records that can't be read, and entries that no record lists. */
export const record: Check = (context) =>
  context.scopes.flatMap((standing): Finding[] => {
    const { scope, reading } = standing;
    const { damaged } = reading;
    return [
      // Local installs are in the user's own record, which is checked once.
      ...(damaged && scope.name !== 'local' ? [damagedFinding(damaged, scope.shared)] : []),
      ...unknownEntries(standing, context).map(unknownFinding),
    ];
  });

/** Finds files and commands in a project's checkout that no install of this version wrote. */
export const checkout: Check = (context) =>
  context.scopes
    .flatMap((at) => wholeCheckoutFaults(at, context))
    // The user's own entries, copied into the project, are reported by `projectToo`.
    .filter(({ code, args }) => code !== 'project.other-command' || args.copied === undefined)
    .map(({ code, args, where }) => ({ code, args, where, scope: 'project' }));

function damagedFinding({ code, args, where }: Fault, shared: boolean): Finding {
  return shared ? { code, args, where } : { code: 'doctor.record', args: {}, where };
}

/** Returns the finding about entries that no record lists. */
export function unknownFinding({ scope, server, client, file, servesNone, left }: Unknown): Finding {
  const code = servesNone ? 'doctor.serves-none' : 'doctor.unknown';
  const args = { client, ...(left && { left: 1 }) };
  return aboutInstall(code, scope, { server }, args, { where: { file }, client });
}

/** Days for which a failure is reported. */
export const RECENT_DAYS = 7;

/**
 * Finds the last shim that ended without an answer; templates/shim.sh wrote its path. A shim rewritten since doesn't
 * count.
 */
export const failures: Check = ({ servers, read, now }) =>
  servers.flatMap(({ scope, record }) =>
    disabledFilesOf(record, scope).flatMap((disabledFile): Finding[] => {
      const file = join(dirname(disabledFile), 'failed');
      const shim = Buffer.from(read(file) ?? [])
        .toString('utf8')
        .trim();
      if (!Object.values(record.clients).some(({ own }) => Object.hasOwn(own, shim))) return [];
      const failed = statSync(file).mtimeMs;
      const written = statSync(shim, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      if (failed <= written || Date.parse(now) - failed > RECENT_DAYS * 86_400_000) return [];
      const at = new Date(failed).toISOString();
      return [aboutInstall('doctor.shim-failed', scope, record, { at, shim }, { remark: true })];
    }),
  );
