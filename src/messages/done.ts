import { listed } from '../base/listed.ts';
import { oneLine } from '../base/visible.ts';
import { commandOn, commandWords, orUnedited, RESTORE_LOCK, updating, word } from './words.ts';

/** Yes-or-no questions asked at a terminal. */
export const QUESTIONS = {
  write: 'Write this?',
  deleteLog: 'Also delete the log of what hooks gave?',
  hooks: 'Which hooks?',
  clients: 'On which clients?',
  none: 'Choose at least one, or cancel with Ctrl-C.',
  toolData: 'Allow these hooks to send tool inputs, tool outputs or your prompts to the server?',
} as const;

/** Behind a yes-or-no question: what an empty line means. */
export const YES_OR_NO = '[y/N]';

/** What the keys do that a question of a plan takes besides yes and no. */
export const ANSWER_KEYS = { d: 'lines', f: "mcphooks' files", c: 'choose hooks and clients' } as const;

/** Question for a declarations file that is gone. */
export const restoreQuestion = (hooks: number): string =>
  `Write the approved ${hooks === 1 ? 'hook' : `${hooks} hooks`} back to it?`;

export const ENTRIES_LEFT =
  "No hooks are installed, but entries without hook scripts are left: 'mcphooks list' shows them, --edited removes them.";
/** As in a project's folder that was renamed. */
export const ENTRIES_UNKNOWN =
  "No hooks are installed, but the clients' files have entries of mcphooks here: 'mcphooks list' shows them.";
export const NOTHING_INSTALLED = "No hooks are installed. 'mcphooks scan' shows your servers that have some.";
/** Result of a doctor with no findings; `one`: of one server. */
export const nothingFound = (one: boolean): string =>
  `Nothing found that would stop ${one ? 'its hooks' : 'hooks'} from firing here.`;
export const notContacted = (server: string | undefined): string =>
  `Servers were not contacted; '${commandOn('doctor', { ...(server !== undefined && { name: server }) }, '--check')}' does that.`;

/** Returns that a scope has no hooks but others have, with the user's command for each of these. */
export const onlyAtOthers = (scope: string, others: readonly string[], command: string): string =>
  `No hooks are installed at scope ${scope}. ${haveSome(others, command)}`;

/** Returns that other scopes have hooks, too, which `diff` compares with an option alone. */
export const notCompared = (scope: string, others: readonly string[]): string =>
  `Only the hooks at scope ${scope} were compared. ${haveSome(others, 'diff')}`;

function haveSome(others: readonly string[], command: string): string {
  const commands = others.map((one) => `'mcphooks ${command}${one === 'user' ? '' : ` --scope ${one}`}'`);
  const having = others.length === 1 ? `Scope ${others} has` : `Scopes ${listed(others)} have`;
  return `${having} some: ${commands.join(', ')}.`;
}

export const approvalsForgotten = (server: string, here: boolean, dryRun: boolean): string =>
  `Approvals to start ${word(server)} ${here ? 'in this project' : 'for projects'} ${dryRun ? 'would be forgotten' : 'are forgotten'}.`;

/** Returns the sentence for a command with nothing to do; `reason` is the rest of the sentence. */
export const idle = (reason: string): string => `Nothing to do: ${reason}.`;
/** Reason when hooks are installed for other clients alone. */
export const noneFor = (clients: readonly string[]): string =>
  `no hooks are installed for ${listed(clients)}`;

export const EXPORTED_ALREADY = idle('the folder is up to date');

/**
 * Returns the sentence on clients that have hooks by another install: `covered` of `clients`. `server`: its name, where a
 * command is about several.
 */
export function installedAlready(clients: number, covered: number, server?: string): string {
  const all = server === undefined ? 'everything is' : `the hooks of ${word(server)} are`;
  if (covered === 0) return idle(`${all} already installed`);
  return idle(
    covered === clients
      ? `these clients already have hooks of ${server === undefined ? 'this server' : word(server)}`
      : `${all} already installed or covered`,
  );
}

/** After faults that may be of one client alone. */
export const NOTHING_WRITTEN = 'Nothing of this plan was written.';

export const removeFrom = (clients: readonly string[]): string => `Remove the hooks from ${listed(clients)}?`;
export const removedFrom = (clients: readonly string[]): string =>
  `Removed the hooks from ${listed(clients)}. The plan for the other clients:`;

/** Returns how to install the hooks that have no fault, after the faults of others. */
export const withoutFaulty = (valid: number): string =>
  valid === 1
    ? '1 other hook is valid; to install only that one, add --lenient.'
    : `${valid} other hooks are valid; to install only those, add --lenient.`;

export const asInstalled = (server: string, disabled: boolean): string =>
  `${oneLine(server)}: as installed${disabled ? ', but disabled' : ''}`;

/** Returns what stands in place of `asInstalled` for a server of which nothing is to be installed. */
export const notInstalledYet = (server: string): string => `${oneLine(server)}: not installed`;

/** Returns what stands in place of `asInstalled` for a project whose lock file another version wrote. */
export const unverified = (server: string, disabled: boolean): string =>
  `${oneLine(server)}: ${disabled ? 'disabled, ' : ''}could not be verified, because the lock file names another version of mcphooks`;

/** Returns the next command for a difference: approve changes, restore the approved state or the lock file, or write. */
export function upToDate(
  server: string,
  scope: string,
  step: 'approve' | 'restore' | 'relock' | 'write',
  from?: string,
): string {
  const install = (options?: string): string =>
    updating({ name: server, scope, ...(from !== undefined && { from }) }, options);
  return {
    approve: `To review and approve what changed: ${install()}`,
    restore: `To restore what was approved: ${install('--frozen')}`,
    relock: `${RESTORE_LOCK}: ${install()}`,
    write: `To bring it up to date: ${install()}`,
  }[step];
}

/** On entries that an update leaves as they were edited. */
export const editedStep = (command: string): string => `Edited by hand: ${orUnedited(command)}`;

export const installedSentence = (server: string, scope: string): string =>
  `Installed. To undo: ${commandOn('uninstall', { name: server, scope })}`;

/** Returns, after an install of disabled hooks, how to enable them. */
export const stillDisabled = (server: string): string =>
  `Its hooks stay disabled and give no text. To enable them: ${commandOn('enable', { name: server })}`;

/** Returns what an update did that left no hook: the server has none any more, or none that the user chose. */
export const noneLeft = (server: string, scope: string): string =>
  `Removed: no hook is left to install. To forget the server: ${commandOn('uninstall', { name: server, scope })}`;

/** Returns how to see what the first hook gives; `event`: its declared event. */
export const tryIt = (server: string, scope: string, event: string): string =>
  `Try it: ${commandOn('fire', { name: server, scope }, '', event)}`;

/** Returns how to give a project's hooks to its other users, where the project is in no git repository. */
export const toShare = (paths: readonly string[]): string =>
  `To share with the team, pass on: ${commandWords(paths)}`;

/**
 * Returns how to give a project's hooks to its other users. `paths`: those that git doesn't ignore; `ignored`: the
 * others; `by`: the files that say so, as git names them. All other paths are relative to the folder of `git add`.
 */
export function toCommit(
  paths: readonly string[],
  ignored: readonly string[],
  by: readonly string[],
): string[] {
  const add = paths.length > 0 ? [`To share with the team: git add ${commandWords(paths)}`] : [];
  if (ignored.length === 0) return add;
  const are = ignored.length === 1 ? 'is' : 'are';
  const files = by.map(oneLine).join(', ');
  return [
    ...add,
    `! ${ignored.map(oneLine).join(', ')} ${are} ignored by git (${files}), so nobody else will get the hooks.`,
  ];
}

export const exported = (folder: string): string => `Exported to ${oneLine(folder)}.`;

/** Returns the sentence on the result of `disable` or `enable`. */
export function switched(server: string, to: 'disabled' | 'enabled', changed: boolean): string {
  const name = oneLine(server);
  if (!changed) return idle(`${name} is already ${to}`);
  return to === 'disabled'
    ? `${name} is disabled: its hooks give no text, also in running sessions. To enable it again: ${commandOn('enable', { name: server })}`
    : `${name} is enabled: its hooks give text again, also in running sessions.`;
}

/** Answer to an uninstall for clients that don't have the server's hooks. */
export const notFor = (server: string, clients: readonly string[]): string =>
  idle(`'${oneLine(server)}' is not installed for ${clients.join(' or ')}`);

/** Before `notSilenced`. */
export const STILL_ACTIVE = 'Still active:';

/** Returns the remark on a client that calls the server's tool itself, which `disable` can't turn off. */
export const notSilenced = (server: string, scope: string, client: string): string =>
  `hooks for which ${client} calls a tool of ${oneLine(server)} itself (--grant-control). Only '${commandOn('uninstall', { name: server, scope })}' or the client's own settings turn them off.`;

/** Says why an uninstall leaves an empty group in a client's file. */
export const placeholderText = (client: string): string =>
  `an empty group stays before other hooks: ${client} stores its trust of them by position. The next install reuses it`;

/** Beside the result of a check that asked no server. */
export const TOOLS_UNCHECKED = 'The tools of the server were not checked (--no-check).';
