import type { Client } from '../clients/client.ts';
import type { Invocation, PosixForm, WindowsForm } from '../clients/hook-config.ts';
import { CLIENTS } from '../clients/index.ts';
import { signatureOf } from '../edit/decide.ts';
import { shellQuote, shellUnquote } from './script.ts';

interface Form {
  /** Returns the invocation of these words: a program and its arguments. */
  invoke: (words: readonly string[]) => Invocation;
  /** Returns the last word, unquoted, from the signature of an entry in this form. */
  lastWord: (signature: string) => string | undefined;
  /** Characters that quoting in this form can't protect. */
  forbidden: RegExp;
}

/** JavaScript that runs a script and ignores its absence. */
const QUIETLY = 'try{require(process.argv[1])}catch{}';

const FORMS: Record<PosixForm | WindowsForm, Form> = {
  // The shell reads the shim itself, since starting another shell takes a third of the time of a fire without a text.
  // dash ends with 2 for a truncated file, which the trap handles; zsh and posh end with 1 for a missing file before
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
  file: {
    invoke: ([shim = '']) => ({ command: '/bin/sh', args: [shim] }),
    lastWord: (signature) => /^\/bin\/sh\0(\/[^\0]*)$/.exec(signature)?.[1],
    forbidden: /\0/,
  },
  exec: {
    invoke: ([node = '', shim = '']) => ({ command: node, args: ['-e', QUIETLY, shim] }),
    lastWord: (signature) => {
      const [node = '', shim] = signature.split(`\0-e\0${QUIETLY}\0`);
      return /^(?:[A-Za-z]:|\\)[\\/][^\0]*$/.test(node) ? shim : undefined;
    },
    forbidden: /\0/,
  },
  // cmd, POSIX shells and PowerShell behind its `&` read this form alike. Commands of 0.1.0 lack the part that ignores
  // a missing script.
  cmd: {
    invoke: ([node = '', shim = '']) => ({ command: `"${node}" "-e" "${QUIETLY}" "${shim}"` }),
    lastWord: (command) => {
      const [, code = QUIETLY, path] = /^"[^"]*" (?:"-e" "([^"]*)" )?"([^"]*)"$/.exec(command) ?? [];
      return code === QUIETLY ? path : undefined;
    },
    forbidden: /["%!$`\0\r\n]|\\$/,
  },
  // Windows PowerShell takes no `||`, and loses `"` on the way to a program; it treats typographic quotes as quotes. Some
  // clients show what a hook writes to stderr, so a missing node is caught, and a missing script ignored. Commands of 0.1.0
  // are without that.
  powershell: {
    invoke: ([node = '', shim = '']) => ({
      command: `try { & ${[node, '-e', QUIETLY, shim].map(powershellQuote).join(' ')} } catch {}; exit 0`,
    }),
    lastWord: (command) =>
      /^(?:& '(?:[^']|'')*' |try \{ & '(?:[^']|'')*' '-e' 'try\{require\(process\.argv\[1\]\)\}catch\{\}' )'((?:[^'\u2018-\u201b]|(['\u2018-\u201b])\2)*)'(?: \} catch \{\})?; exit 0$/
        .exec(command)?.[1]
        ?.replace(/(['\u2018-\u201b])\1/g, '$1'),
    forbidden: /[\0\r\n]/,
  },
};

function powershellQuote(word: string): string {
  return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** A system, as plans get it. */
export interface System {
  platform: string;
  /** Absolute path of node. */
  node: string;
}

/** System and node with which mcphooks runs now. */
export const thisSystem = (): System => ({ platform: process.platform, node: process.execPath });

const formOf = ({ hooks }: Client, { platform }: System): Form =>
  FORMS[platform === 'win32' ? hooks.windows.form : hooks.posix];

/**
 * Returns the invocation of a hook script. On Windows node is started directly with the script `<shim>.cjs`; elsewhere
 * a shell runs the shim itself, and the command succeeds on all clients even when the shim is missing or broken.
 */
export function shimInvocation(shim: string, client: Client, system: System): Invocation {
  return formOf(client, system).invoke(wordsFor(shim, system));
}

/** Returns the part of a shim's path that the client's shell wouldn't take literally; undefined when there is none. */
export function unquotable(shim: string, client: Client, system: System): string | undefined {
  const { forbidden } = formOf(client, system);
  return wordsFor(shim, system)
    .map((word) => forbidden.exec(word)?.[0])
    .find((c) => c !== undefined);
}

const wordsFor = (shim: string, { platform, node }: System): string[] =>
  platform === 'win32' ? [node, `${shim}.cjs`] : [shim];

/** Returns the program and arguments of an invocation, where /bin/sh reads a line. */
export const started = ({ command, args }: Invocation): [string, ...string[]] =>
  args ? [command, ...args] : ['/bin/sh', '-c', command];

/** Returns the file that a client starts for a hook script. */
export const scriptFile = (shim: string, { platform }: Pick<System, 'platform'>): string =>
  platform === 'win32' ? `${shim}.cjs` : shim;

/** Returns the words by which Windows starts a hook script, whichever shell a client puts around them. */
export const startOnWindows = (shim: string, { node }: System): [string, ...string[]] => [
  node,
  '-e',
  QUIETLY,
  `${shim}.cjs`,
];

/** Folder for all our files in a project. */
export const PROJECT_FOLDER = '.mcphooks';

/** Mark of an entry without a command: the tail of the path that a shim would have. */
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

/** Ends of the paths of scripts that serve all servers of a scope. */
const JOINT = /[/\\]mcphooks[/\\]joint[/\\]([^/\\]+)[/\\]([A-Za-z]+)(?:\.cjs)?$/;

const SHARED = /\.mcphooks\/hooks\/([^/]+)\/[0-9a-f]{16}\/([^/]+)\/([A-Za-z]+(?:-\d+|\.tool\d+)?)/;
/** Path of such a script in a project, as its command names it. */
export const SHARED_JOINT = /\.mcphooks\/joint\/()([^/]+)\/([A-Za-z]+)/;

/** The owner of an entry, read from its signature. */
interface EntryOwner {
  slug: string;
  client: string;
  key: string;
  /** The entry serves all servers of the scope; `slug` is then empty. */
  joint?: true;
  /** True for an entry shared by all users of the project. */
  shared: boolean;
  /** Set when an earlier version wrote the command in a form that this version doesn't write. */
  outdated?: true;
}

/** Cache by signature: the plan of each server asks about all entries in a file. */
const known = new Map<string, EntryOwner | undefined>();

/**
 * Returns the owner of an entry by its signature (a command or a mark), with any digest; undefined when the entry isn't
 * ours.
 */
export function shimOf(signature: string): EntryOwner | undefined {
  if (!known.has(signature)) known.set(signature, machineShim(signature) ?? sharedShim(signature));
  return known.get(signature);
}

/** A command in a project's files is ours only when this or an earlier version would write exactly this command. */
function sharedShim(signature: string): EntryOwner | undefined {
  const [path, slug, id, key] = SHARED.exec(signature) ?? SHARED_JOINT.exec(signature) ?? [];
  const client = CLIENTS.find((c) => c.id === id);
  if (path === undefined || slug === undefined || key === undefined || !client) return undefined;
  const { inProject, inProjectBefore = [] } = client.hooks;
  const shim = { slug, client: client.id, key, shared: true, ...(slug === '' && { joint: true as const }) };
  if (signature === `/${path}` || signature === signatureOf(inProject(path))) return shim;
  return inProjectBefore.some((before) => signature === signatureOf(before(path)))
    ? { ...shim, outdated: true }
    : undefined;
}

/** Returns all that an entry of ours in a project's files has to start its script, by its signature. */
export function sharedInvocation(signature: string): Invocation | undefined {
  const [path] = SHARED.exec(signature) ?? SHARED_JOINT.exec(signature) ?? [];
  const client = CLIENTS.find(({ id }) => id === shimOf(signature)?.client);
  return path === undefined ? undefined : client?.hooks.inProject(path);
}

/** Returns the path of the hook script in the signature of an entry on one machine. */
export function shimPath(signature: string): string | undefined {
  for (const form of Object.values(FORMS)) {
    const word = form.lastWord(signature);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** Returns the node that an entry of ours starts itself, as on Windows; elsewhere its script does. */
export function nodeIn(signature: string): string | undefined {
  if (shimPath(signature) === undefined) return undefined;
  const [, exec, cmd, line] =
    /^(?:([^\0]+)\0-e\0|"([^"]*)" "|(?:try \{ )?& '((?:[^']|'')*)' )/.exec(signature) ?? [];
  return exec ?? cmd ?? line?.replace(/(['\u2018-\u201b])\1/g, '$1');
}

function machineShim(signature: string): EntryOwner | undefined {
  const path = shimPath(signature) ?? (signature.startsWith('/mcphooks/') ? signature : '');
  const [, id, native] = JOINT.exec(path) ?? [];
  if (id !== undefined && native !== undefined)
    return { slug: '', client: id, key: native, shared: false, joint: true };
  const [, slug, client, key] = TAIL.exec(path) ?? [];
  return slug !== undefined && client !== undefined && key !== undefined
    ? { slug, client, key, shared: false }
    : undefined;
}

/**
 * Returns the entry's key when `signature` belongs to this server, client and scope. `joint`: true for a native event
 * whose entry for all servers counts as this server's.
 */
export function ownShim(
  signature: string,
  slug: string,
  client: string,
  scope: { shared: boolean },
  joint: (native: string) => boolean = () => false,
): string | undefined {
  const shim = shimOf(signature);
  if (shim?.client !== client || shim.shared !== scope.shared) return undefined;
  return (shim.joint ? joint(shim.key) : shim.slug === slug) ? shim.key : undefined;
}

/** True when a file may contain entries that serve all servers. */
export const holdsJoint = (bytes: Uint8Array | null): boolean => includesPath(bytes, ['mcphooks', 'joint']);

/** True when a file may contain entries of a server, or of any server: the file contains bytes of their commands. */
export function holdsEntries(bytes: Uint8Array | null, slug?: string): boolean {
  return includesPath(bytes, ['mcphooks', 'hooks', ...(slug === undefined ? [] : [slug])]);
}

/** True when a text contains a part of a path, in the spelling of any system; JSON and TOML escape backslashes. */
function includesPath(bytes: Uint8Array | null, steps: readonly string[]): boolean {
  if (bytes === null) return false;
  const text = Buffer.from(bytes).toString('latin1');
  return new RegExp(`${steps.join('[/\\\\]+')}[/\\\\]`).test(text);
}

/** Returns `<script>.cjs` for Windows: it runs the scripts of all servers. */
export function windowsJoint(runtime: string): string {
  return [
    "'use strict';",
    `const runtime = ${JSON.stringify(runtime)};`,
    "process.on('uncaughtException', () => process.exit(0));",
    "process.argv = [process.argv[0], runtime, __filename.slice(0, -'.cjs'.length)];",
    'require(runtime);',
    '',
  ].join('\n');
}

/** Returns `<shim>.cjs` for Windows: the counterpart of the shell script, without what only a shell can do. */
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
