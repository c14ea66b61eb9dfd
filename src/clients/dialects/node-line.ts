/**
 * Returns a PowerShell line for a project's files that runs JavaScript with a path as its argument, and ends with 0
 * without a node. Quotes in `code` are backticks: PowerShell keeps these as they are within `'`, and loses `"`. `path`
 * needs no quoting.
 */
export const nodeLine = (code: string, path: string): string =>
  `try { & node '-e' '${code}' '${path}' } catch {}; exit 0`;
