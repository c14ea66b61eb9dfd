import { HERE } from '../../base/platform.ts';
import type { FaultArgs, NoArgs } from '../args.ts';
import { adopting, commandOn, minute, named, type Wordings, word } from '../words.ts';

/** Arguments by code. */
export interface StoreFaults {
  'own.foreign': { path: string };
  'own.relative': NoArgs;
  'own.linked': { to: string };
  'apply.stale': NoArgs;
  'apply.unshown': NoArgs;
  /** `code`: of a file system that is read-only as a whole. */
  'apply.read-only': { code?: string };
  'apply.denied': { code: string };
  'apply.in-use': { code: string };
  'apply.mounted': { code: string };
  'apply.disk-full': { code: string };
  /** `folder`: 1: a folder that can't be made. */
  'apply.failed': { code: string; folder?: 1 };
  'apply.exists': NoArgs;
  'apply.not-a-file': NoArgs;
  'apply.too-large': NoArgs;
  'apply.dangling': { link: string };
  'apply.same-file': { other: string };
  'apply.unfinished': { code: string };
  'apply.interrupted': NoArgs;
  'apply.left-alone': NoArgs;
  'apply.taken-back': { code: string };
  'apply.journal-newer': { format: number };
  'apply.journal-damaged': NoArgs;
  'apply.journal-foreign': { path: string };
  'apply.locked': { host: string; pid: number | string; seconds: number; since: string };
  'own.open': { folder: string };
  /** `temporary`: the folder is in the temporary folder, for a user whose home can't be written. */
  'own.of-another': { temporary?: 1 };
  'own.no-temporary': { code: string };
  'own.stays': { folder: string; stays: 'state' };
  'own.sudo': { home: string };
  'own.line-break': { folder: string };
  'own.kernel': { folder: string };
  'own.not-utf8': NoArgs;
  'record.damaged': NoArgs;
  /** `servesNone`: an entry for all servers. */
  'record.unlisted': { name: string; client: string; scope?: string; servesNone?: 1; left?: 1 };
  'record.client-unknown': { client: string; name: string };
  'record.copied': { from: string };
  'record.newer': { schema: number };
}

function unwritten(a: FaultArgs): string {
  if (a.stays === 'approvals') return 'the hooks are removed, but approvals to start their server stay';
  if (a.stays === 'disabled') return 'the hooks are removed, but this machine still has them as disabled';
  if (a.scriptsGone)
    return 'its hooks are off, since their scripts are removed already; no other file was changed';
  return a.act === 'disable' || a.act === 'uninstall'
    ? "nothing was written, so its hooks stay as they are; MCPHOOKS_DISABLE=1 in a client's environment turns off the hooks of all servers"
    : 'nothing was written';
}

function orElsewhere(a: FaultArgs): string {
  const { stays, scriptsGone, act } = a;
  const uninstall = `'${commandOn('uninstall', named(a, 'server', 'project'))}'`;
  if (stays === 'disabled') return `, then run '${commandOn('enable', named(a, 'server'))}' and ${uninstall}`;
  if (stays) return `, then run ${uninstall}`;
  return scriptsGone || act ? '' : ", or, if the file is a client's, choose another --scope";
}

const OWN_FOLDERS = HERE.windows
  ? 'mcphooks and mcphooks-state in %LOCALAPPDATA%'
  : '.local/share/mcphooks, .local/state/mcphooks';

export const MANY_OPEN =
  'Close programs that have many files open, or raise the limit (ulimit -n), then run the command again.';

/** What to do, by code of the file system; for other codes, the path is named as the likely cause. */
const FIXES: Record<string, string> = {
  EFBIG: 'Raise the limit on the size of files (ulimit -f), then run the command again.',
  EIO: 'Check the disk, or the connection to it, then run the command again.',
  EMFILE: MANY_OPEN,
  ENFILE: MANY_OPEN,
  ENOENT: 'Create the folder, or what the link names, or give another path.',
};

/** Faults of writing, and of the record. */
export const storeFaults = (): Wordings<StoreFaults> => ({
  'apply.stale': {
    what: (a) => `the file changed while mcphooks was preparing its edit; ${unwritten(a)}`,
    fix: () => 'Run the command again.',
  },
  'apply.unshown': {
    what: () =>
      "the file changed after the plan was shown, and the plan doesn't list it; nothing of the plan was written",
    fix: () => 'Run the command again to see the plan as it is now.',
  },
  'apply.read-only': {
    what: (a) => `the file ${a.code ? `system is read-only (${a.code})` : 'is read-only'}; ${unwritten(a)}`,
    fix: (a) => `Make it writable${orElsewhere(a)}.`,
  },
  'apply.denied': {
    what: (a) => `no permission (${a.code}); ${unwritten(a)}`,
    fix: () => 'Check the owner and the permissions of the file and its folder.',
  },
  'apply.in-use': {
    what: (a) => `another program has the file open (${a.code}); ${unwritten(a)}`,
    fix: () => 'Close the programs that use it, such as the client or an editor, then run the command again.',
  },
  'apply.mounted': {
    what: (a) =>
      `the file is a mount of its own, or in use, and can't be replaced (${a.code}); ${unwritten(a)}`,
    fix: () =>
      'Where a container mounts the file, mount its folder instead; else close the programs that use it. Then run the command again.',
  },
  'apply.disk-full': {
    what: (a) => `no space left on the disk (${a.code}); ${unwritten(a)}`,
    fix: () => 'Free some space, then run the command again.',
  },
  'apply.failed': {
    what: (a) =>
      `${a.folder ? `the folder can't be created (${a.code})` : a.code === 'ENOENT' ? 'a folder is missing, or a link leads to nothing (ENOENT)' : `file system error (${a.code})`}; ${unwritten(a)}`,
    fix: (a) =>
      a.folder
        ? 'Give another path.'
        : (FIXES[a.code] ??
          'Check whether the path is a mount point, is immutable, or leads through something that is not a folder.'),
  },
  'apply.exists': {
    what: () => 'the file exists already, and mcphooks does not overwrite it',
    fix: () => 'Name another, or remove this one.',
  },
  'apply.not-a-file': {
    what: () => 'not a regular file, so mcphooks left it unchanged',
    fix: () =>
      'Move it away, or put a regular file or a symlink to one in its place, then run the command again.',
  },
  'apply.too-large': {
    what: () => 'the file is, or would become, larger than 16 MB, the limit, so mcphooks left it unchanged',
    fix: () => 'Make it smaller, then run the command again.',
  },
  'apply.dangling': {
    what: (a) => `the symlink points to ${a.link}, whose folder does not exist`,
    fix: () => 'Create that folder, or remove the link.',
  },
  'apply.same-file': {
    what: (a) => `this is the same file as ${a.other}, and one change can't write both; ${unwritten(a)}`,
    fix: () => 'Choose one of the clients with --client.',
  },
  'apply.unfinished': {
    what: (a) => `a change stopped halfway (${a.code}) and could not be undone yet`,
    fix: () => 'Fix this, then run any mcphooks command to finish.',
  },
  'apply.interrupted': {
    what: () =>
      'a run of mcphooks was interrupted, or is still under way; what follows is about the files as they are now',
    fix: () => 'Without --dry-run, mcphooks first completes or reverts that run.',
  },
  'apply.left-alone': {
    what: () => 'an interrupted run was completed, except for this file, which changed in the meantime',
    fix: () => "'mcphooks diff' shows what is missing in it.",
  },
  'apply.taken-back': {
    what: (a) => `an interrupted run could not be completed (${a.code}), so its changes were undone`,
    fix: () => 'Run that command again.',
  },
  'apply.journal-newer': {
    what: (a) => `a newer mcphooks was interrupted here (journal format ${a.format})`,
    fix: () => 'Run that version once to complete its change.',
  },
  'apply.journal-damaged': {
    what: () => 'the journal of an interrupted run is unreadable',
    fix: () => "Look for files named .mcphooks-* beside your clients' settings, then delete the journal.",
  },
  'apply.journal-foreign': {
    what: (a) => `this journal names a file that no mcphooks run here can have changed: ${a.path}`,
    fix: () =>
      'Someone else wrote it, or the file was moved or linked since. mcphooks ignored it: inspect it, then delete it.',
  },
  'apply.locked': {
    what: (a) =>
      `process ${a.pid} on ${a.host} has held the lock since ${minute(a.since)}; waited ${a.seconds} s`,
    fix: () => 'Wait for it, or end it. If it is not mcphooks, delete the lock file.',
  },
  'own.open': {
    what: () => "other users can write to this folder, which is mcphooks' own",
    fix: (a) => `Check what is in it, then close it: chmod go-w ${word(a.folder)}`,
  },
  'own.foreign': {
    what: (a) =>
      `no mcphooks install owns ${a.path}: the record or journal that names it was altered, or one of mcphooks' folders is a link`,
    fix: () => `Check mcphooks' folders (${OWN_FOLDERS}) for files that someone else put there.`,
  },
  'own.relative': {
    what: () => 'this path is relative, so it would name another file in each folder',
    fix: () =>
      `Set ${HERE.windows ? 'USERPROFILE' : 'HOME'}, and variables that name clients' folders, to absolute paths.`,
  },
  'own.linked': {
    what: (a) =>
      `is a symbolic link. mcphooks removes nothing behind links, so files of its own stay: ${a.to}`,
    fix: (a) => `Remove ${a.to}, then run the command again.`,
  },
  'own.of-another': {
    what: () => 'this folder belongs to another user, who created it before mcphooks could',
    fix: (a) =>
      a.temporary
        ? 'Set TMPDIR, HOME or XDG_STATE_HOME to a folder of your own.'
        : 'Set HOME, XDG_DATA_HOME and XDG_STATE_HOME to folders of your own.',
  },
  'own.stays': {
    what: () =>
      'the hooks are removed, but not this folder: another user owns files in it, as after a session as root',
    fix: (a) => `Remove it: sudo rm -r ${word(a.folder)}`,
  },
  'own.no-temporary': {
    what: (a) => `no temporary folder can be created here (${a.code}); nothing was written`,
    fix: () =>
      `Set ${HERE.windows ? 'TEMP' : 'TMPDIR'} to a folder that exists and in which you can create files.`,
  },
  'own.sudo': {
    what: (a) =>
      `sudo runs mcphooks as root in the home of another user, ${a.home}: that user could not change what root writes there`,
    fix: () => "Run it without sudo. For hooks of root itself, use 'sudo -H', which sets HOME.",
  },
  'own.line-break': {
    what: (a) => `the path of mcphooks' own folder contains a line break: ${a.folder}`,
    fix: () => 'Set HOME, XDG_DATA_HOME and XDG_STATE_HOME to paths without one.',
  },
  'own.kernel': {
    what: (a) => `files can't be stored where mcphooks' own folder would be: ${a.folder}`,
    fix: () => 'Set HOME, XDG_DATA_HOME and XDG_STATE_HOME to folders on a disk.',
  },
  'own.not-utf8': {
    what: () => "this path isn't valid UTF-8, so Node would write to another path",
    fix: () => 'Rename the folder, or use another one.',
  },
  'record.copied': {
    what: (a) =>
      `was copied from ${a.from}, and lists the hooks there, which mcphooks must not change from here`,
    fix: (a) => `Delete it, not the one in ${a.from}, then install again.`,
  },
  'record.damaged': {
    what: () => "mcphooks' record file is damaged, so it counts as empty",
    fix: () =>
      "The next install or uninstall keeps it in the same folder, as record.damaged-<time>.json. mcphooks still recognises its entries in the clients' files: 'mcphooks list' shows them.",
  },
  'record.unlisted': {
    what: (a) =>
      a.servesNone
        ? 'contains an entry for all servers, which serves none now'
        : a.left
          ? `contains hooks from '${a.name}' that an uninstall left, because they were edited by hand; they have no effect`
          : `contains hooks from '${a.name}', but mcphooks has no record of installing them`,
    fix: (a) =>
      a.servesNone || a.left
        ? `Remove ${a.left ? 'them' : 'it'} by hand, or with '${commandOn('uninstall', a, `--client ${a.client} --edited`)}'.`
        : `${adopting(a, "'")}.`,
  },
  'record.client-unknown': {
    what: (a) =>
      `'${a.name}' is installed for ${a.client}, which this version of mcphooks does not support; its entries and hook scripts stay`,
    fix: () => 'Run the command with the version of mcphooks that installed it, or a newer one.',
  },
  'record.newer': {
    what: (a) => `the record was written by a newer mcphooks (schema ${a.schema}); nothing was changed`,
    fix: () => 'Use that version or a newer one.',
  },
});
