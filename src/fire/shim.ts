import { readFileSync } from 'node:fs';

/** POSIX shell quoting: one word, whatever it holds. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

let read: string | undefined;

/** Seen from here or from dist/chunks, and from dist. Read once: there is one for all shims. */
function template(): string {
  read ??= readTemplate();
  return read;
}

function readTemplate(): string {
  for (const place of ['../../templates/shim.sh', '../templates/shim.sh']) {
    try {
      return readFileSync(new URL(place, import.meta.url), 'utf8');
    } catch {}
  }
  throw new Error('templates/shim.sh is missing from this installation of mcphooks');
}

/**
 * The script that a client runs when a hook fires. `node` and `runtime` (fire.cjs) are absolute paths; `seconds`
 * is when the script gives node up, at most the client's own timeout.
 */
export function shimScript(values: { node: string; runtime: string; seconds?: number }): string {
  return scriptOf({
    '@NODE@': shellQuote(values.node),
    '@RUNTIME@': shellQuote(values.runtime),
    '@OWN@': '${0%/*/*/*}',
    '@SECONDS@': secondsOf(values.seconds),
  });
}

/**
 * The same for a folder that is copied to other machines: node is the first on PATH, `runtime/` is `up` folders above
 * the script's own, and what switches the server off is where a user's install has it. `slug`: the server's (`slugFor`).
 */
export function portableScript({
  slug,
  up,
  seconds,
}: {
  slug: string;
  up: number;
  seconds?: number;
}): string {
  return scriptOf({
    '@NODE@': 'node',
    '@RUNTIME@': `"\${0%${'/*'.repeat(up + 1)}}/runtime/fire.cjs"`,
    '@OWN@': `\${XDG_DATA_HOME:-$HOME/.local/share}/mcphooks/hooks/${slug}`,
    '@SECONDS@': secondsOf(seconds),
  });
}

const secondsOf = (seconds = 10): string => String(Math.max(1, Math.floor(seconds)));

function scriptOf(words: Readonly<Record<string, string>>): string {
  return template().replace(/@[A-Z]+@/g, (word) => words[word] ?? word);
}

/** The node that a script was written for; undefined: it is none of ours. */
export function nodeOf(script: string): string | undefined {
  const quoted = /^ *node='((?:[^']|'\\'')*)'$/m.exec(script)?.[1];
  return quoted?.replaceAll("'\\''", "'");
}
