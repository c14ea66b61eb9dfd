import { dirname, join } from 'node:path';
import { CLIENTS } from '../clients/index.ts';
import { EVENTS } from '../declarations/types.ts';
import type { FireData, JointData } from '../fire/format.ts';
import { documentFor, endOf, outputOf } from '../fire/text/render.ts';

/** Quotes any text as one word for a POSIX shell. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Reverses `shellQuote`; undefined for a text that `shellQuote` can't have made. */
export function shellUnquote(quoted: string | undefined): string | undefined {
  const inner = /^'((?:[^']|'\\'')*)'$/.exec(quoted ?? '')?.[1];
  return inner?.replaceAll("'\\''", "'");
}

/**
 * Returns the script that a client runs when a hook fires, from the text of templates/shim.sh. Absolute paths: `shim`
 * (its own path, unknown to a script that a shell reads), `node` and `runtime` (start.cjs). `seconds`: time after which
 * the script ends node, at most the client's own timeout.
 *
 * The template has two variables for what only Node can tell. `$ask`: whether the prepared document may be given, and
 * calls recorded; the shell may still find that no hook has a text (`muted`, `absent`). `$unsure`: whether the session's
 * marks count, so the shell can't find that either.
 */
export function shimScript(values: {
  template: string;
  shim: string;
  node: string;
  runtime: string;
  seconds: number;
  data: ShimProtocol;
}): string {
  return scriptOf(values.template, {
    ...protocolWords(values.data),
    '@SHIM@': shellQuote(values.shim),
    '@NODE@': shellQuote(values.node),
    '@RUNTIME@': shellQuote(values.runtime),
    '@OWN@': '${shim%/*/*/*}',
    '@LOG@': shellQuote(join(dirname(values.runtime), 'log.sh')),
    '@SECONDS@': String(values.seconds),
  });
}

/**
 * Returns a script for a folder that is copied to other machines and executed there: uses the first node on PATH,
 * `runtime/` is `up` folders above the script's folder, and the server is switched off at the place of a user's
 * install. `slug`: the server's (`slugFor`).
 */
export function portableScript(values: {
  template: string;
  slug: string;
  up: number;
  seconds: number;
  data: ShimProtocol;
}): string {
  return scriptOf(values.template, {
    ...protocolWords(values.data),
    // A joint script reads this one and says where it is. Not in a variable: a clone's settings can set any, and have
    // others' files read and run so.
    '@SHIM@': '${1:-$0}',
    '@NODE@': 'node',
    '@LOG@': "''",
    '@RUNTIME@': `"\${shim%${'/*'.repeat(values.up + 1)}}/runtime/fire.cjs"`,
    '@OWN@': userFolder('own', 'XDG_DATA_HOME', '.local/share', `mcphooks/hooks/${values.slug}`),
    '@SECONDS@': String(values.seconds),
  });
}

/**
 * Returns the script of an entry that serves all servers, from the text of templates/joint.sh. `shim`, `node`,
 * `runtime`: as in `shimScript` (runtime: joint.cjs); absent in a script that other machines share, two folders below
 * that of `runtime/`.
 */
export function jointScript({
  template,
  data,
  ...at
}: {
  template: string;
  data: JointData;
  shim?: string;
  node?: string;
  runtime?: string | undefined;
}): string {
  const { client, native, output = outputOf(native), cap, state, startFolderEnv = 'PWD', role } = data;
  const files = CLIENTS.find(({ id }) => id === client)?.hooks.project ?? [];
  const [head = '', ...rest] = documentFor(output, '@TEXT@').split('@TEXT@');
  return scriptOf(template, {
    '@SHIM@': at.shim === undefined ? '$0' : shellQuote(at.shim),
    '@NODE@': at.node === undefined ? 'node' : shellQuote(at.node),
    '@RUNTIME@': at.runtime === undefined ? `"\${joint%/*/*/*}/runtime/joint.cjs"` : shellQuote(at.runtime),
    '@HEAD@': shellQuote(head),
    '@MIDDLE@': shellQuote(rest.length > 1 ? (rest[0] ?? '') : ''),
    '@TAIL@': shellQuote(rest.at(-1) ?? ''),
    '@CAP@': cap === undefined ? "''" : String(cap),
    '@SILENT@': silentWord(data.silent),
    '@CLIENT@': client,
    '@NATIVE@': native,
    '@SCOPE@': role.scope,
    '@LEAVES@': role.leaves ?? '',
    '@TAKES@': role.takes ?? "''",
    '@SHARES@': role.shares ? '1' : '',
    '@LIMIT@': role.before?.version.replaceAll('.', ' ') ?? '',
    '@VERSION@': role.before ? `\${${role.before.env}##*/}` : '',
    '@START@': startFolderEnv,
    '@FILES@': files.map(({ path }) => shellQuote(path)).join(' '),
    '@EVENTS@': EVENTS.join(' '),
    '@DATA@': DATA[role.scope],
    '@STATE@':
      state === undefined
        ? userFolder('at', 'XDG_STATE_HOME', '.local/state', 'mcphooks')
        : shellQuote(state),
  });
}

/**
 * Returns what a shared script assigns to a shell variable of this name for a folder of the user's; a relative path in
 * the XDG variable doesn't count (`ownPaths`).
 */
function userFolder(name: string, variable: string, fallback: string, below: string): string {
  return `\${${variable}-}; case $${name} in /*) ;; *) ${name}=$HOME/${fallback} ;; esac; ${name}=$${name}/${below}`;
}

/** The user's data folder, as a joint script of each scope finds it. */
const DATA = {
  user: '${joint%/joint/*}',
  local: '${joint%/local/*}',
  project: userFolder('data', 'XDG_DATA_HOME', '.local/share', 'mcphooks'),
};

const silentWord = (silent: FireData['silent']): string => shellQuote(silent ? JSON.stringify(silent) : '');

/** The parts of the client's payloads and documents that the script itself needs. */
type ShimProtocol = Pick<FireData, 'native' | 'output' | 'silent'> & {
  payload: Pick<FireData['payload'], 'session' | 'agent' | 'foreign' | 'startFolderEnv'>;
};

/**
 * `@SESSION@`: keys of the session's id; `@AGENT@`: pattern of a sub-agent's payload; `@OTHERS@`: variables that other
 * programs set; `@END@`: the end of a document; `@SILENT@`: the document in place of nothing; `@START@`: variable with
 * the folder in which the client was started.
 */
function protocolWords({ native, output, silent, payload }: ShimProtocol): Record<string, string> {
  const keys = [payload.session].flat().map((path) => path.split('.').at(-1) ?? '');
  const others = payload.foreign?.env.map((name) => `\${${name}-}`).join('') ?? '';
  return {
    '@SESSION@': keys.join(' '),
    // No payload is a hyphen.
    '@AGENT@': payload.agent ? `*'"${payload.agent}"'*` : '-',
    '@OTHERS@': others || "''",
    '@END@': shellQuote(endOf(output ?? outputOf(native))),
    '@SILENT@': silentWord(silent),
    '@START@': payload.startFolderEnv ?? 'PWD',
  };
}

function scriptOf(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/@[A-Z]+@/g, (word) => words[word] ?? word);
}

/** Returns the node for which a script was written; undefined when the script isn't ours. */
export function nodeOf(script: string): string | undefined {
  return shellUnquote(/^ *node=('.*')$/m.exec(script)?.[1]);
}
