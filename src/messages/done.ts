import { oneLine } from '../base/visible.ts';
import { word } from './words.ts';

/** What is asked at a terminal, as a yes-or-no question. */
export const QUESTIONS = {
  write: 'Write this?',
  toolData: 'May these hooks send what tools are given and answer, or what you ask, to the server?',
} as const;

/** Of a declarations file that is gone. */
export const restoreQuestion = (hooks: number): string =>
  `Write the approved ${hooks === 1 ? 'hook' : `${hooks} hooks`} to it again?`;

export const NOTHING_INSTALLED = 'Nothing is installed.';
/** Where the user has nothing, and the project has something. */
export const ONLY_FOR_PROJECT =
  "Nothing is installed for you. This project has hooks: 'mcphooks diff --scope project'.";

/** Why there was nothing to do; `reason` is the rest of the sentence. */
export const idle = (reason: string): string => `Nothing to do: ${reason}.`;
export const EXPORTED_ALREADY = idle('the folder holds all of it already');

/** Of so many clients, so many have the hooks by another install. */
export function installedAlready(clients: number, covered: number): string {
  if (covered === 0) return idle('all of it is installed already');
  return idle(
    covered === clients
      ? 'each of these clients has its hooks already'
      : 'all of it is installed already, or covered',
  );
}

export const asInstalled = (server: string, disabled: boolean): string =>
  `${oneLine(server)}: as installed${disabled ? ', and disabled' : ''}`;

/** What to do about a difference: approve what changed, restore what was approved, or just write it. */
export function upToDate(server: string, scope: string, step: 'approve' | 'restore' | 'write'): string {
  const install = `mcphooks install ${scope === 'user' ? '' : `--scope ${scope} `}${word(oneLine(server))}`;
  return {
    approve: `To read and approve what changed: ${install}`,
    restore: `To restore what was approved: ${install} --frozen`,
    write: `To bring it up to date: ${install}`,
  }[step];
}

export function installed(server: string, scope: string): string {
  const at = scope === 'user' ? '' : `--scope ${scope} `;
  return `Installed. 'mcphooks uninstall ${at}${word(oneLine(server))}' takes it back.`;
}

export const exported = (folder: string): string => `Exported to ${oneLine(folder)}.`;

/** What `disable` and `enable` came to. */
export function switched(server: string, to: 'disabled' | 'enabled', changed: boolean): string {
  const name = oneLine(server);
  if (!changed) return idle(`${name} is ${to} already`);
  return to === 'disabled'
    ? `${name} is disabled: its hooks stay silent, in running sessions too. 'mcphooks enable ${word(name)}' lets them speak again.`
    : `${name} is enabled: its hooks speak again, in running sessions too.`;
}

/** Of a client that calls a tool of the server itself, so that `disable` can't silence it. */
export const notSilenced = (server: string, client: string): string =>
  `hooks for which ${client} calls a tool of ${oneLine(server)} itself (--grant-control). Only 'mcphooks uninstall ${word(oneLine(server))}' or the client's own settings end them.`;
