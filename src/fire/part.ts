/**
 * Returns what a program of the runtime exports. For a module with a file name, Node reads the nearest package.json
 * first; that is the repository's, and a merge conflict in it would stop the hook.
 */
export function loadPart(file: string): unknown {
  Object.assign(module, { filename: undefined });
  return require(file);
}
