/**
 * The shell's question "can this payload match at all?" (templates/shim.sh). It may pass too much, never too little:
 * a needle is looked for only by a part of it that every JSON spelling of the payload writes alike.
 */

// Printable ASCII without quotes, backslashes and `/`, which have two spellings, and without `{}[]:,`, which may
// have spaces around them. All other characters may be escaped.
const RUNS = /[ !#-+\-.0-9;-Z^-z|~]+/g;

/** The rest of an escape sequence whose backslash went before. */
const AFTER_BACKSLASH = /^(?:u[0-9a-f]{0,4}|[bfnrt])/;
/** The same at the needle's start, where any part of the sequence may be missing. */
const AT_START = /^(?:u[0-9a-f]{0,4}|[0-9a-f]{1,4}|[nrt])/;

/** A number can be spelled in other ways: 1e3, 1000. */
const ONLY_NUMBER = /^[-+.0-9eE]*$/;

/** Longer runs make the search dearer and hardly sharper. */
const LONGEST = 200;

/**
 * The longest part of an `input_contains` needle that stands raw in every JSON text of which the compact form
 * (`JSON.stringify`) holds the needle, unless a printable ASCII character is written as an escape; null: none.
 */
export function longestStableSubstring(needle: string): string | null {
  // Where a sequence of backslashes ends, it is not known which of them escapes: what follows is always distrusted.
  const [first = '', ...rest] = needle.split(/\\+/);
  const pieces = [first.replace(AT_START, ''), ...rest.map((piece) => piece.replace(AFTER_BACKSLASH, ''))];
  let best = '';
  for (const run of pieces.flatMap((piece) => piece.match(RUNS) ?? []))
    if (run.length > best.length && !ONLY_NUMBER.test(run)) best = run;
  return best === '' ? null : best.slice(0, LONGEST);
}

/** Escapes of printable ASCII, with which any run could be written. The last one shows the shell a whole file. */
const ESCAPES = ['\\u002', '\\u003', '\\u004', '\\u005', '\\u006', '\\u007'];

/**
 * The file `<shim>.needles`: fixed strings, one a line, of which one must stand in a payload that can match. null when
 * any hook has no runs: then every payload needs a closer look.
 */
export function needlesFile(runs: readonly (string | readonly string[] | null)[]): string | null {
  if (runs.includes(null)) return null;
  return `${[...new Set(runs.flatMap((some) => some ?? [])), ...ESCAPES].join('\n')}\n`;
}
