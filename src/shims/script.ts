import type { FireData } from '../fire/format.ts';
import { endOf, outputOf } from '../fire/render.ts';

/** POSIX shell quoting: one word, whatever it holds. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The word that `shellQuote` made a quoted one of; undefined: it made none of that, or there is none. */
export function shellUnquote(quoted: string | undefined): string | undefined {
  const inner = /^'((?:[^']|'\\'')*)'$/.exec(quoted ?? '')?.[1];
  return inner?.replaceAll("'\\''", "'");
}

/**
 * The script that a client runs when a hook fires, from the text of templates/shim.sh. `shim` (its own path, since a shell that reads it doesn't tell),
 * `node` and `runtime` (fire.cjs) are absolute paths; `seconds` is when the script gives node up, at most the client's
 * own timeout.
 */
export function shimScript(values: {
  template: string;
  shim: string;
  node: string;
  runtime: string;
  seconds?: number;
  data: ShimProtocol;
}): string {
  return scriptOf(values.template, {
    ...protocolWords(values.data),
    '@SHIM@': shellQuote(values.shim),
    '@NODE@': shellQuote(values.node),
    '@RUNTIME@': shellQuote(values.runtime),
    '@OWN@': '${shim%/*/*/*}',
    '@SECONDS@': secondsOf(values.seconds),
  });
}

/**
 * The same for a folder that is copied to other machines, and executed there: node is the first on PATH, `runtime/` is
 * `up` folders above the script's own, and what switches the server off is where a user's install has it. `slug`: the
 * server's (`slugFor`).
 */
export function portableScript({
  template,
  slug,
  up,
  seconds,
  data,
}: {
  template: string;
  slug: string;
  up: number;
  seconds?: number;
  data: ShimProtocol;
}): string {
  return scriptOf(template, {
    ...protocolWords(data),
    '@SHIM@': '$0',
    '@NODE@': 'node',
    '@RUNTIME@': `"\${shim%${'/*'.repeat(up + 1)}}/runtime/fire.cjs"`,
    '@OWN@': `\${XDG_DATA_HOME:-$HOME/.local/share}/mcphooks/hooks/${slug}`,
    '@SECONDS@': secondsOf(seconds),
  });
}

/** What the script itself has to know of the client's payloads and documents. */
type ShimProtocol = Pick<FireData, 'native' | 'output'> & {
  payload: Pick<FireData['payload'], 'session' | 'foreign'>;
};

/** `@SESSION@`: keys of the session's id; `@OTHERS@`: variables that other programs set; `@END@`: how a document ends. */
function protocolWords({ native, output, payload }: ShimProtocol): Record<string, string> {
  const keys = [payload.session].flat().map((path) => path.split('.').at(-1) ?? '');
  const others = payload.foreign?.env.map((name) => `\${${name}-}`).join('') ?? '';
  return {
    '@SESSION@': keys.join(' '),
    '@OTHERS@': others || "''",
    '@END@': shellQuote(endOf(output ?? outputOf(native))),
  };
}

const secondsOf = (seconds = 10): string => String(Math.max(1, Math.floor(seconds)));

function scriptOf(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/@[A-Z]+@/g, (word) => words[word] ?? word);
}

/** The node that a script was written for; undefined: it is none of ours. */
export function nodeOf(script: string): string | undefined {
  return shellUnquote(/^ *node=('.*')$/m.exec(script)?.[1]);
}
