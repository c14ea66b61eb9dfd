/** What `diff` says in a pull request, in Markdown. Names and paths that are passed are code already. */
export const NOTHING_HERE = '**mcphooks**: nothing is installed.';
export const CHECKOUT_DIFFERS =
  '**mcphooks**: do not merge this as it is. Files in the repository differ from what this version of mcphooks writes, or it cannot verify them.';

/**
 * Returns the first sentence: how many of the servers differ, and how many could not be compared. `lock`: name of the
 * lock file with which hooks were compared, as code. It may itself have changed, so agreement is not approval.
 */
export function differText(servers: number, differ: number, failed: number, lock?: string): string {
  const of = `of ${servers} ${servers === 1 ? 'server' : 'servers'}`;
  const all =
    { 1: 'the hooks', 2: 'the hooks of both servers' }[servers] ?? `the hooks of all ${servers} servers`;
  const told = [
    ...(differ > 0 ? [`${differ} ${of} ${differ === 1 ? 'differs' : 'differ'} from what was approved`] : []),
    ...(failed > 0 ? [`${failed} ${of} could not be compared`] : []),
  ];
  return `**mcphooks**: ${told.length > 0 ? told.join('; ') : `${all} ${lock === undefined ? 'are as approved' : `agree with ${lock}`}`}.`;
}

/** `project`: everyone who has the project runs the files. */
export const alteredTitle = (project: boolean): string =>
  project
    ? '**Altered files: do not merge them as they are.** They run on the machine of everyone who has this project.'
    : '**Altered files.**';

export const alteredCount = (files: number): string =>
  `${files} of the files that mcphooks wrote ${files === 1 ? 'differs' : 'differ'} from what was approved`;

/** What a line says of one file or one entry. */
const ALTERED = {
  gone: 'is missing',
  altered: 'was altered',
  stray: 'does not belong there',
  edited: 'was edited by hand',
  extra: 'is an extra entry',
  differs: 'differs',
} as const;

export type Alteration = keyof typeof ALTERED;

export const alteredLine = (name: string, how: Alteration): string => `${name} ${ALTERED[how]}`;

export const restoreFirst = (lock: string): string =>
  `Restore ${lock} from git first: the other files are checked against it.`;

const commits = (project: boolean): string => (project ? ' and commit the result.' : '.');

export const toRestore = (command: string, project: boolean): string =>
  `To restore what was approved, run ${command}${commits(project)}`;

/** After `restoreFirst`, for a lock file of which git has no right version either, as after a bad merge. */
export const orApprove = (command: string): string =>
  `Where git has no right version of it: run ${command}, read what it shows, approve it, and commit the result.`;

export const toAccept = (command: string, project: boolean): string =>
  `Read what changed. To accept it, run ${command}${commits(project)}`;

export const changedTitle = (changed: readonly string[]): string =>
  `**Changed since it was approved: ${changed.join(', ')}.**`;
