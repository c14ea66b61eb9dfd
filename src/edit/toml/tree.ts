import type { AST } from 'toml-eslint-parser';
import type { Path } from '../../declarations/path.ts';

export const keysOf = (key: AST.TOMLKey): string[] =>
  key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value));

/**
 * Returns the first node of the value at a path: its own, or that of a part, since a table may be named by its parts
 * alone; else the node that shares most of the path.
 */
export function nearestToml(ast: AST.TOMLProgram, path: Path): AST.TOMLNode | undefined {
  let nearest: AST.TOMLNode | undefined;
  let depth = 0;
  // A later table of the same name, `[[a.b]]` after `[a]`, is no nearer.
  const look = (node: AST.TOMLNode, at: Path): boolean => {
    const other = path.findIndex((step, i) => step !== at[i]);
    const shared = other < 0 ? path.length : other;
    if (shared > depth) [nearest, depth] = [node, shared];
    return shared === at.length;
  };
  const inPair = ({ key, value }: AST.TOMLKeyValue, around: Path): void => {
    inValue(value, [...around, ...keysOf(key)]);
  };
  const inValue = (value: AST.TOMLContentNode, at: Path): void => {
    if (!look(value, at)) return;
    if (value.type === 'TOMLArray') for (const [i, one] of value.elements.entries()) inValue(one, [...at, i]);
    if (value.type === 'TOMLInlineTable') for (const pair of value.body) inPair(pair, at);
  };
  for (const node of ast.body[0].body) {
    if (node.type === 'TOMLKeyValue') inPair(node, []);
    else {
      look(node, node.resolvedKey);
      for (const pair of node.body) inPair(pair, node.resolvedKey);
    }
  }
  return nearest;
}
