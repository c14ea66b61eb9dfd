import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** POSIX shell quoting: one word, whatever it holds. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The word that `shellQuote` made a quoted one of; undefined: it made none of that, or there is none. */
export function shellUnquote(quoted: string | undefined): string | undefined {
  const inner = /^'((?:[^']|'\\'')*)'$/.exec(quoted ?? '')?.[1];
  return inner?.replaceAll("'\\''", "'");
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
      return readFileSync(join(import.meta.dirname, place), 'utf8');
    } catch {}
  }
  throw new Error('templates/shim.sh is missing from this installation of mcphooks');
}

/**
 * The script that a client runs when a hook fires. `shim` (its own path, since a shell that reads it doesn't tell),
 * `node` and `runtime` (fire.cjs) are absolute paths; `seconds` is when the script gives node up, at most the client's
 * own timeout.
 */
export function shimScript(values: {
  shim: string;
  node: string;
  runtime: string;
  seconds?: number;
}): string {
  return scriptOf({
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
  slug,
  up,
  seconds,
}: {
  slug: string;
  up: number;
  seconds?: number;
}): string {
  return scriptOf({
    '@SHIM@': '$0',
    '@NODE@': 'node',
    '@RUNTIME@': `"\${shim%${'/*'.repeat(up + 1)}}/runtime/fire.cjs"`,
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
  return shellUnquote(/^ *node=('.*')$/m.exec(script)?.[1]);
}
