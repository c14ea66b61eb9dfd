import type { FireData } from '../fire/format.ts';
import { endOf, outputOf } from '../fire/render.ts';

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
 * (its own path, unknown to a script that a shell reads), `node` and `runtime` (fire.cjs). `seconds`: time after which
 * the script ends node, at most the client's own timeout.
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
 * Returns a script for a folder that is copied to other machines and executed there: uses the first node on PATH,
 * `runtime/` is `up` folders above the script's folder, and the server is switched off at the place of a user's
 * install. `slug`: the server's (`slugFor`).
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

/** The parts of the client's payloads and documents that the script itself needs. */
type ShimProtocol = Pick<FireData, 'native' | 'output'> & {
  payload: Pick<FireData['payload'], 'session' | 'foreign'>;
};

/**
 * `@SESSION@`: keys of the session's id; `@OTHERS@`: variables that other programs set; `@END@`: the end of a document.
 */
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

/** Returns the node for which a script was written; undefined when the script isn't ours. */
export function nodeOf(script: string): string | undefined {
  return shellUnquote(/^ *node=('.*')$/m.exec(script)?.[1]);
}
