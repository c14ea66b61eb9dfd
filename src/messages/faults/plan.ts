import { listed } from '../../base/listed.ts';
import type { FaultArgs, NoArgs } from '../args.ts';
import { commandOn, list, named, nearOrKnown, unreadableText, type Wordings } from '../words.ts';

/** Returns the sentence on an install at another scope, with the command for that scope. */
function elsewhereText(a: PlanFaults['plan.not-installed']): string | undefined {
  const { elsewhere: [scope] = [], command } = a;
  if (scope === undefined) return undefined;
  const option = scope === 'user' ? 'leave --scope out.' : `add --scope ${scope}.`;
  const step = command ? commandOn(command, named(a, 'name', scope)) : option;
  return `They are installed at scope ${scope}: ${step}`;
}

/** Returns the options for scopes that all clients have. */
const otherScopes = ({ scope }: FaultArgs): string =>
  scope === 'local' ? '--scope project or --scope user' : '--scope user';

/** Returns how to install the hooks of a server that is configured; undefined where another name was meant. */
function toInstallText(a: FaultArgs): string | undefined {
  const { name, near, scope = 'user', toInstall } = a;
  if (near !== undefined || toInstall === undefined) return undefined;
  const meant = toInstall === name ? '' : `Did you mean '${toInstall}'? `;
  return `${meant}Install its hooks with: ${commandOn('install', named(a, 'toInstall', String(scope)))}`;
}

/** Arguments by code. */
export interface PlanFaults {
  'plan.path-forbidden': { client: string; path: string; text: string };
  'plan.client-old': { client: string; found: string; since: string };
  'plan.not-installed': {
    command?: string;
    /** 1: the server is installed at this scope, without hooks. */
    emptied?: 1;
    elsewhere?: readonly string[];
    known?: readonly string[];
    name: string;
    near?: string;
    scope?: string;
    /** The name, or a similar one, of a server that a client knows. */
    toInstall?: string;
  };
  /** `clients`: titles of those asked for; `having`: of those with hooks; `ids`: those that could have them, for --client. */
  'plan.not-on-clients': {
    clients: readonly string[];
    having: readonly string[];
    ids: readonly string[];
    name: string;
    scope: string;
  };
  'plan.client-unknown': { name: string; clients: readonly string[]; known: readonly string[] };
  'plan.no-client': { known: readonly string[] };
  'plan.no-scope': { client: string; scope: string };
  /** `clients`: titles of the clients that have the server in their configuration. */
  'plan.known-elsewhere': { clients: readonly string[]; scope: string };
  'plan.plugin-taken': { client: string; folder: string };
  'plan.same-file': { client: string; other: string; path: string };
  'plan.unreadable': { reason: string };
  /**
   * `installed`: 1: earlier hooks are installed; `noneChosen`: 1: the user chose none of the hooks; `allEmpty`: 1: those
   * that were chosen have empty texts.
   */
  'plan.nothing-installable': {
    name: string;
    installed?: 1;
    noneChosen?: 1;
    allEmpty?: 1;
    scope?: string;
  };
  'plan.not-utf8': NoArgs;
}

/** What helps with a file that can't be read, by the reason, where its permissions are not it. */
const UNREADABLE: Readonly<Record<string, string>> = {
  EISDIR: 'Use a file instead.',
  NOT_A_FILE: 'Use a regular file, not a folder, a pipe or a device.',
  TOO_LARGE: 'Use a smaller file.',
  TOO_MUCH: 'Remove large files, or links to one, from the places of hooks in the project.',
  UTF8: 'Write it as UTF-8.',
  ELOOP: 'Remove the link, or let it lead to a file.',
};

/** Faults of planning. */
export const planFaults = (): Wordings<PlanFaults> => ({
  'plan.path-forbidden': {
    what: (a) => `${a.client} would change '${a.text}' in a hook's path: ${a.path}`,
    fix: () =>
      'Set XDG_DATA_HOME to a folder whose path has no such characters, and keep it set for every command.',
  },
  'plan.client-old': {
    what: (a) =>
      `${a.client} ${a.found} can't start hooks on Windows without a shell, as ${a.since} and later do`,
    fix: (a) => `Update ${a.client}, then run this again.`,
  },
  'plan.not-installed': {
    what: (a) =>
      `no hooks from '${a.name}' are installed${a.elsewhere || a.scope !== 'user' ? ` at scope ${a.scope}` : ''}`,
    fix: (a) =>
      elsewhereText(a) ??
      (a.emptied && `Its last install left none. To see why: ${commandOn('install', a, '--dry-run')}`) ??
      toInstallText(a) ??
      nearOrKnown(a, 'Installed') ??
      "'mcphooks scan' lists the servers of your clients.",
  },
  'plan.not-on-clients': {
    what: (a) => `no hooks from '${a.name}' are installed for ${listed(a.clients)}`,
    fix: (a) =>
      `${listed(a.having)} ${a.having.length === 1 ? 'has' : 'have'} its hooks.${a.ids.length > 0 ? ` To install them there, too: ${commandOn('install', a, `--client ${a.ids.join(',')}`)}` : ''}`,
  },
  'plan.client-unknown': {
    what: (a) =>
      `'${a.name}' is installed for ${list(a.clients)}, which this version of mcphooks does not support`,
    fix: (a) =>
      `Run the command with the version of mcphooks that installed it, or name clients with --client: ${list(a.known)}.`,
  },
  'plan.no-client': {
    what: () => 'no supported client was found here',
    fix: (a) => `Name the clients with --client: ${list(a.known)}.`,
  },
  'plan.no-scope': {
    what: (a) => `${a.client} has no ${a.scope} scope for hooks`,
    fix: (a) => `Exclude it with --client, or use ${otherScopes(a)}.`,
  },
  'plan.known-elsewhere': {
    what: (a) =>
      `this server is only in the configuration of clients that have no ${a.scope} scope for hooks: ${list(a.clients)}`,
    fix: (a) => `Name other clients with --client, or use ${otherScopes(a)}.`,
  },
  'plan.plugin-taken': {
    what: (a) => `${a.client} already has another plugin in ${a.folder}`,
    fix: () => 'Uninstall that plugin, or use --target settings.',
  },
  'plan.same-file': {
    what: (a) =>
      `through a link, this is the file of ${a.other}, too (${a.path}): each of the two would run the other's hooks`,
    fix: (a) => `Give ${a.client} a file of its own, or choose one of the two with --client.`,
  },
  'plan.unreadable': {
    what: unreadableText,
    fix: (a) => UNREADABLE[a.reason] ?? 'Check the owner and the permissions of the file and its folder.',
  },
  'plan.nothing-installable': {
    what: (a) =>
      a.noneChosen
        ? `--only and --skip leave none of the hooks from '${a.name}'`
        : a.allEmpty
          ? `none of the hooks from '${a.name}' can be installed: their texts are empty`
          : `none of the hooks from '${a.name}' can be installed on these clients; the plan says why`,
    fix: (a) =>
      `${a.noneChosen ? 'Choose at least one hook with them.' : a.allEmpty ? 'Write a text for at least one of them where they are declared.' : 'Choose other clients with --client, or allow what the plan leaves out.'}${a.installed ? ` Its earlier hooks stay: '${commandOn('uninstall', a)}' removes them.` : ''}`,
  },
  'plan.not-utf8': {
    what: () => 'not valid UTF-8, so mcphooks left it unchanged',
    fix: () => 'Save the file as UTF-8.',
  },
});
