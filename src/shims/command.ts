import type { Client } from '../clients/client.ts';
import type { Invocation, PosixForm, WindowsForm } from '../clients/hook-config.ts';
import { CLIENTS } from '../clients/index.ts';
import { signOf } from '../edit/decide.ts';
import { shellQuote, shellUnquote } from './script.ts';

interface Form {
  /** What starts the words: a program and its arguments. */
  invoke: (words: readonly string[]) => Invocation;
  /** Reads the last word back out of the sign of such an entry, unquoted. */
  lastWord: (sign: string) => string | undefined;
  /** Characters that no quoting of this form protects. */
  forbidden: RegExp;
}

/** Runs a script that may be gone. */
const QUIETLY = 'try{require(process.argv[1])}catch{}';

const FORMS: Record<PosixForm | WindowsForm, Form> = {
  // The shell reads the shim itself: starting another shell takes a third of the time of a fire without a text. dash
  // ends with 2 for a file that is cut off, which the trap covers; zsh and posh end with 1 for a missing file before
  // any trap. Commands of earlier versions lack the check for the file.
  read: {
    invoke: ([shim = '']) => ({
      command: `trap 'exit 0' EXIT; shim=${shellQuote(shim)}; [ ! -f "$shim" ] || . "$shim" 2>/dev/null`,
    }),
    lastWord: (command) =>
      shellUnquote(
        /^trap 'exit 0' EXIT; (?:\. ('.*') 2>\/dev\/null|shim=('.*'); \[ ! -f "\$shim" \] \|\| \. "\$shim" 2>\/dev\/null)$/s
          .exec(command)
          ?.slice(1)
          .find((path) => path !== undefined),
      ),
    forbidden: /\0/,
  },
  run: {
    invoke: ([shim = '']) => ({ command: `${shellQuote(shim)} 2>/dev/null || exit 0` }),
    lastWord: (command) => shellUnquote(/^('.*') 2>\/dev\/null \|\| exit 0$/s.exec(command)?.[1]),
    forbidden: /\0/,
  },
  braces: {
    invoke: ([shim = '']) => ({ command: `{ ${shellQuote(shim)} 2>/dev/null || exit 0; }` }),
    lastWord: (command) => shellUnquote(/^\{ ('.*') 2>\/dev\/null \|\| exit 0; \}$/s.exec(command)?.[1]),
    forbidden: /\0/,
  },
  exec: {
    invoke: ([node = '', shim = '']) => ({ command: node, args: ['-e', QUIETLY, shim] }),
    lastWord: (sign) => sign.split(`\0-e\0${QUIETLY}\0`)[1],
    forbidden: /\0/,
  },
  // Read alike by cmd and by a POSIX shell.
  cmd: {
    invoke: (words) => ({ command: words.map((w) => `"${w}"`).join(' ') }),
    lastWord: (command) => /^"[^"]*" "([^"]*)"$/.exec(command)?.[1],
    forbidden: /["%!$`\0\r\n]|\\$/,
  },
  // PowerShell takes typographic quotes for quotes.
  powershell: {
    invoke: (words) => ({
      command: `& ${words.map((w) => `'${w.replace(/['\u2018-\u201b]/g, '$&$&')}'`).join(' ')}; exit 0`,
    }),
    lastWord: (command) =>
      /^& '.*' '((?:[^'\u2018-\u201b]|(['\u2018-\u201b])\2)*)'; exit 0$/
        .exec(command)?.[1]
        ?.replace(/(['\u2018-\u201b])\1/g, '$1'),
    forbidden: /[\0\r\n]/,
  },
};

/** How hooks are started where mcphooks runs now. */
export interface System {
  platform: string;
  /** Absolute path of node. */
  node: string;
}

const formOf = ({ hooks }: Client, { platform }: System): Form =>
  FORMS[platform === 'win32' ? hooks.windows.form : hooks.posix];

/**
 * What starts a hook script. On Windows node is started directly with the script `<shim>.cjs`; elsewhere a shell runs
 * the shim itself, and the command survives a missing or broken one on all clients.
 */
export function shimInvocation(shim: string, client: Client, system: System): Invocation {
  return formOf(client, system).invoke(wordsFor(shim, system));
}

/** What of a shim's path the client's shell would not take literally; undefined: nothing. */
export function unquotable(shim: string, client: Client, system: System): string | undefined {
  const { forbidden } = formOf(client, system);
  return wordsFor(shim, system)
    .map((word) => forbidden.exec(word)?.[0])
    .find((c) => c !== undefined);
}

const wordsFor = (shim: string, { platform, node }: System): string[] =>
  platform === 'win32' ? [node, `${shim}.cjs`] : [shim];

/** The folder for all of ours in a project. */
export const PROJECT_FOLDER = '.mcphooks';

/** The mark of an entry that has no command to be recognised by: the tail of the path that a shim would have. */
export function entryMark(
  slug: string,
  digest: string,
  client: string,
  key: string,
  shared: boolean,
): string {
  return `/${shared ? PROJECT_FOLDER : 'mcphooks'}/hooks/${slug}/${digest}/${client}/${key}`;
}

// `-2` and so on: earlier versions split long texts over several entries.
const TAIL =
  /[/\\]mcphooks[/\\]hooks[/\\]([^/\\]+)[/\\][0-9a-f]{16}[/\\]([^/\\]+)[/\\]([A-Za-z]+(?:-\d+|\.tool\d+)?)(?:\.cjs)?$/;

const SHARED = /\.mcphooks\/hooks\/([^/]+)\/[0-9a-f]{16}\/([^/]+)\/([A-Za-z]+(?:-\d+|\.tool\d+)?)/;

/** Whose entry a sign is. */
interface ShimSign {
  slug: string;
  client: string;
  key: string;
  /** It stands for all who have the project. */
  shared: boolean;
  /** An earlier version wrote it so, and this one doesn't. */
  outdated?: true;
}

/** Of signs that were looked at: each server's plan asks for all that stand in a file. */
const known = new Map<string, ShimSign | undefined>();

/** Whose entry a sign (a command or a mark) is, whichever digest it carries; undefined: not one of ours. */
export function shimOf(sign: string): ShimSign | undefined {
  if (!known.has(sign)) known.set(sign, machineShim(sign) ?? sharedShim(sign));
  return known.get(sign);
}

/** A command of a project's files is one of ours when we would write it so, or did. */
function sharedShim(sign: string): ShimSign | undefined {
  const [path, slug, id, key] = SHARED.exec(sign) ?? [];
  const client = CLIENTS.find((c) => c.id === id);
  if (path === undefined || slug === undefined || key === undefined || !client) return undefined;
  const { inProject, inProjectBefore = [] } = client.hooks;
  const shim = { slug, client: client.id, key, shared: true };
  if (sign === `/${path}` || sign === signOf(inProject(path))) return shim;
  return inProjectBefore.some((before) => sign === signOf(before(path)))
    ? { ...shim, outdated: true }
    : undefined;
}

/** The path of the hook script that a sign of an entry on one machine names. */
export function shimPath(sign: string): string | undefined {
  return Object.values(FORMS)
    .map((form) => form.lastWord(sign))
    .find((word) => word !== undefined);
}

function machineShim(sign: string): ShimSign | undefined {
  const path = shimPath(sign) ?? (sign.startsWith('/mcphooks/') ? sign : '');
  const [, slug, client, key] = TAIL.exec(path) ?? [];
  return slug !== undefined && client !== undefined && key !== undefined
    ? { slug, client, key, shared: false }
    : undefined;
}

/** The key of the entry when `sign` is of this server on this client, and of such a scope. */
export function ownShim(
  sign: string,
  slug: string,
  client: string,
  scope: { shared: boolean },
): string | undefined {
  const shim = shimOf(sign);
  return shim?.slug === slug && shim.client === client && shim.shared === scope.shared ? shim.key : undefined;
}

/** Whether entries of a server, or of any, may stand in a file: the bytes of their commands do. */
export function holdsEntries(bytes: Uint8Array | null, slug?: string): boolean {
  return (
    bytes !== null && Buffer.from(bytes).includes(`mcphooks/hooks/${slug === undefined ? '' : `${slug}/`}`)
  );
}

/** `<shim>.cjs` for Windows: what the shell script is elsewhere, less what only a shell can do. */
export function windowsScript(runtime: string): string {
  return [
    "'use strict';",
    `const runtime = ${JSON.stringify(runtime)};`,
    "const { existsSync } = require('node:fs');",
    "const silenced = require('node:path').join(__dirname, '..', '..', 'disabled');",
    "process.on('uncaughtException', () => process.exit(0));",
    "process.argv = [process.argv[0], runtime, __filename.slice(0, -'.cjs'.length)];",
    "if (!existsSync(silenced) && process.env.MCPHOOKS_DISABLE !== '1') require(runtime);",
    '',
  ].join('\n');
}
