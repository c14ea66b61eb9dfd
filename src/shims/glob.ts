/**
 * Source of an anchored regular expression for a `tool_name` glob: only `*` and `?` are special, by code point where the
 * engine has a Unicode mode. Uses no look-around, since Codex 0.169.0 (Rust's regex) drops a group with look-around, and
 * never two stars in a row, which would backtrack.
 */
export function globSource(glob: string): string {
  const body = glob
    .replace(/[*?]*\*[*?]*/g, (wild) => `${'?'.repeat(wild.replaceAll('*', '').length)}*`)
    .replace(/[\\^$.|()[\]{}+]/g, '\\$&')
    .replaceAll('?', '.')
    .replaceAll('*', '.*');
  return `^${body}$`;
}
