import type { NoArgs } from '../args.ts';
import { installed, type Wordings, word } from '../words.ts';

/** Arguments by code. */
export interface StoreFaults {
  'own.foreign': { path: string };
  'apply.stale': NoArgs;
  'apply.read-only': NoArgs;
  'apply.denied': { code: string };
  'apply.disk-full': { code: string };
  'apply.failed': { code: string };
  'apply.not-a-file': NoArgs;
  'apply.too-large': NoArgs;
  'apply.dangling': { link: string };
  'apply.same-file': { other: string };
  'apply.unfinished': { code: string };
  'apply.left-alone': NoArgs;
  'apply.taken-back': { code: string };
  'apply.journal-newer': { format: number };
  'apply.journal-damaged': NoArgs;
  'apply.journal-foreign': { path: string };
  'apply.locked': { host: string; pid: number | string; seconds: number; since: string };
  'own.open': { folder: string };
  'own.of-another': { folder: string };
  'own.line-break': { folder: string };
  'own.kernel': { folder: string };
  'record.damaged': NoArgs;
  'record.unlisted': { name: string; scope?: string };
  'record.client-unknown': { client: string; name: string };
  'record.newer': { schema: number };
}

/** Faults of writing, and of the record. */
export const storeFaults = (): Wordings<StoreFaults> => ({
  'apply.stale': {
    what: () => 'the file changed while the change was being prepared; nothing was written',
    fix: () => 'Run the command again.',
  },
  'apply.read-only': {
    what: () => 'the file is read-only, so it is left alone; nothing was written',
    fix: () => 'Make it writable (chmod u+w), or choose another --scope.',
  },
  'apply.denied': {
    what: (a) => `no permission (${a.code}); nothing was written`,
    fix: () => 'Check who owns the file and its folder, and their modes.',
  },
  'apply.disk-full': {
    what: (a) => `no space left on the disk (${a.code}); nothing was written`,
    fix: () => 'Make room and run the command again.',
  },
  'apply.failed': {
    what: (a) => `the file system refused (${a.code}); nothing was written`,
    fix: () =>
      'See whether the path is a mount point, marked immutable, or led through something that is no folder.',
  },
  'apply.not-a-file': {
    what: () => 'this is not a regular file, so it is left alone',
    fix: () => 'Put a regular file there, or a symlink to one, and run the command again.',
  },
  'apply.too-large': {
    what: () => 'the file is larger than 16 MB, the most that is read, so it is left alone',
    fix: () => 'Make it smaller, and run the command again.',
  },
  'apply.dangling': {
    what: (a) => `the symlink leads to ${a.link}, whose folder does not exist`,
    fix: () => 'Create that folder, or remove the link.',
  },
  'apply.same-file': {
    what: (a) => `this is the same file as ${a.other}, which the same change would write`,
    fix: () => 'Install into one of them at a time.',
  },
  'apply.unfinished': {
    what: (a) => `a change stopped half way (${a.code}), and could not be taken back yet`,
    fix: () => 'Mend this and run any mcphooks command: it will finish.',
  },
  'apply.left-alone': {
    what: () => 'an interrupted run was ended, but this file had been changed since and was left as it is',
    fix: () => "See 'mcphooks diff' for what is missing in it.",
  },
  'apply.taken-back': {
    what: (a) => `an interrupted run could not be finished (${a.code}), so its changes were taken back`,
    fix: () => 'Run its command again.',
  },
  'apply.journal-newer': {
    what: (a) => `a newer mcphooks was interrupted here (journal format ${a.format})`,
    fix: () => 'Run that version once: it ends its own change.',
  },
  'apply.journal-damaged': {
    what: () => 'the journal of an interrupted run cannot be read',
    fix: () => "Look for files named .mcphooks-* beside your clients' settings, then remove the journal.",
  },
  'apply.journal-foreign': {
    what: (a) => `this journal of an interrupted run names what no run here can have changed: ${a.path}`,
    fix: () =>
      'Somebody wrote it, or what it names was moved or linked since. Nothing of it is done: look into it, then remove it.',
  },
  'apply.locked': {
    what: (a) => `process ${a.pid} on ${a.host} has held the lock since ${a.since}; waited ${a.seconds} s`,
    fix: () => 'Wait for it, or end it. If it is not mcphooks, remove the lock file.',
  },
  'own.open': {
    what: (a) => `others than you can write to ${a.folder}, a folder of mcphooks' own`,
    fix: (a) => `Look at what is in it, then close it: chmod go-w ${word(a.folder)}`,
  },
  'own.foreign': {
    what: (a) =>
      `no install of mcphooks owns ${a.path}; the record or the journal that names it was altered, or a folder of mcphooks is a link`,
    fix: () =>
      'Look into the folders of mcphooks (.local/share/mcphooks, .local/state/mcphooks) for what somebody else put there.',
  },
  'own.of-another': {
    what: (a) => `${a.folder} belongs to somebody else, who has made it before mcphooks could`,
    fix: () => 'Set TMPDIR, HOME or XDG_STATE_HOME to a folder of your own.',
  },
  'own.line-break': {
    what: (a) => `the path of mcphooks' own folder holds a line break: ${a.folder}`,
    fix: () => 'Set HOME, XDG_DATA_HOME and XDG_STATE_HOME to paths without one.',
  },
  'own.kernel': {
    what: (a) => `the system keeps no files where mcphooks' own folder would be: ${a.folder}`,
    fix: () => 'Set HOME, XDG_DATA_HOME and XDG_STATE_HOME to folders on a disk.',
  },
  'record.damaged': {
    what: () => 'the record cannot be read; it is kept aside, and a new one is begun',
    fix: () => "Entries are still recognised in the clients' files: 'mcphooks list' shows them.",
  },
  'record.unlisted': {
    what: (a) => `holds hooks of '${a.name}', and mcphooks has no record of installing them`,
    fix: (a) =>
      `'mcphooks install ${installed(a)}' takes them over, 'mcphooks uninstall ${installed(a)} --edited' takes them out.`,
  },
  'record.client-unknown': {
    what: (a) =>
      `'${a.name}' is installed for ${a.client}, a client that this version of mcphooks does not know: its entries stay here, and so does what they run`,
    fix: () => 'Run the command with the version of mcphooks that installed it, or with a newer one.',
  },
  'record.newer': {
    what: (a) => `the record was written by a newer mcphooks (schema ${a.schema}); nothing was changed`,
    fix: () => 'Use that version, or a later one.',
  },
});
