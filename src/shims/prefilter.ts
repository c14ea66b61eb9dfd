import { LAST_NEEDLE } from '../fire/format.ts';

/**
 * Data for the shell's question "can this payload match at all?" (templates/shim.sh). The answer may be yes too often,
 * but never wrongly no: the shell searches only for a part of a needle ("run") that every JSON spelling of the payload
 * contains unchanged.
 */

// Printable ASCII without quotes, backslashes and `/`, which have two spellings, and without `{}[]:,`, which may have
// spaces around them. All other characters may be escaped.
const RUNS = /[ !#-+\-.0-9;-Z^-z|~]+/g;

/** The rest of an escape sequence after its backslash. */
const AFTER_BACKSLASH = /^(?:u[0-9a-f]{0,4}|[bfnrt])/;
/** The same rest at the needle's start, where any part of the sequence may be missing. */
const AT_START = /^(?:u[0-9a-f]{0,4}|[0-9a-f]{1,4}|[nrt])/;

/** A number has other spellings: 1e3, 1000. */
const ONLY_NUMBER = /^[-+.0-9eE]*$/;

/** Most characters of a run: longer ones make the search slower and hardly more selective. */
const LONGEST = 200;

/**
 * Returns the longest part of an `input_contains` needle that is unchanged in every JSON text whose compact form
 * (`JSON.stringify`) contains the needle, unless a printable ASCII character is escaped there; null when there is none.
 */
export function longestStableSubstring(needle: string): string | null {
  // Which backslash of a sequence escapes is unknown, so the text after a sequence may be part of an escape.
  const [first = '', ...rest] = needle.split(/\\+/);
  const pieces = [first.replace(AT_START, ''), ...rest.map((piece) => piece.replace(AFTER_BACKSLASH, ''))];
  let best = '';
  for (const run of pieces.flatMap((piece) => piece.match(RUNS) ?? []))
    if (run.length > best.length && !ONLY_NUMBER.test(run)) best = run;
  return best === '' ? null : best.slice(0, LONGEST);
}

/** Escapes of printable ASCII, which could spell any run. */
const ESCAPES = ['\\u002', '\\u003', '\\u004', '\\u005', '\\u006', LAST_NEEDLE];

/**
 * Returns the file `<shim>.needles`: fixed strings, one per line, of which any matching payload contains at least one.
 * Returns null when any hook has no runs: then every payload needs a closer look.
 */
export function needlesFile(runs: readonly (string | readonly string[] | null)[]): string | null {
  if (runs.includes(null)) return null;
  return `${[...new Set(runs.flatMap((some) => some ?? [])), ...ESCAPES].join('\n')}\n`;
}
