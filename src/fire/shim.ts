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
  const words: Record<string, string> = {
    '@NODE@': shellQuote(values.node),
    '@RUNTIME@': shellQuote(values.runtime),
    '@SECONDS@': String(Math.max(1, Math.floor(values.seconds ?? 10))),
  };
  return template().replace(/@[A-Z]+@/g, (word) => words[word] ?? word);
}

/** The node that a script was written for; undefined: it is none of ours. */
export function nodeOf(script: string): string | undefined {
  const quoted = /^ *node='((?:[^']|'\\'')*)'$/m.exec(script)?.[1];
  return quoted?.replaceAll("'\\''", "'");
}
