import type { Conditions } from '../clients/conditions.ts';
import { CLIENTS } from '../clients/index.ts';

/** Input fields with a file's path or a shell command, on any client. */
const NAMING: ReadonlySet<string> = new Set(
  CLIENTS.flatMap(({ conditions: { files, shell } }) => [
    ...Object.values(shell),
    ...Object.values(files).flatMap((fields) => ('paths' in fields ? fields.paths : [])),
  ]),
);

/**
 * True when the input of a client's tool surely lacks a field: one that other tools use for a path or a command, where
 * the client's own field for that is known. Nothing is known of other fields, and of other tools.
 */
export function lacksField({ files, shell }: Conditions, tool: string, field: string): boolean {
  const own = [...(Object.hasOwn(shell, tool) ? [shell[tool]] : [])];
  const named = Object.hasOwn(files, tool) ? files[tool] : undefined;
  if (named) own.push(...('paths' in named ? named.paths : [named.patch].flat()));
  return own.length > 0 && NAMING.has(field) && !own.includes(field);
}
